"""How good predictions are, beside the oracle and the predictors that need no thought.

Scores: MAE, RMSE, Pearson, Spearman, DeltaAvg. Words: F1, MCC, accuracy. Rankings of the translations of one source:
Kendall's τ with ties punished or ignored (Bojar et al., WMT 2013, §5.3). Every figure has a bootstrap interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dragoman.data import check_parallel
from dragoman.errors import DataError, UnknownName
from dragoman.learn.criteria import mae, rmse
from dragoman.qe.confusion import OK, confusion_rows, label_classes, word_measures
from dragoman.qe.evaluation import Against, Measured, QEEvaluation
from dragoman.qe.tasks import TASKS, VARIANTS, ScoreTask, check_scores, score_task
from dragoman.stats import (
    Interval,
    Values,
    bootstrap_intervals,
    bootstrap_items,
    delta_avg,
    paired_test,
    pearson,
    spearman,
)
from dragoman.stats.arrays import Floats
from dragoman.stats.concordance import tau_rows

__all__ = [
    "LengthLine",
    "evaluate",
    "length_line",
    "length_scores",
    "ranking_rows",
    "score_measures",
    "untied_spearman",
]

ORACLE = "oracle"
_LESS_IS_BETTER = {"mae", "rmse"}
_RANKING = {"tau-penalised": "wmt12", "tau-ignored": "wmt13"}  # the rules for a predicted tie, by their first year


def untied_spearman(gold: Floats, predicted: Floats) -> float:
    """1 − 6Σd²/(n(n² − 1)) of ranks without ties, equal scores ranked in file order, as WMT 2012's scorer has it."""
    n = len(gold)
    if n < 2:
        return float("nan")
    ranks = [np.argsort(np.argsort(-scores, kind="stable")) for scores in (gold, predicted)]
    return float(1 - 6 * np.square(ranks[0] - ranks[1]).sum() / (n * (n * n - 1.0)))


def length_scores(
    train_outputs: Sequence[str], train_scores: ArrayLike | Sequence[float], outputs: Sequence[str], task: str
) -> Floats:
    """What the number of tokens alone says of each output: the line of least squares through the training data."""
    check_parallel({"train_outputs": train_outputs, "train_scores": np.asarray(train_scores)})
    return length_line(train_outputs, train_scores).scores(outputs, task)


@dataclass(frozen=True)
class LengthLine:
    """A score as a line over the number of tokens of the output: the predictor that needs no thought."""

    intercept: float
    slope: float

    def scores(self, outputs: Sequence[str], task: str) -> Floats:
        """The scores that the line gives, on the scale of the task."""
        lengths = np.array([len(line.split()) for line in outputs], dtype=np.float64)
        asked = score_task(task)
        return np.clip(self.intercept + self.slope * lengths, asked.low, asked.high)


def length_line(outputs: Sequence[str], scores: ArrayLike | Sequence[float]) -> LengthLine:
    """The line of least squares of scores over the number of tokens."""
    lengths = np.array([len(line.split()) for line in outputs], dtype=np.float64)
    y = np.asarray(scores, dtype=np.float64)
    centred = lengths - lengths.mean()
    below = float(centred @ centred)
    slope = float(centred @ y) / below if below else 0.0
    return LengthLine(float(y.mean() - slope * lengths.mean()), slope)


def score_measures(task: ScoreTask) -> dict[str, Callable[[Floats, Floats], float]]:
    """The measures of scores by name; DeltaAvg is positive for a useful ranking whichever end of the scale is good."""
    sign = 1.0 if task.higher_is_better else -1.0
    return {
        "mae": mae,
        "rmse": rmse,
        "delta-avg": lambda gold, predicted: delta_avg(sign * gold, sign * predicted),
        "spearman": spearman,
        "pearson": pearson,
    }


def evaluate(
    gold: Sequence[Any] | ArrayLike,
    predicted: Mapping[str, Any] | Sequence[Any] | ArrayLike,
    *,
    task: str = "effort",
    groups: Sequence[Any] | None = None,
    train_mean: float | None = None,
    train_labels: Sequence[Sequence[str]] | None = None,
    trivial: Mapping[str, Sequence[float] | ArrayLike] | None = None,
    variant: str = "both",
    against: Sequence[str] = (),
    trials: int = 1000,
    seed: int = 12345,
    level: float = 0.95,
) -> QEEvaluation:
    """Measure one prediction, or several by name, against the gold standard of a task (see `TASKS`).

    `groups` names the source of each translation (`ranking`). The mean predictor says `train_mean`, the mean of the
    training scores, and is left out where that is not given; `trivial` are further predictors of scores
    that need no thought, such as what the length says (see `length_scores`). Of scores a `variant` takes the measures
    of ranking or of scoring alone (see `VARIANTS`). Each prediction is tested against the trivial ones and those that
    `against` names, the first if none. With `train_labels` a prediction with over twice as many errors is warned
    about.
    """
    systems = dict(predicted) if isinstance(predicted, Mapping) else {"predicted": predicted}
    if not systems:
        raise DataError("There is no prediction to evaluate.")
    strange = [name for name in against if name not in systems]
    if strange:
        raise UnknownName(f"No prediction is called {strange[0]!r}. Known: {', '.join(systems)}.")
    if variant not in VARIANTS:
        raise UnknownName(f"No variant is called {variant!r}. Known: {', '.join(VARIANTS)}.")
    if variant != "both" and task in {"words", "ranking"}:
        raise DataError(f"The task {task!r} has no variants; those are of tasks with a score for each sentence.")
    rivals = tuple(against) or (next(iter(systems)),)
    sampling = {"trials": trials, "seed": seed, "level": level}
    if task not in TASKS:
        raise UnknownName(f"No task is called {task!r}. Known: {', '.join(TASKS)}.")
    if task == "words":
        result = _evaluate_words(gold, systems, rivals, train_labels, sampling)  # type: ignore[arg-type]
    elif task == "ranking":
        result = _evaluate_ranking(gold, systems, rivals, groups, sampling)
    else:
        mean = None if variant == "ranking" else train_mean  # a constant puts nothing in an order
        result = _evaluate_scores(gold, systems, rivals, score_task(task), mean, trivial or {}, variant, sampling)
    return replace(result, facts={**result.facts, "against": list(against)}) if against else result


