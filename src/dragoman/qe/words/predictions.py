"""What a word model says of outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.qe.confusion import OK
from dragoman.report import Column, Result, Table

__all__ = ["WordPredictions"]


@dataclass(frozen=True)
class WordPredictions(Result):
    """A label for each word or gap, and how probable it is that something is wrong there."""

    kind: ClassVar[str] = "word quality"

    unit: str
    labels: tuple[tuple[str, ...], ...]
    p_error: tuple[tuple[float, ...], ...]  # 1 − P(OK)
    words: tuple[tuple[str, ...], ...]  # of the outputs

    def tables(self) -> list[Table]:
        """A row a word or gap; sentences count from 1, words from 1, gaps from 0, before the first word."""
        first = 1 if self.unit == "word" else 0
        rows = [
            (number, place, words[place - 1] if 0 < place <= len(words) else None, label, p)
            for number, (labels, ps, words) in enumerate(zip(self.labels, self.p_error, self.words, strict=True), 1)
            for place, (label, p) in enumerate(zip(labels, ps, strict=True), first)
        ]
        columns = [
            Column("segment"),
            Column(self.unit),
            Column("word" if self.unit == "gap" else "token", is_text=True),
            Column("label"),
            Column("p_error", digits=4),
        ]
        return [Table.of(f"Quality of {self.unit}s", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """Counts."""
        flat = [label for labels in self.labels for label in labels]
        return {"unit": self.unit, "n_segments": len(self.labels), "n_labels": len(flat), "n_ok": flat.count(OK)}
