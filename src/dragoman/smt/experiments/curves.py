"""Learning curves: what an engine gains when its training text is doubled, and how much of a score is chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import mean, stdev
from typing import Any, ClassVar

import numpy as np

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.scoring import ScoreRecipe, score_test_set
from dragoman.report import Column, Figure, Progress, Result, Table
from dragoman.report.table import shown_number
from dragoman.rng import Stream
from dragoman.smt.corpora import Corpora
from dragoman.smt.experiments.trials import ExperimentPlan, Trial, Trials, plan_trials
from dragoman.smt.experiments.unseen import unseen_words
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.ladder import difference, metrics_for
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.training_tables import read_parts

__all__ = ["CurvePoint", "LearningCurve", "curve_trials", "doubling_sizes", "learning_curve", "plan_curve"]

_SIGNIFICANT = 0.05
_MEAN = "mean weights"
_FITTED = 3  # points that the next doubling is guessed from


@dataclass(frozen=True)
class CurvePoint:
    """An engine trained on some of the text."""

    n_pairs: int
    bleu: float  # with several tunings, the mean of them
    low: float  # 95 % interval of the (first) tuning's score, by resampling segments
    high: float
    delta: float | None  # BLEU above the point before, first tunings
    p: float | None
    unseen_tokens: float  # per cent of the test source's words that the text does not have
    unseen_types: float
    sd: float | None = None  # over tunings with several seeds and, one more, with their mean weights
    averaged: float | None = None  # of the mean weights alone


@dataclass(frozen=True)
class LearningCurve(Result):
    """Scores by the size of the training text, and whether more of it would help."""

    kind: ClassVar[str] = "learning curve"

    points: tuple[CurvePoint, ...]
    metric: str
    seed: int
    seeds: tuple[int, ...]

    @property
    def per_doubling(self) -> float | None:
        """What the next doubling would bring, if it went on like the last points: the slope by log2 of the size."""
        last = self.points[-_FITTED:]
        if len(last) < _FITTED:
            return None
        return float(np.polyfit([np.log2(point.n_pairs) for point in last], [point.bleu for point in last], 1)[0])

    @property
    def still_helps(self) -> bool | None:
        """Whether the last doubling was better by more than chance; None if there was none to look at."""
        last = self.points[-1]
        return None if last.delta is None or last.p is None else last.delta > 0 and last.p < _SIGNIFICANT

    def answer(self) -> str:
        """What the curve says about more text."""
        last = self.points[-1]
        if last.delta is None or last.p is None:
            return "One point says nothing about more text."
        gained = f"{shown_number(last.delta, 2, sign='+')} BLEU (p = {last.p:.3g})"
        step = f"From {self.points[-2].n_pairs} to {last.n_pairs} pairs: {gained}."
        if not self.still_helps:
            return f"{step} This test set does not show that more text of this kind helps."
        guess = self.per_doubling
        if guess is None:
            return f"{step} More text still helps."
        return f"{step} More text still helps; at this rate, the next doubling would bring about {guess:+.1f}."

    def tables(self) -> list[Table]:
        """A row for each size."""
        columns: list[str | Column] = [
            Column("n_pairs", "pairs"),
            Column("bleu", "BLEU", digits=2),
            Column("low", digits=2),
            Column("high", digits=2),
            Column("delta", "Δ BLEU", digits=2, figures=1),
            Column("p", alpha=_SIGNIFICANT),
            Column("unseen_tokens", "unseen tokens %", digits=1),
            Column("unseen_types", "unseen types %", digits=1),
        ]
        rows = [tuple(asdict(point).values()) for point in self.points]
        if len(self.seeds) > 1:
            columns += [Column("sd", digits=2), Column("averaged", "mean weights", digits=2)]
        else:
            rows = [row[: len(columns)] for row in rows]
        note = (
            "low and high are a 95 % interval by resampling segments; Δ and p compare with the size before (two-sided, "
            "paired approximate randomisation). Unseen are words of the test source that the text does not have."
        )
        return [Table.of("Learning curve", columns, rows, note=note)]

    def figures(self) -> list[Figure]:
        """Scores with their intervals."""
        return [Figure("Learning curve", "interval", self.tables()[0], "n_pairs", "bleu", low="low", high="high")]

    def meta(self) -> dict[str, Any]:
        """What was left to chance, and what the curve says."""
        return {
            "metric": self.metric,
            "seed": self.seed,
            "tuning_seeds": list(self.seeds),
            "still_helps": self.still_helps,
            "per_doubling": self.per_doubling,
            "answer": self.answer(),
        }


def doubling_sizes(n_pairs: int, n_points: int) -> list[int]:
    """All pairs, half of them, a quarter … from the smallest on."""
    sizes = [n_pairs >> k for k in range(n_points)]
    if n_points < 1 or sizes[-1] < 1:
        raise DataError(f"{n_pairs} pairs cannot be halved {n_points - 1} times; ask for fewer points.")
    return sizes[::-1]


def curve_trials(
    text: Bitext, recipe: EngineRecipe, sizes: Sequence[int], *, dev: TestSet | None = None, seed: int = 1
) -> list[Trial]:
    """An engine for each size; the text of each is a part of the next one's, drawn at random."""
    pairs = read_parts([text])
    wrong = [size for size in sizes if not 0 < size <= len(pairs.sources)]
    if wrong or not sizes or list(sizes) != sorted(set(sizes)):
        raise DataError(
            f"Sizes of a curve rise, from 1 to the {len(pairs.sources)} pairs of the text; got "
            f"{', '.join(map(str, sizes)) or 'none'}."
        )
    order = Stream(seed, "learning curve").permutation(len(pairs.sources))
    trials = []
    for size in sizes:
        places = np.sort(order[:size]).tolist()
        part = Bitext.from_lines(
            [pairs.sources[i] for i in places],
            [pairs.targets[i] for i in places],
            source_lang=recipe.source_lang,
            target_lang=recipe.target_lang,
        )
        trials.append(Trial(f"{size} pairs", Corpora.of(part), recipe, dev))
    return trials


