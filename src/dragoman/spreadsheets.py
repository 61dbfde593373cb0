"""Cells that spreadsheets take for formulas: a text that begins with =, +, - or @ is run when such a table is opened.

A quote before it makes it a text again, and is taken off where Dragoman reads the table back. Numbers are left alone.
A raw table has formulas as they are; there, a text that has such a quote of its own gets a second one, so that whoever
reads a table need not know which of the two it is.
"""

from __future__ import annotations

import re

__all__ = ["plain_cell", "raw_cell", "spreadsheet_cell"]

# Quotes of the text itself count too: otherwise '=x could not be told from =x.
_FORMULA = re.compile(r"'*[=+\-@\t\r].", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def spreadsheet_cell(text: str) -> str:
    """The text with a quote before it if a spreadsheet would calculate with it."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def raw_cell(text: str) -> str:
    """The text as it is, unless `plain_cell` would take a quote of its own from it: that is doubled."""
    return text if plain_cell(text) == text else f"'{text}"


def plain_cell(text: str) -> str:
    """The text that `spreadsheet_cell` or `raw_cell` was given."""
    return text[1:] if text.startswith("'") and spreadsheet_cell(text[1:]) == text else text
