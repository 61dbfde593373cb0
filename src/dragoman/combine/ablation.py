"""What each system is worth to the others: combinations without it, and of every two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

from dragoman.combine.evaluation import evaluate_outputs
from dragoman.combine.model import check_systems, in_order, train_combiner
from dragoman.combine.recipe import CombineRecipe
from dragoman.data import TestSet
from dragoman.errors import DataError
from dragoman.lm.model import LanguageModel
from dragoman.report import Column, Progress, Result, Table

__all__ = ["Ablation", "ablate"]

_COMBINED = "combined"


@dataclass(frozen=True)
class Trial:
    """A combination of some of the systems."""

    name: str
    systems: tuple[str, ...]
    score: float
    single: float  # the best of these systems by itself


@dataclass(frozen=True)
class Ablation(Result):
    """Scores of combinations of all systems, of all but one, of two."""

    kind: ClassVar[str] = "combination ablation"

    trials: tuple[Trial, ...]  # the first is of all
    label: str
    n_tuned: int
    n_segments: int
    align: str
    seed: int

    def tables(self) -> list[Table]:
        """A row a combination."""
        columns = [
            Column("combination"),
            Column("score", self.label, digits=2),
            Column("change", digits=2, figures=1),
            Column("gain", digits=2, figures=1),
        ]
        whole = self.trials[0].score
        rows = [(trial.name, trial.score, trial.score - whole, trial.score - trial.single) for trial in self.trials]
        note = (
            f"Each tuned anew on {self.n_tuned} segments, measured on {self.n_segments} others. Change: against all "
            "systems. Gain: over the best single system in it."
        )
        return [Table.of(f"What each system is worth, {self.align}", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How it was measured."""
        return {
            "align": self.align,
            "seed": self.seed,
            "n_tuned": self.n_tuned,
            "n_segments": self.n_segments,
            "systems": {trial.name: list(trial.systems) for trial in self.trials},
        }


def ablate(
    tuning: TestSet,
    test: TestSet,
    recipe: CombineRecipe | None = None,
    *,
    pairs: bool = False,
    lm: LanguageModel | None = None,
    metric: str = "bleu",
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Ablation:
    """Combine all systems, all but each, and with `pairs` every two; each tuned anew and measured on the test set."""
    recipe = (recipe or CombineRecipe()).check()
    check_systems(tuning)
    test = in_order(test, tuple(tuning.systems))
    plan = _plan(tuple(tuning.systems), pairs=pairs)
    trials = []
    label = ""
    for number, (name, systems) in enumerate(plan, start=1):
        combiner = train_combiner(_some(tuning, systems), recipe, lm=lm, seed=seed, n_threads=n_threads)
        part = _some(test, systems)
        texts = combiner.combine(part, n_threads=n_threads).texts
        measured = evaluate_outputs({_COMBINED: texts}, part, metric=metric, trials=1, seed=seed, n_threads=n_threads)
        trials.append(Trial(name, systems, measured.scores[_COMBINED], measured.scores[measured.best]))
        label = measured.label
        if progress:
            progress(number, len(plan), name)
    return Ablation(tuple(trials), label, len(tuning), len(test), recipe.align, seed)


def _plan(systems: Sequence[str], *, pairs: bool) -> list[tuple[str, tuple[str, ...]]]:
    if len(systems) < 3:
        raise DataError(f"Leaving one of {len(systems)} systems out leaves nothing to combine; give three at least.")
    plan = [("all", tuple(systems))]
    plan += [(f"without {name}", tuple(other for other in systems if other != name)) for name in systems]
    if pairs:
        plan += [(" + ".join(two), two) for two in combinations(systems, 2)]
    return plan


def _some(text: TestSet, systems: Sequence[str]) -> TestSet:
    return replace(text, systems={name: text.systems[name] for name in systems})
