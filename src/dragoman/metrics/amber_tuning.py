"""Tuning AMBER to human judgements: downhill simplex over its parameters (Chen, Kuhn & Foster, WMT 2012, section 3)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.data import check_parallel
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, ModelError
from dragoman.metrics.amber import PENALTIES, Amber, shorter_rows
from dragoman.metrics.base import METRICS, Rows
from dragoman.metrics.references import ScoredText, content_digest
from dragoman.notation import count_of, finite_number
from dragoman.options import Recipe, option
from dragoman.report import Column, Progress, Result, Table
from dragoman.rng import Stream
from dragoman.text.layers import with_layers

__all__ = ["AmberTuning", "TunedAmber", "TuningReport"]

Array = NDArray[np.float64]
_FILE = "parameters.json"
_FEWEST = 3  # judged items below which a correlation says nothing


@dataclass(frozen=True, eq=False)
class TunedAmber(Artifact):
    """AMBER with tuned parameters: `metric` scores, `metric.spec()` is what the command line takes."""

    kind: ClassVar[str] = "metric parameters"
    format: ClassVar[int] = 1

    recipe: AmberTuning
    metric: Amber
    before: float  # correlation with the judgements before tuning
    after: float  # and after it
    history: tuple[tuple[int, float], ...]  # each improvement: evaluations so far, correlation
    n_evaluations: int
    n_items: int  # judged segments or systems
    n_unjudged: int  # left out
    seed: int | None = None
    data: Mapping[str, str] = field(default_factory=dict)

    def report(self) -> TuningReport:
        """What tuning changed, and what it gained."""
        return TuningReport(self)

    def _write(self, folder: Path) -> None:
        values = {
            "metric": self.metric.name,
            "options": self.metric.to_dict(),
            "before": self.before,
            "after": self.after,
            "history": [list(step) for step in self.history],
            "n_evaluations": self.n_evaluations,
            "n_items": self.n_items,
            "n_unjudged": self.n_unjudged,
        }
        (folder / _FILE).write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        values = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        metric = METRICS.get(values["metric"]).from_dict(values["options"])
        if not isinstance(metric, Amber):
            raise ModelError(f"{folder} holds parameters of {values['metric']}, not of AMBER.")
        return cls(
            recipe=AmberTuning.from_dict(manifest.recipe),
            metric=metric,
            before=finite_number(values["before"]),
            after=finite_number(values["after"]),
            history=tuple((int(count), float(value)) for count, value in values["history"]),
            n_evaluations=count_of(values["n_evaluations"]),
            n_items=count_of(values["n_items"]),
            n_unjudged=count_of(values["n_unjudged"]),
            seed=manifest.seed,
            data=manifest.data,
        )


@dataclass(frozen=True, eq=False)
class TuningReport(Result):
    """The parameters of a tuned AMBER beside their defaults."""

    kind: ClassVar[str] = "metric tuning"

    tuned: TunedAmber

    def tables(self) -> list[Table]:
        """One row per parameter; then each improvement on the way."""
        metric = self.tuned.metric
        rows = [(f.name, str(f.default), str(getattr(metric, f.name))) for f in fields(metric)]
        steps = [Column("evaluations"), Column("correlation", digits=4)]
        note = (
            f"{self.tuned.recipe.correlation} {self.tuned.before:.4f} before, {self.tuned.after:.4f} after, on the "
            f"{self.tuned.n_items} items it was tuned to. Use it as: -m {metric.spec()}"
        )
        return [
            Table.of(f"Parameters of {metric.label}", ["parameter", "default", "tuned"], rows, note=note),
            Table.of("Improvements", steps, self.tuned.history),
        ]

    def meta(self) -> dict[str, Any]:
        """The metric as the command line takes it, the correlations, and what was judged."""
        tuned = self.tuned
        return {
            "metric": tuned.metric.spec(),
            "correlation": tuned.recipe.correlation,
            "before": tuned.before,
            "after": tuned.after,
            "n_evaluations": tuned.n_evaluations,
            "n_items": tuned.n_items,
            "n_unjudged": tuned.n_unjudged,
            "seed": tuned.seed,
        }


@dataclass(frozen=True)
class AmberTuning(Recipe):
    """How AMBER's parameters are sought. The best point found never gives a lower correlation than the start."""

    correlation: str = option(
        "spearman", choices=("spearman", "kendall", "pearson"), text="which correlation with the judgements to raise"
    )
    orders: bool = option(True, text="also try the lengths of n-grams, up to the metric's own")
    restarts: int = option(2, low=0, high=100, text="new simplexes around the best point, to leave local maxima")
    max_evaluations: int = option(2000, low=1, high=1_000_000, text="evaluations per simplex")
    tolerance: float = option(1e-4, low=0, high=1, text="a simplex flatter and smaller than this is done")

    def train(
        self,
        test_set: TestSet,
        judgements: Mapping[str, float | None] | Sequence[float | None],
        *,
        metric: Amber | None = None,
        seed: int,
        progress: Progress | None = None,
        n_threads: int = 1,
    ) -> TunedAmber:
        """Tune to judgements, higher for better: of systems by their names, or of the segments of the only system.

        None stands where there is no judgement. The test set's layers make what the metric asks for.
        """
        (final,) = with_layers([metric or Amber()], test_set.layers)
        text, systems = ScoredText.of(test_set), test_set.systems
        data = {name: text.refs.digest(number) for number, name in enumerate(text.refs.names)}
        if isinstance(judgements, Mapping):
            if set(systems) != set(judgements):
                odd = sorted(set(systems) ^ set(judgements))
                raise DataError(f"Systems and judgements must have the same names; only one side has {', '.join(odd)}.")
            rows = final.batch_rows(text, n_threads).sum(axis=1)
            data = {name: content_digest(hyps) for name, hyps in systems.items()} | data
            judged = [judgements[name] for name in systems]
            return self._tune(final, rows, judged, seed, data, final=final, progress=progress)
        if len(systems) != 1:
            raise DataError(f"Judgements of segments are of one system, got {len(systems)}; give a number by system.")
        ((_, hyps),) = systems.items()
        check_parallel({"hyps": hyps, "judgements": judgements})
        start = final.for_segments()
        rows, data = start.batch_rows(text, n_threads)[0], {"hyps": content_digest(hyps)} | data
        return self._tune(start, rows, judgements, seed, data, final=final, progress=progress)

    def _tune(
        self,
        start: Amber,
        rows: Rows,
        judgements: Sequence[float | None],
        seed: int,
        data: Mapping[str, str],
        *,
        final: Amber,
        progress: Progress | None,
    ) -> TunedAmber:
        from scipy.optimize import minimize

        self.check()
        human = np.array([math.nan if value is None else value for value in judgements], dtype=np.float64)
        judged = ~np.isnan(human)
        if judged.sum() < _FEWEST or np.unique(human[judged]).size < 2:
            raise DataError(
                f"Tuning needs at least {_FEWEST} judged items that do not all have the same judgement; "
                f"{int(judged.sum())} of {len(human)} are judged."
            )
        orders = start.max_order * (start.max_order + 1) // 2 if self.orders else 0
        most = 1 + orders + (self.restarts + 1) * self.max_evaluations
        search = _Search(start, rows[judged], _CORRELATIONS[self.correlation](human[judged]), progress, most)
        before = search.value(start)
        if self.orders:
            for n in range(1, start.max_order + 1):
                for m in range(1, n + 1):
                    search.value(replace(start, max_order=n, recall_order=m))
        stream = Stream(seed, "amber tuning")
        for number in range(self.restarts + 1):
            centre = search.best
            point = _to_point(centre)
            # Press et al., Numerical Recipes, section 10.5: a step along each axis; later ones go either way.
            draws = stream.uniform(point.size, start=(number - 1) * point.size) if number else None
            steps = np.full(point.size, 0.5) if draws is None else 2.0 * draws - 1.0
            simplex = np.vstack([point, point + np.diag(steps)])
            minimize(
                lambda x, centre=centre: -search.value(_from_point(centre, x)),
                point,
                method="Nelder-Mead",
                options={
                    "initial_simplex": simplex,
                    "maxfev": self.max_evaluations,
                    "maxiter": self.max_evaluations,
                    "xatol": self.tolerance,
                    "fatol": self.tolerance,
                    "adaptive": True,
                },
            )
        return TunedAmber(
            recipe=self,
            metric=replace(search.best, smooth=final.smooth),
            before=before,
            after=search.best_value,
            history=tuple(search.history),
            n_evaluations=search.n_evaluations,
            n_items=int(judged.sum()),
            n_unjudged=int((~judged).sum()),
            seed=seed,
            data=data,
        )