def _refuse_names(systems: Mapping[str, Any], taken: Sequence[str]) -> None:
    clash = [name for name in systems if name in taken]
    if clash:
        raise DataError(f"A prediction cannot be called {clash[0]!r}; that name is taken. Name it otherwise.")


def _evaluate_scores(
    gold: Any,
    systems: Mapping[str, Any],
    rivals: Sequence[str],
    task: ScoreTask,
    train_mean: float | None,
    trivial: Mapping[str, Any],
    variant: str,
    sampling: Mapping[str, Any],
) -> QEEvaluation:
    _refuse_names(systems, (*trivial, "mean", ORACLE))
    right = check_scores("gold", gold, task)
    predicted = {name: check_scores(name, scores, task, gold=False) for name, scores in {**systems, **trivial}.items()}
    check_parallel({"gold": right, **predicted})
    if len(right) < 2:
        raise DataError(f"There is nothing to measure: {len(right)} sentences; at least 2 are needed.")
    constants = {} if train_mean is None else {"mean": np.full(len(right), train_mean)}
    predicted |= {**constants, ORACLE: right}
    known = score_measures(task)
    measures = {name: known[name] for name in VARIANTS[variant]}
    names = list(predicted)
    samples = bootstrap_items(
        right, list(predicted.values()), list(measures.values()), trials=sampling["trials"], seed=sampling["seed"]
    )
    measured, against = [], []
    for measure, drawn in zip(measures, samples, strict=True):
        sign = -1.0 if measure in _LESS_IS_BETTER else 1.0
        for number, name in enumerate(names):
            value = float(drawn.scores[number])
            interval = drawn.interval(number, level=sampling["level"]) if name != ORACLE else None
            measured.append(Measured.of(measure, name, value, interval))
        for first, second in _pairs(systems, rivals, *trivial, *constants):
            a, b = names.index(first), names.index(second)
            delta, p = sign * float(drawn.scores[a] - drawn.scores[b]), drawn.p(a, b)
            if p is not None:
                against.append(Against(measure, first, second, delta, p))
    return QEEvaluation(
        task=task.name,
        n_items=len(right),
        measured=tuple(measured),
        against=tuple(against),
        trivial=(*trivial, *constants, ORACLE),
        facts={
            **({} if train_mean is None else {"mean": train_mean, "mean_of": "the training scores"}),
            "variant": variant,
            "spearman_untied": {name: untied_spearman(right, scores) for name, scores in predicted.items()},
            "spread": {name: float(scores.std()) for name, scores in predicted.items()},
            **sampling,
        },
        notes=tuple(_collapsed(right, {name: predicted[name] for name in systems})),
    )


def _collapsed(gold: Floats, predicted: Mapping[str, Floats]) -> list[str]:
    # A tenth is ours: far below any spread with which a ranking could still be useful.
    return [
        f"{name} hardly varies: its standard deviation is {scores.std():.3g}, that of the gold scores {gold.std():.3g}."
        for name, scores in predicted.items()
        if scores.std() < 0.1 * gold.std()
    ]


def _pairs(systems: Mapping[str, Any], rivals: Sequence[str], *trivial: str) -> list[tuple[str, str]]:
    return [(name, other) for name in systems for other in (*rivals, *trivial) if other != name]


