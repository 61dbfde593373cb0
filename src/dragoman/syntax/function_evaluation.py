"""How many grammatical functions are guessed right, by which attributes, one at a time and all of a head together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats
from dragoman.syntax.functions import ATTRIBUTES, FunctionLabeller, Siblings, Together, siblings_of
from dragoman.text.conllu import Sentence

__all__ = ["FunctionAccuracy", "FunctionScore", "evaluate_functions"]

_PARTS = 10  # of the test set, for the paired t-test (Bryl et al. 2009, §4)
_TOGETHER: tuple[Together, ...] = ("sequential", "joint")


@dataclass(frozen=True)
class FunctionScore:
    """Accuracy in per cent, and how surely it differs from the row before it of the same task."""

    task: str  # single: the siblings are known; multiple: none of a head's dependents is
    method: str
    accuracy: float
    p: float | None  # two-sided paired t-test over ten parts of the test set; None for a first row


@dataclass(frozen=True)
class FunctionAccuracy(Result):
    """Functions guessed with fewer and more attributes, and alone and together."""

    kind: ClassVar[str] = "function accuracy"

    scores: tuple[FunctionScore, ...]
    n_dependents: int
    n_heads: int

    def __getitem__(self, name: tuple[str, str]) -> float:
        """The accuracy of a task and a method."""
        return next(each.accuracy for each in self.scores if (each.task, each.method) == name)

    def tables(self) -> list[Table]:
        """A row for each task and method."""
        columns = [Column("task"), Column("method"), Column("accuracy", "%", digits=1), Column("p", alpha=0.05)]
        rows = [(each.task, each.method, each.accuracy, each.p) for each in self.scores]
        note = (
            f"{self.n_dependents} dependents of {self.n_heads} heads. p: paired t-test against the row above, over ten "
            "parts of the test set."
        )
        return [Table.of("Grammatical functions", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How much was guessed."""
        return {"dependents": self.n_dependents, "heads": self.n_heads}


def evaluate_functions(labeller: FunctionLabeller, sentences: Iterable[Sentence]) -> FunctionAccuracy:
    """Guess the functions of labelled trees, by each set of attributes and in each way."""
    groups = list(siblings_of(sentences, labeller.recipe))
    if len(groups) < _PARTS:
        raise DataError(
            f"The trees have {len(groups)} heads with labelled dependents; at least {_PARTS} are needed to compare."
        )
    scores: list[FunctionScore] = []
    single = [(which, _singly(labeller, groups, which)) for which in ATTRIBUTES]
    several = [("none", _together(labeller, groups, "none", "sequential"))]
    several += [(way, _together(labeller, groups, ATTRIBUTES[-1], way)) for way in _TOGETHER]
    for task, methods in (("single", single), ("multiple", several)):
        before: Floats | None = None
        for method, parts in methods:
            accuracy = 100 * float(parts[:, 0].sum() / parts[:, 1].sum())
            shares = parts[:, 0] / parts[:, 1]
            scores.append(FunctionScore(task, method, accuracy, None if before is None else _paired_p(before, shares)))
            before = shares
    return FunctionAccuracy(tuple(scores), sum(map(len, groups)), len(groups))


def _singly(labeller: FunctionLabeller, groups: Sequence[Siblings], which: str) -> Floats:
    guesser = labeller.guesser(which)
    right = [
        sum(
            guesser.one(each, (other.function for other in group if other is not each)) == each.function
            for each in group
        )
        for group in groups
    ]
    return _by_parts(right, groups)


def _together(labeller: FunctionLabeller, groups: Sequence[Siblings], which: str, together: Together) -> Floats:
    guesser = labeller.guesser(which)
    right = []
    for group in groups:
        functions = guesser.several(group, (), together)
        right.append(sum(a == b.function for a, b in zip(functions, group, strict=True)))
    return _by_parts(right, groups)


def _by_parts(right: Sequence[int], groups: Sequence[Siblings]) -> Floats:
    """Right guesses and all of them, for each of ten runs of heads."""
    part = np.arange(len(groups)) * _PARTS // len(groups)
    sizes = np.array([len(group) for group in groups], dtype=np.float64)
    columns = [np.bincount(part, weights=values, minlength=_PARTS) for values in (np.array(right, float), sizes)]
    return np.stack(columns, axis=1)


def _paired_p(a: Floats, b: Floats) -> float:
    """Student's paired t-test, two-sided; equal differences throughout give 1 for none and 0 for any."""
    from scipy.special import stdtr

    differences = b - a
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    mean = float(differences.mean())
    if error == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * stdtr(len(differences) - 1, -abs(mean / error)))