class _Search:
    """The correlation of a metric with judgements, on statistics computed once, and the best metric seen so far."""

    def __init__(
        self,
        start: Amber,
        rows: Rows,
        correlation: Callable[[Array], float],
        progress: Progress | None,
        most_evaluations: int,
    ) -> None:
        self._progress, self._most = progress, most_evaluations
        self.best, self.best_value = start, -math.inf
        self.history: list[tuple[int, float]] = []
        self.n_evaluations = 0
        self._correlation = correlation
        n_forms, order = len(start.forms.split("+")), start.max_order
        self._rows = {n: shorter_rows(rows, n_forms, order, n) for n in range(1, order + 1)}

    def value(self, metric: Amber) -> float:
        """The correlation; NaN (a constant score) counts as the worst there is."""
        self.n_evaluations += 1
        if self._progress is not None:
            self._progress(self.n_evaluations, self._most, "tuning")
        correlation = self._correlation(metric.values(self._rows[metric.max_order]))
        correlation = -1.0 if math.isnan(correlation) else correlation
        if correlation > self.best_value:
            self.best, self.best_value = metric, correlation
            self.history.append((self.n_evaluations, correlation))
        return correlation


# Parameters as the simplex moves them: shares and probabilities by the logistic function, weights as squares, so that
# every point stands for a metric and a weight of nothing can grow.
_SHARES = ("alpha", "gamma")
_SQUARES = ("beta", *PENALTIES)
_EDGE = 1e-6


