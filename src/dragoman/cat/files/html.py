"""HTML pages."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import ClassVar, Literal, NamedTuple

from dragoman.cat.files.base import Langs, TextFormat
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import CodeTable, InlineText, written
from dragoman.cat.files.nested import NestedSlot, nested_changes
from dragoman.cat.segments import Code, Target, Unit

__all__ = ["Html"]

_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)""", re.IGNORECASE)
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]+)""")
# What begins before the last tag has an end is text, not a part of it: no tag has a "<" outside of its values.
# A value may be long (a picture in the address), but not without end: a mark that is never closed is text.
_TOKEN = re.compile(
    r"""(?P<comment><!--.*?(?:-->|\Z)|<[!?][^>]*(?:>|\Z))
    |<(?P<end>/?)(?P<tag>[A-Za-z][^\s/<>]*+)
     (?P<attributes>(?:[^<>"']++|"[^"]{0,1000000}+"|'[^']{0,1000000}+'){0,1000}+)>""",
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""(?<![^\s"'/])([^\s"'<>/=]++)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'=<>`]++)""")
_INLINE = frozenset(
    {
        *(
            "a",
            "abbr",
            "acronym",
            "b",
            "bdi",
            "bdo",
            "big",
            "br",
            "cite",
            "code",
            "data",
            "del",
            "dfn",
            "em",
            "font",
            "i",
        ),
        *("img", "input", "ins", "kbd", "label", "mark", "math", "output", "q", "ruby", "rb", "rp", "rt", "s", "samp"),
        *("small", "span", "strike", "strong", "sub", "sup", "svg", "time", "tt", "u", "var", "wbr"),
    }
)
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_KEPT = frozenset({"script", "style", "pre", "template", "noscript", "object", "iframe", "svg", "math", "code"})
_TRANSLATED = frozenset({"alt", "title", "placeholder", "aria-label", "summary", "label"})
_BUTTONS = frozenset({"submit", "button", "reset"})
_DESCRIPTIONS = frozenset({"description", "keywords", "og:title", "og:description", "twitter:title"})
_PLAIN_TAG = re.compile(r"<(/?)([A-Za-z][^\s/<>]*+)[^<>]*>")
_SPACE = re.compile(r"[ \t\r\n\f]+")


class _Piece(NamedTuple):
    """A piece of a paragraph: text, or a tag, comment or element that is kept."""

    begin: int
    end: int
    tag: str = ""  # none: text
    is_end: bool = False
    is_alone: bool = False


@dataclass(frozen=True)
class _Attribute(NestedSlot):
    """The value of an attribute, without the quotation marks that it may have."""

    is_quoted: bool = True


@dataclass(frozen=True)
class Html(TextFormat[NestedSlot]):
    """HTML: each paragraph, heading, cell, item and the title, with inline tags as codes; attributes that people read.

    Those are `alt`, `title`, `placeholder`, `aria-label`, the labels of buttons and the page's description. Scripts,
    styles, `pre`, `code`, comments and what says `translate="no"` are kept. White space is one blank.
    """

    name: ClassVar[str] = "html"
    suffixes: ClassVar[tuple[str, ...]] = (".html", ".htm", ".xhtml")
    escaped: ClassVar[bool] = True

    def document(self, content: bytes, name: str) -> Document:
        """The page in the encoding that it declares."""
        declared = _CHARSET.search(content[:2000]) or _DECLARED.search(content[:2000])
        return Document.of(content, name, declared=declared[1].decode() if declared else None)

    def slots(self, document: Document) -> Sequence[NestedSlot]:
        """Paragraphs and attributes, numbered as they come."""
        return list(_Page(document).slots())

    def edits(self, document: Document, slot: NestedSlot, target: Target) -> Iterable[Edit]:
        """The edit of one slot alone."""
        return nested_changes(document, [slot], {slot.unit.key: target}, _markup)

    def all_edits(
        self,
        document: Document,
        slots: Sequence[NestedSlot],
        targets: Mapping[str, Target],
        langs: Langs | None,  # noqa: ARG002 - the contract
    ) -> Sequence[Edit]:
        """Paragraphs with the attributes inside their codes."""
        return nested_changes(document, slots, targets, _markup)


def _markup(slot: NestedSlot, codes: Sequence[Code], target: Target) -> str:
    markup = written(target.text.strip(), codes, _escape)
    if not isinstance(slot, _Attribute):
        return markup
    value = markup.replace('"', "&quot;").replace("'", "&#39;")
    return value if slot.is_quoted else f'"{value}"'


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\u00a0", "&#160;")


class _Page:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._text = document.text
        self._number = 0
        self._unclosed: set[str] = set()  # elements that are kept, and whose end is not to be looked for again
        self._tags: dict[str, list[tuple[int, int, int]]] = {}  # by name: begin, end, and what the depth gains there

    def slots(self) -> Iterator[NestedSlot]:
        paragraph: list[_Piece] = []
        for piece, attributes in self._pieces():
            yield from self._attributes(piece, attributes)
            if piece.tag and piece.tag not in _INLINE and piece.tag != "!":
                yield from self._paragraph(paragraph)
                paragraph = []
            else:
                paragraph.append(piece)
        yield from self._paragraph(paragraph)

    def _pieces(self) -> Iterator[tuple[_Piece, dict[str, tuple[int, int]]]]:
        """Texts, tags, and whole elements that are kept, with the places of a tag's attributes."""
        place = self._document.start
        while place < len(self._text):
            token = _TOKEN.search(self._text, place)
            begin = token.start() if token else len(self._text)
            if begin > place:
                yield _Piece(place, begin), {}
            if token is None:
                return
            place = token.end()
            tag = (token["tag"] or "!").lower()
            attributes = {} if token["end"] or tag == "!" else _places(token)
            is_kept = not token["end"] and tag not in _VOID and (tag in _KEPT or self._is_kept(attributes))
            if is_kept:
                place = self._end_of(tag, token)
            is_alone = is_kept or tag in _VOID or tag == "!"
            yield _Piece(begin, place, tag, bool(token["end"]), is_alone), {} if is_kept else attributes

    def _is_kept(self, attributes: Mapping[str, tuple[int, int]]) -> bool:
        def value(name: str) -> str:
            begin, end = attributes.get(name, (0, 0))
            return self._text[begin:end].lower()

        return value("translate") == "no" or "notranslate" in value("class").split()

    def _end_of(self, tag: str, start: re.Match[str]) -> int:
        """Where a kept element ends; it may hold others of its kind."""
        depth, place = 1, start.end()
        if start[0].endswith("/>") or tag in self._unclosed:
            return place
        for token in _PLAIN_TAG.finditer(self._text) if not self._tags else ():
            gain = -1 if token[1] else not token[0].endswith("/>")
            self._tags.setdefault(token[2].lower(), []).append((token.start(), token.end(), gain))
        tags = self._tags.get(tag, [])
        for number in range(bisect_left(tags, (place, 0, 0)), len(tags)):
            _, end, gain = tags[number]
            depth += gain
            if depth == 0:
                return end
        self._unclosed.add(tag)
        return place  # only its tag is kept

    def _attributes(self, piece: _Piece, attributes: Mapping[str, tuple[int, int]]) -> Iterator[NestedSlot]:
        for name, (begin, end) in attributes.items():
            source = _SPACE.sub(" ", unescape(self._text[begin:end])).strip()
            if source and self._is_translated(piece.tag, name, attributes):
                inline = InlineText(table := CodeTable())
                inline.add(source)
                unit = Unit(self._key(), str(inline), tuple(table.codes), note=f"{name} of <{piece.tag}>")
                yield _Attribute(unit, begin, end, (None,) * len(table.codes), self._text[begin - 1] in "\"'")

    def _is_translated(self, tag: str, name: str, attributes: Mapping[str, tuple[int, int]]) -> bool:
        def value(of: str) -> str:
            begin, end = attributes.get(of, (0, 0))
            return self._text[begin:end].lower()

        if self._is_kept(attributes):
            return False
        if tag == "meta":
            return name == "content" and (value("name") in _DESCRIPTIONS or value("property") in _DESCRIPTIONS)
        return name in _TRANSLATED or (name == "value" and tag == "input" and value("type") in _BUTTONS)

    def _key(self) -> str:
        self._number += 1
        return str(self._number)

    def _paragraph(self, pieces: Sequence[_Piece]) -> Iterator[NestedSlot]:
        pairs = _pairs(pieces)
        inside = [place for place, piece in enumerate(pieces) if pairs[place] or self._has_text(piece)]
        if not any(not pieces[place].tag for place in inside):
            return
        first, last = inside[0], inside[-1]
        inline, spans = InlineText(table := CodeTable()), list[tuple[int, int] | None]()
        begin, end = self._edges(pieces[first], pieces[last])
        for place in range(first, last + 1):
            piece = pieces[place]
            if piece.tag:
                inline.code(self._code(piece, pairs[place]), same=place)
            else:
                text = self._text[max(piece.begin, begin) : min(piece.end, end)]
                inline.add(_SPACE.sub(" ", unescape(text)))
            spans += [(piece.begin, piece.end) if piece.tag else None] * (len(table.codes) - len(spans))
        yield NestedSlot(Unit(self._key(), str(inline), tuple(table.codes)), begin, end, tuple(spans))

    def _has_text(self, piece: _Piece) -> bool:
        return not piece.tag and bool(_SPACE.sub("", self._text[piece.begin : piece.end]))

    def _edges(self, first: _Piece, last: _Piece) -> tuple[int, int]:
        begin, end = first.begin, last.end
        if not first.tag:
            text = self._text[first.begin : first.end]
            begin += len(text) - len(text.lstrip(" \t\r\n\f"))
        if not last.tag:
            end = last.begin + len(self._text[last.begin : last.end].rstrip(" \t\r\n\f"))
        return begin, end

    def _code(self, piece: _Piece, pair: str) -> Code:
        markup = self._text[piece.begin : piece.end]
        if not pair:
            return Code(markup, shown=piece.tag if piece.tag != "!" else markup[:20])
        kind: Literal["open", "close"] = "close" if piece.is_end else "open"
        return Code(markup, kind, pair, f"/{piece.tag}" if piece.is_end else piece.tag)


def _places(token: re.Match[str]) -> dict[str, tuple[int, int]]:
    """Where the values of a tag's attributes stand, without quotation marks."""
    places: dict[str, tuple[int, int]] = {}
    for match in _ATTRIBUTE.finditer(token.string, token.start("attributes"), token.end("attributes")):
        quoted = match[2][0] in "\"'"
        places.setdefault(match[1].lower(), (match.start(2) + quoted, match.end(2) - quoted))
    return places


def _pairs(pieces: Sequence[_Piece]) -> list[str]:
    """The name of the pair that a piece belongs to; none for what stands alone."""
    pairs = ["" for _ in pieces]
    waiting: list[tuple[str, int]] = []
    for place, piece in enumerate(pieces):
        if not piece.tag or piece.is_alone:
            continue
        if not piece.is_end:
            waiting.append((piece.tag, place))
            continue
        depth = next((number for number in range(len(waiting) - 1, -1, -1) if waiting[number][0] == piece.tag), None)
        if depth is not None:
            pairs[place] = pairs[waiting[depth][1]] = f"{piece.tag}{waiting[depth][1] + 1}"
            del waiting[depth:]
    return pairs
