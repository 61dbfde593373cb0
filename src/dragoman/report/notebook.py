"""Results in notebooks and at the prompt: as much as fits, with a word about the rest."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.report.charts import draw_chart
from dragoman.report.render import render
from dragoman.report.table import Table

if TYPE_CHECKING:
    from dragoman.report.result import Result

__all__ = ["as_html", "as_text"]

_MOST_ROWS = 20
_MOST_TABLES = 6
_CHARTS = Path(__file__).parent / "static" / "charts.css"
# A notebook has colours of its own, light or dark: ours follow them.
_STYLE = """.dragoman { --line: #8885; --edge: #888; --accent: #2a8a90; }
.dragoman figure { display: inline-block; vertical-align: top; inline-size: min(100%, 32rem); margin: .5rem; }
.dragoman figcaption, .dragoman caption { text-align: start; font-weight: 600; }
.dragoman td.number, .dragoman th.number { text-align: end; font-variant-numeric: tabular-nums; }
.dragoman td.text { text-align: start; unicode-bidi: plaintext; }
.dragoman .note { font-size: .9em; opacity: .8; max-inline-size: 60rem; }"""


def as_html(result: Result) -> str:
    """Figures and tables, the long ones cut, with a style that stays inside."""
    style = f"<style>{_STYLE}\n{_CHARTS.read_text(encoding='utf-8')}</style>"
    figures = "".join(
        f"<figure><figcaption>{escape(figure.title)}</figcaption>{draw_chart(figure)}</figure>"
        for figure in result.figures()[:_MOST_TABLES]
    )
    tables = "".join(render(table, "html") for table in _shortened(result))
    answer = f"<p>{escape(result.answer())}</p>" if result.answer() else ""
    return f'<div class="dragoman">{style}{answer}{figures}{tables}{_rest(result, "<p>{}</p>")}</div>'


def as_text(result: Result) -> str:
    """What it says in a sentence, then the tables, the long ones cut."""
    answer = [result.answer() + "\n"] if result.answer() else []
    tables = [render(table, "text") for table in _shortened(result)]
    return "\n".join([*answer, *tables, _rest(result, "{}\n")]).rstrip("\n")


def _shortened(result: Result) -> list[Table]:
    return [_cut(table) for table in result.shown_tables()[:_MOST_TABLES]]


def _cut(table: Table) -> Table:
    if len(table.rows) <= _MOST_ROWS:
        return table
    note = f"{len(table.rows) - _MOST_ROWS:,} rows more. {table.note}".strip()
    return replace(table, rows=table.rows[:_MOST_ROWS], note=note)


def _rest(result: Result, pattern: str) -> str:
    titles = [table.title for table in result.shown_tables()[_MOST_TABLES:]]
    return pattern.format(escape(f"{len(titles)} tables more: {', '.join(titles)}.")) if titles else ""
