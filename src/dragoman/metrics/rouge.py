"""ROUGE-N and ROUGE-L (Lin, ACL workshop Text Summarization Branches Out, 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.base import Rows, mean_rows, ratio
from dragoman.metrics.words import WordBestReference
from dragoman.options import option

__all__ = ["Rouge1", "Rouge2", "RougeL"]


@dataclass(frozen=True)
class _Rouge(WordBestReference):
    """The mean of segment scores. With several references the best one counts (Lin 2004, §2.1, without jackknifing)."""

    level: ClassVar[Literal["corpus", "segment"]] = "segment"

    lowercase: bool = option(True, text="ignore case, as the ROUGE script does")
    measure: str = option("f", choices=("f", "recall", "precision"), text="what of the overlap is reported")
    beta: float = option(1.0, low=0, high=1e6, text="weight of recall against precision in F")

    def statistics(self, rows: Rows) -> Rows:
        """A segment's score, and 1."""
        common, hyp, ref = (rows[..., k] for k in range(3))
        precision, recall = ratio(common, hyp), ratio(common, ref)
        if self.measure == "recall":
            scores = recall
        elif self.measure == "precision":
            scores = precision
        else:
            # Lin 2004, eq. 4.
            weight = self.beta**2
            scores = ratio((1 + weight) * recall * precision, recall + weight * precision)
        return mean_rows(100.0 * scores)

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True)
class Rouge1(_Rouge):
    """ROUGE-1: words in common (Lin 2004, eq. 1)."""

    name: ClassVar[str] = "rouge-1"
    label_pattern: ClassVar[str] = "ROUGE-1"
    kernel: ClassVar[str] = "overlap"
    order: ClassVar[int] = 1

    def kernel_options(self) -> dict[str, Any]:
        """What the kernel wants to know."""
        return {"order": self.order}


@dataclass(frozen=True)
class Rouge2(Rouge1):
    """ROUGE-2: pairs of words in common (Lin 2004, eq. 1)."""

    name: ClassVar[str] = "rouge-2"
    label_pattern: ClassVar[str] = "ROUGE-2"
    order: ClassVar[int] = 2


@dataclass(frozen=True)
class RougeL(_Rouge):
    """ROUGE-L: the longest common subsequence (Lin 2004, eqs. 2-4)."""

    name: ClassVar[str] = "rouge-l"
    label_pattern: ClassVar[str] = "ROUGE-L"
    kernel: ClassVar[str] = "lcs"