def plan_curve(trials: Sequence[Trial], test: TestSet, *, work: str) -> ExperimentPlan:
    """What the curve would take; does nothing."""
    return plan_trials(trials, test, work)


def learning_curve(
    trials: Sequence[Trial],
    test: TestSet,
    *,
    work: str,
    seed: int = 1,
    seeds: Sequence[int] = (),
    n_threads: int = 1,
    progress: Progress | None = None,
) -> LearningCurve:
    """Train an engine for each trial (see `curve_trials`) and score it.

    With `seeds`, each is tuned once for each of them, and once more gets the mean of their weights, as LIUM reports
    scores (WMT 2012): `sd` is over all these translations, `bleu` their mean.
    """
    if len(seeds) > 1 and any(trial.dev is None or trial.recipe.tune.method == "none" for trial in trials):
        raise DataError("Seeds are those of tuning: name a tuning set, and a tuner in the recipe (tune.method).")
    srcs, _ = held_out_sides(test)
    desk = Trials(work, n_threads=n_threads, progress=progress)
    metric = metrics_for(trials[0].recipe.target_lang)[0]
    points: list[CurvePoint] = []
    before: list[str] | None = None
    for trial in trials:
        outputs = _outputs(desk, trial, srcs, seeds)
        first = next(iter(outputs.values()))
        delta, p = difference(test, before, first, metric, n_threads=n_threads)
        scores = _scores(outputs, test, metric, n_threads)
        text = trial.text.bitexts[0]
        unseen = unseen_words(srcs, (source for source, _ in text), trial.recipe)
        values = [value for value, _, _ in scores.values()]
        points.append(
            CurvePoint(
                sum(1 for _ in text),
                mean(values),
                *scores[next(iter(outputs))][1:],
                delta,
                p,
                unseen.tokens_percent,
                unseen.types_percent,
                stdev(values) if len(values) > 1 else None,
                scores[_MEAN][0] if _MEAN in scores else None,
            )
        )
        before = first
    return LearningCurve(tuple(points), metric, seed, tuple(seeds))


def _outputs(desk: Trials, trial: Trial, srcs: Sequence[str], seeds: Sequence[int]) -> dict[str, list[str]]:
    """Translations by the engine of a trial, or by as many as there are seeds, and by the mean of their weights."""
    if len(seeds) < 2:
        chosen = replace(trial.recipe.tune, seeds=tuple(seeds) or trial.recipe.tune.seeds)
        return {trial.name: desk.translate(replace(trial, recipe=replace(trial.recipe, tune=chosen)), srcs)}
    runs = {
        str(seed): replace(
            trial, recipe=replace(trial.recipe, tune=replace(trial.recipe.tune, seeds=(seed,))), name=f"seed {seed}"
        )
        for seed in seeds
    }
    outputs = {name: desk.translate(run, srcs) for name, run in runs.items()}
    return {**outputs, _MEAN: desk.translate_averaged(list(runs.values()), srcs)}


def _scores(
    outputs: Mapping[str, Sequence[str]], test: TestSet, metric: str, n_threads: int
) -> dict[str, tuple[float, float, float]]:
    whole = TestSet(refs=test.refs, systems=dict(outputs))
    sheet = score_test_set(whole, ScoreRecipe(metrics=(metric,), ci=True), n_threads=n_threads)
    found = {name: sheet.score(name, metric) for name in outputs}
    return {name: (each.value, each.low or 0.0, each.high or 0.0) for name, each in found.items()}
