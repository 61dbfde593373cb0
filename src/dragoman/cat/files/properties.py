"""Properties of Java programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.files.base import Keys, Slot, TextFormat
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import written
from dragoman.cat.files.messages import BRACES, PRINTF, TAGS, message_unit
from dragoman.cat.segments import Target

__all__ = ["Properties"]

_LINE = re.compile(r"([^\r\n]*)(\r?\r\n|\n|\r|\Z)")
_KEY = re.compile(r"[^\S\r\n]*((?:[^\\=:\s]|\\(?:\r?\r\n|.))+)[^\S\r\n]*[=:]?[^\S\r\n]*", re.DOTALL)
_VALUE = re.compile(r"(?:[^\\\r\n]|\\(?:\r?\r\n[^\S\r\n]*|[\r\n][^\S\r\n]*|.|\Z))*+", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(?:\r?\r\n|[\r\n])[^\S\r\n]*|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}


@dataclass(frozen=True)
class Properties(TextFormat[Slot]):
    r"""Java properties: every value by its key, in UTF-8 or Latin-1; what the file cannot hold is written `\uXXXX`.

    Placeholders and tags are codes; comments before a value are shown.
    """

    name: ClassVar[str] = "properties"
    suffixes: ClassVar[tuple[str, ...]] = (".properties",)

    def document(self, content: bytes, name: str) -> Document:
        """The file in UTF-8, else, as before Java 9, in Latin-1."""
        try:
            content.decode("utf-8")
        except UnicodeDecodeError:
            return Document.of(content, name, declared="iso8859-1")
        return Document.of(content, name)

    def charset(self, content: bytes, *, name: str = "file") -> str:  # noqa: ARG002 - the contract
        r"""None: other characters are written `\uXXXX`."""
        return ""

    def slots(self, document: Document) -> Sequence[Slot]:
        """A slot for each value that has text."""
        keys = Keys()
        slots = []
        for key, begin, end, note in _values(document):
            text = _unescape(document.text[begin:end])
            if text.strip():
                unit = message_unit(keys.unique(_unescape(key)), text, note=note, patterns=(BRACES, PRINTF, TAGS))
                slots.append(Slot(unit, begin, end))
        return slots

    def edits(self, document: Document, slot: Slot, target: Target) -> Iterable[Edit]:
        """The value on one line."""
        if target.text == slot.unit.source:
            return []
        encoding = "ascii" if document.text.isascii() else document.encoding
        return [Edit(slot.begin, slot.end, _escaped(written(target.text, slot.unit.codes), encoding))]


def _values(document: Document) -> Iterator[tuple[str, int, int, str]]:
    """Key, place of the value and comments before it."""
    place, notes = document.start, list[str]()
    while place < len(document.text):
        line = _LINE.match(document.text, place)
        assert line is not None  # noqa: S101 - it may be empty
        text = line[1].strip()
        if not text or text.startswith(("#", "!")):
            if text:
                notes.append(text.lstrip("#! "))
            else:
                notes.clear()
            place = line.end()
            continue
        key = _KEY.match(document.text, place)
        begin = key.end() if key else place
        value = _VALUE.match(document.text, begin)
        end = value.end() if value else begin
        yield key[1] if key else "", begin, end, "\n".join(notes)
        notes = []
        following = _LINE.match(document.text, end)
        place = following.end() if following and following.end() > place else len(document.text)


def _unescape(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        return "" if match[2] is None else _PLAIN.get(match[2], match[2])

    resolved = _ESCAPE.sub(character, text) if "\\" in text else text
    # Characters beyond the first plane are written as two halves.
    return resolved.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escaped(text: str, encoding: str) -> str:
    special = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f"}
    escaped = "".join(special.get(character, character) for character in text)
    escaped = f"\\{escaped}" if escaped[:1] == " " else escaped
    return "".join(character if _fits(character, encoding) else _halves(character) for character in escaped)


def _fits(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _halves(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place] << 8 | units[place + 1]:04X}" for place in range(0, len(units), 2))
