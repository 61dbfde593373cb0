"""Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Literal

from dragoman.cat.files.base import Slot, TextFormat
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import CodeTable, InlineText, one_line, written
from dragoman.cat.segments import Code, Target, Unit, code_place
from dragoman.errors import NotAvailable

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["Markdown"]

_LINE = re.compile(r"[^\r\n]*(\r\n|\n|\r|\Z)")
_FRONT = re.compile(r"---[^\S\r\n]*(?:\r\n|\n|\r)(?:(?!---)[^\r\n]*(?:\r\n|\n|\r))*?---[^\S\r\n]*(?=[\r\n]|\Z)")
_LINK = r"\((?:[^()\s]|\([^()\s]*+\))*+(?:\s+(?:\"[^\"]*\"|'[^']*'))?\)|\[[^\[\]]*\]"
_TICKS = re.compile("`+")
_CODE = re.compile(
    rf"""(?P<text>\\[!-/:-@\[-`{{-~])
    |(?P<ticks>`+)|(?P<comment><!--)
    |(?P<alone><(?:https?|mailto|ftp):[^<>\s]*>)
    |(?P<tag></?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>)
    |(?P<opening>!?\[(?=[^\[\]]*\](?:{_LINK})))
    |(?P<closing>\](?:{_LINK}))
    |(?P<mark>\*{{1,3}}+(?=\S)|(?<=\S)\*{{1,3}}+|(?<!\w)_{{1,3}}+(?=\S)|(?<=\S)_{{1,3}}+(?!\w)|~~)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class _Block(Slot):
    kind: Literal["paragraph", "heading", "cell"]


@dataclass(frozen=True)
class Markdown(TextFormat[_Block]):
    """Markdown (CommonMark and tables): paragraphs, headings, items, cells. The text is Markdown, too.

    Emphasis, links, images, code and tags are codes; the text and titles of links are translated, addresses are not.
    Front matter, code blocks, HTML blocks and link definitions are kept. Lines of a paragraph become one.
    """

    name: ClassVar[str] = "markdown"
    suffixes: ClassVar[tuple[str, ...]] = (".md", ".markdown", ".mdown")

    def slots(self, document: Document) -> Sequence[_Block]:
        """The blocks that have text, numbered as they come."""
        lines = [match.span() for match in _LINE.finditer(document.text, document.start)]
        return list(_blocks(document, lines))

    def edits(self, document: Document, slot: _Block, target: Target) -> Iterable[Edit]:  # noqa: ARG002
        """The text as one line, but for its hard breaks, that begins no other block."""
        if target.text == slot.unit.source:
            return []
        text = one_line(target.text).strip()
        markup = written(_unlike_blocks(text, slot), slot.unit.codes)
        return [Edit(slot.begin, slot.end, markup)]


@cache
def _parser() -> MarkdownIt:
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        raise NotAvailable.package("Translating Markdown", package="markdown-it-py", extra="cat") from None
    return MarkdownIt("commonmark").enable("table").disable("inline")  # blocks are all that is asked for


def _blocks(document: Document, lines: Sequence[tuple[int, int]]) -> Iterator[_Block]:
    number = 0
    cursor: dict[int, int] = {}  # where the next cell of a line may begin
    tokens = _parser().parse(_without_front(document))
    for before, token in pairwise(tokens):
        if token.type != "inline" or not token.map or not token.content.strip():
            continue
        kind = _kind(before)
        places = _places(document, lines, token, cursor if kind == "cell" else None)
        if places:
            number += 1
            inline = InlineText(table := CodeTable())
            _read(document, places, inline)
            unit = Unit(str(number), str(inline), tuple(table.codes))
            yield _Block(unit, places[0][0], places[-1][1], kind)


def _without_front(document: Document) -> str:
    """The text with blanks for front matter, so that its lines keep their numbers."""
    text = document.text[document.start :]
    front = _FRONT.match(text)
    return text if front is None else re.sub(r"[^\r\n]", " ", front[0]) + text[front.end() :]


def _kind(before: Token) -> Literal["paragraph", "heading", "cell"]:
    return "cell" if before.type in {"td_open", "th_open"} else "heading" if before.markup[:1] == "#" else "paragraph"


def _places(
    document: Document, lines: Sequence[tuple[int, int]], token: Token, cursor: dict[int, int] | None
) -> list[tuple[int, int]]:
    """Where the lines of a block's content stand, without marks before and blanks behind; none if that is not plain."""
    first = (token.map or [0])[0]
    places = []
    for number, content in enumerate(token.content.split("\n"), start=first):
        if number >= len(lines):
            return []
        begin, end = lines[number]
        line = document.text[begin:end].rstrip()
        content = content.strip()
        if cursor is None:
            place = _last(line, content)
        else:
            content = content if content in line[cursor.get(number, 0) :] else content.replace("|", "\\|")
            place = line.find(content, cursor.get(number, 0))
            cursor[number] = place + len(content)
        if place < 0:
            return []
        places.append((begin + place, begin + place + len(content)))
    return places


def _last(line: str, content: str) -> int:
    if line.endswith(content):
        return len(line) - len(content)
    marked = line.rstrip("#")  # marks behind a heading
    heading = marked.rstrip(" \t")
    return _last(heading, content) if len(heading) < len(marked) < len(line) and heading.endswith(content) else -1


def _read(document: Document, places: Sequence[tuple[int, int]], inline: InlineText) -> None:
    """Lines joined by blanks, and by codes where a break is meant."""
    pieces: list[str] = []
    marks: list[str] = []
    for number, (begin, end) in enumerate(places):
        piece = document.text[begin:end]
        pieces.append(piece)
        if number + 1 == len(places):
            break
        gap = document.text[end : places[number + 1][0]]
        backslash = "\\" if piece.endswith("\\") else ""
        if not backslash and not re.match(r"[ \t]{2,}[\r\n]", gap):
            pieces.append(" ")
            continue
        _read_chunk("".join(pieces).removesuffix(backslash), inline, marks)
        inline.code(Code(backslash + gap, shown="↵"))
        pieces.clear()
    _read_chunk("".join(pieces), inline, marks)


def _read_chunk(text: str, inline: InlineText, marks: list[str]) -> None:
    """The codes of a text; `marks` are those that are open, across breaks."""
    done = place = 0
    spans = _Spans(text)
    while match := _CODE.search(text, place):
        place = match.end()
        if match["text"]:
            continue
        if match["ticks"] or match["comment"]:
            end = spans.end_of(match)
            if end is None:
                continue
            code = Code(text[match.start() : end], shown=text[match.start() : end].strip("`")[:20])
            place = end
        else:
            code = _code(match, marks)
        inline.add(text[done : match.start()])
        inline.code(code)
        done = place
    inline.add(text[done:])


class _Spans:
    """Where code between back-quotes ends, and comments: each looked for once, however many begin."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._runs: dict[int, list[int]] = {}  # ends of runs of back-quotes by their length, the last first
        for run in reversed(list(_TICKS.finditer(text))):
            self._runs.setdefault(len(run[0]), []).append(run.end())
        self._has_end = True  # whether a comment may end behind

    def end_of(self, match: re.Match[str]) -> int | None:
        """The place behind a span that begins here; None if it has no end, and is text."""
        if match["comment"]:
            end = self._text.find("-->", match.end()) if self._has_end else -1
            self._has_end = end >= 0
            return end + 3 if end >= 0 else None
        ends = self._runs.get(len(match["ticks"]), [])
        while ends and ends[-1] <= match.end():
            ends.pop()
        return ends[-1] if ends else None


def _code(match: re.Match[str], marks: list[str]) -> Code:
    markup = match[0]
    if match["alone"] or match["tag"]:
        return Code(markup, shown=markup.strip("`")[:20])
    name = "link" if match["opening"] or match["closing"] else markup
    if match["closing"] or (not match["opening"] and name in marks):
        while marks and marks.pop() != name:
            pass
        return Code(markup, "close", name, "/" + ("link" if name == "link" else name))
    marks.append(name)
    return Code(markup, "open", name, name)


def _unlike_blocks(text: str, slot: _Block) -> str:
    """Return the text with a backslash where one of its lines would begin a list, a quotation, a heading or a cell."""
    if slot.kind == "cell":
        return re.sub(r"(?<!\\)\|", r"\\|", text)
    if slot.kind == "heading":
        return re.sub(r"(?:(?<=\s)|^)(#+)$", r"\\\1", text)
    breaks = "".join(char for char in sorted(set(text)) if _is_break(char, slot.unit.codes))
    first, *others = re.split(f"(?<=[{breaks}])", text) if breaks else [text]
    return _unlike_block(first) + "".join(_unlike_block(line, after="w\n") for line in others)


def _is_break(char: str, codes: Sequence[Code]) -> bool:
    place = code_place(char)
    return place is not None and bool(re.search(r"[\r\n]", codes[place].text))


def _unlike_block(line: str, after: str = "") -> str:
    """Return a line of a paragraph with a backslash before what would begin another block."""
    if not re.match(r"\s*(?:[!-/:-@\[-`{-~]|\d)", line):  # a letter begins no other block
        return line
    tokens = _parser().parse(after + line)
    if [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]:
        return line
    return re.sub(r"^(\s*\d*)(?=[!-/:-@\[-`{-~])", r"\1\\", line)
