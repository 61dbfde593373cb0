"""Smaller models: entropy pruning by its definition, and limits of the vocabulary."""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.lm import lm
from dragoman.errors import DataError
from dragoman.files import read_lines, write_lines
from dragoman.lm import Interpolation, KneserNey, LanguageModel
from tests.lm import naive
from tests.lm.sums import sums
from tests.lm.test_kneser_ney import read_arpa, sentence

Model = dict[tuple[str, ...], tuple[float, float]]  # p, back-off weight


def prune(model: Model, threshold: float) -> tuple[Model, float]:
    """Stolcke's definition with every sum written out, and how near to the threshold an n-gram came."""
    order = max(map(len, model))
    near = math.inf
    kept = dict(model)
    for k in range(order, 1, -1):
        followers = defaultdict(list)
        for gram in model:
            if len(gram) == k:
                followers[gram[:-1]].append(gram)
        for context, grams in followers.items():
            joint = math.prod(
                model[("</s>",) if context[: i + 1] == ("<s>",) else context[: i + 1]][0] for i in range(len(context))
            )
            rest = 1 - sum(model[gram][0] for gram in grams)
            rest_lower = 1 - sum(model[gram[1:]][0] for gram in grams)
            for gram in grams:
                if any(len(other) == k + 1 and gram in (other[1:], other[:-1]) for other in kept):
                    continue
                p, lower = model[gram][0], model[gram[1:]][0]
                alpha = (rest + p) / (rest_lower + lower)
                divergence = p * (math.log(p) - math.log(alpha * lower)) + rest * (
                    math.log(rest / rest_lower) - math.log(alpha)
                )
                rise = math.exp(joint * divergence) - 1
                near = min(near, abs(rise - threshold))
                if rise < threshold:
                    del kept[gram]
        for context, grams in followers.items():
            stay = [gram for gram in grams if gram in kept]
            rest = 1 - sum(kept[gram][0] for gram in stay)
            kept[context] = (model[context][0], rest / (1 - sum(kept[gram[1:]][0] for gram in stay)) if stay else 1.0)
    return kept, near


@given(
    st.lists(sentence, min_size=1, max_size=12),
    st.integers(1, 4),
    st.sampled_from([1e-4, 2e-3, 0.01, 0.05]),
    st.sampled_from(["hash", "trie"]),
)
def test_entropy_pruning_is_that_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], order: int, threshold: float, structure: str
) -> None:
    path = tmp_path_factory.mktemp("lm") / "model.arpa"
    model = KneserNey(order=order, entropy=threshold, structure=structure).train(lines, arpa=path)
    wanted, near = prune(naive.estimate(lines, order, (0.5, 1.0, 1.5)), threshold)
    ours = read_arpa(path)
    if near > 1e-6:  # else rounding decides
        assert set(ours) == {" ".join(gram) for gram in wanted}
        for gram, (p, backoff) in wanted.items():
            assert ours[" ".join(gram)][0] == pytest.approx(math.log10(p), abs=2e-6), gram
            if len(gram) < order:
                assert ours[" ".join(gram)][1] == pytest.approx(math.log10(backoff), abs=2e-5), gram
    np.testing.assert_allclose(sums(model, "abcd", order - 1), 1, atol=1e-5)


def test_pruning_goes_with_every_way_to_a_model(tmp_path: Path) -> None:
    lines = ["a b a c", "b a c d", "c c a b", "d a b a", "a c"]
    whole = KneserNey(order=3).train(lines, arpa=tmp_path / "whole.arpa")
    small = KneserNey(order=3, entropy=0.01).train(lines)
    assert sum(small.n_ngrams) < sum(whole.n_ngrams)
    assert small.n_ngrams[0] == whole.n_ngrams[0]
    for other in (whole.pruned(0.01), Interpolation(entropy=0.01).combine([whole]), whole.pruned(0.0).pruned(0.01)):
        assert other.n_ngrams == small.n_ngrams
        assert other.score(lines).tolist() == pytest.approx(small.score(lines).tolist(), abs=1e-4)
    assert whole.pruned(0.01).recipe == small.recipe
    assert whole.pruned(0.0).core.serialised() == whole.core.serialised()
    with pytest.raises(DataError, match=r"'entropy' option of KneserNey must be at least 0"):
        whole.pruned(-1)
    done = CliRunner().invoke(
        lm, ["convert", str(tmp_path / "whole.arpa"), str(tmp_path / "small.arpa"), "--entropy", "0.01"]
    )
    assert done.exit_code == 0, done.output
    assert LanguageModel.from_arpa(tmp_path / "small.arpa").n_ngrams == small.n_ngrams


