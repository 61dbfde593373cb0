"""How much of a translation is right from its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.base import Metric, Rows, ratio
from dragoman.metrics.references import ScoredText
from dragoman.options import option
from dragoman.text import TOKENISERS

__all__ = ["CommonStart"]


@dataclass(frozen=True)
class CommonStart(Metric):
    """Words before the first difference, by the longer of both texts, in per cent; the mean of the segments.

    Statistics: the share of the best reference, segments.
    """

    name: ClassVar[str] = "common-start"
    label_pattern: ClassVar[str] = "CommonStart"
    level: ClassVar = "segment"

    tokeniser: str = option("13a", choices=tuple(TOKENISERS.names()), text="cuts both texts into words")
    lowercase: bool = option(False, choices=(False, True), text="compare without regard to case")

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """A share and one segment in each row."""
        refs = text.refs
        outputs = [self.words(hyps, n_threads) for hyps in text.systems]
        rows = np.tile([0.0, 1.0], (len(outputs), len(refs), 1))
        for number, ref in enumerate(refs.streams):
            theirs = self.words(refs.lines(number), n_threads)
            for s, ours in enumerate(outputs):
                pairs = zip(ref, ours, theirs, strict=True)
                shares = [-1.0 if line is None else common(*both) for line, *both in pairs]
                rows[s, :, 0] = np.maximum(rows[s, :, 0], shares)
        return rows

    def words(self, lines: Sequence[str], n_threads: int) -> list[list[str]]:
        """The lines cut into words."""
        tokenised = TOKENISERS.make(self.tokeniser).tokenise(list(lines), n_threads=n_threads)
        return [(line.lower() if self.lowercase else line).split() for line in tokenised]

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """The mean share in per cent."""
        totals = np.asarray(totals, dtype=np.float64)
        return 100.0 * ratio(totals[..., 0], totals[..., 1])


def common(ours: list[str], theirs: list[str]) -> float:
    """Words that both begin with, by the words of the longer; two empty texts agree."""
    longer = max(len(ours), len(theirs))
    equal = takewhile(bool, map(str.__eq__, ours, theirs))
    return sum(equal) / longer if longer else 1.0
