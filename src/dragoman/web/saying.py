"""Results said in the language of a page: titles, headings, notes, and the words among the cells of tables.

Names of systems and people, and whatever somebody wrote, stay as they are: a cell is said anew only if the result made
a sentence of it, or if its column holds words of ours.
"""

from __future__ import annotations

from dataclasses import replace
from typing import overload

from dragoman.report import Column, Figure, Sentence, Table
from dragoman.report.table import Cell
from dragoman.web.catalogue import Words

__all__ = ["said"]

_OUR_WORDS = {"kind", "reading", "scale", "severity", "type", "verdict"}  # columns


@overload
def said(result: Table, words: Words) -> Table: ...
@overload
def said(result: Figure, words: Words) -> Figure: ...
def said(result: Table | Figure, words: Words) -> Table | Figure:
    """A table or a figure in the language of the words, as far as their catalogue has it."""
    if isinstance(result, Figure):
        return replace(result, title=words.told(result.title), table=said(result.table, words))
    columns = tuple(replace(column, heading=_heading(column, words)) for column in result.columns)
    rows = tuple(
        tuple(_cell(cell, column.name, words) for cell, column in zip(row, columns, strict=True)) for row in result.rows
    )
    return Table(words.told(result.title), columns, rows, words.told(result.note))


def _heading(column: Column, words: Words) -> str:
    own = words.texts.get(f"columns.{column.name}")
    return own if isinstance(own, str) else words.told(column.label)


def _cell(cell: Cell, column: str, words: Words) -> Cell:
    if isinstance(cell, Sentence) or (isinstance(cell, str) and column in _OUR_WORDS):
        return words.told(cell)
    return cell
