"""Weighted sums of metrics: `bleu+-1*ter` is BLEU less TER."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.metrics.base import METRICS, Metric, Rows
from dragoman.metrics.references import ScoredText

__all__ = ["Mixture"]

_NUMBER = r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_NEXT_TERM = re.compile(rf"\+(?={_NUMBER}\*)")  # a plus before a weight; bleu+1 and chrf++ are names
_TERM = re.compile(rf"(?:({_NUMBER})\*)?([^*]+)")


@dataclass(frozen=True)
class Mixture(Metric):
    """A weighted sum of metrics. Statistics: those of all terms, side by side.

    An error rate, which is better when small, gets a weight below 0: larger is better for the sum.
    """

    name: ClassVar[str] = "mixture"
    label_pattern: ClassVar[str] = "Mixture"
    bounds: ClassVar[tuple[float, float]] = (-np.inf, np.inf)

    terms: tuple[tuple[float, Metric], ...] = ()

    @classmethod
    def of(cls, spec: str) -> Mixture:
        """The sum that `[weight*]metric+weight*metric+…` spells, each metric perhaps with options."""
        terms = []
        for text in _NEXT_TERM.split(spec):
            term = _TERM.fullmatch(text)
            if term is None:
                raise DataError(f"{spec!r} is no sum of metrics; write it as bleu+-1*ter or 0.5*bleu+0.5*chrf.")
            terms.append((float(term[1] or 1), METRICS.make(term[2])))
        return cls(tuple(terms))

    def check(self) -> Mixture:
        """The sum itself, if its terms can be added up segment by segment."""
        if not self.terms:
            raise DataError("A mixture has one metric or more.")
        for _, metric in self.terms:
            if not (metric.additive and metric.local) or "srcs" in metric.needs:
                raise DataError(
                    f"The metric {metric.name!r} is no function of summed statistics of segments and references alone, "
                    "so it cannot be mixed; use additive ones such as bleu, chrf or ter."
                )
        return self

    @property
    def label(self) -> str:
        """The sum in the literature's names."""
        return " + ".join(f"{weight:g}·{metric.label}" for weight, metric in self.terms)

    def spec(self) -> str:
        """The sum as the command line takes it."""
        return "+".join(f"{weight!r}*{metric.spec()}" for weight, metric in self.terms)

    def signature_options(self) -> dict[str, Any]:
        """The sum."""
        return {"mixture": self.spec()}

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """The statistics of all terms side by side."""
        return np.concatenate([metric.batch_rows(text, n_threads) for _, metric in self.terms], axis=-1)

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """The weighted sum of the terms' scores."""
        terms = [weight * metric.values(rows) for weight, metric, rows in self.parts(totals)]
        scores: NDArray[np.float64] = np.sum(terms, axis=0)
        return scores

    def parts(self, totals: Rows) -> list[tuple[float, Metric, Rows]]:
        """Of each term its weight, its metric and its columns of statistics."""
        ends = np.cumsum([_width(metric) for _, metric in self.terms]).tolist()
        begins = [0, *ends[:-1]]
        whole = np.asarray(totals, dtype=np.float64)
        return [
            (weight, metric, whole[..., begin:end])
            for (weight, metric), begin, end in zip(self.terms, begins, ends, strict=True)
        ]


@lru_cache(maxsize=64)
def _width(metric: Metric) -> int:
    return int(metric.stats(["a"], [["a"]]).shape[1])
