"""Metrics whose weights are learnt from judgements: which ones, how, and the artifact that comes of it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from dragoman.artifact import Artifact, Manifest
from dragoman.cache import digest_of
from dragoman.data.parallel import check_parallel
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, ModelError
from dragoman.learn.ranking import squared_hinge
from dragoman.metrics.base import METRICS, Metric
from dragoman.metrics.meta.inputs import HumanRankings
from dragoman.metrics.meteor import Meteor
from dragoman.metrics.pem import Pem, fit_pem
from dragoman.metrics.references import ScoredText, content_digest
from dragoman.metrics.sagan import Sagan, fit_sagan
from dragoman.metrics.spede import Spede, fit_spede
from dragoman.metrics.terrorcat import TerrorCat
from dragoman.metrics.tesla import TeslaM
from dragoman.notation import count_of, finite_number
from dragoman.options import Recipe, option
from dragoman.report import Result, Table
from dragoman.stats.correlation import spearman
from dragoman.text.layers import with_layers

__all__ = ["TRAINABLE", "MetricTraining", "TrainedMetric", "load_trained"]

Array = NDArray[np.float64]
_FILE = "metric.json"
_FEWEST = 10  # judgements below which nothing is learnt
_EDGE = 1e-6
_SHOWN = 200  # numbers of an option


@dataclass(frozen=True, eq=False)
class TrainedMetric(Artifact):
    """A metric with the weights that judgements taught it: `-m trained:FOLDER` scores by it."""

    kind: ClassVar[str] = "trained metric"
    format: ClassVar[int] = 1

    recipe: MetricTraining
    metric: Metric
    measure: str  # of agreement: "τ" with rankings, "ρ" with scores
    before: float  # agreement with the judgements it learnt from, with the weights that it began with
    after: float  # and with those that it learnt
    n_judgements: int
    seed: int | None = None
    data: Mapping[str, str] = field(default_factory=dict)

    def report(self) -> TrainingReport:
        """What training changed, and what it gained."""
        return TrainingReport(self)

    def _write(self, folder: Path) -> None:
        values = {
            "metric": self.metric.name,
            "options": self.metric.to_dict(),
            "measure": self.measure,
            "before": self.before,
            "after": self.after,
            "n_judgements": self.n_judgements,
        }
        (folder / _FILE).write_text(json.dumps(values, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        values = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        metric = METRICS.get(values.pop("metric")).from_dict(values.pop("options"))
        recipe = MetricTraining.from_dict(manifest.recipe)
        changed = [name for name, digest in metric.resources().items() if manifest.data.get(name, digest) != digest]
        if changed:
            raise ModelError(
                f"{folder}: the metric learnt with other {', '.join(changed)} than there are now. "
                "Bring back what it had, or train it again."
            )
        return cls(
            recipe=recipe,
            metric=metric,
            measure=str(values["measure"]),
            before=finite_number(values["before"]),
            after=finite_number(values["after"]),
            n_judgements=count_of(values["n_judgements"]),
            seed=manifest.seed,
            data=manifest.data,
        )


@dataclass(frozen=True, eq=False)
class TrainingReport(Result):
    """The options of a trained metric beside those that it began with."""

    kind: ClassVar[str] = "metric training"

    trained: TrainedMetric

    def tables(self) -> list[Table]:
        """One row per option that training set."""
        metric = self.trained.metric
        changed = [f.name for f in fields(metric) if getattr(metric, f.name) != f.default]
        rows = [(name, _shown(getattr(metric, name))) for name in changed]
        note = (
            f"{self.trained.measure} {self.trained.before:.4f} before, {self.trained.after:.4f} after, on the "
            f"{self.trained.n_judgements} judgements it learnt from."
        )
        return [Table.of(f"{metric.label}, trained", ["option", "value"], rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The metric as the command line takes it, and how far it agrees with what it learnt from."""
        trained = self.trained
        return {
            "metric": trained.metric.spec(),
            "measure": trained.measure,
            "before": trained.before,
            "after": trained.after,
            "n_judgements": trained.n_judgements,
        }


