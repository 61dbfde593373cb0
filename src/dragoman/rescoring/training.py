"""Training a rescorer: the weights of features tuned on lists whose references are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.metrics.references import References, RefsInput
from dragoman.report import Column, Progress, Result, Table
from dragoman.rescoring.agreement import engines_of
from dragoman.rescoring.lists import SCORE, CandidateLists
from dragoman.rescoring.model import Rescorer, Stage, whole_lists
from dragoman.rescoring.recipe import Rescoring
from dragoman.rescoring.tuning import spread, tune_lists
from dragoman.smt.tune import Tuned

__all__ = ["RescoringTraining", "train_rescorer"]

_SPARSE = "sparse"  # the column of all that sparse features say
_SHOWN = 10  # sparse weights in a table


@dataclass(frozen=True)
class RescoringTraining(Result):
    """How the weights of a rescorer came about."""

    kind: ClassVar[str] = "rescoring"

    rescorer: Rescorer
    label: str  # of the metric
    spreads: Mapping[str, float]  # of each feature within lists

    def tables(self) -> list[Table]:
        """The tuners, then the weights; what a feature says is its weight times its spread."""
        stages = [(each.tuner, each.before, each.after, each.oracle) for each in self.rescorer.stages]
        shown: list[str | Column] = ["tuner", *(Column(name, digits=2) for name in ("before", "after", "oracle"))]
        weights = [(name, w, w * self.spreads[name]) for name, w in self.rescorer.weights.items()]
        largest = sorted(self.rescorer.sparse.items(), key=lambda each: -abs(each[1]))[:_SHOWN]
        rows: list[tuple[str, float, float | None]] = [*weights, *((name, w, None) for name, w in largest)]
        columns: list[str | Column] = ["feature", Column("weight", digits=4), Column("say", digits=4)]
        many = len(self.rescorer.sparse)
        note = f"{many:,} sparse features have a weight; the largest are shown." if many else ""
        return [
            Table.of(f"Rescoring by {self.label}", shown, stages),
            Table.of("Weights", columns, rows, note=note),
        ]

    def meta(self) -> dict[str, Any]:
        """The recipe, the seed and all weights."""
        rescorer = self.rescorer
        return {
            "recipe": rescorer.recipe.to_dict(),
            "seed": rescorer.seed,
            "weights": dict(rescorer.weights),
            "sparse": dict(rescorer.sparse),
        }


def train_rescorer(
    lists: CandidateLists,
    refs: RefsInput,
    recipe: Rescoring | None = None,
    *,
    start: Rescorer | None = None,
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> RescoringTraining:
    """Add features to lists and tune the weights of all to what their best candidates score against references.

    Weights begin with those of `start`, else with the engines' own scores; the modes sparse and scale leave as they are
    what another rescorer has found. Sources without a candidate do not count.
    """
    recipe = (recipe or Rescoring()).check()
    whole = whole_lists(lists, recipe, n_threads=n_threads, progress=progress)
    whole, streams = _with_candidates(whole, References.of(refs))
    names = list(start.weights) if start else _names(lists, whole, recipe.own)
    whole = whole.chosen(names)
    first = start or Rescorer(recipe, {name: float(_is_score(name)) for name in names})
    job = _Job(whole, streams, recipe, first, {"seed": seed, "n_threads": n_threads, "progress": progress})
    weights, sparse, stages = _TUNED[recipe.mode](job)
    rescorer = Rescorer(
        recipe,
        weights,
        sparse,
        tuple(Stage(each.method, each.rounds[0].value, each.value, each.rounds[0].oracle) for each in stages),
        seed,
        {"sources": _digest(lists.sources), "candidates": _digest(lists.texts)},
    )
    spreads = dict(zip(names, spread(whole).tolist(), strict=True))
    return RescoringTraining(rescorer, stages[-1].label, spreads)


@dataclass(frozen=True, eq=False)
class _Job:
    lists: CandidateLists
    refs: RefsInput
    recipe: Rescoring
    start: Rescorer
    options: Mapping[str, Any]

    def tune(
        self, lists: CandidateLists, start: Mapping[str, float], frozen: Sequence[str] = ()
    ) -> tuple[dict[str, float], dict[str, float], list[Tuned]]:
        recipe = self.recipe
        return tune_lists(
            lists, self.refs, recipe.tuners, start=start, frozen=frozen, metric=recipe.metric, **self.options
        )


def _dense(job: _Job) -> tuple[dict[str, float], dict[str, float], list[Tuned]]:
    """Sparse features do not count."""
    return job.tune(replace(job.lists, sparse=None, sparse_names=()), job.start.weights)


def _joint(job: _Job) -> tuple[dict[str, float], dict[str, float], list[Tuned]]:
    """All weights."""
    return job.tune(job.lists, job.start.weights)


def _sparse(job: _Job) -> tuple[dict[str, float], dict[str, float], list[Tuned]]:
    """Dense weights stay; the sparse ones that were found are multiplied by a number."""
    if job.lists.sparse is None:
        raise DataError("The lists have no sparse features, so the mode 'sparse' has nothing to tune.")
    _, sparse, stages = job.tune(job.lists, job.start.weights, frozen=job.lists.names)
    return dict(job.start.weights), {name: job.recipe.sparse_scale * w for name, w in sparse.items()}, stages


def _scale(job: _Job) -> tuple[dict[str, float], dict[str, float], list[Tuned]]:
    """Dense weights, and one number by which all sparse ones are multiplied."""
    known = job.start.sparse
    if job.lists.sparse is None or not known:
        raise DataError(
            "The mode 'scale' needs lists with sparse features and a rescorer that has weights for them to begin with "
            "(--start)."
        )
    sums = job.lists.sparse @ np.array([known.get(name, 0.0) for name in job.lists.sparse_names])
    lists = replace(job.lists, sparse=None, sparse_names=()).with_columns([_SPARSE], sums.reshape(-1, 1))
    weights, _, stages = job.tune(lists, {**job.start.weights, _SPARSE: 1.0})
    scale = weights.pop(_SPARSE)
    return weights, {name: scale * w for name, w in known.items()}, stages


_TUNED = {"dense": _dense, "joint": _joint, "sparse": _sparse, "scale": _scale}


def _is_score(name: str) -> bool:
    """Whether a column is an engine's score of its own candidates."""
    return name == SCORE or name.endswith(f".{SCORE}")


def _names(lists: CandidateLists, whole: CandidateLists, own: str) -> list[str]:
    """The columns that count: those added, and of the lists' own numbers all, or the engines' scores alone."""
    engines = engines_of(lists)  # whose columns say who has a candidate
    counted = [name for name in lists.names if own == "all" or _is_score(name) or name in engines]
    return [*counted, *(name for name in whole.names if name not in lists.names)]


def _with_candidates(lists: CandidateLists, refs: References) -> tuple[CandidateLists, list[list[str | None]]]:
    """Sources that have candidates, and their references."""
    if len(refs) != len(lists.sources):
        raise DataError(f"There are {len(lists.sources)} sources and {len(refs)} lines of references.")
    full = np.flatnonzero(np.diff(lists.offsets)).tolist()
    sources = tuple(lists.sources[i] for i in full)
    offsets = np.append(lists.offsets[full], len(lists.texts))
    return replace(lists, sources=sources, offsets=offsets), [[stream[i] for i in full] for stream in refs.streams]


def _digest(lines: Sequence[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()
