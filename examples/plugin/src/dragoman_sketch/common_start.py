"""How much of a translation is right from its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.base import Metric, Rows, ratio
from dragoman.metrics.references import References
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

    def batch_rows(
        self,
        systems: Sequence[Sequence[str]],
        refs: References,
        srcs: Sequence[str] | None,
        n_threads: int,
    ) -> Rows:
        """A share and one segment in each row."""
        rows = np.stack([np.zeros((len(systems), len(refs))), np.ones((len(systems), len(refs)))], axis=2)
        outputs = [self.words(hyps, n_threads) for hyps in systems]
        for number, ref in enumerate(refs.streams):
            theirs = self.words(refs.lines(number), n_threads)
            for s, ours in enumerate(outputs):
                pairs = zip(ref, ours, theirs, strict=True)
                shares = [-1.0 if text is None else common(*both) for text, *both in pairs]
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
