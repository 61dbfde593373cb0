"""Whose opinion counts how much: weights and scales of engines, chosen on lists whose references are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.metrics.references import RefsInput
from dragoman.report import Column, Result, Table
from dragoman.rescoring.lists import CandidateLists
from dragoman.rescoring.risk import Consensus, Opinion, RiskRecipe, probabilities, squares
from dragoman.smt.tune import Objective

__all__ = ["ConsensusTraining", "tune_consensus"]

_SCALES = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
_WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True)
class ConsensusTraining(Result):
    """The engines' weights and scales, and what each scores alone and all together on the tuning set."""

    kind: ClassVar[str] = "consensus"

    consensus: Consensus
    label: str  # of the metric
    best: Mapping[str, float]  # what each engine's first candidates score

    def tables(self) -> list[Table]:
        """A row for each engine, then one for all."""
        total = sum(each.weight for each in self.consensus.opinions.values())
        columns: list[str | Column] = [
            "engine",
            Column("weight", digits=3),
            Column("scale", digits=2),
            Column("best", f"{self.label}, best", digits=2),
            Column("risk", f"{self.label}, least risk", digits=2),
        ]
        rows: list[tuple[str, float | None, float | None, float | None, float]] = [
            (name, each.weight / total, each.scale, self.best[name], value)
            for (name, each), value in zip(self.consensus.opinions.items(), self.consensus.values, strict=False)
        ]
        rows.append(("together", None, None, None, self.consensus.values[-1]))
        return [Table.of("Minimum Bayes risk", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """The recipe."""
        return {"recipe": self.consensus.recipe.to_dict()}


def tune_consensus(
    lists: CandidateLists,
    refs: RefsInput,
    engines: Sequence[str],
    recipe: RiskRecipe | None = None,
    *,
    n_threads: int = 1,
) -> ConsensusTraining:
    """Weights and scales under which candidates of least risk score best, one number at a time, over fixed steps.

    `engines` are columns of the lists (see `probabilities`). Each engine's scale is first chosen alone.
    """
    recipe = (recipe or RiskRecipe()).check()
    if not (np.diff(lists.offsets) > 0).all():
        raise DataError(
            f"Segment {int(np.argmin(np.diff(lists.offsets)))}, counted from 0, has no candidate; leave it out of the "
            "tuning set."
        )
    objective = Objective(recipe.metric, refs, n_threads=n_threads)
    if len(objective) != len(lists.sources):
        raise DataError(f"There are {len(lists.sources)} sources and {len(objective)} lines of references.")
    rows = objective.rows(lists.segments, lists.texts)
    table = squares(lists, recipe.metric, n_threads=n_threads)

    def gain(opinions: Mapping[str, Opinion]) -> float:
        return objective.gain(rows[table.choose(probabilities(lists, opinions))].sum(axis=0))

    alone = {name: _climb({name: Opinion()}, name, "scale", _SCALES, gain) for name in engines}
    opinions = {name: each[name] for name, each in alone.items()}
    for _ in range(recipe.passes if len(engines) > 1 else 0):
        for name in engines:
            opinions = _climb(opinions, name, "weight", _WEIGHTS, gain)
            opinions = _climb(opinions, name, "scale", _SCALES, gain)
    values = [*(objective.shown(gain(each)) for each in alone.values()), objective.shown(gain(opinions))]
    data = {"candidates": sha256("\n".join(lists.texts).encode()).hexdigest()}
    best = {name: objective.shown(_first(lists, name, rows, objective)) for name in engines}
    return ConsensusTraining(Consensus(recipe, opinions, tuple(values), data), objective.metric.label, best)


def _climb(
    opinions: Mapping[str, Opinion], name: str, what: str, steps: Sequence[float], gain: Any
) -> dict[str, Opinion]:
    """One number of one engine at its best, of equals as it is."""
    now = dict(opinions)
    tried = [now, *({**now, name: replace(now[name], **{what: step})} for step in steps)]
    possible = [each for each in tried if any(one.weight > 0 for one in each.values())]
    return max(possible, key=gain)


def _first(lists: CandidateLists, name: str, rows: Any, objective: Objective) -> float:
    """The gain of an engine's likeliest candidates."""
    shares = probabilities(lists, {name: Opinion()})
    order = lists.in_order(shares)
    return objective.gain(rows[order[lists.offsets[:-1]]].sum(axis=0))
