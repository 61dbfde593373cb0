"""Catalogues of GNU gettext."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from dragoman.cat.files.base import Langs, Slot, TextFormat
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import CodeTable, written
from dragoman.cat.files.messages import BRACES, PRINTF, TAGS, message_text
from dragoman.cat.segments import State, Target, Unit

__all__ = ["Po"]

_CHARSET = re.compile(rb"charset=([A-Za-z0-9._-]+)")
_DECLARED = re.compile(r"charset=([A-Za-z0-9._-]+)")
_LINE = re.compile(r"([^\r\n]*)(\r?\r\n|\n|\r|$)")
_KEYWORD = re.compile(r"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s*(?=\")")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"\s*$')
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_SPECIAL = {value: f"\\{name}" for name, value in _PLAIN.items()} | {"\\": "\\\\", '"': '\\"'}


@dataclass
class _String:
    begin: int  # of the first quotation mark
    end: int  # behind the last
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return _unescape("".join(self.pieces))


@dataclass
class _Entry:
    begin: int  # of its first keyword
    comments: list[tuple[int, int, str]] = field(default_factory=list)  # begin, end with the line end, text
    strings: dict[str, _String] = field(default_factory=dict)

    @property
    def flags(self) -> list[str]:
        lines = [text[2:] for _, _, text in self.comments if text.startswith("#,")]
        return [flag.strip() for line in lines for flag in line.split(",") if flag.strip()]


@dataclass(frozen=True)
class _Message(Slot):
    entry: _Entry
    string: _String


@dataclass(frozen=True)
class Po(TextFormat[_Message]):
    """PO catalogues of gettext: each message, and each form of a plural. A draft is `fuzzy`.

    Context, comments and references are shown; the header, old messages (`#~`) and former sources (`#|`) are kept.
    Placeholders are codes where a flag says which (`c-format`, `python-brace-format`), tags are. Where a target has a
    character that the encoding of the header has not, the file is written in UTF-8, and the header says so.
    """

    name: ClassVar[str] = "po"
    suffixes: ClassVar[tuple[str, ...]] = (".po", ".pot")
    bilingual: ClassVar[bool] = True

    def document(self, content: bytes, name: str) -> Document:
        """The catalogue in the encoding that its header names."""
        declared = _CHARSET.search(content[:4000])
        encoding = declared[1].decode() if declared else "utf-8"
        return Document.of(content, name, declared="utf-8" if encoding == "CHARSET" else encoding)

    def charset(self, content: bytes, *, name: str = "file") -> str:  # noqa: ARG002 - the contract
        """None: with other characters the file is written in UTF-8."""
        return ""

    def spliced(self, document: Document, edits: Sequence[Edit]) -> bytes:
        """The catalogue in its encoding if that has all characters, else in UTF-8."""
        declared = _DECLARED.search(document.text)
        if declared is None or not document.lacks(edits):
            return document.spliced(edits)
        return replace(document, encoding="utf-8").spliced([*edits, Edit(*declared.span(1), "UTF-8")])

    def languages(self, content: bytes, *, name: str = "file") -> Langs:
        """The target's, as the header names it."""
        document = self.document(content, name)
        header = next((entry for entry in _entries(document) if not entry.strings["msgid"].text), None)
        text = header.strings["msgstr"].text if header and "msgstr" in header.strings else ""
        told = re.search(r"^Language: *([\w@.-]+) *$", text, re.MULTILINE)
        return "", told[1].replace("_", "-") if told else ""

    def slots(self, document: Document) -> Sequence[_Message]:
        """The messages, numbered as they stand in the file; the header has none."""
        return [
            slot
            for number, entry in enumerate(_entries(document))
            if entry.strings["msgid"].text or "msgctxt" in entry.strings
            for slot in _messages(entry, number)
        ]

    def edits(self, document: Document, slot: _Message, target: Target) -> Iterable[Edit]:
        """The string of a message."""
        if target.text == (slot.unit.target or ""):
            return []
        text = written(target.text, slot.unit.codes)
        return [Edit(slot.string.begin, slot.string.end, _quoted(text, len(slot.string.pieces) > 1, document.newline))]

    def all_edits(
        self,
        document: Document,
        slots: Sequence[_Message],
        targets: Mapping[str, Target],
        langs: Langs | None,  # noqa: ARG002 - the contract
    ) -> Sequence[Edit]:
        """The strings, and the flag `fuzzy` of messages that became drafts or are none any more."""
        edits: list[Edit] = []
        flagged: dict[int, tuple[_Entry, bool]] = {}  # whether one of an entry's forms is a draft
        for slot in slots:
            target = targets.get(slot.unit.key)
            if target is not None:
                edits += self.edits(document, slot, target)
                is_draft = target.state in {"draft", "rejected"}
                flagged[slot.begin] = (slot.entry, is_draft or flagged.get(slot.begin, (None, False))[1])
        for entry, is_draft in flagged.values():
            edits += _flag_edits(document, entry, is_draft)
        return edits


