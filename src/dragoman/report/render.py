"""Tables in seven dresses. Text, Markdown, LaTeX and HTML round; TSV, CSV and JSON keep every digit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dragoman.errors import DataError
from dragoman.lazy import later
from dragoman.report.table import Cell, Column, Table
from dragoman.report.terminal import PLAIN, Screen, is_numeric, to_text
from dragoman.report.wrapping import one_line
from dragoman.spreadsheets import raw_cell, spreadsheet_cell

if TYPE_CHECKING:
    import html
    import json
else:
    html, json = map(later, ("html", "json"))

__all__ = [
    "RENDERERS",
    "ROW_FORMS",
    "render",
    "to_csv",
    "to_html",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_text",
    "to_tsv",
]


def render(table: Table, form: str, *, raw: bool = False, screen: Screen = PLAIN) -> str:
    """The table in one of the forms of `RENDERERS`; `raw` leaves formulas of spreadsheets in `ROW_FORMS`.

    As text it is as wide as it is, or as wide as the `screen`.
    """
    if form not in RENDERERS:
        raise DataError(f"There is no output form {form!r}. Known: {', '.join(RENDERERS)}.")
    if form == "text":
        return to_text(table, screen)
    return ROW_FORMS[form](table, raw) if form in ROW_FORMS else RENDERERS[form](table)


def to_tsv(table: Table, raw: bool = False) -> str:
    """Tab-separated, with a header line. A tab or line break inside a cell becomes a space."""
    rows = _cells(table, lambda cell: re.sub(r"[\t\r\n]", " ", cell), raw)
    return "".join("\t".join(row) + "\n" for row in rows)


def to_csv(table: Table, raw: bool = False) -> str:
    """Comma-separated, quoted where needed (RFC 4180, but lines end in LF)."""
    return "".join(",".join(map(_quoted, row)) + "\n" for row in _cells(table, str, raw))


def to_json(table: Table) -> str:
    """A list of flat objects."""
    return json.dumps(table.records(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def to_markdown(table: Table) -> str:
    """A pipe table."""
    marks = ["---:" if is_numeric(table, index) else "---" for index in range(len(table.columns))]
    rows = [[column.label for column in table.columns], *_shown(table)]
    lines = ["| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    lines.insert(1, "| " + " | ".join(marks) + " |")
    return "\n".join(
        [*([f"**{table.title}**", ""] if table.title else []), *lines, *(["", table.note] if table.note else []), ""]
    )


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_LATEX = str.maketrans(_SPECIAL)


def to_latex(table: Table) -> str:
    """A `tabular` with rules of the `booktabs` package; title and note stand above it as comments."""
    align = "".join("r" if is_numeric(table, index) else "l" for index in range(len(table.columns)))
    head, *body = (
        " & ".join(one_line(cell).translate(_LATEX) for cell in row) + r" \\"
        for row in [[column.label for column in table.columns], *_shown(table)]
    )
    lines = [f"% {one_line(text)}" for text in (table.title, table.note) if text]
    lines += [rf"\begin{{tabular}}{{{align}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def to_html(table: Table) -> str:
    """A `<table>` with caption and scoped headings; text cells run in the direction of their own script."""
    kinds = [' class="number"' if is_numeric(table, index) else "" for index in range(len(table.columns))]
    head = "".join(
        f'<th scope="col"{kind}>{html.escape(column.label)}</th>'
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(_html_cell(column, cell) for column, cell in zip(table.columns, row, strict=True)) + "</tr>\n"
        for row in table.rows
    )
    caption = f"<caption>{html.escape(table.title)}</caption>" if table.title else ""
    note = f'<p class="note">{html.escape(table.note)}</p>\n' if table.note else ""
    return f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>\n{note}"


RENDERERS: dict[str, Callable[[Table], str]] = {
    "text": to_text,
    "tsv": to_tsv,
    "csv": to_csv,
    "json": to_json,
    "markdown": to_markdown,
    "latex": to_latex,
    "html": to_html,
}


ROW_FORMS: dict[str, Callable[[Table, bool], str]] = {"tsv": to_tsv, "csv": to_csv}


def _shown(table: Table) -> list[list[str]]:
    return [[column.show(cell) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows]


def _exact(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return repr(cell) if isinstance(cell, float) else str(cell)


def _cells(table: Table, fit: Callable[[str], str], raw: bool) -> list[list[str]]:
    """Header and rows for programs; no text is a spreadsheet's formula, unless it is to be raw."""
    guard = raw_cell if raw else spreadsheet_cell
    rows: list[Sequence[Cell]] = [[column.name for column in table.columns], *table.rows]
    return [[guard(fit(cell)) if isinstance(cell, str) else _exact(cell) for cell in row] for row in rows]


def _quoted(cell: str) -> str:
    # Not the csv module's writer: with LF as line end it leaves a lone CR unquoted, where its own reader breaks.
    return '"' + cell.replace('"', '""') + '"' if re.search(r'[",\r\n]', cell) else cell


def _html_cell(column: Column, cell: Cell) -> str:
    shown = html.escape(column.show(cell))
    if column.is_text:
        return f'<td dir="auto" class="text">{shown}</td>'
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return f'<td class="number">{shown}</td>'
    return f"<td>{shown}</td>"
