"""All pairs: every hypothesis scored against every reference, for minimum-risk decisions and for retrieval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.metrics.base import Metric, check_threads
from dragoman.metrics.references import check_lines
from dragoman.metrics.specs import make_metric
from dragoman.report import Column, Result, Table

__all__ = ["ScoreMatrix", "matrix"]

_BLOCK = 1 << 22  # statistics held at a time


@dataclass(frozen=True, eq=False)
class ScoreMatrix(Result):
    """Segment scores of all pairs."""

    kind: ClassVar[str] = "score matrix"

    metric: str
    signature: str
    values: NDArray[np.float64]  # (hypotheses, references)
    higher_is_better: bool

    def expected(self) -> NDArray[np.float64]:
        """Each hypothesis' mean score over the references: its expected gain if they are equally likely."""
        means: NDArray[np.float64] = self.values.mean(axis=1)
        return means

    def best(self) -> int:
        """The hypothesis (from 0) with the best expected score (Kumar & Byrne 2004), the first of equals."""
        expected = self.expected()
        return int(expected.argmax() if self.higher_is_better else expected.argmin())

    def tables(self) -> list[Table]:
        """One row per pair, counted from 1; then the expected score of each hypothesis."""
        rows = [(i, j, value) for i, row in enumerate(self.values.tolist(), 1) for j, value in enumerate(row, 1)]
        score = Column("score", digits=2)
        return [Table.of("Scores of all pairs", [Column("hyp"), Column("ref"), score], rows), self.expectations()]

    def expectations(self) -> Table:
        """The expected score of each hypothesis, counted from 1, and which is best."""
        rows = [(i, value, i == self.best() + 1) for i, value in enumerate(self.expected().tolist(), 1)]
        columns = [Column("hyp"), Column("expected", digits=2), Column("best")]
        return Table.of("Expected scores", columns, rows, note="expected: the mean over all references.")

    def meta(self) -> dict[str, Any]:
        """The metric, its signature and the best hypothesis, counted from 1."""
        return {"metric": self.metric, "signature": self.signature, "best": self.best() + 1}


def matrix(
    hyps: Sequence[str], refs: Sequence[str], metric: Metric | str = "chrf", *, n_threads: int = 1
) -> ScoreMatrix:
    """Score every hypothesis against every reference: `values[i, j]` is the score of `hyps[i]` and `refs[j]`."""
    chosen = make_metric(metric).for_segments()
    if not chosen.local:
        raise DataError(f"{chosen.label} takes its weights from a whole corpus; it has no score for a single pair.")
    if "srcs" in chosen.needs:
        raise DataError(f"{chosen.label} looks at sources, of which a matrix has none; use another metric.")
    check_lines("hyps", hyps)
    check_lines("refs", refs)
    if not hyps or not refs:
        raise DataError(f"A matrix needs hypotheses and references, got {len(hyps)} and {len(refs)}.")
    check_threads(n_threads)
    width = chosen.pair_rows(hyps[:1], refs[:1]).shape[2]
    columns = max(1, _BLOCK // (len(hyps) * width))
    parts = [
        chosen.values(chosen.pair_rows(hyps, refs[start : start + columns], n_threads=n_threads))
        for start in range(0, len(refs), columns)
    ]
    signature = f"{chosen.label}|{chosen.signature()}"
    return ScoreMatrix(chosen.spec(), signature, np.concatenate(parts, axis=1), chosen.higher_is_better)