@pytest.mark.realdata
def test_pruning_costs_what_it_says(data_folder: Path) -> None:
    lines = read_lines(data_folder / "lm-fixture" / "text.en.gz")
    whole = KneserNey(order=3).train(lines)
    text = read_lines(data_folder / "multi30k" / "val.en.gz")
    sizes, scores = [], []
    for entropy in (0.0, 1e-7, 1e-6, 1e-5):
        model = whole.pruned(entropy)
        sizes.append(sum(model.n_ngrams))
        scores.append(float(model.score(text).sum()))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0] / 2
    assert scores[-1] > scores[0] * 1.1  # logarithms: at most a tenth worse


def limit(lines: list[str], order: int, kept: set[str]) -> Model:
    """Kneser–Ney with words left out after counting: what they had goes to the lower order, at last to all alike."""
    counts, discounts = naive.adjusted(lines, order, (0.5, 1.0, 1.5))
    special = {"<unk>", "</s>"}
    words = special | kept
    p: Model = {}
    backoffs: dict[tuple[str, ...], float] = {}
    for k in range(1, order + 1):
        total: defaultdict[tuple[str, ...], float] = defaultdict(float)
        held: defaultdict[tuple[str, ...], float] = defaultdict(float)
        stays = {gram for gram in counts[k] if set(gram) <= words | {"<s>"}}
        for gram, count in counts[k].items():
            total[gram[:-1]] += count
            held[gram[:-1]] += discounts[k][min(count, 3)] if gram in stays else count
        grams = {(word,) for word in words} if k == 1 else stays
        for gram in grams:
            count = counts[k].get(gram, 0)
            weight = held[gram[:-1]] / total[gram[:-1]]
            lower = 1 / len(words) if k == 1 else p[gram[1:]][0]
            p[gram] = ((count - discounts[k][min(count, 3)]) / total[gram[:-1]] + weight * lower, 1.0)
            backoffs[gram[:-1]] = weight
    p[("<s>",)] = (1.0, 1.0)
    return {gram: (value, backoffs.get(gram, 1.0)) for gram, (value, _) in p.items()}


@given(st.lists(sentence, min_size=1, max_size=12), st.integers(1, 4), st.integers(0, 3), st.integers(1, 4))
def test_limits_of_the_vocabulary_are_those_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], order: int, max_words: int, min_count: int
) -> None:
    path = tmp_path_factory.mktemp("lm") / "model.arpa"
    model = KneserNey(order=order, max_words=max_words, min_count=min_count).train(lines, arpa=path)
    tokens = " ".join(lines).split()
    ranked = sorted(dict.fromkeys(tokens), key=lambda word: -tokens.count(word))
    kept = {word for word in ranked[: max_words or None] if tokens.count(word) >= min_count}
    assert model.words() == ["<unk>", "<s>", "</s>", *(word for word in dict.fromkeys(tokens) if word in kept)]
    wanted, ours = limit(lines, order, kept), read_arpa(path)
    assert set(ours) == {" ".join(gram) for gram in wanted}
    for gram, (p, backoff) in wanted.items():
        assert ours[" ".join(gram)][0] == pytest.approx(math.log10(p), abs=2e-6), gram
        if len(gram) < order:
            assert ours[" ".join(gram)][1] == pytest.approx(math.log10(backoff), abs=2e-6), gram
    np.testing.assert_allclose(sums(model, "abcd", order - 1), 1, atol=1e-5)


def test_limits_on_the_command_line(tmp_path: Path) -> None:
    write_lines(tmp_path / "text", ["a b c", "a b", "a d"])
    arguments = ["build", str(tmp_path / "text"), "-m", str(tmp_path / "lm"), "--order", "2", "--json"]
    done = CliRunner().invoke(lm, [*arguments, "--min-count", "2", "--max-words", "1"])
    assert done.exit_code == 0, done.output
    assert LanguageModel.load(tmp_path / "lm").words() == ["<unk>", "<s>", "</s>", "a"]
    write_lines(tmp_path / "classes", ["a\t1"])
    done = CliRunner().invoke(lm, [*arguments, "--classes", str(tmp_path / "classes"), "--max-words", "1"])
    assert "--classes goes without --vocabulary, --max-words, --min-count" in done.output
