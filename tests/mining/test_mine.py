"""Thresholds from planted pairs, and the command."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.mining import Candidates, Miner, Numbers, mine


class Lengths(Miner):
    """Pairs lines by their places, with scores that are told: enough to see what is made of them."""

    def __init__(self, pairs: Sequence[tuple[int, int, float]]) -> None:
        self.pairs = pairs
        self.seen: tuple[list[str], list[str]] = ([], [])

    def candidates(
        self,
        srcs: Sequence[str],
        tgts: Sequence[str],
        *,
        numbers: Numbers | None = None,
        n_threads: int = 1,
    ) -> Candidates:
        self.seen = (list(srcs), list(tgts))
        sources, targets, scores = (np.array(column) for column in zip(*self.pairs, strict=True))
        return Candidates(sources, targets, scores)

    def signature(self) -> str:
        return "told"


PLANTED = Bitext.from_lines(["p0", "p1", "p2", "p3"], ["P0", "P1", "P2", "P3"])


def test_the_threshold_is_the_lowest_that_is_right_often_enough() -> None:
    # Behind two lines of each text: p0 and p2 with their mates P0, P2 at 2 and 3; p1 and p3 are orphans.
    miner = Lengths([(0, 0, 3.0), (1, 1, 1.5), (2, 2, 4.0), (3, 0, 1.0), (4, 3, 2.0), (5, 1, 3.5)])
    result = mine(["a", "b"], ["A", "B"], miner, planted=PLANTED, precision=0.66)
    assert miner.seen == (["a", "b", "p0", "p1", "p2", "p3"], ["A", "B", "P0", "P2"])
    assert result.threshold == 2.0  # 4.0 right, 3.5 wrong, 2.0 right: two of three; then 1.0 wrong
    assert result.estimate is not None
    assert (result.estimate.precision, result.estimate.recall) == (2 / 3, 1.0)
    assert [(pair.source, pair.target, pair.score) for pair in result.pairs] == [("a", "A", 3.0)]
    assert [(point.accepted, point.right) for point in result.curve][-1] == (4, 2)
    assert list(result.bitext) == [("a", "A")]


def test_a_threshold_of_ones_own_goes_before() -> None:
    miner = Lengths([(0, 0, 3.0), (1, 1, 1.5), (2, 2, 4.0), (3, 0, 1.0)])
    result = mine(["a", "b"], ["A", "B"], miner, planted=PLANTED, threshold=0.5)
    assert (len(result.pairs), result.threshold) == (2, 0.5)
    assert result.estimate is not None
    assert result.estimate.precision == 0.5
    assert mine(["a", "b"], ["A", "B"], miner).threshold is None


def test_a_pair_with_a_planted_line_is_not_given() -> None:
    miner = Lengths([(0, 2, 5.0), (2, 2, 4.0)])
    assert mine(["a", "b"], ["A", "B"], miner, planted=PLANTED).pairs == ()


def test_a_precision_that_is_not_reached_says_what_is() -> None:
    miner = Lengths([(2, 0, 4.0), (3, 0, 1.0)])
    with pytest.raises(DataError, match=r"At no threshold 0\.900.*the best is 0\.000, at a score of 4\.000\. Ask for"):
        mine(["a", "b"], ["A", "B"], miner, planted=PLANTED)


def test_what_cannot_be_mined_is_named() -> None:
    miner = Lengths([(0, 0, 1.0)])
    with pytest.raises(DataError, match="target text has no words"):
        mine(["a"], ["", " "], miner)
    with pytest.raises(DataError, match="has 1 pairs; plant some hundred"):
        mine(["a"], ["A"], miner, planted=Bitext.from_lines(["p"], ["P"]))
    with pytest.raises(DataError, match="have no numbers"):
        mine(["a"], ["A"], miner, planted=PLANTED, numbers=Numbers([1], [1]))
    with pytest.raises(DataError, match="share above 0, got 0"):
        mine(["a"], ["A"], miner, precision=0)
