"""What every learnt scorer of pairs keeps to; the table is read from the registry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.corpus import PAIR_SCORERS, PairScorer, clean, score_pairs
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.samples import phrasebook

N = 200


def pairs(n: int = N) -> list[tuple[str, str]]:
    book = phrasebook()
    return list(zip(book["de"][:n], book["en"][:n], strict=True))


@pytest.fixture(scope="module", params=PAIR_SCORERS.names())
def scorer(request: pytest.FixtureRequest) -> PairScorer:
    return PAIR_SCORERS.make(request.param).train(Bitext.from_pairs(pairs()))


def test_one_score_a_pair_whatever_the_batch_and_threads(scorer: PairScorer) -> None:
    srcs, tgts = zip(*pairs(), strict=True)
    scores = scorer.score(srcs, tgts)
    assert scores.shape == (N,)
    assert np.isfinite(scores).all()
    np.testing.assert_array_equal(scorer.score(srcs, tgts, n_threads=2), scores)
    alone = np.concatenate([scorer.score([src], [tgt]) for src, tgt in pairs(5)])
    np.testing.assert_allclose(alone, scores[:5], rtol=1e-12)
    assert scorer.score([], []).shape == (0,)


def test_mean_and_deviation_are_those_of_the_pairs_learnt_from(scorer: PairScorer) -> None:
    scores = scorer.score(*zip(*pairs(), strict=True))
    assert (scorer.mean, scorer.deviation) == pytest.approx((scores.mean(), scores.std()))
    assert scorer.bar(2) == pytest.approx(scores.mean() - 2 * scores.std())
    assert scorer.n_pairs == N


def test_bad_input_has_no_good_score(scorer: PairScorer) -> None:
    scores = scorer.score(["", "das Haus", "\x00漢字", "wort " * 5000], ["the house", " \u3000", "\U0001f600", "word"])
    assert scores[:2].tolist() == [-np.inf, -np.inf]
    assert np.isfinite(scores[2:]).all()
    with pytest.raises(DataError, match="srcs=2"):
        scorer.score(["a", "b"], ["c"])


def test_what_was_saved_scores_the_same(scorer: PairScorer, tmp_path: Path) -> None:
    scorer.save(tmp_path / "scorer")
    again = PairScorer.load(tmp_path / "scorer")
    assert again.recipe == scorer.recipe
    assert again.data == scorer.data
    assert (again.mean, again.deviation, again.n_pairs) == (scorer.mean, scorer.deviation, scorer.n_pairs)
    sides = list(zip(*pairs(20), strict=True))
    np.testing.assert_array_equal(again.score(*sides), scorer.score(*sides))


def test_cleaning_leaves_out_what_lies_below_the_bar(scorer: PairScorer, tmp_path: Path) -> None:
    scorer.save(tmp_path / "scorer")
    bitext = Bitext.from_pairs(pairs())
    found = clean(bitext, [f"learnt:model={tmp_path / 'scorer'}"])
    scores = score_pairs(bitext, scorer).scores
    assert list(found.kept) == [pair for pair, score in zip(pairs(), scores, strict=True) if score >= scorer.bar()]
    assert 0 < found.steps[0].removed < N / 3


@pytest.mark.parametrize("name", PAIR_SCORERS.names())
def test_a_corpus_without_words_teaches_nothing(name: str) -> None:
    with pytest.raises(DataError, match="1 of 3 pairs have words on both sides; there is nothing to learn from"):
        PAIR_SCORERS.make(name).train(Bitext.from_pairs([("a", "b"), ("", "c"), ("d", " ")]))
