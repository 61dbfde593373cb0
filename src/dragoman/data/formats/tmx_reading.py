"""The units of a TMX file as a stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from warnings import warn

from dragoman.data.memory import TranslationUnit, Variant
from dragoman.data.xml import End, Start, Text, attribute, content, events
from dragoman.errors import FormatError, MendedInput
from dragoman.files import StrPath

__all__ = ["INLINE", "iter_units"]

# TMX 1.4b §2: codes that stand in the text as their own content; <hi> marks text, <sub> is text inside a code.
_CODES = {"bpt", "ept", "it", "ph", "ut"}
INLINE = _CODES | {"hi", "sub"}
_EMPTY_UNIT = "<tu> has no <tuv> with a segment; it is passed over."
_EMPTY_VARIANT = "<tuv> has no <seg>; it is passed over."
_BREAKS = re.compile(r"(?<![^\S\n])[^\S\n]*+\n\s*+")


def iter_units(path: StrPath, *, markup: str = "strip", line_breaks: str = "keep") -> Iterator[TranslationUnit]:
    """The units of a file, one by one; what is wrong raises `FormatError` with path and line.

    Units and variants without a text are passed over, with a warning (`MendedInput`) when the file has been read.
    """
    reader = _Reader(path, markup, line_breaks)
    for event in events(path):
        if isinstance(event, Start):
            reader.start(event)
        elif isinstance(event, Text):
            reader.text(event)
        else:
            unit = reader.end(event)
            if unit is not None:
                yield unit
    for rule, lines in reader.passed_over.items():
        warn(MendedInput.of_lines(rule, lines, path=path), stacklevel=2)


@dataclass
class _Open:
    """A unit or variant whose end has not come yet."""

    line: int
    attributes: dict[str, str]
    lang: str = ""
    segment: str | None = None
    props: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class _Reader:
    def __init__(self, path: StrPath, markup: str, line_breaks: str) -> None:
        self.passed_over: dict[str, list[int]] = {}  # rule → lines
        self._path = path
        self._keep = markup == "keep"
        self._one_line = line_breaks == "space"
        self._seen_root = False
        self._unit: _Open | None = None
        self._variants: list[Variant] = []
        self._variant: _Open | None = None
        self._remark: list[str] | None = None  # text of a <note> or <prop>
        self._remark_type = ""
        self._segment: list[str] | None = None
        self._hidden = 0  # depth inside codes that are left out
        self._open_tag = ""  # of an inline element that may turn out empty

    def start(self, event: Start) -> None:
        tag, attributes = event.tag, event.attributes
        if not self._seen_root:
            if tag != "tmx":
                raise self._error(f"this is no TMX file: it begins with <{tag}>", event.line)
            self._seen_root = True
        elif self._segment is not None:
            self._start_inline(event)
        elif tag == "tu":
            self._check(self._unit is None, "<tu> inside another <tu>", event.line)
            self._unit = _Open(event.line, attributes)
            self._variants = []
        elif tag == "tuv":
            self._check(self._unit is not None and self._variant is None, "<tuv> outside a <tu>", event.line)
            # Before version 1.4 the attribute was called lang.
            lang = attributes.pop("xml:lang", None) or attributes.pop("lang", None)
            self._check(lang, "<tuv> without xml:lang; its language is unknown", event.line)
            self._variant = _Open(event.line, attributes, lang=lang or "")
        elif tag == "seg":
            self._check(self._variant is not None, "<seg> outside a <tuv>", event.line)
            self._check(self._variant and self._variant.segment is None, "a second <seg> in one <tuv>", event.line)
            self._segment = []
        elif tag in {"note", "prop"}:
            self._remark = []
            self._remark_type = attributes.get("type", "")

    def text(self, event: Text) -> None:
        if self._segment is not None:
            if not self._hidden:
                self._close_start_tag()
                self._segment.append(content(event.text) if self._keep else event.text)
        elif self._remark is not None:
            self._remark.append(event.text)

    def end(self, event: End) -> TranslationUnit | None:
        if self._segment is not None:
            self._end_inside_segment(event.tag, self._segment)
        elif self._remark is not None and event.tag in {"note", "prop"}:
            self._end_remark(event.tag)
        elif event.tag == "tuv" and self._variant is not None:
            self._end_variant(self._variant)
            self._variant = None
        elif event.tag == "tu" and self._unit is not None:
            unit, self._unit = self._unit, None
            if not self._variants:
                self.passed_over.setdefault(_EMPTY_UNIT, []).append(unit.line)
                return None
            variants, props, notes = tuple(self._variants), tuple(unit.props), tuple(unit.notes)
            return TranslationUnit(variants, unit.attributes, props, notes, unit.line)
        return None

    def _end_variant(self, variant: _Open) -> None:
        if variant.segment is None:
            self.passed_over.setdefault(_EMPTY_VARIANT, []).append(variant.line)
            return
        props, notes = tuple(variant.props), tuple(variant.notes)
        self._variants.append(Variant(variant.lang, variant.segment, variant.attributes, props, notes))

    def _start_inline(self, event: Start) -> None:
        self._check(event.tag in INLINE, f"<{event.tag}> inside <seg> is no inline element of TMX 1.4b", event.line)
        if self._keep:
            self._close_start_tag()
            spelled = "".join(f" {name}={attribute(value)}" for name, value in event.attributes.items())
            self._open_tag = f"<{event.tag}{spelled}"
        elif self._hidden or event.tag in _CODES:
            self._hidden += 1

    def _end_inside_segment(self, tag: str, segment: list[str]) -> None:
        if tag == "seg":
            text = "".join(segment)
            if self._one_line:
                text = _BREAKS.sub(" ", text).strip(" ")
            if self._variant is not None:
                self._variant.segment = text
            self._segment = None
        elif self._keep:
            segment.append(f"{self._open_tag}/>" if self._open_tag else f"</{tag}>")
            self._open_tag = ""
        elif self._hidden:
            self._hidden -= 1

    def _close_start_tag(self) -> None:
        if self._open_tag and self._segment is not None:
            self._segment.append(f"{self._open_tag}>")
            self._open_tag = ""

    def _end_remark(self, tag: str) -> None:
        holder = self._variant or self._unit
        text = "".join(self._remark or [])
        self._remark = None
        if holder is None:
            return  # the header's own
        if tag == "prop":
            holder.props.append((self._remark_type, text))
        else:
            holder.notes.append(text)

    def _check(self, fine: object, message: str, line: int) -> None:
        if not fine:
            raise self._error(message, line)

    def _error(self, message: str, line: int) -> FormatError:
        return FormatError(f"{message}.", path=self._path, line=line)
