"""Cells that spreadsheets take for formulas: a text that begins with =, +, - or @ is run when such a table is opened.

A quote before it makes it a text again, and is taken off where Dragoman reads the table back. Numbers are left alone.
"""

from __future__ import annotations

import re

__all__ = ["plain_cell", "spreadsheet_cell"]

# Quotes of the text itself count too: otherwise '=x could not be told from =x.
_FORMULA = re.compile(r"'*[=+\-@\t\r].", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def spreadsheet_cell(text: str) -> str:
    """The text with a quote before it if a spreadsheet would calculate with it."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def plain_cell(text: str) -> str:
    """The text that `spreadsheet_cell` was given."""
    return text[1:] if text.startswith("'") and spreadsheet_cell(text[1:]) == text else text
