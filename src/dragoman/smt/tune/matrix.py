"""Tune to several metrics and test with all: which tuning gives the better translations by which measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import StrPath, write_lines
from dragoman.metrics.compare import ComparisonRecipe, compare
from dragoman.metrics.comparison import Comparison, SystemPair
from dragoman.metrics.specs import make_metric
from dragoman.report import Column, Progress, Result, Table
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.tune.base import Tuned
from dragoman.smt.tune.engine import tune_engine
from dragoman.smt.tuning import Tuning
from dragoman.stats.segments import sign_test

if TYPE_CHECKING:
    from dragoman.smt.engine import Engine

__all__ = ["TuneMatrix", "tune_matrix"]


@dataclass(frozen=True, eq=False)
class TuneMatrix(Result):
    """An engine tuned to several metrics, its translations scored by all of them (Liu, Dahlmeier & Ng, EMNLP 2011)."""

    kind: ClassVar[str] = "tune matrix"

    tunings: Mapping[str, Tuned]  # by what was tuned to
    comparison: Comparison  # of the tuned engines' translations

    @property
    def outputs(self) -> Mapping[str, Sequence[str]]:
        """The translations of each."""
        return self.comparison.segments.test_set.systems

    def sign_p(self, pair: SystemPair) -> float:
        """The exact sign test over the segments that a metric scores differently."""
        scores = self.comparison.segments.scores[self.comparison.metrics.index(pair.metric)]
        names = self.comparison.systems
        gaps = scores[names.index(pair.system)] - scores[names.index(pair.baseline)]
        return sign_test(int((gaps > 0).sum()), int((gaps < 0).sum()))

    def tables(self) -> list[Table]:
        """Tuned × tested, the differences with their tests, and how long and how different the translations are."""
        return [self._matrix(), self._tests(), self._lengths(), self._differing()]

    def _matrix(self) -> Table:
        values = {(each.system, each.metric): each.score for each in self.comparison.scores}
        labels = zip(self.comparison.metrics, self.comparison.labels, strict=True)
        columns = [Column("tuned_to", "tuned to"), *(Column(name, label, digits=2) for name, label in labels)]
        rows = [(name, *(values[name, metric] for metric in self.comparison.metrics)) for name in self.tunings]
        best = []
        for name, higher in zip(self.comparison.metrics, self.comparison.higher_is_better, strict=True):
            choose = max if higher else min
            best.append(f"{name}: {choose(self.tunings, key=lambda each: values[each, name])}")
        return Table.of("Tuned × tested", columns, rows, note=f"Best tuned to … — {'; '.join(best)}.")

    def _tests(self) -> Table:
        columns: list[Column | str] = [
            "metric",
            "system",
            "baseline",
            Column("delta", digits=2, figures=1),
            Column("p", f"p, {self.comparison.test}", digits=4),
            Column("sign_p", "p, sign test", digits=4),
            "better",
        ]
        rows = [
            (each.metric, each.system, each.baseline, each.delta, each.p_adjusted, self.sign_p(each), each.better)
            for each in self.comparison.all_pairs
        ]
        test, correction = self.comparison.test, self.comparison.correction
        note = f"p of the {test} test is corrected for all pairs of a metric ({correction})."
        return Table.of("Differences", columns, rows, note=note)

    def _lengths(self) -> Table:
        refs = self.comparison.segments.test_set.refs
        rows = [(name, _mean_length(lines)) for name, lines in self.outputs.items()]
        rows += [(name, _mean_length([line for line in lines if line is not None])) for name, lines in refs.items()]
        return Table.of("Length", ["text", Column("words", "words a segment", digits=2)], rows)

    def _differing(self) -> Table:
        rows = []
        for (name, lines), (other, others) in combinations(self.outputs.items(), 2):
            n = sum(a != b for a, b in zip(lines, others, strict=True))
            rows.append((name, other, n, 100 * n / len(lines)))
        columns: list[Column | str] = ["system", "other", "segments", Column("percent", "%", digits=1)]
        return Table.of("Segments that are translated differently", columns, rows)

    def meta(self) -> dict[str, Any]:
        """Weights, rounds and time of each tuning; how the translations were tested."""
        tunings = {
            name: {"weights": each.weights, "rounds": len(each.rounds) - 1, "seconds": each.seconds}
            for name, each in self.tunings.items()
        }
        return {
            "tunings": tunings,
            "test": self.comparison.test,
            "seed": self.comparison.seed,
            "n_segments": self.comparison.n_segments,
            "signatures": list(self.comparison.signatures),
        }

    def write(self, folder: StrPath) -> None:
        """Write the translations, a file for each tuning, as `compare` and campaigns take them."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for name, lines in self.outputs.items():
            write_lines(place / f"{name}.txt", lines)


def tune_matrix(
    engine: Engine,
    dev: TestSet,
    test: TestSet,
    metrics: Sequence[str] = ("bleu", "tesla-m", "meteor"),
    *,
    also: Sequence[str] = (),
    tuning: Tuning | None = None,
    comparison: ComparisonRecipe | None = None,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> TuneMatrix:
    """Tune an engine to each of the metrics, translate the test set, and score that by all of them, and by others."""
    names = _names(metrics)
    if len(names) < 2:
        raise DataError("A tune matrix needs at least two metrics to tune to; see smt tune for one.")
    if len(test) < 2:
        raise DataError("The test set has one segment or none; differences are tested on two and more.")
    srcs, _ = held_out_sides(test)
    recipe = tuning or Tuning()
    tunings: dict[str, Tuned] = {}
    outputs: dict[str, Sequence[str]] = {}
    for name, metric in names.items():
        tunings[name] = tune_engine(
            engine, dev, replace(recipe, metric=metric), n_threads=n_threads, progress=progress
        ).best
        outputs[name] = engine.with_weights(tunings[name].weights).translate(srcs, n_threads=n_threads)
    tested = replace(
        comparison or ComparisonRecipe(), metrics=(*metrics, *also), all_pairs=True, baseline=None, breakdowns=False
    )
    result = compare(replace(test, systems=outputs), tested, n_threads=n_threads, progress=progress)
    return TuneMatrix(tunings, result)


def _names(metrics: Sequence[str]) -> dict[str, str]:
    """What each tuning is called: after its metric, with a number where two have the same name."""
    names: dict[str, str] = {}
    for spec in metrics:
        name = make_metric(spec).name
        n_alike = sum(each.rpartition("-")[0] == name or each == name for each in names)
        names[f"{name}-{n_alike + 1}" if n_alike else name] = spec
    return names


def _mean_length(lines: Sequence[str]) -> float:
    return float(np.mean([len(line.split()) for line in lines]))
