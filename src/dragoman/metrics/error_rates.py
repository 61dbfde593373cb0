"""Error rates: word and character errors (WER, CER), position-independent errors (PER), and CDER with block moves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.metrics.base import Rows, ratio
from dragoman.metrics.words import WordBestReference
from dragoman.options import option

__all__ = ["Cder", "Cer", "Per", "Wer"]


@dataclass(frozen=True)
class _ErrorRate(WordBestReference):
    """Errors per hundred words of the reference that gives the lowest rate. Statistics: errors, reference length."""

    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Scores of summed statistics; against an empty reference any error makes 100."""
        totals = np.asarray(totals, dtype=np.float64)
        errors, length = totals[..., 0], totals[..., 1]
        return np.where(length > 0, 100.0 * ratio(errors, length), np.where(errors > 0, 100.0, 0.0))


@dataclass(frozen=True)
class Wer(_ErrorRate):
    """Word error rate: insertions, deletions, substitutions (with several references: Nießen et al., LREC 2000)."""

    name: ClassVar[str] = "wer"
    label_pattern: ClassVar[str] = "WER"
    kernel: ClassVar[str] = "wer"


@dataclass(frozen=True)
class Cer(Wer):
    """Character error rate: WER of characters, white space left out."""

    name: ClassVar[str] = "cer"
    label_pattern: ClassVar[str] = "CER"

    tokeniser: str = option("char", text="how lines are cut")


@dataclass(frozen=True)
class Per(_ErrorRate):
    """Position-independent error rate (Tillmann et al. 1997): the words of both texts compared as bags."""

    name: ClassVar[str] = "per"
    label_pattern: ClassVar[str] = "PER"
    kernel: ClassVar[str] = "per"


@dataclass(frozen=True)
class Cder(_ErrorRate):
    """CDER (Leusch, Ueffing & Ney, EACL 2006): edits where moving a block costs one, computed exactly."""

    name: ClassVar[str] = "cder"
    label_pattern: ClassVar[str] = "CDER"
    kernel: ClassVar[str] = "cder"
