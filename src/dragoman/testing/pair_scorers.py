"""What every learnt scorer of pairs promises."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dragoman.corpus import PAIR_SCORERS, PairScorer, clean, score_pairs
from dragoman.corpus.scorers import PairRecipe
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.samples import phrasebook
from dragoman.testing.contract import Contract, raises

__all__ = ["PAIR_SCORER", "check_pair_scorer"]

PAIR_SCORER: Contract[PairRecipe] = Contract("pair scorer")
N = 200


def check_pair_scorer(recipe: PairRecipe | str) -> None:
    """Check the recipe of a pair scorer, given as an object or by its name and options."""
    recipe = PAIR_SCORERS.make(recipe) if isinstance(recipe, str) else recipe
    PAIR_SCORER.check(recipe, recipe.name)


def pairs(n: int = N) -> list[tuple[str, str]]:
    book = phrasebook()
    return list(zip(book["de"][:n], book["en"][:n], strict=True))


@lru_cache(maxsize=1)
def learnt(recipe: PairRecipe) -> PairScorer:
    """The scorer that all rules look at, learnt once."""
    return recipe.train(Bitext.from_pairs(pairs()))


@PAIR_SCORER.rule
def one_score_a_pair_whatever_the_batch_and_threads(recipe: PairRecipe) -> None:
    scorer = learnt(recipe)
    srcs, tgts = zip(*pairs(), strict=True)
    scores = scorer.score(srcs, tgts)
    assert scores.shape == (N,)
    assert np.isfinite(scores).all()
    np.testing.assert_array_equal(scorer.score(srcs, tgts, n_threads=2), scores)
    alone = np.concatenate([scorer.score([src], [tgt]) for src, tgt in pairs(5)])
    np.testing.assert_allclose(alone, scores[:5], rtol=1e-12)
    assert scorer.score([], []).shape == (0,)


@PAIR_SCORER.rule
def mean_and_deviation_are_those_of_the_pairs_learnt_from(recipe: PairRecipe) -> None:
    scorer = learnt(recipe)
    scores = scorer.score(*zip(*pairs(), strict=True))
    np.testing.assert_allclose((scorer.mean, scorer.deviation), (scores.mean(), scores.std()), rtol=1e-6)
    np.testing.assert_allclose(scorer.bar(2), scores.mean() - 2 * scores.std(), rtol=1e-6)
    assert scorer.n_pairs == N


@PAIR_SCORER.rule
def bad_input_has_no_good_score(recipe: PairRecipe) -> None:
    scorer = learnt(recipe)
    scores = scorer.score(["", "das Haus", "\x00漢字", "wort " * 5000], ["the house", " \u3000", "\U0001f600", "word"])
    assert scores[:2].tolist() == [-np.inf, -np.inf]
    assert np.isfinite(scores[2:]).all()
    with raises(DataError, match="srcs=2"):
        scorer.score(["a", "b"], ["c"])


@PAIR_SCORER.rule
def what_was_saved_scores_the_same(recipe: PairRecipe) -> None:
    scorer = learnt(recipe)
    with TemporaryDirectory() as folder:
        again = PairScorer.load(scorer.save(Path(folder) / "scorer"))
    assert again.recipe == scorer.recipe
    assert again.data == scorer.data
    assert (again.mean, again.deviation, again.n_pairs) == (scorer.mean, scorer.deviation, scorer.n_pairs)
    sides = list(zip(*pairs(20), strict=True))
    np.testing.assert_array_equal(again.score(*sides), scorer.score(*sides))


@PAIR_SCORER.rule
def cleaning_leaves_out_what_lies_below_the_bar(recipe: PairRecipe) -> None:
    scorer = learnt(recipe)
    bitext = Bitext.from_pairs(pairs())
    with TemporaryDirectory() as folder:
        cleaned = clean(bitext, [f"learnt:model={scorer.save(Path(folder) / 'scorer')}"])
    scores = score_pairs(bitext, scorer).scores
    assert list(cleaned.kept) == [pair for pair, score in zip(pairs(), scores, strict=True) if score >= scorer.bar()]
    assert 0 < cleaned.steps[0].removed < N / 3


@PAIR_SCORER.rule
def a_corpus_without_words_teaches_nothing(recipe: PairRecipe) -> None:
    with raises(DataError, match="1 of 3 pairs have words on both sides; there is nothing to learn from"):
        recipe.train(Bitext.from_pairs([("a", "b"), ("", "c"), ("d", " ")]))
