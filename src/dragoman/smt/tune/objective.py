"""What tuning makes large: an additive metric of the registry, seen from a set of references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dragoman._core import tune as core
from dragoman.errors import DataError
from dragoman.metrics.base import MeanReference, Metric, Rows
from dragoman.metrics.bleu import Bleu
from dragoman.metrics.meteor import Meteor, mixing
from dragoman.metrics.mixture import Mixture
from dragoman.metrics.references import References, RefsInput
from dragoman.metrics.specs import make_metric

__all__ = ["Objective"]

_SMOOTHING = {
    "none": core.Smoothing.none,
    "floor": core.Smoothing.floor,
    "add-k": core.Smoothing.add_k,
    "exp": core.Smoothing.exp,
}
_SMOOTHING_VALUES = {"floor": 0.1, "add-k": 1.0}


class Objective:
    """A metric and references. Gains are larger where translations are better, whatever the metric's direction."""

    def __init__(self, metric: Metric | str, refs: RefsInput, *, n_threads: int = 1) -> None:
        self.metric = make_metric(metric)
        self.refs = References.of(refs)
        self.n_threads = n_threads
        name = self.metric.name
        if not len(self.refs):
            raise DataError("There are no segments to tune on.")
        if not self.metric.additive or not self.metric.local:
            raise DataError(
                f"The metric {name!r} is no function of summed statistics of segments, so weights cannot be tuned to "
                "it; use an additive one such as bleu, chrf or ter."
            )
        if "srcs" in self.metric.needs:
            raise DataError(f"The metric {name!r} looks at sources, which tuning does not pass on; use another.")

    def __len__(self) -> int:
        return len(self.refs)

    @cached_property
    def words(self) -> float:
        """Words of a mean reference, at least 1."""
        present = [line for stream in self.refs.streams for line in stream if line is not None]
        return max(1.0, sum(len(line.split()) for line in present) / len(present))

    @cached_property
    def core(
        self,
    ) -> core.BleuObjective | core.MeanObjective | core.MeteorObjective | Callable[[Rows], NDArray[np.float64]]:
        """The objective as the kernels take it: in the core for BLEU, METEOR and means of segments, else a function."""
        if isinstance(self.metric, MeanReference):
            return core.MeanObjective(1.0 if self.metric.higher_is_better else -1.0)
        if type(self.metric) is Meteor:
            alpha, beta, gamma, _, _ = self.metric.parameters
            return core.MeteorObjective(mixing(self.metric.parameters), alpha, beta, gamma)
        bleu = self.metric
        if type(bleu) is not Bleu:
            return self.gains
        value = _SMOOTHING_VALUES.get(bleu.smoothing, 0.0) if bleu.smoothing_value is None else bleu.smoothing_value
        return core.BleuObjective(bleu.max_order, _SMOOTHING[bleu.smoothing], value, bleu.effective_order)

    def gains(self, totals: Rows) -> NDArray[np.float64]:
        """Values of rows of summed statistics, with the sign turned where less is better."""
        values = np.asarray(self.metric.values(totals), dtype=np.float64)
        return np.ascontiguousarray(values if self.metric.higher_is_better else -values)

    def gain(self, totals: Rows) -> float:
        """The gain of one row of sums."""
        return float(self.gains(totals[np.newaxis])[0])

    def shown(self, gain: float) -> float:
        """A gain as the metric's own value."""
        return gain if self.metric.higher_is_better else -gain

    def sentence_gains(self, rows: Rows) -> NDArray[np.float64]:
        """Gains of single translations, as shares of 1: BLEU as BLEU+1 (Lin & Och, COLING 2004), others as they are."""
        values = _of_sentences(self.metric, rows) / 100.0
        return np.ascontiguousarray(values if self.metric.higher_is_better else -values)

    def rows(self, segments: NDArray[np.int64], texts: Sequence[str]) -> Rows:
        """Statistics of translations of segments, which may be named more than once."""
        if len(segments) == 0:
            raise DataError("There are no translations to score.")
        # Deal the translations out to as many systems as a segment has at most: each reference is then read once.
        order = np.argsort(segments, kind="stable")
        grouped = segments[order]
        first = np.searchsorted(grouped, grouped)
        places = np.empty(len(segments), dtype=np.int64)
        places[order] = np.arange(len(segments)) - first
        used, columns = np.unique(segments, return_inverse=True)
        systems = [[""] * len(used) for _ in range(int(places.max()) + 1)]
        for place, column, text in zip(places.tolist(), columns.tolist(), texts, strict=True):
            systems[place][column] = text
        whole = len(used) == len(self.refs)
        refs = self.refs if whole else [[stream[i] for i in used.tolist()] for stream in self.refs.streams]
        rows: Rows = self.metric.stats_many(systems, refs, n_threads=self.n_threads)[places, columns]
        return np.ascontiguousarray(rows)


def _of_sentences(metric: Metric, rows: Rows) -> NDArray[np.float64]:
    if isinstance(metric, Mixture):
        terms = [weight * _of_sentences(term, part) for weight, term, part in metric.parts(rows)]
        gains: NDArray[np.float64] = np.sum(terms, axis=0)
        return gains
    if type(metric) is Bleu:
        metric = replace(metric, smoothing="add-k", smoothing_value=None, effective_order=False)
    return np.asarray(metric.values(rows), dtype=np.float64)
