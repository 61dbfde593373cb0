"""Aligners against the definition, and on examples that can be checked by hand."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.align import ALIGNERS, Aligner, align
from dragoman.align.base import AlignmentRecipe
from dragoman.align.hmm import Hmm
from dragoman.align.ibm import Diagonal, Ibm1
from dragoman.align.sampler import Sampler
from dragoman.data.formats.pharaoh import PharaohFormat
from dragoman.files import read_lines
from dragoman.samples import phrasebook
from dragoman.text import TOKENISERS
from tests.align import naive

BOOKS = [("das Haus", "the house"), ("das Buch", "the book"), ("ein Buch", "a book")]

words = st.sampled_from(["a", "b", "c", "d"])
corpora = st.lists(
    st.tuples(st.lists(words, max_size=4), st.lists(st.sampled_from(["x", "y", "z"]), max_size=4)),
    min_size=1,
    max_size=4,
)


def book() -> list[list[str]]:
    return [[line.lower() for line in phrasebook()[lang]] for lang in ("en", "de")]


def trained(recipe: AlignmentRecipe, pairs: naive.Pairs) -> Aligner:
    return recipe.train([" ".join(s) for s, _ in pairs], [" ".join(t) for _, t in pairs])


def probabilities(aligner: Aligner) -> dict[tuple[str | None, str], float]:
    lexicon = aligner.lexicon()
    sources, targets = (vocabulary.words() for vocabulary in aligner.vocabularies)
    return {
        (None if s < 0 else sources[s], targets[t]): float(p)
        for s, t, p in zip(lexicon.sources, lexicon.targets, lexicon.p, strict=True)
    }


def agree(aligner: Aligner, table: naive.Table) -> None:
    found = probabilities(aligner)
    assert found.keys() <= table.keys()
    for pair, p in table.items():
        assert found.get(pair, naive.LEAST) == pytest.approx(p, abs=1e-6)


def test_ibm1_on_the_textbook_corpus() -> None:
    # Koehn, Statistical Machine Translation (2010), figure 4.4: das Haus, das Buch, ein Buch; no empty word.
    source, target = zip(*BOOKS, strict=True)
    expected = {
        1: {("das", "the"): 0.5, ("das", "house"): 0.25, ("Haus", "the"): 0.5, ("Haus", "house"): 0.5},
        2: {("das", "the"): 0.6364, ("Haus", "the"): 0.4286, ("Haus", "house"): 0.5714, ("ein", "a"): 0.5714},
        3: {("das", "the"): 0.7479, ("das", "book"): 0.1208, ("Haus", "the"): 0.3466, ("Haus", "house"): 0.6534},
    }
    for rounds, values in expected.items():
        found = probabilities(Ibm1(rounds=rounds, empty=False).train(source, target))
        for pair, p in values.items():
            assert found[pair] == pytest.approx(p, abs=5e-5)
    converged = probabilities(Ibm1(rounds=1000, empty=False).train(source, target))
    assert converged["das", "the"] == pytest.approx(1, abs=2e-3)
    assert converged["ein", "a"] == pytest.approx(1, abs=2e-3)


@given(corpora, st.integers(1, 3), st.booleans())
def test_ibm1_agrees_with_naive_em(pairs: naive.Pairs, rounds: int, empty: bool) -> None:
    # A pair without source words has only the empty word, whatever the option says.
    pairs = [(s, t) for s, t in pairs if s] or [(["a"], ["x"])]
    table, likelihoods = naive.ibm(pairs, rounds, naive.place_priors(0.0, None if empty else 0.0))
    aligner = trained(Ibm1(rounds=rounds, empty=empty), pairs)
    agree(aligner, table)
    assert [each.log_p for each in aligner.forward.rounds] == pytest.approx(likelihoods, abs=1e-4)


@given(corpora, st.integers(1, 3), st.sampled_from([0.5, 4.0, 9.0]))
def test_the_diagonal_model_agrees_with_naive_em(pairs: naive.Pairs, rounds: int, tension: float) -> None:
    table, likelihoods = naive.ibm(pairs, rounds, naive.place_priors(tension, 0.08))
    aligner = trained(Diagonal(rounds=rounds, tension=tension, learn_tension=False, alpha=0.0), pairs)
    agree(aligner, table)
    assert [each.log_p for each in aligner.forward.rounds] == pytest.approx(likelihoods, abs=1e-4)


@given(corpora, st.integers(0, 1), st.integers(1, 2), st.sampled_from([1, 2, 20]))
def test_the_hmm_agrees_with_naive_em(pairs: naive.Pairs, start: int, rounds: int, max_jump: int) -> None:
    model = naive.Hmm(pairs, p_null=0.2, max_jump=max_jump)
    model.table = naive.ibm(pairs, start, naive.place_priors(0.0, None))[0]
    for _ in range(rounds):
        model.round()
    recipe = Hmm(start_rounds=start, rounds=rounds, max_jump=max_jump, alpha=0.0)
    aligner = trained(recipe, pairs)
    agree(aligner, model.table)
    assert [each.log_p for each in aligner.forward.rounds[start:]] == pytest.approx(model.likelihoods, abs=1e-4)
    found = recipe.find(aligner.forward, align_core(aligner, pairs), key=0, posteriors=True, n_threads=1)
    expected = [p for posteriors in model.round() for row in posteriors[1:] for p in row]
    np.testing.assert_allclose(found.posteriors, expected, atol=1e-5)


def align_core(aligner: Aligner, pairs: naive.Pairs):  # type: ignore[no-untyped-def]
    from dragoman.align.text import encode

    lines = [" ".join(s) for s, _ in pairs], [" ".join(t) for _, t in pairs]
    return encode(*lines, aligner.vocabularies).core()


@pytest.mark.parametrize(
    "recipe",
    [
        Ibm1(rounds=12),
        Diagonal(rounds=12, learn_tension=False, alpha=0.0),
        Hmm(start_rounds=3, rounds=12, alpha=0.0),
        Hmm(start_rounds=1, rounds=12, alpha=0.0, max_jump=2),
    ],
)
def test_the_likelihood_never_falls(recipe: AlignmentRecipe) -> None:
    lines = book()
    aligner = recipe.train(*lines)
    for direction in (aligner.forward, aligner.backward):
        rounds = direction.rounds
        start = getattr(recipe, "start_rounds", 0)
        # The first round begins with equal numbers that are no probabilities; IBM 1 and the HMM differ in priors.
        for chain in (rounds[1:start], rounds[max(start, 1) :]):
            for before, after in pairwise(chain):
                assert after.log_p >= before.log_p - 1e-6 * abs(before.log_p)


def test_variational_bayes_is_exp_digamma() -> None:
    from scipy.special import digamma

    # One source word, two targets met three times and once: counts are certain without an empty word.
    recipe = Diagonal(rounds=1, p_null=0.0, alpha=0.01)
    found = probabilities(recipe.train(["a", "a", "a", "a"], ["x", "x", "x", "y"]))
    for target, count in (("x", 3), ("y", 1)):
        expected = math.exp(digamma(count + 0.01) - digamma(4 + 0.02))
        assert found["a", target] == pytest.approx(expected, rel=1e-5)


def test_the_tension_is_learnt() -> None:
    source = [" ".join(f"s{(i * 7 + k * 3) % 23}" for k in range(8)) for i in range(60)]
    straight = [line.replace("s", "t") for line in source]
    aligner = Diagonal(rounds=8).train(source, straight)
    assert aligner.forward.values["tension"] > 6
    assert aligner.forward.rounds[0].tension == aligner.forward.rounds[1].tension == 4.0
    assert Diagonal(learn_tension=False).train(source, straight).forward.values["tension"] == 4.0


@pytest.mark.parametrize("name", ALIGNERS.names())
def test_a_small_corpus_is_learnt(name: str) -> None:
    # Without an empty word: IBM 1 shares the probability of a frequent pair with it.
    method = "ibm1:empty=no" if name == "ibm1" else name
    source, target = zip(*BOOKS * 5, strict=True)
    result = align(source, target, method=method)
    assert set(result.lines()) == {"0-0 1-1"}


def test_the_sampler_depends_on_its_seed_alone() -> None:
    lines = book()
    recipe = Sampler(sweeps=4, kept=2, jump_sweeps=1)
    first, again, other = (recipe.train(*lines, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.forward.p, again.forward.p)
    assert not np.array_equal(first.forward.arrays["jumps"], other.forward.arrays["jumps"])


def test_fertilities_and_jumps_are_distributions() -> None:
    lines = book()
    direction = Sampler(sweeps=4, kept=2).train(*lines).forward
    assert direction.arrays["jumps"].sum() == pytest.approx(1)
    np.testing.assert_allclose(direction.arrays["fertilities"].reshape(-1, 8).sum(axis=1), 1, atol=1e-5)


@pytest.mark.realdata
@pytest.mark.slow
def test_error_rates_on_hand_made_links(data_folder: Path) -> None:
    # eflomal 2.0.0 on the same text, by bench/align.py: 0.0858, with chance of its own in every run.
    pairs = [line.split("|||") for line in read_lines(data_folder / "alignment-gold" / "enfr.src-tgt.gz")]
    sides = []
    for number, lang in enumerate(("en", "fr")):
        tokeniser = TOKENISERS.make(f"moses:lang={lang},escape=no")
        news = tokeniser.core.tokenise(read_lines(data_folder / "news-commentary-sample" / f"nc-5k.{lang}.gz"))
        sides.append([" ".join(pair[number].lower().split()) for pair in pairs] + [line.lower() for line in news])
    gold = PharaohFormat(first=1).read(data_folder / "alignment-gold" / "enfr.gold.gz")
    result = align(*sides, symmetrisation="grow-diag", gold=gold, n_threads=2)
    assert result.evaluation is not None
    assert result.evaluation.error_rate is not None
    assert result.evaluation.error_rate < 0.0858
