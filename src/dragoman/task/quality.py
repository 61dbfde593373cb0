"""The subtasks of quality estimation, each by its official measures and with its winners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.errors import DataError
from dragoman.files import plain_name, read_bytes, read_lines
from dragoman.qe import evaluate
from dragoman.qe.evaluation import QEEvaluation
from dragoman.qe.files import read_label_lines
from dragoman.qe.submission import read_estimates
from dragoman.qe.tasks import SCORE_TASKS, VARIANTS
from dragoman.task.layouts import estimates_table
from dragoman.task.manifest import QualityTrack, SharedTask
from dragoman.task.names import SystemNames
from dragoman.task.parts import Part, command_line, each_option
from dragoman.task.submissions import Submission, SubmissionBox

__all__ = ["QualityRun"]

_LESS_IS_BETTER = ("mae", "rmse")
_TRIALS = 1000


@dataclass(frozen=True)
class _Question:
    """What one table of a subtask asks: its title, the variant of a task with scores, and the measure of the winner."""

    name: str
    title: str
    variant: str
    decisive: str | None  # None: the first that is measured


def _questions(subtask: str) -> list[_Question]:
    """Tasks with scores have two tables, as WMT 2012 to 2014 print them; the others one."""
    if subtask in SCORE_TASKS:
        return [_Question(f"quality-{each}", f"{subtask}, {each}", each, VARIANTS[each][0])
                for each in ("ranking", "scoring")]  # fmt: skip
    decisive = {"ranking": "tau-penalised", "words": "f1-errors"}[subtask]
    return [_Question("quality", subtask, "both", decisive)]


class QualityRun:
    """The evaluation of a task's subtasks of quality estimation."""

    def __init__(
        self,
        task: SharedTask,
        box: SubmissionBox,
        names: SystemNames,
        folder: Path,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.task, self.box, self.names, self.folder, self.progress = task, box, names, folder, progress
        self.left_out: list[str] = []

    def parts(self, track: QualityTrack) -> Iterator[Part]:
        """The tables of a subtask."""
        self.progress(f"{track.name}: estimates against the gold standard")
        laid_out = (self._laid_out(track, each) for each in self.box.counted(track.name, "quality"))
        files = {plain_name(path): path for path in (*track.estimates, *laid_out)}
        if not files:
            self.left_out.append(f"{track.name}: no estimates were submitted.")
            return
        for question in _questions(track.subtask):
            estimates = self._read(track, question, files)
            if estimates:
                yield self._part(track, question, files, estimates)

    def _read(self, track: QualityTrack, question: _Question, files: Mapping[str, str]) -> dict[str, Any]:
        """What takes part in a table: ranks alone are no scores."""
        if track.subtask == "words":
            return {name: read_label_lines(path) for name, path in files.items()}
        estimates = {}
        for name, path in files.items():
            try:
                estimates[name] = read_estimates(path, track.subtask, question.variant)
            except DataError as error:
                if question.variant != "scoring":
                    raise
                self.left_out.append(f"{track.name}, {question.variant}: {name} is left out. {error}")
        return estimates

    def _part(
        self, track: QualityTrack, question: _Question, files: Mapping[str, str], estimates: Mapping[str, Any]
    ) -> Part:
        gold: Any = read_label_lines(track.gold) if track.subtask == "words" else read_estimates(track.gold)
        extra = self._known(track)
        settings: dict[str, Any] = {"task": track.subtask, "variant": question.variant, "seed": self.task.seed, **extra}
        rivals = [self._best(gold, estimates, question, settings)]
        baseline = None if track.baseline is None else plain_name(track.baseline)
        if baseline is not None and baseline in estimates and baseline not in rivals:
            rivals.append(baseline)
        result = evaluate(gold, estimates, against=rivals, trials=_TRIALS, **settings)
        command = command_line(
            "qe", "evaluate", track.gold, *(files[name] for name in estimates), "--task", track.subtask,
            *(["--variant", question.variant] if question.variant != "both" else []),
            *(["--groups", track.groups] if track.groups else []),
            *(["--train", track.train] if track.train else []),
            *each_option("--against", rivals), "--seed", str(self.task.seed),
        )  # fmt: skip
        title = f"Quality estimation, {question.title}"
        decisive = _decisive(result, question)
        layout = estimates_table(
            result, title, decisive, less_is_better=decisive in _LESS_IS_BETTER, best=rivals[0], baseline=baseline
        )
        return Part(f"{track.name}-{question.name}", track.name, title, layout, command, result)

    def _best(self, gold: Any, estimates: Mapping[str, Any], question: _Question, settings: Mapping[str, Any]) -> str:
        """The prediction that the others must not be worse than, to win as well."""
        result = evaluate(gold, estimates, trials=1, **settings)
        decisive = _decisive(result, question)
        sign = -1.0 if decisive in _LESS_IS_BETTER else 1.0
        values = {each.system: sign * each.value for each in result.measured if each.measure == decisive}
        return max(estimates, key=lambda name: values.get(name, float("-inf")))

    def _known(self, track: QualityTrack) -> dict[str, Any]:
        """What the evaluation is told beside the gold standard."""
        if track.subtask == "ranking":
            return {"groups": read_lines(track.groups or "")}
        if track.train is None:
            return {}
        if track.subtask == "words":
            return {"train_labels": read_label_lines(track.train)}
        scores = read_estimates(track.train)
        return {"train_mean": sum(scores) / len(scores)}

    def _laid_out(self, track: QualityTrack, each: Submission) -> str:
        """A copy of a submission under the system's name, by which the command calls it."""
        target = self.folder / track.name / self.names.of(each)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(read_bytes(each.path))
        return str(target)


def _decisive(result: QEEvaluation, question: _Question) -> str:
    measures = list(dict.fromkeys(each.measure for each in result.measured))
    return question.decisive if question.decisive in measures else measures[0]
