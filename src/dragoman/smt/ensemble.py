"""An engine made of several: their grammars mixed in one search, each by its own weights (see `grammar.ensemble`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.smt.engine import Engine
from dragoman.smt.grammar.ensemble import MIXED, MergedRules, Mixture
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.tune.direct import Parameter, search_parameters
from dragoman.smt.tune.engine import prepared_references
from dragoman.smt.tune.objective import Objective
from dragoman.smt.tune.racing import Racing, RacingEvaluator

__all__ = ["Ensemble", "EnsembleSearch", "mix_engines", "search_ensemble"]

_FARTHEST = 4.0  # of the logarithm of a share's ratio to the first: e^4 = 55
_LOWEST = -50.0  # of prod's floor
_SHARE, _FLOOR = "share", "floor"


class Ensemble:
    """Engines with grammars, whose rules are merged once, to be mixed in any way.

    What all engines have – language models, penalties – the ensemble has from the first, as it has its preparation of
    text; the weights of these are the means of all engines' by their shares. Weights of tuned engines say something by
    their proportions alone: they are scaled to the length of the first engine's.
    """

    def __init__(self, engines: Sequence[Engine]) -> None:
        if len(engines) < 2:
            raise DataError(f"An ensemble is made of two engines or more, got {len(engines)}.")
        first = engines[0]
        tables = []
        for number, engine in enumerate(engines, start=1):
            if engine.models.grammar is None:
                raise DataError(f"Engine {number} has phrases, not a grammar; train it with grammar.kind=hiero.")
            if engine.languages != first.languages or engine.recipe.text != first.recipe.text:
                raise DataError(
                    f"Engine {number} is for other languages than the first, or prepares text otherwise. Train them "
                    "alike."
                )
            tables.append(engine.models.grammar)
        self.engines = tuple(engines)
        self.rules = MergedRules(tables)
        length = _length(first.trained_weights)
        self.weights = [
            {name: weight * length / _length(engine.trained_weights) for name, weight in engine.trained_weights.items()}
            for engine in engines
        ]

    def engine(self, mixture: Mixture, *, quantised: bool = False, report: Mapping[str, Any] | None = None) -> Engine:
        """The engine of one mixture; `report` is what making it told."""
        first = self.engines[0]
        table = self.rules.mixed(self.weights, mixture, quantised=quantised)
        weights = {MIXED: 1.0, **self._shared(mixture)}
        models = replace(first.models, grammar=table)
        facts = {
            **first.report,
            "ensemble": {**mixture.to_dict(), "shares": list(self._shares(mixture)), **(report or {})},
        }
        return first._like(first.recipe, weights=weights, models=models, report=facts)

    @property
    def n_rules(self) -> tuple[int, ...]:
        """The rules of each grammar, and of all together."""
        return (*(len(table) for table in self.rules.tables), len(self.rules))

    def _shares(self, mixture: Mixture) -> tuple[float, ...]:
        return mixture.of(len(self.engines))

    def _shared(self, mixture: Mixture) -> dict[str, float]:
        """The weights of what is no rule's own score."""
        first = self.engines[0]
        own = first.models.grammar.features if first.models.grammar else ()
        shares = list(zip(self._shares(mixture), self.weights, strict=True))
        means = {
            name: sum(share * weights.get(name, 0.0) for share, weights in shares)
            for name in first.trained_weights
            if name not in own
        }
        return means | ({"unknown": first.trained_weights["unknown"]} if "unknown" in means else {})


