"""JSON files of strings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.files.base import Keys, Slot, TextFormat
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import written
from dragoman.cat.files.messages import message_unit
from dragoman.cat.segments import Target
from dragoman.notation import parse_json
from dragoman.options import option

__all__ = ["JsonStrings"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]|[^\s"{}\[\]:,]+')


@dataclass(frozen=True)
class _Value(Slot):
    is_ascii: bool  # the file writes all other characters as \\u…


@dataclass(frozen=True)
class JsonStrings(TextFormat[_Value]):
    """JSON: every string that is a value, known by its path (`/menu/open`); placeholders and tags are codes.

    Values of keys that begin with `@` or `$` (descriptions, schemas) are kept; `only` names the keys to take.
    """

    name: ClassVar[str] = "json"
    suffixes: ClassVar[tuple[str, ...]] = (".json", ".arb", ".webapp")
    only: tuple[str, ...] = option((), text="Only the values of these keys, wherever they stand; all if empty.")

    def document(self, content: bytes, name: str) -> Document:
        """The file, checked to be JSON."""
        document = super().document(content, name)
        parse_json(document.text[document.start :], path=name)
        return document

    def slots(self, document: Document) -> Sequence[_Value]:
        """A slot for each string that is to be translated."""
        keys = Keys()
        is_ascii = document.text.isascii() and "\\u" in document.text
        slots = []
        for path, begin, end in _values(document):
            text = json.loads(document.text[begin:end])
            if text.strip() and self._takes(path):
                key = keys.unique("".join(f"/{part}" for part in path))
                slots.append(_Value(message_unit(key, text), begin, end, is_ascii))
        return slots

    def _takes(self, path: Sequence[str]) -> bool:
        if any(part.startswith(("@", "$")) for part in path):
            return False
        names = [part for part in path if not part.isdigit()]
        return not self.only or bool(names and names[-1] in self.only)

    def edits(self, document: Document, slot: _Value, target: Target) -> Iterable[Edit]:  # noqa: ARG002
        """The string, escaped as the file's strings are."""
        if target.text == slot.unit.source:
            return []
        text = json.dumps(written(target.text, slot.unit.codes), ensure_ascii=slot.is_ascii)
        return [Edit(slot.begin, slot.end, text)]


def _values(document: Document) -> Iterator[tuple[list[str], int, int]]:
    """The strings of a document that is JSON, but for keys: path, begin and end."""
    path: list[str | int] = []  # the key or place in each object and list that is open
    tokens = list(_TOKEN.finditer(document.text, document.start))
    for number, token in enumerate(tokens):
        mark = token[0]
        if mark == "{":
            path.append("")
        elif mark == "[":
            path.append(0)
        elif mark in "}]":
            path.pop()
        elif mark == "," and isinstance(path[-1], int):
            path[-1] += 1
        elif mark.startswith('"'):
            is_key = number + 1 < len(tokens) and tokens[number + 1][0] == ":"
            if is_key:
                path[-1] = json.loads(mark)
            else:
                yield [str(part) for part in path], token.start(), token.end()
