"""What every selection score promises."""

from __future__ import annotations

import numpy as np

from dragoman.corpus.select import SELECTION_SCORES, SelectionScore, Texts, score_pool
from dragoman.corpus.select.texts import TextBatch
from dragoman.errors import DataError
from dragoman.samples import phrasebook
from dragoman.stats.arrays import Floats
from dragoman.testing.contract import Contract, raises

__all__ = ["SELECTION_SCORE", "check_selection_score"]

SELECTION_SCORE: Contract[SelectionScore] = Contract("selection score")
N_LIKE, N_POOL = 150, 80


def check_selection_score(score: SelectionScore | str) -> None:
    """Check a selection score, given as an object or by its name and options."""
    score = SELECTION_SCORES.make(score) if isinstance(score, str) else score
    SELECTION_SCORE.check(score, score.name)


def like() -> Texts:
    """Pairs of the phrasebook."""
    book = phrasebook()
    return Texts.from_lines(book["de"][:N_LIKE], book["en"][:N_LIKE])


def pool() -> tuple[list[str], list[str]]:
    """Further pairs of the phrasebook, and as many that are nothing like it."""
    book = phrasebook()
    good = [book[lang][N_LIKE : N_LIKE + N_POOL] for lang in ("de", "en")]
    odd = [[f"qx{word}{i % 7} zzz{i % 5} vvv{i % 3} 17{i % 4}" for i in range(N_POOL)] for word in ("uu", "oo")]
    return good[0] + odd[0], good[1] + odd[1]


def scores_of(score: SelectionScore, n_threads: int = 1) -> Floats:
    """The scores of the pool."""
    return score_pool(Texts.from_lines(*pool()), [score], like=like(), seed=3, n_threads=n_threads).joint


@SELECTION_SCORE.rule
def one_score_a_pair_the_same_every_time(score: SelectionScore) -> None:
    scores = scores_of(score)
    assert scores.shape == (2 * N_POOL,)
    assert (np.isfinite(scores) | (scores == -np.inf)).all()
    np.testing.assert_array_equal(scores_of(score), scores)
    np.testing.assert_array_equal(scores_of(score, n_threads=2), scores)


@SELECTION_SCORE.rule
def batches_do_not_matter(score: SelectionScore) -> None:
    sides = pool()
    texts = Texts.from_lines(*sides)
    whole, parts = (score.start(like(), texts, seed=3, n_threads=1) for _ in range(2))
    cut = 37
    first = parts(TextBatch(0, tuple(side[:cut] for side in sides)))
    second = parts(TextBatch(cut, tuple(side[cut:] for side in sides)))
    np.testing.assert_allclose(np.concatenate([first, second]), whole(TextBatch(0, sides)), rtol=1e-9)


@SELECTION_SCORE.rule
def what_is_alike_comes_first(score: SelectionScore) -> None:
    scores = np.nan_to_num(scores_of(score), neginf=-1e9)
    wins = (scores[:N_POOL, None] > scores[None, N_POOL:]).mean()
    assert wins > 0.5, f"alike beats unlike in {wins:.0%} of the cases"


@SELECTION_SCORE.rule
def odd_text_is_scored_and_blank_text_not_taken(score: SelectionScore) -> None:
    odd = Texts.from_lines(["", "das Haus", "\x00漢字", "wort " * 5000], ["the house", " \u3000", "\U0001f600", "word"])
    scores = score_pool(odd, [score], like=like()).joint
    assert scores[:2].tolist() == [-np.inf, -np.inf]
    assert not np.isnan(scores).any()


@SELECTION_SCORE.rule
def what_is_empty_is_named(score: SelectionScore) -> None:
    texts = Texts.from_lines(*pool())
    with raises(DataError, match="the pool is empty"):
        score_pool(Texts.from_lines([], []), [score], like=like())
    with raises(DataError, match="the text to be like is empty"):
        score_pool(texts, [score], like=Texts.from_lines([], []))
    with raises(DataError, match="must know what the selection shall be like"):
        score_pool(texts, [score])
