"""The inline elements of XLIFF and TMX as codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from dragoman.cat.files.inline import CodeTable, InlineText
from dragoman.cat.files.markup import Element, Token, attributes_of, text_of, tokens
from dragoman.cat.segments import Code

__all__ = ["Dialect", "inline_text", "read_inline"]


@dataclass(frozen=True)
class Dialect:
    """Which inline elements a format has. All others are codes for their tags, with their text between."""

    whole: frozenset[str] = frozenset()  # their content is a code, too, but for <sub>, which is text inside it
    halves: Mapping[str, Literal["open", "close"]] = field(default_factory=dict)  # an element for each end of a pair
    pairs: tuple[str, ...] = ("id",)  # the attributes, first one first, by which two halves belong together
    ids: tuple[str, ...] = ("id",)
    protected: tuple[tuple[str, str], ...] = ()  # attributes that say that an element's text is not to be translated
    shown: tuple[str, ...] = ()  # attributes that say what a code stands for


def inline_text(element: Element, dialect: Dialect, table: CodeTable) -> str:
    """The content of an element as text with codes of a unit's table."""
    text = InlineText(table)
    read_inline(element.text, element.inner_begin, element.inner_end, dialect, text, prefix=element.prefix)
    return str(text)


def read_inline(text: str, begin: int, end: int, dialect: Dialect, into: InlineText, *, prefix: str = "") -> None:
    """Read the content `[begin, end)` of an element; `prefix` is that of the dialect's tags, with its colon."""
    _Reader(text, dialect, into, prefix).read(begin, end)


class _Reader:
    def __init__(self, text: str, dialect: Dialect, into: InlineText, prefix: str) -> None:
        self._text = text
        self._dialect = dialect
        self._into = into
        self._prefix = prefix
        self._open: list[tuple[str, str]] = []  # tag and pair of elements whose text is being read
        self._code = -1  # where the code began that is being read
        self._depth = 0  # of elements inside it
        self._subs: list[tuple[int, str, str]] = []  # depth, first tag and pair of codes that a <sub> interrupts
        self._pair = ""  # of the interrupted code that goes on
        self._head = ""  # the first tag of the code
        self._number = 0

    def read(self, begin: int, end: int) -> None:
        for token in tokens(self._text, begin, end):
            if self._code >= 0:
                self._inside_code(token)
            elif token.kind in {"text", "cdata"}:
                self._into.add(text_of(self._text, token))
            elif token.kind == "start":
                self._start(token)
            elif token.kind == "end":
                self._end(token)
            else:
                self._alone(token)

    def _tag(self, token: Token) -> str:
        return token.tag.removeprefix(self._prefix)

    def _start(self, token: Token) -> None:
        tag, markup = self._tag(token), self._text[token.begin : token.end]
        attributes = attributes_of(markup)
        if tag in self._dialect.whole or any(attributes.get(name) == value for name, value in self._dialect.protected):
            self._code, self._depth, self._head, self._pair = token.begin, 0, markup, ""
            return
        ident = self._ident(attributes)
        pair = self._unique(tag, ident)
        self._open.append((tag, pair))
        code = Code(markup, "open", pair, self._shown(attributes) or f"{tag}{ident}")
        self._into.code(code, same=(tag, ident or markup))

    def _end(self, token: Token) -> None:
        tag = self._tag(token)
        if tag == "sub" and self._subs:
            self._depth, self._head, self._pair = self._subs.pop()
            self._code = token.begin
            return
        tag, pair = self._open.pop() if self._open else (tag, "")
        self._into.code(
            Code(self._text[token.begin : token.end], "close", pair, f"/{pair or tag}"), same=(tag, pair, "close")
        )

    def _alone(self, token: Token) -> None:
        markup = self._text[token.begin : token.end]
        if token.kind != "empty":
            self._into.code(Code(markup, shown=markup[:20]))
            return
        tag, attributes = self._tag(token), attributes_of(markup)
        self._whole_code(tag, attributes, markup)

    def _whole_code(self, tag: str, attributes: dict[str, str], markup: str, shown: str = "") -> None:
        ident = self._ident(attributes)
        half: Literal["open", "close", "alone"] = self._dialect.halves.get(tag, "alone")
        key = next((attributes[name] for name in self._dialect.pairs if name in attributes), "")
        code = Code(
            markup, half, f"p{key}" if half != "alone" else "", self._shown(attributes) or shown or ident or tag
        )
        self._into.code(code, same=(tag, ident or markup, "whole"))  # an empty `<g/>` is not the start of a `<g>`

    def _inside_code(self, token: Token) -> None:
        if token.kind == "start" and self._tag(token) == "sub":
            self._interrupt(token)
        elif token.kind == "start":
            self._depth += 1
        elif token.kind == "end" and self._depth:
            self._depth -= 1
        elif token.kind == "end":
            self._finish(token)

    def _interrupt(self, token: Token) -> None:
        """Text inside a code: the code is cut in two."""
        markup = self._text[self._code : token.end]
        tag = self._head[1:].partition(" ")[0].rstrip(">")
        kind: Literal["open", "alone"] = "alone" if self._pair else "open"
        pair = self._pair or self._unique("sub", self._ident(attributes_of(self._head)))
        self._into.code(Code(markup, kind, "" if self._pair else pair, f"{tag}<"))
        self._subs.append((self._depth, self._head, pair))
        self._code = -1

    def _finish(self, token: Token) -> None:
        markup = self._text[self._code : token.end]
        self._code = -1
        tag = self._tag(token)
        if self._pair:
            self._into.code(Code(markup, "close", self._pair, f">{tag}"))
            self._pair = ""
            return
        inside = "".join(text_of(markup, each) for each in tokens(markup) if each.kind in {"text", "cdata"}).strip()
        self._whole_code(tag, attributes_of(self._head), markup, inside[:20])

    def _ident(self, attributes: Mapping[str, str]) -> str:
        return next((attributes[name] for name in self._dialect.ids if name in attributes), "")

    def _shown(self, attributes: Mapping[str, str]) -> str:
        return next((attributes[name] for name in self._dialect.shown if name in attributes), "")

    def _unique(self, tag: str, ident: str) -> str:
        self._number += 1
        return f"{tag}{ident}" if ident else f"{tag}.{self._number}"
