"""NIST (Doddington, HLT 2002), as the scripts mteval-v13a and -v14 compute it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.metrics.base import Rows, ratio
from dragoman.metrics.references import ScoredText
from dragoman.metrics.words import WordMetric, encode_references
from dragoman.options import option

__all__ = ["Nist"]

# Doddington 2002, eq. 3: β makes the penalty 0.5 where the output has 2/3 of the references' words.
_BETA = math.log(0.5) / math.log(1.5) ** 2


@dataclass(frozen=True)
class Nist(WordMetric):
    """NIST. Statistics: information of the matches of each order, n-grams of each order, the references' mean length.

    How much information an n-gram carries is counted on the references of the whole test set, so a segment's statistics
    depend on the other segments' references (not on any hypothesis).
    """

    name: ClassVar[str] = "nist"
    label_pattern: ClassVar[str] = "NIST"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    local: ClassVar[bool] = False

    max_order: int = option(5, low=1, high=100, text="longest n-gram")

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """The statistics, with the information of the references' n-grams."""
        refs = text.refs
        encoded = encode_references(refs, self.tokeniser, lowercase=self.lowercase, n_threads=n_threads)
        hyps = [encoded.encode(lines, n_threads=n_threads) for lines in text.systems]
        return _core.metrics.nist(hyps, list(encoded.streams), refs.present, order=self.max_order, n_threads=n_threads)

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Scores of summed statistics."""
        totals = np.asarray(totals, dtype=np.float64)
        information, counts = totals[..., : self.max_order], totals[..., self.max_order : -1]
        gain = ratio(information, counts).sum(axis=-1)
        proportion = np.minimum(ratio(counts[..., 0], totals[..., -1], otherwise=1.0), 1.0)
        with np.errstate(divide="ignore"):
            penalty = np.exp(_BETA * np.log(proportion) ** 2)
        scores: NDArray[np.float64] = gain * penalty
        return scores
