"""Inline mark-up of a piece of text as codes: what stands in angle brackets, for whoever sends text with tags."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from dragoman.cat.segments import Code, code_char, code_place

__all__ = ["coded", "written"]

_TAG = re.compile(
    r"<!--(?:(?!-->|<!--).)*+-->|<!\[CDATA\[(?:(?!\]\]>|<!\[CDATA\[).)*+\]\]>|<[!?][^<>]*>|</?>"
    r"|<(?P<close>/?)(?P<name>[A-Za-z_][\w:.-]*|\d{1,3}(?=/?>))"  # <0> of interfaces in programs
    r"(?P<rest>(?:[^<>\"'/]|/(?!>)|\"[^\"<]*+\"|'[^'<]*+')*+|[^<>]*?)(?P<end>/?)>",  # > may be in quotes
    re.S,
)
_KEPT = {"script", "style", "pre", "template", "object", "iframe", "svg", "math", "code", "kbd", "samp", "var"}
_KEPT_BY_HAND = re.compile(
    r"\stranslate\s*=\s*[\"']?no\b|\sclass\s*=\s*(?:\"[^\"]*\b|'[^']*\b|)notranslate\b", re.IGNORECASE
)
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}


def coded(text: str) -> tuple[str, tuple[Code, ...]]:
    """The text with its tags as codes, its entities as characters. Tags are paired by name; others stand alone.

    An element of code, a script, and what says `translate="no"` is one code with all that is in it.
    """
    codes: list[Code] = []
    pieces: list[str] = []
    stack: list[tuple[str, int]] = []  # names and places of codes that are open
    place = 0

    def add(code: Code) -> None:
        pieces.append(code_char(len(codes)))
        codes.append(code)

    def read(words: str) -> None:
        begin = 0
        for private in _PRIVATE.finditer(words):
            pieces.append(html.unescape(words[begin : private.start()]))
            add(Code(private.group()))
            begin = private.end()
        pieces.append(html.unescape(words[begin:]))

    tags = list(_TAG.finditer(text))
    ends = _ends(tags)
    for number, tag in enumerate(tags):
        if tag.start() < place:  # inside of what is kept
            continue
        read(text[place : tag.start()])
        place = tag.end()
        name = (tag["name"] or "").casefold()
        if number in ends and (name in _KEPT or _KEPT_BY_HAND.search(tag["rest"])):
            place = tags[ends[number]].end()
            add(Code(text[tag.start() : place], shown=name))
            continue
        if tag["close"] and any(name == each for each, _ in stack):
            while stack[-1][0] != name:
                stack.pop()
            opening = stack.pop()[1]
            codes[opening] = Code(codes[opening].text, "open", str(opening), name)
            add(Code(tag.group(), "close", str(opening), name))
            continue
        if name and not tag["close"] and not tag["end"] and name not in _VOID:
            stack.append((name, len(codes)))
        add(Code(tag.group(), shown=name))
    read(text[place:])
    return "".join(pieces), tuple(codes)


def _ends(tags: Sequence[re.Match[str]]) -> dict[int, int]:
    """Which tag closes each that is closed, by their numbers."""
    ends: dict[int, int] = {}
    waiting: dict[str, list[int]] = {}
    for number, tag in enumerate(tags):
        name = (tag["name"] or "").casefold()
        if tag["close"] and waiting.get(name):
            ends[waiting[name].pop()] = number
        elif name and not tag["close"] and not tag["end"]:
            waiting.setdefault(name, []).append(number)
    return ends


def written(text: str, codes: Sequence[Code]) -> str:
    """The text with its codes as they were, and what would look like mark-up as entities."""
    pieces = []
    for char in text:
        place = code_place(char)
        pieces.append(html.escape(char, quote=False) if place is None else codes[place].text)
    return "".join(pieces)