def _to_point(metric: Amber) -> Array:
    thetas = np.clip([metric.theta1, metric.theta2, 1 - metric.theta1 - metric.theta2], _EDGE, 1.0)
    shares = np.clip([getattr(metric, name) for name in _SHARES], _EDGE, 1 - _EDGE)
    squares = np.sqrt([getattr(metric, name) for name in _SQUARES])
    return np.concatenate([np.log(thetas[:2] / thetas[2]), np.log(shares / (1 - shares)), squares])


def _from_point(metric: Amber, point: Array) -> Amber:
    odds = np.exp(np.clip([point[0], point[1], 0.0], -50, 50))
    theta1, theta2, _ = (odds / odds.sum()).tolist()
    shares = (1 / (1 + np.exp(-np.clip(point[2:4], -50, 50)))).tolist()
    squares = np.minimum(point[4:] ** 2, 100.0).tolist()
    changes = {"theta1": theta1, "theta2": theta2}
    changes |= dict(zip(_SHARES, shares, strict=True)) | dict(zip(_SQUARES, squares, strict=True))
    return replace(metric, **changes)


def _spearman(human: Array) -> Callable[[Array], float]:
    from scipy.stats import rankdata

    of_ranks = _pearson(rankdata(human))
    return lambda scores: of_ranks(rankdata(scores))


def _pearson(human: Array) -> Callable[[Array], float]:
    centred = human - human.mean()
    norm = math.sqrt(float(centred @ centred))

    def correlation(scores: Array) -> float:
        other = scores - scores.mean()
        spread = math.sqrt(float(other @ other))
        return float(centred @ other) / (norm * spread) if spread > 0 else math.nan

    return correlation


def _kendall(human: Array) -> Callable[[Array], float]:
    from scipy.stats import kendalltau

    return lambda scores: float(kendalltau(human, scores).statistic)


_CORRELATIONS: dict[str, Callable[[Array], Callable[[Array], float]]] = {
    "spearman": _spearman,
    "kendall": _kendall,
    "pearson": _pearson,
}
