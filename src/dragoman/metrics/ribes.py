"""RIBES: rank correlation of word order, for distant language pairs (Isozaki et al., EMNLP 2010)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.base import Rows, mean_rows, ratio
from dragoman.metrics.words import WordBestReference
from dragoman.options import option

__all__ = ["Ribes"]


@dataclass(frozen=True)
class Ribes(WordBestReference):
    """RIBES: normalised Kendall's τ · precision^α · brevity penalty^β, the mean of segment scores.

    Repeated words are told apart by their context. The authors' program takes the shortest unambiguous one and, of two,
    the left; the paper takes the next word, else the one before. The two differ even on the paper's own example.
    """

    name: ClassVar[str] = "ribes"
    label_pattern: ClassVar[str] = "RIBES"
    level: ClassVar[Literal["corpus", "segment"]] = "segment"
    kernel: ClassVar[str] = "ribes"

    lowercase: bool = option(True, text="ignore case")
    alpha: float = option(0.25, low=0, high=100, text="exponent of the unigram precision")
    beta: float = option(0.10, low=0, high=100, text="exponent of the brevity penalty")
    context: str = option("tool", choices=("tool", "paper"), text="how repeated words are aligned")

    def kernel_options(self) -> dict[str, Any]:
        """What the kernel wants to know."""
        return {"paper": self.context == "paper"}

    def statistics(self, rows: Rows) -> Rows:
        """A segment's score, and 1."""
        correlation, precision, penalty = (rows[..., k] for k in range(3))
        return mean_rows(100.0 * correlation * precision**self.alpha * penalty**self.beta)

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])
