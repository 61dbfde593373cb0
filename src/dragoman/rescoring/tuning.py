"""Weights for the features of lists that stay as they are: any tuner, with lists in the place of a decoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.metrics.references import RefsInput
from dragoman.report import Progress
from dragoman.rescoring.lists import CandidateLists
from dragoman.smt.tune import TUNERS, ListTuner, Tuned, Tuner
from dragoman.smt.tune.direct import DirectSearch
from dragoman.stats.arrays import Floats

__all__ = ["ListDecoder", "fixed_list_tuner", "spread", "tune_lists"]

# Lists do not grow from round to round: all of a round's new weights count, and far-away starts are no risk.
_ON_FIXED_LISTS = {"mixing": 1.0, "settle": 0}


@dataclass(frozen=True, eq=False)
class OrderedLists:
    """Lists as tuners read them, the best first."""

    texts: list[str]
    offsets: NDArray[np.int64]
    features: Floats
    sparse_matrix: Any = None


class ListDecoder:
    """A decoder as tuners see it, whose search is a look at lists. Features are divided by their spread within lists.

    Learners whose steps have a length then care for a feature of small numbers as for one of large ones.
    """

    def __init__(self, lists: CandidateLists) -> None:
        self.lists = lists
        self.sparse = lists.sparse is not None
        self.scales = spread(lists)

    def __call__(self, weights: Floats, segments: NDArray[np.int64] | None = None, /) -> OrderedLists:
        """The candidates, or those of some segments, by falling score."""
        lists = self.lists
        scores = lists.features / self.scales @ weights[: len(lists.names)]
        if self.sparse:
            scores = scores + lists.sparse[:, : len(weights) - len(lists.names)] @ weights[len(lists.names) :]
        order = lists.in_order(scores)
        offsets = lists.offsets
        if segments is not None:
            parts = [order[offsets[i] : offsets[i + 1]] for i in segments.tolist()]
            order, offsets = np.concatenate(parts), np.cumsum([0, *map(len, parts)])
        return OrderedLists(
            [lists.texts[i] for i in order.tolist()],
            offsets,
            lists.features[order] / self.scales,
            lists.sparse[order] if self.sparse else None,
        )

    def sparse_name(self, number: int) -> str:
        """What a sparse feature is called."""
        return self.lists.sparse_names[number]

    def scaled(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Weights of the lists' own numbers as weights of the divided ones."""
        return {name: weights[name] * float(scale) for name, scale in zip(self.lists.names, self.scales, strict=True)}

    def unscaled(self, weights: Mapping[str, float]) -> dict[str, float]:
        """And back."""
        return {name: weights[name] / float(scale) for name, scale in zip(self.lists.names, self.scales, strict=True)}


def fixed_list_tuner(spec: str) -> Tuner:
    """The tuner of a specification, made for lists that do not grow."""
    tuner = TUNERS.make(spec)
    if not isinstance(tuner, ListTuner | DirectSearch):
        able = [name for name in TUNERS.names() if issubclass(TUNERS.get(name), ListTuner | DirectSearch)]
        raise DataError(f"The tuner {tuner.name!r} asks a decoder again; for lists there are: {', '.join(able)}.")
    given = {part.partition("=")[0] for part in spec.partition(":")[2].split(",")}
    own = {each.name for each in fields(tuner)} - given
    settings: dict[str, Any] = {name: value for name, value in _ON_FIXED_LISTS.items() if name in own}
    return replace(tuner, **settings)


def tune_lists(
    lists: CandidateLists,
    refs: RefsInput,
    tuners: Sequence[str],
    *,
    start: Mapping[str, float],
    frozen: Sequence[str] = (),
    metric: str = "bleu",
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> tuple[dict[str, float], dict[str, float], list[Tuned]]:
    """Weights of dense and of sparse features, and how each tuner fared: one begins where the last one ended."""
    decoder = ListDecoder(lists)
    weights, sparse, stages = decoder.scaled(start), {}, []
    for tuner in [fixed_list_tuner(spec) for spec in tuners]:
        if decoder.sparse and not tuner.takes_sparse:
            raise DataError(f"The tuner {tuner.name!r} cannot tune sparse features; use mira or pro.")
        tuned = tuner.tune(
            decoder,
            refs,
            start=weights,
            metric=metric,
            seed=seed,
            frozen=frozen,
            n_threads=n_threads,
            progress=progress,
        )
        weights, sparse = tuned.dense, dict(tuned.sparse)
        stages.append(tuned)
    return decoder.unscaled(weights), sparse, stages


def spread(lists: CandidateLists) -> Floats:
    """By feature its standard deviation within lists; 1 where no list has two values of it."""
    sizes = np.diff(lists.offsets)
    full = sizes > 0
    firsts = lists.offsets[:-1][full]
    means = np.add.reduceat(lists.features, firsts, axis=0) / sizes[full, np.newaxis]
    deviations = np.sqrt(((lists.features - np.repeat(means, sizes[full], axis=0)) ** 2).mean(axis=0))
    largest = np.abs(lists.features).max(axis=0, initial=1.0)
    result: Floats = np.where(deviations > 1e-9 * largest, deviations, 1.0)
    return result