def _entries(document: Document) -> Iterator[_Entry]:
    entry: _Entry | None = None
    comments: list[tuple[int, int, str]] = []
    string: _String | None = None
    for match in _LINE.finditer(document.text, document.start):
        line, begin = match[1].strip(), match.start()
        keyword = _KEYWORD.match(line)
        if keyword and (keyword[1] == "msgctxt" or (keyword[1] == "msgid" and (entry is None or _is_full(entry)))):
            if entry is not None:
                yield _checked(document, entry)
            entry, comments = _Entry(begin, comments), []
        if keyword or line.startswith('"'):
            string = _add(document, entry, keyword, string, match)
        elif line.startswith("#"):
            string = None
            comments.append((begin, match.end(), line))
        elif line:
            raise document.error(f"this is no line of a PO file: {line[:40]!r}.", begin)
        else:
            string, comments = None, []
        if match.end() == len(document.text):
            break
    if entry is not None:
        yield _checked(document, entry)


def _is_full(entry: _Entry) -> bool:
    return "msgid" in entry.strings


def _add(
    document: Document, entry: _Entry | None, keyword: re.Match[str] | None, string: _String | None, line: re.Match[str]
) -> _String:
    """A quoted piece, behind a keyword or on a line of its own."""
    piece = _STRING.match(document.text, document.text.index('"', line.start()), line.end(1))
    if piece is None:
        raise document.error('a string has no end, or a quotation mark inside that is not written \\".', line.start())
    if keyword and entry is not None:
        string = entry.strings[keyword[1]] = _String(piece.start(), piece.end())
    if string is None:
        raise document.error("a string stands behind no keyword (msgid, msgstr …).", line.start())
    string.pieces.append(piece[1])
    string.end = line.start() + len(line[1].rstrip())
    return string


def _checked(document: Document, entry: _Entry) -> _Entry:
    if "msgid" not in entry.strings or not any(name.startswith("msgstr") for name in entry.strings):
        raise document.error("a message lacks its msgid or msgstr.", entry.begin)
    return entry


def _messages(entry: _Entry, number: int) -> Iterator[_Message]:
    for name, string in entry.strings.items():
        if not name.startswith("msgstr"):
            continue
        form = name.removeprefix("msgstr")
        source = entry.strings.get("msgid_plural") if form not in {"", "[0]"} else None
        table, patterns = CodeTable(), _patterns(entry.flags)
        text = message_text((source or entry.strings["msgid"]).text, table, patterns)
        target = message_text(string.text, table, patterns) or None
        state: State = "new" if target is None else "draft" if "fuzzy" in entry.flags else "translated"
        unit = Unit(
            f"{number}{form}", text, tuple(table.codes), target, state, _note(entry), cut=False, meta={"form": form}
        )
        yield _Message(unit, entry.begin, string.end, entry, string)


def _patterns(flags: Sequence[str]) -> tuple[str, ...]:
    braces = any(flag in {"python-brace-format", "c++-format", "csharp-format", "java-format"} for flag in flags)
    printf = any(re.fullmatch(r"(?!no-)[\w+-]+-format", flag) for flag in flags)
    return (TAGS, *([BRACES] if braces else []), *([PRINTF] if printf else []))


def _note(entry: _Entry) -> str:
    context = [entry.strings["msgctxt"].text] if "msgctxt" in entry.strings else []
    comments = [text for _, _, text in entry.comments if not text.startswith(("#,", "#|", "#~"))]
    return "\n".join([*context, *(re.sub(r"^#[.:]?\s?", "", text) for text in comments)])


def _flag_edits(document: Document, entry: _Entry, is_draft: bool) -> Iterator[Edit]:
    if is_draft and "fuzzy" not in entry.flags:
        line = next(((begin, end, text) for begin, end, text in entry.comments if text.startswith("#,")), None)
        if line is None:
            yield Edit(entry.begin, entry.begin, f"#, fuzzy{document.newline}")
        else:
            yield Edit(line[0], line[0] + 2, "#, fuzzy,")
    elif not is_draft and "fuzzy" in entry.flags:
        for begin, end, text in entry.comments:
            flags = [flag.strip() for flag in text[2:].split(",")]
            if text.startswith("#,") and "fuzzy" in flags:
                others = [flag for flag in flags if flag not in {"fuzzy", ""}]
                line_end = document.text[begin:end][len(document.text[begin:end].rstrip("\r\n")) :]
                yield Edit(begin, end, f"#, {', '.join(others)}{line_end}" if others else "")


def _quoted(text: str, spread: bool, newline: str) -> str:
    """A string on one line, or, if it was so or has several lines, on several."""
    lines = text.split("\n")
    lines = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    if len(lines) < 2 and not spread:
        return f'"{_escape(text)}"'
    return newline.join(['""', *(f'"{_escape(line)}"' for line in lines)])


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)


def _unescape(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match[1] or match[2]:
            return chr(int(match[1], 16) if match[1] else int(match[2], 8))
        return _PLAIN.get(match[3], match[3])

    return _ESCAPE.sub(character, text) if "\\" in text else text
