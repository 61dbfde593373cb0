"""The text of a file, from its bytes and back: what nobody replaced comes out byte for byte."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from dragoman.errors import DataError, FormatError
from dragoman.utf8 import decode_utf8, text_encoding

__all__ = ["MOST_BYTES", "Document", "Edit", "check_size", "splice"]

MOST_BYTES = 64 << 20  # of a file, and of a part of one: a translator's day is a few hundred kB

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_LINE = re.compile("\n|\r(?!\r?\n)")  # CR CR LF, of files that were converted twice, ends one line
_FROM_END = re.compile(r"[\r\n].*", re.DOTALL)


class Edit(NamedTuple):
    """The characters `[begin, end)` of a document give way to a text."""

    begin: int
    end: int
    text: str


def splice(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. They do not overlap; several at one place keep their order."""
    parts, done = [], 0
    for begin, end, new in sorted(edits, key=lambda edit: edit[:2]):
        if begin < done:
            raise DataError(f"Two units of the file stand inside each other, at character {begin}; correct the file.")
        parts += [text[done:begin], new]
        done = end
    return "".join([*parts, text[done:]])


def check_size(content: bytes, name: str, most: int = MOST_BYTES) -> None:
    """Refuse a file that is too large to be worked on in one piece."""
    if len(content) > most:
        raise FormatError(
            f"the file has {len(content):,} bytes, at most {most:,} are read. Cut it into several files.",
            path=name,
        )


@dataclass(frozen=True)
class Document:
    """A file as text. A byte-order mark is its first character, line ends are as they stand."""

    text: str
    encoding: str = "utf-8"
    name: str = "file"  # for errors

    @classmethod
    def of(cls, content: bytes, name: str, *, declared: str | None = None) -> Document:
        """The text of these bytes: by the byte-order mark, else as the file declares, else UTF-8."""
        check_size(content, name)
        if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
            raise FormatError("the file is UTF-32. Convert it with: iconv -f UTF-32 -t UTF-8", path=name)
        marked = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), None)
        encoding = marked or _without_mark(content) or _codec(declared or "utf-8", name)
        if encoding == "utf-8":
            return cls(decode_utf8(content, name), encoding, name)
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise FormatError(
                f"byte {error.start} of the file (0x{content[error.start]:02X}) is not {encoding}, the encoding that "
                "the file declares. Convert it to UTF-8, and let it say so.",
                path=name,
                line=line,
            ) from None
        if text.encode(encoding) != content:  # shift sequences and the like
            raise FormatError(
                f"text in {encoding} cannot be written back as it was. Convert the file to UTF-8, and let it say so.",
                path=name,
            )
        return cls(text, encoding, name)

    @property
    def start(self) -> int:
        """Where the text begins behind a byte-order mark."""
        return int(self.text.startswith("\ufeff"))

    @cached_property
    def newline(self) -> str:
        """The first line end of the file."""
        end = re.search("\r?\r\n|\n|\r", self.text)
        return end[0] if end else "\n"

    def line_gap(self, end: int, begin: int = 0) -> str:
        """The line end and the blanks that stand before a place, if nothing else stands between them."""
        place = end
        while place > begin and self.text[place - 1].isspace():
            place -= 1
        gap = _FROM_END.search(self.text, place, end)
        return gap[0] if gap else ""

    @cached_property
    def _lines(self) -> Sequence[int]:
        return [match.end() for match in _LINE.finditer(self.text)]

    def line(self, place: int) -> int:
        """The number of the line, from 1, in which a character stands."""
        return bisect_left(self._lines, place + 1) + 1

    def error(self, message: str, place: int) -> FormatError:
        """An error at a character, with its line and column."""
        line = self.line(place)
        column = place - (self._lines[line - 2] if line > 1 else self.start) + 1
        return FormatError(f"column {max(column, 1)}: {message}", path=self.name, line=line)

    def lacks(self, edits: Iterable[Edit]) -> bool:
        """Whether an edit has a character that the encoding has not."""
        try:
            "".join(edit.text for edit in edits).encode(self.encoding)
        except UnicodeEncodeError:
            return True
        return False

    def spliced(self, edits: Iterable[Edit], *, escaped: bool = False) -> bytes:
        """The bytes of the file with these edits; `escaped` writes what the encoding lacks as `&#…;`."""
        text = splice(self.text, edits)
        try:
            return text.encode(self.encoding, "xmlcharrefreplace" if escaped else "strict")
        except UnicodeEncodeError as error:
            character = text[error.start]
            raise FormatError(
                f"the file is in {self.encoding}, which has no {character!r} (U+{ord(character):04X}). "
                "Convert it to UTF-8 before it is translated.",
                path=self.name,
            ) from None


def _without_mark(content: bytes) -> str | None:
    """UTF-16 that has no byte-order mark: its first two characters are of ASCII."""
    nuls = [byte == 0 for byte in content[:4]]
    return {(False, True, False, True): "utf-16-le", (True, False, True, False): "utf-16-be"}.get(tuple(nuls))  # type: ignore[arg-type]


def _codec(declared: str, name: str) -> str:
    codec = text_encoding(declared)
    if codec is None:
        raise FormatError(
            f"the file declares the encoding {declared[:40]!r}, which is not known. Convert it to UTF-8, and let it "
            "say so.",
            path=name,
        )
    # "UTF-16" without a mark, read so far as one byte a character: it is not UTF-16.
    return "utf-8" if codec in {"utf-16", "utf-32", "ascii", "utf-8-sig"} else codec
