"""Search an engine's weights and limits together: what no list of candidates can tell, decoding tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.metrics.base import Metric
from dragoman.metrics.references import References, RefsInput
from dragoman.report import Progress, Result, Table
from dragoman.smt.search import SearchLimits
from dragoman.smt.tune.direct import Parameter, search_parameters
from dragoman.smt.tune.engine import prepared_references
from dragoman.smt.tune.objective import Objective
from dragoman.smt.tune.racing import Output, Race, Racing, RacingEvaluator

if TYPE_CHECKING:
    from dragoman.smt.engine import Engine

__all__ = ["EngineSearch", "search_engine"]

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


def search_engine(
    engine: Engine,
    src_lines: Sequence[str],
    refs: RefsInput,
    parameters: Sequence[Parameter],
    *,
    metric: Metric | str = "bleu:tokeniser=none",
    method: str = "nelder-mead",
    evaluations: int = 60,
    racing: Racing | None = None,
    budget: float | None = None,
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> EngineSearch:
    """Search weights and limits of an engine together (Chung & Galley, WMT 2012).

    A parameter is called after a feature (`lm`), a limit (`distortion_limit`, `pop_limit`, `distortion_exponent`, …) or
    a feature's weight in estimates of the future (`future.lm`). With `budget`, effort beyond it is penalised: the
    number of hypotheses and language-model queries for a segment, which does not depend on the machine.
    """
    references = References.of(refs)
    check_parallel({"src": src_lines, **dict(zip(references.names, references.streams, strict=True))})
    for each in parameters:
        known = each.name.removeprefix(_FUTURE) in engine.feature_names or each.name in _LIMITS
        if not known:
            raise DataError(
                f"{each.name!r} is no feature of the engine and no limit. Limits: {', '.join(sorted(_LIMITS))}."
            )
    lines = engine.source.prepare(src_lines, n_threads=n_threads)
    prepared = prepared_references(engine, references, n_threads=n_threads)

    def run(values: Mapping[str, float], segments: NDArray[np.int64]) -> Output:
        weights, limits = settings(engine, values)
        found = engine.decode(
            [lines[i] for i in segments.tolist()], weights=weights, limits=limits, n_threads=n_threads
        )
        return Output(found.best(), float(sum(found.effort.values())))

    objective = Objective(metric, prepared, n_threads=n_threads)
    evaluate = RacingEvaluator(run, objective, racing=racing, seed=seed, budget=budget)

    def told(done: int, whole: int) -> None:
        if progress:
            progress(done, whole, "direct search")

    best = search_parameters(evaluate, parameters, method=method, evaluations=evaluations, progress=told)
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
