"""GTM's F-measure of matching runs of words (Melamed, Green & Turian, NAACL 2003; Turian et al., MT Summit 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.base import Rows, ratio
from dragoman.metrics.words import WordBestReference
from dragoman.options import option

__all__ = ["Gtm"]


@dataclass(frozen=True)
class Gtm(WordBestReference):
    """GTM. Statistics: size of the match, lengths of hypothesis and reference.

    The match is (Σ length^e)^(1/e) over runs of words in one piece on both sides. With the exponent 1 it is the number
    of words in common, word order ignored; a larger one rewards long runs.
    """

    name: ClassVar[str] = "gtm"
    label_pattern: ClassVar[str] = "GTM"
    kernel: ClassVar[str] = "gtm"

    exponent: float = option(2.0, low=1, high=100, text="how much a long run is worth more than its words one by one")

    def kernel_options(self) -> dict[str, Any]:
        """What the kernel wants to know."""
        return {"exponent": float(self.exponent)}

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Scores of summed statistics: the harmonic mean of match/|hyp| and match/|ref|."""
        totals = np.asarray(totals, dtype=np.float64)
        match, hyp, ref = (totals[..., k] for k in range(3))
        return 100.0 * ratio(2 * match, hyp + ref)
