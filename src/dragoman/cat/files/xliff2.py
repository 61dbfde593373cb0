"""XLIFF 2.0 and 2.1 (OASIS standards, 2014 and 2018)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.files.base import Keys, Langs, Slot, TextFormat
from dragoman.cat.files.document import Document, Edit, splice
from dragoman.cat.files.inline import CodeTable, written
from dragoman.cat.files.markup import (
    Element,
    check_fragment,
    escape,
    replaced,
    set_attribute,
    tokens,
    tree,
    xml_document,
)
from dragoman.cat.files.xliff1 import percent, xliff_version
from dragoman.cat.files.xml_inline import Dialect, inline_text
from dragoman.cat.segments import Alternative, State, Target, Unit
from dragoman.data.xml import NOT_XML

__all__ = ["Xliff2"]

_DIALECT = Dialect(
    halves={"sc": "open", "ec": "close", "sm": "open", "em": "close"},
    pairs=("startRef", "id"),
    ids=("id", "startRef", "hex"),
    protected=(("translate", "no"),),
    shown=("disp", "equiv"),
)
_STATES: dict[str, State] = {"initial": "new", "translated": "translated", "reviewed": "approved", "final": "approved"}
_WRITTEN: dict[State, str] = {
    "new": "initial",
    "draft": "initial",
    "translated": "translated",
    "approved": "reviewed",
    "rejected": "initial",
}


@dataclass(frozen=True)
class _Segment(Slot):
    element: Element  # <segment>
    source: Element
    target: Element | None


@dataclass(frozen=True)
class Xliff2(TextFormat[_Segment]):
    """XLIFF 2.0 and 2.1: segment by segment, with `pc`, `sc`, `ec`, `ph`, `mrk` and all other inline elements as codes.

    Matches of the translation-candidates module are alternatives, notes are shown, `translate="no"` is kept. A missing
    `target` is put behind the source, a missing `trgLang` into the root; the attribute `state` of a segment is kept up.
    """

    name: ClassVar[str] = "xliff2"
    suffixes: ClassVar[tuple[str, ...]] = (".xlf", ".xliff", ".xlf2")
    bilingual: ClassVar[bool] = True
    escaped: ClassVar[bool] = True
    forbidden: ClassVar[re.Pattern[str] | None] = NOT_XML

    def recognises(self, content: bytes) -> bool:
        """Whether the root says version 2."""
        return xliff_version(content) == "2"

    def languages(self, content: bytes, *, name: str = "file") -> Langs:
        """Those of the root."""
        attributes = tree(self.document(content, name)).attributes
        return attributes.get("srcLang", ""), attributes.get("trgLang", "")

    def document(self, content: bytes, name: str) -> Document:
        """The file, checked to be XLIFF 2."""
        document = xml_document(content, name)
        if not self.recognises(content):
            raise document.error("this is no XLIFF 2; for version 1.2 there is the format xliff.", document.start)
        return document

    def slots(self, document: Document) -> Sequence[_Segment]:
        """One for each segment of each unit."""
        keys = Keys()
        return [
            segment
            for file in tree(document).named("file")
            for element in file.within("unit")
            for segment in _segments(document, element, keys, file.attributes.get("id", ""))
        ]

    def edits(self, document: Document, slot: _Segment, target: Target) -> Iterable[Edit]:
        """The content of the target, or a new one behind the source, and the state of the segment."""
        markup = written(target.text, slot.unit.codes, lambda text: escape(text, document.newline))
        check_fragment(markup, slot.unit.key)
        markup = _with_own_ids(markup)
        if slot.target is None:
            yield _inserted(document, slot, markup)
        elif target.text != slot.unit.target:
            yield from replaced(slot.target, markup)
        old = slot.element.attributes.get("state")
        new = _WRITTEN[target.state]
        if target.state != slot.unit.state and new != (old or "initial"):
            yield set_attribute(slot.element, "state", new)

    def all_edits(
        self, document: Document, slots: Sequence[_Segment], targets: Mapping[str, Target], langs: Langs | None
    ) -> Sequence[Edit]:
        """The edits of all segments, and of the root if it does not tell the target language."""
        edits = [*super().all_edits(document, slots, targets, langs)]
        root = slots[0].element.root
        if langs and "trgLang" not in root.attributes:  # without it, targets are not valid
            edits.append(set_attribute(root, "trgLang", langs[1]))
        return edits


def _segments(document: Document, element: Element, keys: Keys, file: str) -> Iterator[_Segment]:
    segments = element.named("segment")
    for number, segment in enumerate(segments, start=1):
        source, target = segment.first("source"), segment.first("target")
        if source is None:
            raise document.error("a <segment> has no <source>.", segment.begin)
        ident = segment.attributes.get("id") or str(number)
        key = keys.unique(f"{file}/{element.attributes.get('id', '')}/{ident}")
        unit = _unit(element, segment, source, target, key, alone=len(segments) == 1)
        yield _Segment(unit, segment.begin, segment.end, segment, source, target)


def _unit(
    element: Element, segment: Element, source: Element, target: Element | None, key: str, *, alone: bool
) -> Unit:
    table = CodeTable()
    text = inline_text(source, _DIALECT, table)
    translation = None if target is None else inline_text(target, _DIALECT, table)
    state = _STATES.get(segment.attributes.get("state", ""), "translated") if translation else "new"
    notes = element.first("notes")
    alternatives = tuple(_matches(element, segment, source, table, alone=alone))
    return Unit(
        key,
        text,
        tuple(table.codes),
        translation,
        "draft" if translation and state == "new" else state,
        "\n".join(note.plain().strip() for note in (notes.named("note") if notes else [])),
        translate=(element.inherited("translate") or "yes") != "no",
        cut=alone and (segment.inherited("canResegment") or "yes") != "no",
        alternatives=alternatives,
    )


def _matches(
    element: Element, segment: Element, source: Element, table: CodeTable, *, alone: bool
) -> Iterator[Alternative]:
    """The translation candidates of a segment: those that refer to it, or to a mark in it; all, if it is alone."""
    ids = {segment.attributes.get("id"), *(mark.attributes.get("id") for mark in source.within("mrk"))}
    for match in [each for module in element.children if module.tag.endswith(":matches") for each in module.children]:
        attributes, own, target = match.attributes, match.first("source"), match.first("target")
        is_ours = alone or attributes.get("ref", "").removeprefix("#") in ids
        if target is None or not is_ours or attributes.get("reference") == "yes":  # a reference is in another language
            continue
        yield Alternative(
            inline_text(target, _DIALECT, table),
            attributes.get("origin", ""),
            percent(attributes.get("similarity") or attributes.get("matchQuality", "")),
            "" if own is None else inline_text(own, _DIALECT, table),
        )


def _with_own_ids(markup: str) -> str:
    """The content of a target in which a code that stands twice has another id the second time, and so have its ends.

    An id stands once in a target (XLIFF 2.1, 4.3.1.21).
    """
    tags = [each for each in tokens(markup) if each.kind in {"start", "empty"}]
    seen: Counter[tuple[str, str]] = Counter()
    taken = {match[2] for each in tags for match in _ID.finditer(markup[each.begin : each.end])}
    edits = []
    for each in tags:
        for match in _ID.finditer(markup, each.begin, each.end):
            name, value = match[1], match[2]
            seen[name, value] += 1
            number = seen[name, value]
            while number > 1 and f"{value}-{number}" in taken:
                number += 1
            if number > 1:
                edits.append(Edit(match.start(2), match.end(2), f"{value}-{number}"))
    return splice(markup, edits) if edits else markup


_ID = re.compile(r"""\s(id|startRef)\s*=\s*["']([^"'<>&]*)["']""")


def _inserted(document: Document, slot: _Segment, markup: str) -> Edit:
    source = slot.source
    gap = document.line_gap(source.begin, slot.element.inner_begin)
    prefix = document.text[source.begin + 1 : source.inner_begin].partition("source")[0]
    return Edit(source.end, source.end, f"{gap}<{prefix}target>{markup}</{prefix}target>")
