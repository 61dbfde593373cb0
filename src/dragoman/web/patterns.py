"""What the page of patterns shows: a table and a figure of every kind, with the texts that break layouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dragoman.report import Column, Figure, Result, Table

__all__ = ["Patterns", "patterns"]

_LONG = (
    "Die Donaudampfschifffahrtsgesellschaftskapitänsversammlung, die erst für den übernächsten Donnerstag vorgesehen "
    "war, musste wegen der Rechtsschutzversicherungsgesellschaften kurzfristig verschoben werden."
)
_ARABIC = "يغادر قطارنا إلى فيينا غدًا الساعة 7:15 من المحطة الرئيسية (Wien Hbf)."
_HEBREW = "הרכבת שלנו לווינה יוצאת מחר ב-7:15 (Wien Hbf)."
_MARKUP = "<b>not bold</b> &amp; <script>alert('no')</script>"


@dataclass(frozen=True)
class Patterns(Result):
    """Sentences, tables and figures to look at."""

    kind: ClassVar[str] = "patterns"

    def tables(self) -> list[Table]:
        """The sentences with their languages, then scores."""
        columns = [Column("name"), Column("lang"), Column("text", is_text=True), Column("score", digits=1)]
        rows = [
            ("long", "de", _LONG, 71.25),
            ("arabic", "ar", _ARABIC, 64.0),
            ("hebrew", "he", _HEBREW, None),
            ("empty", "en", "", 0.0),
            ("markup", "en", _MARKUP, 100.0),
        ]
        return [Table.of("Sentences", columns, rows, note="A dash stands where there is no value."), _scores()]

    def figures(self) -> list[Figure]:
        """One of every kind."""
        scores, ranks = _scores(), _ranks()
        return [
            Figure("Bars", "bar", scores, x="system", y="score", series="metric"),
            Figure("Intervals", "interval", scores, x="system", y="score", series="metric", low="low", high="high"),
            Figure("Lines", "line", _curve(), x="judgements", y="share", series="system"),
            Figure("Points", "scatter", _curve(), x="judgements", y="share"),
            Figure("Ranges", "range", ranks, x="system", y="rank", series="cluster", low="low", high="high"),
            Figure("Heat", "heatmap", scores, x="system", y="score", series="metric"),
        ]


def _scores() -> Table:
    rows = [
        (system, metric, score, score - 2.5, score + 1.5)
        for metric, scores in (("BLEU", (34.7, 31.2, 28.0)), ("chrF", (58.1, 57.0, 49.3)))
        for system, score in zip(("atlas", "borealis", "سراب"), scores, strict=True)
    ]
    return Table.of("Scores", ["system", "metric", Column("score", digits=1), "low", "high"], rows)


def _ranks() -> Table:
    rows = [("atlas", 1, 1, 1, 2), ("borealis", 1, 2, 1, 2), (_LONG[:40], 2, 3, 3, 4), ("سراب", 2, 4, 3, 4)]
    return Table.of("Ranks", ["system", "cluster", "rank", "low", "high"], rows)


def _curve() -> Table:
    rows = [(name, n, 1 - base / n) for name, base in (("atlas", 8), ("borealis", 5)) for n in (10, 20, 40, 80)]
    return Table.of("Learning", ["system", "judgements", Column("share", digits=2)], rows)


def patterns() -> Patterns:
    """The elements of the pages."""
    return Patterns()
