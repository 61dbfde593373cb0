"""Trials: the engines of an experiment. They share a work directory: what two of them have in common is done once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import StrPath, read_lines, write_lines
from dragoman.report import Progress, Result, Table
from dragoman.smt.corpora import Corpora
from dragoman.smt.engine import Engine
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.training import train_engine
from dragoman.smt.training_plan import TrainingPlan, plan_training
from dragoman.smt.weights import mean_weights
from dragoman.smt.work import PlannedStep, Work, fingerprint

__all__ = ["ExperimentPlan", "Trial", "Trials", "plan_trials"]

_FILE = "translation.txt"


@dataclass(frozen=True)
class Trial:
    """An engine to be trained: on what, and how."""

    name: str
    text: Corpora
    recipe: EngineRecipe
    dev: TestSet | None = None


class Trials:
    """Trains engines and translates test sets with them, each once for one work directory."""

    def __init__(self, work: StrPath, *, n_threads: int = 1, progress: Progress | None = None) -> None:
        self.work = Work(work)
        self.n_threads = n_threads
        self.progress = progress

    def plan(self, trial: Trial) -> TrainingPlan:
        """The steps to the trial's engine."""
        return plan_training(trial.text, trial.recipe, work=self.work.folder, dev=trial.dev, report=False)

    def train(self, trial: Trial) -> Engine:
        """The trial's engine."""
        return train_engine(
            trial.text,
            trial.recipe,
            work=self.work.folder,
            dev=trial.dev,
            report=False,
            n_threads=self.n_threads,
            progress=self.progress,
        ).engine

    def translate(self, trial: Trial, srcs: Sequence[str]) -> list[str]:
        """The trial's translation of a text; if it was made before, nothing is trained."""
        return self.kept(
            self._translation(trial, srcs),
            lambda: self.train(trial).translate(srcs, n_threads=self.n_threads),
            n_lines=len(srcs),
        )

    def translate_averaged(self, trials: Sequence[Trial], srcs: Sequence[str]) -> list[str]:
        """The translation by the first trial's engine with the mean of all trials' weights; they differ in tuning."""

        def make() -> list[str]:
            engines = [self.train(trial) for trial in trials]
            weights = mean_weights([engine.weights for engine in engines])
            return engines[0].with_weights(weights).translate(srcs, n_threads=self.n_threads)

        keys = tuple(self._translation(trial, srcs).key for trial in trials)
        return self.kept(PlannedStep("averaged", "translate with mean weights", {}, keys, 5), make, n_lines=len(srcs))

    def is_done(self, trial: Trial, srcs: Sequence[str]) -> bool:
        """True if this text was translated before."""
        return self.work.has(self._translation(trial, srcs))

    def kept(self, step: PlannedStep, make: Callable[[], list[str]], *, n_lines: int) -> list[str]:
        """Lines that a step gives."""
        return self.work.do(
            step,
            make=make,
            save=lambda lines, folder: write_lines(folder / _FILE, lines),
            load=lambda folder: _lines(folder / _FILE, n_lines),
            outcome=lambda lines: f"{len(lines)} lines",
        )

    def _translation(self, trial: Trial, srcs: Sequence[str]) -> PlannedStep:
        keys = [step.key for step in self.plan(trial).steps]
        settings = {"recipe": trial.recipe.to_dict()}
        return PlannedStep("translation", f"translate with {trial.name}", settings, (*keys, fingerprint(srcs)), 5)


@dataclass(frozen=True)
class ExperimentPlan(Result):
    """The engines of an experiment, how many steps each needs, and how many of these are done or shared."""

    kind: ClassVar[str] = "experiment plan"

    rows: tuple[tuple[str, int, int, int, str], ...]  # trial, steps, done, shared with trials above, state
    work: str

    def tables(self) -> list[Table]:
        """A row for each engine."""
        note = f"Steps are kept in {self.work}: what was done before, or for an engine above, is not done again."
        return [Table.of("Plan", ["engine", "steps", "done", "shared", "state"], self.rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Where the work lies."""
        return {"work": self.work}


def plan_trials(trials: Sequence[Trial], test: TestSet, work: StrPath) -> ExperimentPlan:
    """What training these engines and translating the test set takes; does nothing."""
    srcs, _ = held_out_sides(test)
    desk = Trials(work)
    seen: set[str] = set()
    rows = []
    for trial in trials:
        plan = desk.plan(trial)
        keys = {step.key for step in plan.steps}
        state = "done" if desk.is_done(trial, srcs) else "to do"
        rows.append((trial.name, len(keys), sum(plan.done), len(keys & seen), state))
        seen |= keys
    return ExperimentPlan(tuple(rows), str(desk.work.folder))


def _lines(path: Path, n_lines: int) -> list[str]:
    lines = read_lines(path)
    if len(lines) != n_lines:
        raise DataError(f"{path} has {len(lines)} lines, not {n_lines}.")
    return lines
