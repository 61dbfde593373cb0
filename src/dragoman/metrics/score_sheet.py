"""What scoring gives: one score, or a sheet of them for systems × metrics × units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from dragoman.errors import UnknownName
from dragoman.lazy import later
from dragoman.report import Column, Figure, Result, Sentence, Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = later("numpy")

__all__ = ["LEVELS", "Level", "ReferenceScores", "Score", "ScoreSheet"]

Level = Literal["corpus", "domain", "document", "segment"]
LEVELS = ("corpus", "domain", "document", "segment")

_DIGITS = 2  # decimals that tables show; JSON and TSV have all


@dataclass(frozen=True)
class Score:
    """One score of one system."""

    system: str
    metric: str  # as asked for: `bleu`, `bleu:tokeniser=zh`
    value: float
    signature: str
    low: float | None = None  # the interval, where one was computed
    high: float | None = None
    unit: str | int | None = None  # the document, the domain or the number of the segment (from 1)


@dataclass(frozen=True, eq=False)
class ScoreSheet(Result):
    """Scores of systems by metrics, for the whole corpus or for each domain, document or segment."""

    kind: ClassVar[str] = "scores"

    level: Level
    systems: tuple[str, ...]
    metrics: tuple[str, ...]  # as asked for
    labels: tuple[str, ...]  # of the metrics, as the literature writes them
    signatures: tuple[str, ...]  # of the metrics
    units: tuple[str | int, ...]  # names of documents or domains, numbers of segments (from 1), one "" for a corpus
    scores: tuple[tuple[tuple[float, ...], ...], ...]  # systems × metrics × units
    n_segments: int
    higher_is_better: tuple[bool, ...] = ()  # of the metrics; all, if nothing is said
    low: NDArray[np.float64] | None = None  # of the intervals, shaped like `values`
    high: NDArray[np.float64] | None = None
    confidence: float = 0.95  # coverage of the intervals

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The scores as an array (systems, metrics, units)."""
        return np.array(self.scores, dtype=np.float64)

    def score(self, system: str, metric: str, unit: str | int | None = None) -> Score:
        """One score."""
        s = _index(self.systems, system, "system")
        m = _index(self.metrics, metric, "metric")
        u = 0 if self.level == "corpus" else _index(self.units, unit, self.level)
        return Score(
            system,
            metric,
            self.scores[s][m][u],
            self.signatures[m],
            None if self.low is None else float(self.low[s, m, u]),
            None if self.high is None else float(self.high[s, m, u]),
            None if self.level == "corpus" else self.units[u],
        )

    def tables(self) -> list[Table]:
        """One row per score: system, metric, score and signature, or system, metric, unit and score."""
        cells = [(s, m) for m in range(len(self.metrics)) for s in range(len(self.systems))]
        if self.level == "corpus":
            names = ("system", "metric", "score", "signature", "low", "high")
            whole = [
                (
                    self.systems[s],
                    self.metrics[m],
                    self.scores[s][m][0],
                    self.signatures[m],
                    None if self.low is None else self.low[s, m, 0],
                    None if self.high is None else self.high[s, m, 0],
                )
                for s, m in cells
            ]
            return [Table.of("Scores", [Column(name, digits=_DIGITS) for name in names], whole)]
        rows = [
            (self.systems[s], self.metrics[m], unit, self.scores[s][m][u])
            for s, m in cells
            for u, unit in enumerate(self.units)
        ]
        columns = [Column(name, digits=_DIGITS) for name in ("system", "metric", self.level, "score")]
        return [Table.of(f"Scores by {self.level}", columns, rows)]

    def shown_tables(self) -> list[Table]:
        """A matrix of systems and metrics, the best first; for documents and segments, a row for each of a system's."""
        columns = [Column("system")] if self.level == "corpus" else [Column("system"), Column(self.level)]
        for m, name in enumerate(self.metrics):
            best: Literal["high", "low"] = "high" if self._is_higher_better(m) else "low"
            columns.append(Column(name, self._heading(m), digits=_DIGITS, best=best if self.level == "corpus" else ""))
            if self.low is not None:
                columns.append(Column(f"{name} interval", f"{self.confidence:.0%} interval"))
        rows = [
            (*self._place(s, u), *(cell for m in range(len(self.metrics)) for cell in self._cells(s, m, u)))
            for s in self._best_first()
            for u in range(len(self.units))
        ]
        title = "Scores" if self.level == "corpus" else f"Scores by {self.level}"
        return [Table.of(title, columns, rows, note=self._shown_note(), is_matrix=True)]

    def _is_higher_better(self, m: int) -> bool:
        return not self.higher_is_better or self.higher_is_better[m]

    def _best_first(self) -> list[int]:
        """The systems by the first metric, for the whole corpus; else as they were given."""
        systems = list(range(len(self.systems)))
        if self.level != "corpus":
            return systems
        sign = -1 if self._is_higher_better(0) else 1
        return sorted(systems, key=lambda s: sign * self.scores[s][0][0])

    def _heading(self, m: int) -> str:
        """The metric's label, or what was asked for where two have one label."""
        return self.labels[m] if self.labels.count(self.labels[m]) == 1 else self.metrics[m]

    def _place(self, s: int, u: int) -> tuple[str | int, ...]:
        return (self.systems[s],) if self.level == "corpus" else (self.systems[s], self.units[u])

    def _cells(self, s: int, m: int, u: int) -> list[float | str]:
        score = self.scores[s][m][u]
        if self.low is None or self.high is None:
            return [score]
        return [score, f"{self.low[s, m, u]:.{_DIGITS}f} – {self.high[s, m, u]:.{_DIGITS}f}"]

    def _shown_note(self) -> str:
        """Which metrics are better when lower, and every metric's signature on a line of its own."""
        lower = [self._heading(m) for m in range(len(self.metrics)) if not self._is_higher_better(m)]
        said = [Sentence("Lower is better: {metrics}.", metrics=", ".join(lower))] if lower else []
        return "\n".join([*said, *self.signatures])

    def meta(self) -> dict[str, Any]:
        """Signatures and what was scored."""
        return {
            "level": self.level,
            "signatures": dict(zip(self.metrics, self.signatures, strict=True)),
            "labels": dict(zip(self.metrics, self.labels, strict=True)),
            "n_segments": self.n_segments,
        }