def _shown(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    if len(value) > _SHOWN:
        return f"{len(value)} numbers"
    return " ".join(each if isinstance(each, str) else f"{each:g}" for each in value)


@dataclass(frozen=True)
class MetricTraining(Recipe):
    """How metrics learn from judgements.

    The features of TESLA and TerrorCat are weighted by a linear ranking machine (Joachims 2002) where people ranked,
    by ridge regression where they gave scores; METEOR's constants are sought by downhill simplex; SPEDE's weights by
    regression on scores, SAGAN's by linear support-vector regression on them, PEM's by that with a Gaussian kernel.
    """

    c: float = option(
        1.0, low=1e-6, high=1e6, text="pem, sagan, tesla, terrorcat: cost of a pair out of order, or of an error"
    )
    evaluations: int = option(400, low=1, high=100_000, text="meteor: points that the simplex may try")
    top: float = option(5.0, low=1e-6, high=1e6, text="pem, sagan, spede: the best judgement there can be")

    def train(
        self,
        metric: Metric,
        test_set: TestSet,
        judgements: HumanRankings | Sequence[float | None],
        *,
        seed: int | None = None,
        n_threads: int = 1,
    ) -> TrainedMetric:
        """A metric trained on rankings of the systems, or on scores of the segments of the only system."""
        self.check()
        if metric.name not in TRAINABLE:
            raise DataError(f"The metric {metric.name} is not trained here, only {', '.join(TRAINABLE)}.")
        (start,) = with_layers([metric], test_set.layers)
        text = ScoredText.of(test_set)
        human = (
            _Rankings.of(judgements, test_set)
            if isinstance(judgements, HumanRankings)
            else _Scores.of(judgements, test_set)
        )
        learnt = TRAINABLE[metric.name](self, start, text, human, n_threads)
        data = {name: content_digest(lines) for name, lines in test_set.systems.items()}
        data |= {name: text.refs.digest(number) for number, name in enumerate(text.refs.names)}
        data |= start.resources() | {"judgements": human.digest()}
        print_of_all = digest_of(json.dumps(sorted(data.items())).encode())[:12]
        before, after = (human.agreement(_segments(each, text, n_threads)) for each in (start, learnt))
        return TrainedMetric(
            recipe=self,
            metric=replace(learnt, trained=print_of_all),  # type: ignore[call-arg]
            measure=human.measure,
            before=before,
            after=after,
            n_judgements=len(human.values),
            seed=seed,
            data=data,
        )


def load_trained(folder: str) -> Metric:
    """The metric of a folder."""
    return TrainedMetric.load(folder).metric


def _segments(metric: Metric, text: ScoredText, n_threads: int) -> Array:
    """Scores: array (systems, segments)."""
    used = metric.for_segments()
    return used.values(used.batch_rows(text, n_threads))


@dataclass(frozen=True, eq=False)
class _Rankings:
    """Which of two systems is better on which segment."""

    measure: ClassVar[str] = "τ"

    better: NDArray[np.int64]
    worse: NDArray[np.int64]
    segments: NDArray[np.int64]  # from 0

    @property
    def values(self) -> NDArray[np.int64]:
        return self.segments

    @classmethod
    def of(cls, rankings: HumanRankings, test_set: TestSet) -> _Rankings:
        comparisons, names = rankings.comparisons, list(test_set.systems)
        place = np.array([names.index(name) if name in names else -1 for name in comparisons.systems], dtype=np.int64)
        first, second = place[comparisons.first], place[comparisons.second]
        segments = rankings.segments - 1
        usable = (comparisons.outcome != 0) & (first >= 0) & (second >= 0) & (segments < len(test_set))
        if usable.sum() < _FEWEST:
            raise DataError(
                f"Training needs at least {_FEWEST} pairs of systems of which one is better; the judgements have "
                f"{int(usable.sum())} of {', '.join(names)}. Judged: {', '.join(comparisons.systems)}."
            )
        wins = comparisons.outcome > 0
        return cls(np.where(wins, first, second)[usable], np.where(wins, second, first)[usable], segments[usable])

    def differences(self, features: Array) -> Array:
        """Features of the better less those of the worse."""
        return np.asarray(features[self.better, self.segments] - features[self.worse, self.segments])

    def agreement(self, scores: Array) -> float:
        """Kendall's τ as WMT13 has it: pairs that the metric scores alike are left out."""
        gaps = self.differences(scores)
        wins, losses = int((gaps > 0).sum()), int((gaps < 0).sum())
        return (wins - losses) / max(wins + losses, 1)

    def digest(self) -> str:
        return digest_of(np.stack([self.better, self.worse, self.segments]).tobytes())


@dataclass(frozen=True, eq=False)
class _Scores:
    """A number for each judged segment of the first system."""

    measure: ClassVar[str] = "ρ"

    values: Array
    segments: NDArray[np.int64]  # from 0

    @classmethod
    def of(cls, judgements: Sequence[float | None], test_set: TestSet) -> _Scores:
        if len(test_set.systems) != 1:
            raise DataError(
                f"Scores of segments are of one system, got {len(test_set.systems)}; of several give rankings."
            )
        check_parallel({**test_set.systems, "judgements": judgements})
        places = [place for place, value in enumerate(judgements) if value is not None]
        values = np.array([judgements[place] for place in places], dtype=np.float64)
        if len(values) < _FEWEST or np.unique(values).size < 2:
            raise DataError(
                f"Training needs at least {_FEWEST} judged segments that are not all alike; {len(values)} of "
                f"{len(judgements)} are judged."
            )
        return cls(values, np.array(places, dtype=np.int64))

    def agreement(self, scores: Array) -> float:
        """Spearman's ρ; 0 where the metric scores all alike."""
        value = float(spearman(self.values, scores[0, self.segments]))
        return 0.0 if math.isnan(value) else value

    def digest(self) -> str:
        return digest_of(self.values.tobytes() + self.segments.tobytes())


def _weigh_features(
    recipe: MetricTraining, start: Metric, text: ScoredText, human: _Rankings | _Scores, n_threads: int
) -> Metric:
    """TESLA or TerrorCat with weights of their features."""
    metric = cast("TeslaM | TerrorCat", start)
    prepared: Any = metric.prepare(text, n_threads)
    features = metric.reference_features(prepared, 0, n_threads)
    if isinstance(human, _Rankings):
        weights = squared_hinge(human.differences(features) * 100.0, recipe.c)
    else:
        x = features[0, human.segments]
        z, y = x - x.mean(axis=0), human.values - human.values.mean()
        weights = np.linalg.solve(z.T @ z + np.eye(z.shape[1]) / recipe.c, z.T @ y)
    if not weights.any():
        raise DataError("Nothing was learnt: all features are the same for what was judged better and worse.")
    return replace(metric, weights=tuple(round(float(each), 6) for each in weights / np.abs(weights).sum()))


def _search_parameters(
    recipe: MetricTraining, start: Metric, text: ScoredText, human: _Rankings | _Scores, n_threads: int
) -> Metric:
    """METEOR with the parameters that agree best; the start is never left for worse."""
    from scipy.optimize import minimize

    meteor = cast(Meteor, start)
    rows = meteor.batch_rows(text, n_threads)

    def at(point: Array) -> Meteor:
        shares = 1.0 / (1.0 + np.exp(-np.clip(point, -50, 50)))
        alpha, beta, gamma, delta, *weights = np.round(shares, 4).tolist()
        return replace(meteor, constants=(alpha, round(3.0 * beta, 4), gamma, delta, *weights))

    own = meteor.parameters
    shares = np.array([own.alpha, own.beta / 3.0, own.gamma, own.delta, *own.weights[1:]])
    point = np.log(np.clip(shares, _EDGE, 1 - _EDGE) / (1 - np.clip(shares, _EDGE, 1 - _EDGE)))
    best = [(human.agreement(meteor.values(rows)), meteor)]

    def loss(x: Array) -> float:
        metric = at(x)
        value = human.agreement(metric.values(rows))
        if value > best[0][0]:
            best[0] = (value, metric)
        return -value

    simplex = np.vstack([point, point + 0.8 * np.eye(len(point))])
    options = {"initial_simplex": simplex, "maxfev": recipe.evaluations, "adaptive": True}
    minimize(loss, point, method="Nelder-Mead", options=options)
    return best[0][1]


def _regress(
    recipe: MetricTraining, start: Metric, text: ScoredText, human: _Rankings | _Scores, n_threads: int
) -> Metric:
    """SPEDE with weights that come near to the scores."""
    if not isinstance(human, _Scores):
        raise DataError("SPEDE learns from scores of segments, a number a line; rankings do not do.")
    part = text.only(human.segments.tolist())
    return fit_spede(cast(Spede, start), part, human.values, top=recipe.top, n_threads=n_threads)


def _support_vectors(
    recipe: MetricTraining, start: Metric, text: ScoredText, human: _Rankings | _Scores, n_threads: int
) -> Metric:
    """SAGAN or PEM with what support vectors make of their features."""
    if not isinstance(human, _Scores):
        raise DataError(f"{start.label} learns from scores of segments, a number a line; rankings do not do.")
    metric = cast("Sagan | Pem", start)
    prepared: Any = metric.prepare(text, n_threads)
    features = metric.reference_features(prepared, 0, n_threads)[0, human.segments]
    if isinstance(metric, Pem):
        return fit_pem(metric, features, human.values, top=recipe.top, c=recipe.c)
    return fit_sagan(metric, features, human.values, top=recipe.top, c=recipe.c)


TRAINABLE: dict[str, Callable[..., Metric]] = {
    "meteor": _search_parameters,
    "pem": _support_vectors,
    "sagan": _support_vectors,
    "spede": _regress,
    "terrorcat": _weigh_features,
    "tesla-b": _weigh_features,
    "tesla-f": _weigh_features,
    "tesla-m": _weigh_features,
}
