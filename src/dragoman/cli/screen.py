"""How wide the reader's terminal is and whether it has colours.

`COLUMNS` says how wide, in a pipe too; else the terminal does; a pipe or a file has no width, and gets everything in
long lines that do not change with anybody's window. Colours are for terminals, unless `NO_COLOR` is set (to anything)
or the terminal is `dumb`.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from dragoman.report.terminal import PLAIN, Screen

__all__ = ["has_colour", "screen_for"]

_NARROWEST = 40  # columns; below that, tables are no longer tables


def screen_for(output: str) -> Screen:
    """The screen that a result written to `output` is read on; `-` is standard output."""
    return Screen(_width(sys.stdout), has_colour(sys.stdout)) if output == "-" else PLAIN


def has_colour(stream: TextIO) -> bool:
    """Whether what goes to the stream may be in colour."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _width(stream: TextIO) -> int | None:
    asked = os.environ.get("COLUMNS", "")
    if asked.isascii() and asked.isdigit() and int(asked) > 0:
        return max(int(asked), _NARROWEST)
    if not stream.isatty():
        return None
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        return None
    return max(columns, _NARROWEST) if columns else None