@dataclass(frozen=True, eq=False)
class ReferenceScores(Result):
    """What each of several references gives, and how often it is the best one."""

    kind: ClassVar[str] = "reference scores"

    metric: str
    signature: str  # of the score with all references
    systems: tuple[str, ...]
    references: tuple[str, ...]
    together: tuple[float, ...]  # each system's score with all references
    alone: NDArray[np.float64]  # (systems, references): the score with that reference only
    shares: NDArray[np.float64]  # (systems, references): of the segments it translates, how many it is the best for
    n_segments: tuple[int, ...]  # how many segments each reference translates

    def tables(self) -> list[Table]:
        """One row per system and reference, and the score with all of them."""
        rows = [
            (system, self.metric, reference, self.alone[s, r], self.shares[s, r], self.n_segments[r], self.together[s])
            for s, system in enumerate(self.systems)
            for r, reference in enumerate(self.references)
        ]
        columns = [
            Column("system"),
            Column("metric"),
            Column("reference"),
            Column("score", digits=_DIGITS),
            Column("best_share", "best for", digits=3),
            Column("n_segments", "segments"),
            Column("score_all", "all references", digits=_DIGITS),
        ]
        note = Sentence(
            "best for: share of its segments where no other reference gives a better score (ties count for each)."
        )
        return [Table.of(f"{self.metric} by reference", columns, rows, note=note)]

    def figures(self) -> list[Figure]:
        """The score with each reference alone, a bar per system."""
        columns = [Column("reference"), Column("system"), Column("score", self.metric, digits=_DIGITS)]
        rows = [
            (reference, system, self.alone[s, r])
            for r, reference in enumerate(self.references)
            for s, system in enumerate(self.systems)
        ]
        table = Table.of(f"{self.metric} with each reference alone", columns, rows)
        return [Figure(table.title, "bar", table, x="reference", y="score", series="system")]

    def meta(self) -> dict[str, Any]:
        """The signature of the score with all references."""
        return {"signature": self.signature}


def _index(names: tuple[Any, ...], name: Any, what: str) -> int:
    if name not in names:
        some = ", ".join(map(str, names[:20])) + (", …" if len(names) > 20 else "")
        raise UnknownName(f"The score sheet has no {what} {name!r}. Known: {some}.")
    return names.index(name)
