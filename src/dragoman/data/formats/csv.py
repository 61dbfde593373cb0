"""Comma-separated values as in RFC 4180, read to the letter.

Not Python's `csv` module: that refuses a cell of more than 128 kB unless a setting of the whole process is changed,
and joins what follows a closing quotation mark without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dragoman.errors import FormatError
from dragoman.files import StrPath

__all__ = ["quoted", "split_rows"]

_CELL = re.compile(r'"((?:[^"]++|"")*+)"|(?!")[^,\r\n]*+')
_END = re.compile(r",|\r*+\n|\Z")  # WMT released files whose lines end in CR CR LF
_NEEDS_QUOTES = re.compile(r'[",\r\n]')


def quoted(row: Sequence[str]) -> str:
    """A row as a line without its end; a cell is quoted where it must be."""
    if len(row) == 1 and not row[0]:
        return '""'  # or the line would be blank
    return ",".join('"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell for cell in row)


def split_rows(text: str, path: StrPath) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file, each with the line it begins on. Quoted cells may hold commas, line breaks and `""`."""
    position, line = 0, 1
    first_line, row = 1, list[str]()
    while position < len(text) or row:
        cell = _CELL.match(text, position)
        if cell is None:
            raise FormatError("a quotation mark that opens here is never closed.", path=path, line=line)
        row.append(cell[0] if cell[1] is None else cell[1].replace('""', '"'))
        line += cell[0].count("\n")
        end = _END.match(text, cell.end())
        if end is None:
            what = "a carriage return stands outside quotation marks"
            if cell[1] is not None:
                what = f"text follows the closing quotation mark of cell {len(row)}"
            raise FormatError(f"{what}.", path=path, line=line)
        position = end.end()
        if end[0] == ",":
            continue
        yield first_line, row
        line += 1
        first_line, row = line, []
