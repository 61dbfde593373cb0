"""Search an engine's weights and limits together: what no list of candidates can tell, decoding tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.report import Progress, Result, Table
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.search import SearchLimits
from dragoman.smt.tune.direct import Parameter, search_parameters
from dragoman.smt.tune.engine import prepared_references
from dragoman.smt.tune.objective import Objective
from dragoman.smt.tune.racing import Output, Race, Racing, RacingEvaluator

if TYPE_CHECKING:
    from dragoman.smt.engine import Engine

__all__ = ["EngineSearch", "JointSearch", "search_engine"]

_FUTURE = "future."
_LIMITS = {each.name for each in fields(SearchLimits) if each.type in ("int", "float")}


@dataclass(frozen=True)
class EngineSearch(Result):
    """The best weights and limits that a direct search found, and all that it tried."""

    kind: ClassVar[str] = "engine search"

    parameters: dict[str, float]
    weights: dict[str, float]
    limits: SearchLimits
    value: float  # of the metric, on the tuning set; penalised beyond the budget
    race: Race

    def tables(self) -> list[Table]:
        """The parameters, then the candidates."""
        return [Table.of("Parameters", ["parameter", "value"], list(self.parameters.items())), *self.race.tables()]

    def meta(self) -> dict[str, Any]:
        """Value, limits and the settings of the race."""
        return {"value": self.value, "limits": self.limits.to_dict(), **self.race.meta()}


@dataclass(frozen=True)
class JointSearch(Recipe):
    """How weights and limits of an engine are searched."""

    metric: str = option("bleu:tokeniser=none", text="what is made better, as for smt tune")
    method: str = option(
        "nelder-mead", choices=("nelder-mead", "powell"), text="simplex, or one direction after another"
    )
    evaluations: int = option(60, low=1, text="candidates at most")
    budget: float | None = option(None, text="hypotheses and model queries a segment; more is penalised")
    seed: int = option(1, low=0, text="of the order in which segments are decoded")


def search_engine(
    engine: Engine,
    dev: TestSet,
    parameters: Sequence[Parameter],
    search: JointSearch | None = None,
    *,
    racing: Racing | None = None,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> EngineSearch:
    """Search weights and limits of an engine together (Chung & Galley, WMT 2012).

    A parameter is called after a feature (`lm`), a limit (`distortion_limit`, `pop_limit`, `distortion_exponent`, …) or
    a feature's weight in estimates of the future (`future.lm`). With a budget, effort beyond it is penalised: the
    number of hypotheses and language-model queries for a segment, which does not depend on the machine.
    """
    recipe = (search or JointSearch()).check()
    src_lines, references = held_out_sides(dev)
    for each in parameters:
        if each.name.removeprefix(_FUTURE) not in engine.feature_names and each.name not in _LIMITS:
            raise DataError(
                f"{each.name!r} is no feature of the engine and no limit. Limits: {', '.join(sorted(_LIMITS))}."
            )
    lines = engine.source.prepare(src_lines, n_threads=n_threads)
    prepared = prepared_references(engine, references, n_threads=n_threads)

    def run(values: Mapping[str, float], segments: NDArray[np.int64]) -> Output:
        weights, limits = settings(engine, values)
        chosen = [lines[i] for i in segments.tolist()]
        decoded = engine.decode(chosen, weights=weights, limits=limits, n_threads=n_threads)
        return Output(decoded.best(), float(sum(decoded.effort.values())))

    objective = Objective(recipe.metric, prepared, n_threads=n_threads)
    evaluate = RacingEvaluator(run, objective, racing=racing, seed=recipe.seed, budget=recipe.budget)

    def report(done: int, whole: int) -> None:
        if progress:
            progress(done, whole, "direct search")

    best = search_parameters(
        evaluate, parameters, method=recipe.method, evaluations=recipe.evaluations, progress=report
    )
    weights, limits = settings(engine, best)
    return EngineSearch(best, weights, limits, evaluate.best.value, evaluate.result())


def settings(engine: Engine, values: Mapping[str, float]) -> tuple[dict[str, float], SearchLimits]:
    """The weights and limits of an engine with parameters in place of its own."""
    weights, limits = dict(engine.weights), engine.recipe.search
    future = limits.future_factors()
    for name, value in values.items():
        if name in _LIMITS:
            kind = type(getattr(limits, name))
            limits = replace(limits, **{name: kind(value)})
        elif name.startswith(_FUTURE):
            future[name.removeprefix(_FUTURE)] = value
        else:
            weights[name] = value
    return weights, replace(limits, future=tuple(f"{name}={value!r}" for name, value in future.items()))
