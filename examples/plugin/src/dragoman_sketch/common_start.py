"""How much of a translation is right from its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.base import Metric, Rows, checked_inputs, ratio
from dragoman.metrics.references import RefsInput
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

    def stats(
        self, hyps: Sequence[str], refs: RefsInput, srcs: Sequence[str] | None = None, *, n_threads: int = 1
    ) -> Rows:
        """A share and one segment in each row."""
        references = checked_inputs([hyps], refs, srcs, n_threads)
        ours = self.words(hyps, n_threads)
        rows = np.stack([np.zeros(len(ours)), np.ones(len(ours))], axis=1)
        for ref in references.streams:
            theirs = self.words(["" if text is None else text for text in ref], n_threads)
            shares = [-1.0 if text is None else common(*both) for text, *both in zip(ref, ours, theirs, strict=True)]
            rows[:, 0] = np.maximum(rows[:, 0], shares)
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
