"""chrF: F-score of character n-grams (Popović, WMT 2015), and chrF++ with words as well (Popović, WMT 2017).

Scores, statistics and signatures are those of sacreBLEU 2.6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.metrics.base import BestReference, Rows, ratio
from dragoman.metrics.references import References, ScoredText, native
from dragoman.metrics.signature import short_number
from dragoman.options import option

__all__ = ["Chrf", "ChrfPlusPlus"]

_EPSILON = 1e-16  # chrF++.py's stand-in for a precision or recall of nothing


@dataclass(frozen=True)
class Chrf(BestReference):
    """chrF. Statistics: for each order (characters, then words) n-grams in hypothesis, reference, and both."""

    name: ClassVar[str] = "chrf"
    label_pattern: ClassVar[str] = r"chrF([0-9.e+-]+?)(\+*)"

    char_order: int = option(6, low=0, high=100, text="longest character n-gram")
    word_order: int = option(0, low=0, high=100, text="longest word n-gram; 2 makes it chrF++")
    beta: float = option(2.0, low=0, text="weight of recall against precision")
    lowercase: bool = option(False, text="ignore case")
    whitespace: bool = option(False, text="count white space as characters")
    eps_smoothing: bool = option(False, text="average the orders' F-scores, as chrF++.py does, instead of P and R")

    def check(self) -> Chrf:
        """The metric itself if its options are sound."""
        super().check()
        if self.char_order + self.word_order == 0:
            raise DataError("chrF needs n-grams of something: char_order and word_order are both 0.")
        if not np.isfinite(self.beta):
            raise DataError(f"The 'beta' option of chrF must be finite. Got {self.beta!r} instead.")
        return self

    @property
    def label(self) -> str:
        """`chrF2`, `chrF2++`: the weight of recall, and a plus for each order of words."""
        return f"chrF{short_number(self.beta)}" + "+" * self.word_order

    def prepare(self, text: ScoredText, n_threads: int) -> list[Sequence[str]]:  # noqa: ARG002 - quickly done
        """The systems' lines, in lower case if asked for."""
        return [self._prepared(hyps) for hyps in text.systems]

    def reference_rows(self, prepared: list[Sequence[str]], refs: References, number: int, n_threads: int) -> Rows:
        """Statistics against one of the references: array (systems, segments, statistics)."""
        ref = self._prepared(refs.lines(number))
        present = refs.present[number : number + 1]
        return _core.metrics.chrf(prepared, [ref], present, **self._kernel_options(), n_threads=n_threads)

    def pair_rows(self, hyps: Sequence[str], refs: Sequence[str], *, n_threads: int = 1) -> Rows:
        """Statistics of every hypothesis against every reference: array (hyps, refs, statistics)."""
        return _core.metrics.chrf_pairs(
            self._prepared(hyps), self._prepared(refs), **self._kernel_options(), n_threads=n_threads
        )

    def _prepared(self, lines: Sequence[str]) -> Any:
        return [line.lower() for line in lines] if self.lowercase else native(lines)

    def _kernel_options(self) -> dict[str, Any]:
        return {"char_order": self.char_order, "word_order": self.word_order, "whitespace": self.whitespace}

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Scores of summed statistics."""
        totals = np.asarray(totals, dtype=np.float64)
        factor = self.beta**2
        order = self.char_order + self.word_order
        shape = totals.shape[:-1]
        f_sum, p_sum, r_sum, effective = (np.zeros(shape) for _ in range(4))
        for n in range(order):
            hyp, ref, match = (totals[..., 3 * n + k] for k in range(3))
            p = ratio(match, hyp, otherwise=_EPSILON)
            r = ratio(match, ref, otherwise=_EPSILON)
            f_sum += ratio((1 + factor) * p * r, factor * p + r, otherwise=_EPSILON)
            counted = (hyp > 0) & (ref > 0)
            p_sum += np.where(counted, p, 0.0)
            r_sum += np.where(counted, r, 0.0)
            effective += counted
        if self.eps_smoothing:
            return 100 * f_sum / order
        # Popović 2015, eq. 1, with P and R averaged over the orders that both sides have.
        p = ratio(p_sum, effective)
        r = ratio(r_sum, effective)
        return 100 * ratio((1 + factor) * p * r, factor * p + r)

    def signature_options(self) -> dict[str, Any]:
        """Keys and values as sacreBLEU shows them; beta stands in the label."""
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": not self.eps_smoothing,
            "nc": self.char_order,
            "nw": self.word_order,
            "space": self.whitespace,
        }

    @classmethod
    def options_of_signature(cls, label: str, parts: Mapping[str, str]) -> dict[str, Any]:
        """The options that a signature tells."""
        return {
            "char_order": parts["nc"],
            "word_order": parts["nw"],
            "beta": label.removeprefix("chrF").rstrip("+"),
            "lowercase": parts["case"] == "lc",
            "whitespace": parts["space"] == "yes",
            "eps_smoothing": parts["eff"] == "no",
        }


@dataclass(frozen=True)
class ChrfPlusPlus(Chrf):
    """chrF++: chrF with words and pairs of words."""

    name: ClassVar[str] = "chrf++"

    word_order: int = option(2, low=0, high=100, text="longest word n-gram")
