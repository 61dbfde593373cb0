from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.lm import Interpolation, KneserNey, LanguageModel, Mixture, learn_weights
from tests.lm.sums import sums

sentence = st.lists(st.sampled_from("abcd"), min_size=1, max_size=7).map(" ".join)
corpus = st.lists(sentence, min_size=2, max_size=10)
shares = st.sampled_from([(0.5, 0.5), (0.9, 0.1), (0.25, 0.75), (1.0, 0.0)])

LINES = ["the cat sat on the mat", "the dog sat on the log", "a cat and a dog", "the cat saw the dog", "the mat"]
OTHER = ["the train leaves at nine", "a train to the coast", "the dog leaves"]


@given(corpus, corpus, st.integers(1, 3), st.integers(1, 4), shares)
def test_a_linear_interpolation_is_a_distribution_and_exact_where_it_holds_the_ngram(
    first: list[str], second: list[str], low: int, high: int, weights: tuple[float, float]
) -> None:
    models = [KneserNey(order=low).train(first), KneserNey(order=high).train(second)]
    whole = Interpolation(weights=weights).combine(models)
    np.testing.assert_allclose(sums(whole, "abcd", 2), 1, atol=2e-5)
    words = sorted(set(whole.words()) - {"<unk>", "<s>", "</s>"})
    mixed = Mixture(tuple(models), weights)
    for line in words:  # a sentence of one word: bigrams with <s> and </s>
        held = whole.score_tokens([line])
        if held.n_matched.tolist() == [min(2, whole.order), min(3, whole.order)]:
            assert whole.score([line])[0] == pytest.approx(mixed.score([line])[0], abs=1e-4)


@given(corpus, corpus, st.integers(1, 3), st.integers(1, 4), st.sampled_from([(0.5, 0.5), (0.7, 0.6), (1.0, 0.2)]))
def test_a_log_linear_interpolation_is_the_normalised_product_everywhere(
    first: list[str], second: list[str], low: int, high: int, weights: tuple[float, float]
) -> None:
    models = [KneserNey(order=low).train(first), KneserNey(order=high).train(second)]
    whole = Interpolation(weights=weights, method="log-linear").combine(models)
    np.testing.assert_allclose(sums(whole, "abcd", 2), 1, atol=2e-5)
    words = ["x" if word == "<unk>" else word for word in whole.words() if word != "<s>"]
    for past in ("", "a", "b a", "c a b", "x d"):
        lines = [f"{past} {word}" for word in words]
        ends = whole.score_tokens(lines, eos=False).offsets[1:] - 1
        product = sum(
            weight * model.score_tokens(lines, eos=False).log_p[ends].astype(np.float64)
            for weight, model in zip(weights, models, strict=True)
        )
        wanted = product - np.log10((10.0**product).sum())
        np.testing.assert_allclose(whole.score_tokens(lines, eos=False).log_p[ends], wanted, atol=2e-5)


@pytest.mark.parametrize("method", ["linear", "log-linear"])
def test_one_model_alone_stays_itself(method: str, tmp_path: Path) -> None:
    model = KneserNey(order=3).train(LINES)
    same = Interpolation(weights=(1.0,), method=method).combine([model])
    assert same.n_ngrams == model.n_ngrams
    np.testing.assert_allclose(same.score([*LINES, *OTHER]), model.score([*LINES, *OTHER]), atol=1e-4)
    same.save(tmp_path / "mixed")
    loaded = LanguageModel.load(tmp_path / "mixed")
    assert loaded.recipe == Interpolation(weights=(1.0,), method=method)


@pytest.mark.parametrize("method", ["linear", "log-linear"])
def test_weights_that_fit_a_text_make_it_more_probable(method: str) -> None:
    models = [KneserNey(order=3).train(LINES), KneserNey(order=3).train(OTHER)]
    text = ["the train sat on the mat", "a dog leaves"]
    fitted = learn_weights(models, text, method=method)
    best = Interpolation(weights=fitted, method=method).combine(models).score(text).sum()
    for weights in ((1.0, 0.0), (0.0, 1.0)):
        assert best > Interpolation(weights=weights, method=method).combine(models).score(text).sum()


def test_mixtures_of_different_vocabularies_are_distributions() -> None:
    models = (KneserNey(order=2).train(["a b"]), KneserNey(order=2).train(["c d e"]))
    mixture = Mixture(models, (0.4, 0.6))
    words = ["a", "b", "c", "d", "e", "</s>", "unheard-of"]
    for past in ("", "a ", "c ", "b d ", "x "):
        lines = [past + word for word in words]
        before = mixture.score([past], eos=False)[0]
        assert (10.0 ** (mixture.score(lines, eos=False) - before)).sum() == pytest.approx(1, abs=1e-5)
    assert mixture.score([]).tolist() == []


def test_what_cannot_be_interpolated_is_named() -> None:
    with pytest.raises(DataError, match="at least one model and one sentence"):
        learn_weights([], LINES, method="log-linear")
    model = KneserNey(order=2).train(LINES)
    with pytest.raises(DataError, match="at least one model"):
        Interpolation().combine([])
    with pytest.raises(DataError, match="one weight for each model, got 1 for 2"):
        Interpolation(weights=(1.0,)).combine([model, model])
    with pytest.raises(DataError, match="must not be negative"):
        Interpolation(weights=(1.5, -0.5)).combine([model, model])
    with pytest.raises(DataError, match="add up to 1"):
        Interpolation(weights=(0.5, 0.6)).combine([model, model])