@dataclass(frozen=True, eq=False)
class EnsembleSearch(Result):
    """The mixtures that were tried on a tuning set, and the engine of the best."""

    kind: ClassVar[str] = "ensemble"

    engine: Engine
    mixture: Mixture
    tried: tuple[tuple[tuple[float, ...], float, float, str], ...]  # shares, floor, value, verdict
    label: str  # of the metric
    n_rules: tuple[int, ...]  # of each grammar, and of all together

    def tables(self) -> list[Table]:
        """One row a mixture."""
        names = [f"share {i + 1}" for i in range(len(self.n_rules) - 1)]
        columns: list[str | Column] = [
            *(Column(name, digits=3) for name in names),
            Column("floor", digits=1),
            Column("value", self.label, digits=2),
            "verdict",
        ]
        counts = ", ".join(f"{each:,}" for each in self.n_rules[:-1])
        note = f"Rules of the grammars: {counts}; {self.n_rules[-1]:,} different ones."
        rows = [(*shares, floor, value, verdict) for shares, floor, value, verdict in self.tried]
        return [Table.of(f"Mixtures by {self.mixture.mix}", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The best mixture."""
        return {**self.mixture.to_dict(), "n_rules": list(self.n_rules)}


def mix_engines(
    engines: Sequence[Engine], mixture: Mixture | None = None, *, quantised: bool = False
) -> EnsembleSearch:
    """The engine of one mixture, which nothing is asked of."""
    mixture = mixture or Mixture()
    ensemble = Ensemble(engines)
    return EnsembleSearch(ensemble.engine(mixture, quantised=quantised), mixture, (), "", ensemble.n_rules)


def search_ensemble(
    engines: Sequence[Engine],
    dev: TestSet,
    mixture: Mixture | None = None,
    *,
    metric: str = "bleu",
    evaluations: int = 20,
    quantised: bool = False,
    seed: int = 1,
    n_threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> EnsembleSearch:
    """The shares of engines (and prod's floor) that are best on a tuning set, by direct search from those given."""
    start = mixture or Mixture()
    ensemble = Ensemble(engines)
    first, n = engines[0], len(engines)
    src_lines, references = held_out_sides(dev)
    sources = first.source.prepare(src_lines, n_threads=n_threads)
    objective = Objective(metric, prepared_references(first, references, n_threads=n_threads), n_threads=n_threads)
    last: tuple[Mixture, Engine] | None = None

    def run(parameters: Mapping[str, float], segments: NDArray[np.int64]) -> list[str]:
        nonlocal last
        asked = _mixture(start, parameters, n)
        if last is None or last[0] != asked:
            last = asked, ensemble.engine(asked, quantised=quantised)
        return last[1].decode([sources[i] for i in segments.tolist()], n_threads=n_threads).best()

    evaluate = RacingEvaluator(run, objective, racing=Racing(), seed=seed)
    search_parameters(evaluate, _parameters(start, n), method="nelder-mead", evaluations=evaluations, progress=progress)
    best = _mixture(start, evaluate.best.parameters, n)
    tried = tuple(
        (_mixture(start, each.parameters, n).shares, each.parameters.get(_FLOOR, start.floor), each.value, each.verdict)
        for each in evaluate.history
    )
    report = {"metric": objective.metric.label, "value": evaluate.best.value, "n_tried": len(tried)}
    engine = ensemble.engine(best, quantised=quantised, report=report)
    return EnsembleSearch(engine, best, tried, objective.metric.label, ensemble.n_rules)


def _parameters(start: Mixture, n: int) -> list[Parameter]:
    """The logarithms of the shares' ratios to the first, and prod's floor."""
    shares = start.of(n)
    ratios = [_clamped(log(share / shares[0])) if share and shares[0] else 0.0 for share in shares[1:]]
    parameters = [
        Parameter(f"{_SHARE}.{i}", ratio, low=-_FARTHEST, high=_FARTHEST, step=1.0)
        for i, ratio in enumerate(ratios, start=2)
    ]
    if start.mix == "prod":
        parameters.append(Parameter(_FLOOR, start.floor, low=min(_LOWEST, start.floor), high=0.0, step=4.0))
    return parameters


def _mixture(start: Mixture, parameters: Mapping[str, float], n: int) -> Mixture:
    ratios = [1.0, *(exp(parameters[f"{_SHARE}.{i}"]) for i in range(2, n + 1))]
    shares = tuple(round(each / sum(ratios), 6) for each in ratios)
    return replace(start, shares=shares, floor=parameters.get(_FLOOR, start.floor))


def _clamped(ratio: float) -> float:
    return max(-_FARTHEST, min(_FARTHEST, ratio))


def _length(weights: Mapping[str, float]) -> float:
    """Of the weights that are tuned: that of unknown words is not."""
    return sqrt(sum(weight * weight for name, weight in weights.items() if name != "unknown")) or 1.0
