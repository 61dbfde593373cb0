"""What a combined text is worth beside the single systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from dragoman.data import TestSet
from dragoman.errors import DataError
from dragoman.metrics.specs import make_metric
from dragoman.report import Column, Result, Table
from dragoman.stats import paired_test

__all__ = ["CombinationEvaluation", "evaluate_outputs", "interleaved"]


def interleaved(text: TestSet) -> tuple[TestSet, TestSet]:
    """Every other segment: documents stand in both halves, so that one says something of the other."""
    if len(text) < 2:
        raise DataError(f"Two halves need two segments at least, got {len(text)}.")
    halves = []
    for first in (0, 1):
        part = slice(first, None, 2)
        halves.append(
            replace(
                text,
                srcs=None if text.srcs is None else list(text.srcs[part]),
                refs={name: list(lines[part]) for name, lines in text.refs.items()},
                systems={name: list(lines[part]) for name, lines in text.systems.items()},
                docs=None,
                origlangs=None,
                domains=None,
            )
        )
    return halves[0], halves[1]


@dataclass(frozen=True)
class CombinationEvaluation(Result):
    """Scores of single systems and of what was made of them."""

    kind: ClassVar[str] = "combination evaluation"

    scores: Mapping[str, float]  # systems, then combined texts
    systems: tuple[str, ...]
    best: str  # of the single systems
    p: Mapping[str, float]  # of the combined texts, against the best single one
    label: str
    signature: str
    n_segments: int
    seed: int
    trials: int

    def tables(self) -> list[Table]:
        """A row an output."""
        rows = [(name, score, score - self.scores[self.best], self.p.get(name)) for name, score in self.scores.items()]
        columns = [
            Column("output"),
            Column("score", self.label, digits=2),
            Column("gain", digits=2, figures=1),
            Column("p", alpha=0.05),
        ]
        note = f"Gain over {self.best}, the best single system. p: paired bootstrap, two sides, {self.trials} samples."
        return [Table.of(f"Beside the single systems, {self.n_segments} segments", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Metric and sampling."""
        return {"metric": self.signature, "best": self.best, "seed": self.seed, "trials": self.trials}


def evaluate_outputs(
    outputs: Mapping[str, Sequence[str]],
    text: TestSet,
    *,
    metric: str = "bleu",
    seed: int = 1,
    trials: int = 1000,
    n_threads: int = 1,
) -> CombinationEvaluation:
    """Score combined texts and the test set's systems against its references."""
    if not text.refs:
        raise DataError("There is no reference to measure against; give one.")
    measure = make_metric(metric)
    names = [*text.systems, *outputs]
    lines = [*text.systems.values(), *outputs.values()]
    rows = dict(zip(names, measure.stats_many(lines, list(text.refs.values()), n_threads=n_threads), strict=True))
    scores = {name: float(measure.value(each.sum(axis=0))) for name, each in rows.items()}
    sign = 1 if measure.higher_is_better else -1
    best = max(text.systems, key=lambda name: sign * scores[name])
    test = paired_test("bootstrap", trials=trials, seed=seed)
    p = {name: test.compare(rows[name], rows[best], measure.values, n_threads=n_threads).p for name in outputs}
    signature = measure.signature(len(text.refs))
    return CombinationEvaluation(
        scores, tuple(text.systems), best, p, measure.label, signature, len(text), seed, trials
    )