def _evaluate_words(
    gold: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[Sequence[str]]],
    rivals: Sequence[str],
    train_labels: Sequence[Sequence[str]] | None,
    sampling: Mapping[str, Any],
) -> QEEvaluation:
    classes = label_classes(gold, *systems.values())
    gold_classes = label_classes(gold)
    word_measures(gold_classes)  # refuses a gold standard of one class
    measures = word_measures(classes)
    always = {f"always {label}": [[label] * len(labels) for labels in gold] for label in gold_classes}
    _refuse_names(systems, (*always, ORACLE))
    predicted = {**systems, **always, ORACLE: gold}
    rows = {name: confusion_rows(gold, labels, classes, name=name) for name, labels in predicted.items()}
    rates = {name: _error_rate(labels) for name, labels in systems.items()}
    notes = []
    if train_labels is not None:
        trained = _error_rate(train_labels)
        notes = [
            f"{name} marks {rate:.0%} of the words as errors, more than twice the {trained:.0%} of the training data."
            for name, rate in rates.items()
            if rate > 2 * trained
        ]
    measured, against = _additive(rows, measures, systems, rivals, list(always), sampling)
    return QEEvaluation(
        task="words",
        n_items=len(gold),
        measured=measured,
        against=against,
        trivial=(*always, ORACLE),
        facts={"n_words": sum(map(len, gold)), "error_rate": {"gold": _error_rate(gold), **rates}, **sampling},
        notes=tuple(notes),
    )


def _error_rate(sentences: Sequence[Sequence[str]]) -> float:
    words = [label for labels in sentences for label in labels]
    return sum(label != OK for label in words) / len(words) if words else 0.0


def ranking_rows(gold: ArrayLike, predicted: ArrayLike, groups: Sequence[Any], variant: str) -> Floats:
    """[coefficient, counted] of each source, summed over the pairs of its translations (see `tau_rows`)."""
    g, p = np.asarray(gold, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    places: dict[Any, list[int]] = {}
    for place, group in enumerate(groups):
        places.setdefault(group, []).append(place)
    rows = np.zeros((len(places), 2))
    for number, members in enumerate(places.values()):
        a, b = np.triu_indices(len(members), 1)
        chosen = np.array(members)
        rows[number] = tau_rows(g[chosen[a]] - g[chosen[b]], p[chosen[a]] - p[chosen[b]], variant).sum(axis=0)
    return rows


def _evaluate_ranking(
    gold: Any,
    systems: Mapping[str, Any],
    rivals: Sequence[str],
    groups: Sequence[Any] | None,
    sampling: Mapping[str, Any],
) -> QEEvaluation:
    if groups is None:
        raise DataError("A ranking is of translations of one source: name the source of each (groups).")
    always = "all tied"
    _refuse_names(systems, (always, ORACLE))
    task = score_task("score")
    right = check_scores("gold", gold, task)
    predicted = {name: check_scores(name, scores, task) for name, scores in systems.items()}
    check_parallel({"gold": right, "groups": groups, **predicted})
    if not ranking_rows(right, right, groups, "wmt12")[:, 1].any():
        raise DataError("No two translations of one source differ in the gold standard; there is no pair to order.")
    predicted |= {always: np.zeros(len(right)), ORACLE: right}
    measured: list[Measured] = []
    against: list[Against] = []
    shares = {}
    for measure, variant in _RANKING.items():
        rows = {name: ranking_rows(right, scores, groups, variant) for name, scores in predicted.items()}
        counted = {name: float(each[:, 1].sum()) for name, each in rows.items()}
        if measure == "tau-ignored":
            shares = counted
            rows = {name: each for name, each in rows.items() if counted[name]}
        ranked = {name: None for name in systems if name in rows}
        values = {measure: _tau}
        held = [name for name in rivals if name in rows] or list(ranked)[:1]
        more = _additive(rows, values, ranked, held, [always] if always in rows else [], sampling) if rows else ((), ())
        measured += more[0]
        against += more[1]
    total = float(ranking_rows(right, right, groups, "wmt12")[:, 1].sum())
    return QEEvaluation(
        task="ranking",
        n_items=len(right),
        measured=tuple(measured),
        against=tuple(against),
        trivial=(always, ORACLE),
        facts={"n_pairs": int(total), "decided": {name: n / total for name, n in shares.items()}, **sampling},
        notes=(),
    )


def _tau(totals: Floats) -> Floats:
    return np.divide(totals[:, 0], totals[:, 1], out=np.zeros(len(totals)), where=totals[:, 1] > 0)


def _additive(
    rows: Mapping[str, Floats],
    measures: Mapping[str, Values],
    systems: Mapping[str, Any],
    rivals: Sequence[str],
    trivial: Sequence[str],
    sampling: Mapping[str, Any],
) -> tuple[tuple[Measured, ...], tuple[Against, ...]]:
    """Intervals and tests of measures that are functions of summed rows, by the stats room."""
    names = list(rows)
    test = paired_test("bootstrap", trials=sampling["trials"], seed=sampling["seed"])
    measured, against = [], []
    pairs = _pairs(systems, rivals, *trivial)
    for measure, values in measures.items():
        intervals: list[Interval] = bootstrap_intervals(list(rows.values()), values, **sampling)
        measured += [
            Measured.of(measure, name, interval.score, interval if name != ORACLE else None)
            for name, interval in zip(names, intervals, strict=True)
        ]
        numbers = [(names.index(a), names.index(b)) for a, b in pairs]
        compared = test.compare_pairs(list(rows.values()), values, numbers, names=names) if numbers else []
        against += [Against(measure, a, b, each.delta, each.p) for (a, b), each in zip(pairs, compared, strict=True)]
    return tuple(measured), tuple(against)
