"""How good a model is on data it has not seen: measures, calibration, errors by length, the worst cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.qe.evaluation import QEEvaluation
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.files import QEData
from dragoman.qe.notes import listed, read_note
from dragoman.qe.prediction_measures import evaluate
from dragoman.qe.recipes import ReportRecipe
from dragoman.qe.sentences.decision import Decisions
from dragoman.qe.sentences.model import QEModel
from dragoman.qe.tasks import ScoreTask, check_scores
from dragoman.report import Column, Figure, Result, Section, Table, page
from dragoman.stats.arrays import Floats

__all__ = ["QEReport", "report_model"]

_LEVELS = (0.5, 0.8, 0.9, 0.95)
_BANDS = 10
_LENGTHS = (10, 20, 30, 40)  # tokens of the output: last of each class but the open one
_MOST_MOVED = 10  # features shown beside their shift
_FAR = 2.0  # standard deviations by which a feature's mean may move before it is named (UPC's broken features, 2012)
_NEAR = {"effort": (0.2, 0.5), "hter": (0.05, 0.1)}  # errors counted as small


@dataclass(frozen=True)
class QEReport(Result):
    """The measures of models on new data, and what the first of them does well and badly."""

    kind: ClassVar[str] = "qe report"

    evaluation: QEEvaluation
    calibration: Table
    coverage: Table
    errors: Table
    lengths: Table | None
    worst: Table
    decisions: Decisions | None
    outcome: Table | None
    moved: tuple[tuple[str, float], ...]  # features that lie far from those trained on
    shifts: Table  # those that moved most, far or not
    left_out: tuple[int, ...] = ()  # sentences, from 1, whose post-edits a model has read

    def tables(self) -> list[Table]:
        """The measures first."""
        first = [*self.evaluation.tables(), self.errors, self.calibration, self.coverage]
        return [*first, *(each for each in (self.lengths, self.outcome) if each is not None), self.shifts, self.worst]

    def figures(self) -> list[Figure]:
        """What is true of what the model says, and errors by length."""
        rows = [
            (row[2], value, series)
            for series, place in (("what was true", 3), ("perfect calibration", 2))
            for row in self.calibration.rows
            for value in (row[place],)
        ]
        drawn = Table.of(
            "Calibration", [Column("predicted", digits=3), Column("true", "mean truth", 3), Column("series")], rows
        )
        figures = [Figure("Calibration", "line", drawn, "predicted", "true", series="series")]
        if self.lengths is not None:
            figures.append(Figure("Error by length", "bar", self.lengths, "tokens", "mae"))
        return figures

    def _side_by_side(self) -> Table:
        """A row a prediction, a column a measure."""
        measures = list(dict.fromkeys(each.measure for each in self.evaluation.measured))
        names = list(dict.fromkeys(each.system for each in self.evaluation.measured))
        columns = [Column("prediction"), *(Column(each.replace("-", "_"), each, 4) for each in measures)]
        rows = [(name, *(self.evaluation.value(each, name) for each in measures)) for name in names]
        return Table.of("Measures side by side", columns, rows)

    def meta(self) -> dict[str, Any]:
        """What the evaluation says of itself, and the tables beside it."""
        beside = {
            "calibration": self.calibration.records(),
            "coverage": self.coverage.records(),
            "errors": self.errors.records(),
            "lengths": None if self.lengths is None else self.lengths.records(),
            "decisions": None if self.outcome is None else self.outcome.records(),
            "moved": dict(self.moved),
            "left_out": list(self.left_out),
        }
        return {**self.evaluation.meta(), **beside}

    def html(self) -> str:
        """One page."""
        figures = self.figures()
        warning = (
            "Far from the training data (standard deviations): "
            + ", ".join(f"{name} {shift:+.1f}" for name, shift in self.moved)
            + ". Were these features made in the same way?"
            if self.moved
            else ""
        )
        sections = [
            Section("Measures", warning, (self._side_by_side(), *self.evaluation.tables(), self.errors, self.shifts)),
            Section(
                "Calibration",
                "Sentences in order of their predicted score, in bands: what was predicted, and what was true.",
                (figures[0], self.calibration, self.coverage),
            ),
        ]
        if self.lengths is not None:
            sections.append(Section("Error by length", "", figures[1:]))
        if self.outcome is not None:
            sections.append(Section("Decisions", "What became of the three ways to go.", (self.outcome,)))
        sections.append(Section("Worst cases", "Where prediction and truth lie furthest apart.", (self.worst,)))
        return page("Quality estimation", sections)


def report_model(
    models: Mapping[str, QEModel],
    data: QEData,
    recipe: ReportRecipe | None = None,
    *,
    features: FeatureTable | None = None,
    seed: int = 12345,
    n_threads: int = 1,
) -> QEReport:
    """Models on data with known scores, from sentences or from a table of features. The first is looked at closely.

    Sentences whose post-edits a model has read would flatter it: they are refused unless the recipe leaves them out.
    """
    asked = (recipe or ReportRecipe()).check()
    if not models:
        raise DataError("There is no model to report on.")
    first = next(iter(models.values()))
    task = first.task
    others = sorted({model.task.name for model in models.values()} - {task.name})
    if others:
        raise DataError(f"The models score different things: {task.name} and {', '.join(others)}.")
    right = check_scores("gold", data.scores or (), task)
    check_parallel({"gold": right, "features": features})
    tables = {
        name: model.features(data.sources, data.outputs, n_threads=n_threads) if features is None else features
        for name, model in models.items()
    }
    for name, table in tables.items():
        if table.read_before and not asked.leave_out_read:
            raise DataError(
                f"{name}: {read_note(table.read_before)} Measure it on other sentences, or leave these out "
                "(--leave-out-read)."
            )
    left_out = tuple(sorted({number for table in tables.values() for number in table.read_before}))
    numbers = [number for number in range(1, len(right) + 1) if number not in left_out]
    places = [number - 1 for number in numbers]
    if left_out:
        if not numbers:
            raise DataError(f"{read_note(left_out)} No sentence is left to measure.")
        tables = {name: table.take(places) for name, table in tables.items()}
        right = right[places]
    texts = {
        name: [lines[place] for place in places]
        for name, suffix, lines in (("source", "src", data.sources), ("output", "mt", data.outputs))
        if data.has(suffix)
    }
    cut = texts.get("output")
    if cut is not None and first.reading is not None:
        cut = first.reading.cut_outputs(cut)
    predicted = {name: np.array(model.predict(tables[name]).scores) for name, model in models.items()}
    length = first.reading.length if first.reading is not None else None
    trivial = {"length": length.scores(cut, task.name)} if length is not None and cut is not None else {}
    mean = first.training.train_mean
    evaluation = evaluate(
        right, predicted, task=task.name, train_mean=mean, trivial=trivial, trials=asked.trials, seed=seed
    )
    name = next(iter(models))
    decisions = outcome = None
    if task.name in _NEAR or (asked.good is not None and asked.bad is not None):
        decisions = first.decide(tables[name], recipe=asked)
        outcome = _outcome(decisions, right, task)
    shifts = sorted(first.shifts(tables[name]).items(), key=lambda each: -abs(each[1]))
    moved = [(each, shift) for each, shift in shifts if abs(shift) > _FAR]
    return QEReport(
        evaluation,
        _bands(predicted[name], right, first, task),
        _coverage(first, predicted[name], right, task),
        _errors(predicted, right, task, left_out),
        None if cut is None else _by_length(predicted[name], right, cut),
        _worst(first, predicted[name], right, texts, numbers, asked.n_worst),
        decisions,
        outcome,
        tuple(moved),
        _shifts(shifts),
        left_out,
    )


def _shifts(shifts: Sequence[tuple[str, float]]) -> Table:
    return Table.of(
        "Features that moved most",
        [Column("feature"), Column("shift", "shift in deviations", 2)],
        shifts[:_MOST_MOVED],
        note="Mean here less mean in training, in standard deviations of the training data.",
    )


def _bands(predicted: Floats, right: Floats, model: QEModel, task: ScoreTask) -> Table:
    order = np.argsort(predicted, kind="stable")
    rows = []
    for number, part in enumerate(np.array_split(order, min(_BANDS, len(predicted))), start=1):
        calibrated = model.calibration.calibrated(predicted[part])
        mean = float(right[part].mean())
        rows.append((number, len(part), float(predicted[part].mean()), mean, float(calibrated.mean())))
    columns = [
        Column("band"),
        Column("sentences"),
        Column("predicted", digits=4),
        Column("true", "mean truth", 4),
        Column("calibrated", digits=4),
    ]
    note = f"{task.name}; calibrated: what held-out training sentences had led to expect."
    return Table.of("Predicted and true", columns, rows, note=note)


def _coverage(model: QEModel, predicted: Floats, right: Floats, task: ScoreTask) -> Table:
    rows = []
    for level in _LEVELS:
        if (len(model.calibration.gold) + 1) * (1 - level) / 2 < 1:
            continue
        low, high = model.calibration.intervals(predicted, level, task.limits)
        rows.append((level, float(((low <= right) & (right <= high)).mean()), float((high - low).mean())))
    return Table.of(
        "Intervals",
        [Column("level", digits=2), Column("inside", digits=3), Column("width", "mean width", 3)],
        rows,
        note="inside: share of the sentences whose truth lies in its interval.",
    )


def _errors(predicted: Mapping[str, Floats], right: Floats, task: ScoreTask, left_out: Sequence[int]) -> Table:
    small, medium = _NEAR.get(task.name, (0.25 * float(right.std()), 0.5 * float(right.std())))
    rows = []
    for name, scores in predicted.items():
        error = np.abs(scores - right)
        rows.append(
            (
                name,
                float((scores - right).mean()),
                float(scores.std()),
                float(right.std()),
                float(scores.min()),
                float(scores.max()),
                float((error < small).mean()),
                float((error < medium).mean()),
            )
        )
    columns = [
        Column("prediction"),
        Column("shift", "mean shift", 4),
        Column("spread", digits=4),
        Column("gold_spread", "spread of gold", 4),
        Column("low", "lowest", 3),
        Column("high", "highest", 3),
        Column("small", f"errors below {small:.2g}", 3),
        Column("medium", f"errors below {medium:.2g}", 3),
    ]
    note = f"Left out, their post-edits having been read in training: {listed(left_out)}." if left_out else ""
    return Table.of("Errors", columns, rows, note=note)


def _by_length(predicted: Floats, right: Floats, outputs: Sequence[str]) -> Table:
    lengths = np.array([len(line.split()) for line in outputs])
    classes = np.searchsorted(_LENGTHS, lengths, side="left")
    edges = [0, *(last + 1 for last in _LENGTHS)]
    names = [f"{low if low else 1}–{high}" for low, high in zip(edges, _LENGTHS, strict=False)] + [f"{edges[-1]}+"]
    rows = []
    for number, name in enumerate(names):
        here = classes == number
        if here.any():
            error = predicted[here] - right[here]
            rows.append(
                (name, int(here.sum()), float(np.abs(error).mean()), float(error.mean()), float(right[here].mean()))
            )
    columns = [
        Column("tokens"),
        Column("sentences"),
        Column("mae", "mean absolute error", 4),
        Column("shift", "mean shift", 4),
        Column("true", "mean truth", 4),
    ]
    return Table.of("Error by length of the output", columns, rows)


def _worst(
    model: QEModel,
    predicted: Floats,
    right: Floats,
    texts: Mapping[str, Sequence[str]],
    numbers: Sequence[int],
    most: int,
) -> Table:
    order = np.argsort(-np.abs(predicted - right), kind="stable")[:most]
    columns = [Column("segment"), Column("true", model.task.name, 3), Column("predicted", digits=3)]
    rows = [
        (numbers[place], float(right[place]), float(predicted[place]), *(lines[place] for lines in texts.values()))
        for place in order.tolist()
    ]
    return Table.of("Worst cases", [*columns, *map(Column, texts)], rows)


def _outcome(decisions: Decisions, right: Floats, task: ScoreTask) -> Table:
    sign = 1.0 if task.higher_is_better else -1.0
    ways = np.array(decisions.decisions)
    wrong = {"publish": sign * right < sign * decisions.good, "retranslate": sign * right > sign * decisions.bad}
    rows = []
    for each in decisions.outlook:
        here = ways == each.decision
        share = float(here.mean())
        failed = float(wrong[each.decision][here].mean()) if each.decision in wrong and here.any() else None
        rows.append(
            (
                each.decision,
                each.threshold,
                int(here.sum()),
                share,
                failed,
                each.bound,
                float(right[here].mean()) if here.any() else None,
            )
        )
    columns = [
        Column("decision"),
        Column("threshold", digits=3),
        Column("sentences"),
        Column("share", digits=3),
        Column("wrong", digits=3),
        Column("bound", digits=3),
        Column("true", "mean truth", 3),
    ]
    note = (
        f"publish is wrong where {task.name} is worse than {decisions.good:g}, retranslate where it is better than "
        f"{decisions.bad:g}; bound is what training promised, asked for: {decisions.risk:g}."
    )
    return Table.of("Decisions and what was true", columns, rows, note=note)
