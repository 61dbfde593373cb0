"""Control items: questions whose answers are known, hidden among the others (Post et al., WMT 2012, §3.1)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.crowd import CONTROL_ANSWERS
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.crowd.votes import check_kind
from dragoman.human.provenance import files_of
from dragoman.report import Column, Result, Table
from dragoman.stats.interval import clopper_pearson

__all__ = ["ControlCheck", "ControlledWorker", "check_controls"]

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class ControlledWorker:
    """A worker's answers to control items. Whoever met too few is neither accepted nor rejected."""

    name: str
    n_items: int  # all answers
    n_controls: int
    n_right: int
    accuracy: float | None
    low: float | None  # the exact interval of the accuracy
    high: float | None
    accepted: bool | None


@dataclass(frozen=True)
class ControlCheck(Result):
    """Whose work to keep."""

    kind: ClassVar[str] = "crowd-controls"

    workers: tuple[ControlledWorker, ...]
    threshold: float
    min_controls: int
    n_keys: int
    level: float
    files: tuple[str, ...] = ()

    def tables(self) -> list[Table]:
        """One row per worker, the least accurate first."""
        columns: list[Column | str] = ["worker", "n_items", "n_controls", "n_right"]
        columns += [Column(name, digits=2) for name in ("accuracy", "low", "high")]
        columns.append("accepted")
        rows = [
            (w.name, w.n_items, w.n_controls, w.n_right, w.accuracy, w.low, w.high, w.accepted) for w in self.workers
        ]
        note = (
            f"All work of a worker is rejected below an accuracy of {self.threshold:g} on at least {self.min_controls} "
            f"controls. Intervals: exact, {self.level:.0%}."
        )
        return [Table.of("Control items", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Thresholds and counts."""
        return {
            "files": list(self.files),
            "threshold": self.threshold,
            "min_controls": self.min_controls,
            "n_keys": self.n_keys,
            "level": self.level,
            "n_rejected": sum(worker.accepted is False for worker in self.workers),
            "n_undecided": sum(worker.accepted is None for worker in self.workers),
        }


def check_controls(
    answers: Judgements,
    keys: Mapping[str, Collection[str]],
    *,
    threshold: float,
    min_controls: int = 1,
    level: float = 0.95,
) -> ControlCheck:
    """Each worker's accuracy on the items that have a key: any of several right answers, case and marks aside.

    An empty answer to a control is wrong. The threshold is yours to choose; the paper does not give its own.
    """
    check_kind(answers, CONTROL_ANSWERS.kind)
    if not 0 <= threshold <= 1:
        raise DataError(f"The threshold is a share from 0 to 1, got {threshold}.")
    if min_controls < 1:
        raise DataError(f"A verdict needs at least one control, got min_controls={min_controls}.")
    right = {item: {_folded(answer) for answer in answers_right} for item, answers_right in keys.items()}
    latest = answers.latest()
    if not set(map(str, latest["item"])) & set(right):
        raise DataError("None of the answered items has a key: there are no controls to check.")
    marks: dict[str, list[bool]] = {}
    counts: dict[str, int] = {}
    for worker, item, answer in zip(latest["annotator"], latest["item"], latest["answer"], strict=True):
        counts[str(worker)] = counts.get(str(worker), 0) + 1
        own = marks.setdefault(str(worker), [])
        if str(item) in right:
            own.append(answer is not None and _folded(str(answer)) in right[str(item)])
    workers = [_verdict(name, counts[name], own, threshold, min_controls, level) for name, own in marks.items()]
    workers.sort(key=lambda w: (w.accuracy is None, w.accuracy or 0.0, w.name))
    return ControlCheck(tuple(workers), threshold, min_controls, len(right), level, tuple(files_of(answers)))


def _verdict(
    name: str, n_items: int, marks: list[bool], threshold: float, min_controls: int, level: float
) -> ControlledWorker:
    if not marks:
        return ControlledWorker(name, n_items, 0, 0, None, None, None, None)
    interval = clopper_pearson(sum(marks), len(marks), level=level)
    accepted = interval.share >= threshold if len(marks) >= min_controls else None
    return ControlledWorker(
        name, n_items, len(marks), sum(marks), interval.share, interval.low, interval.high, accepted
    )


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
