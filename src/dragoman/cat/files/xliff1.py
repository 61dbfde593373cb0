"""XLIFF 1.2 (OASIS standard, 2008) and the dialects of it that tools write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.files.base import Keys, Langs, Slot, TextFormat
from dragoman.cat.files.document import Document, Edit, splice
from dragoman.cat.files.inline import CodeTable, written
from dragoman.cat.files.markup import Element, check_fragment, escape, replaced, set_attribute, tree, xml_document
from dragoman.cat.files.xml_inline import Dialect, inline_text
from dragoman.cat.segments import Alternative, State, Target, Unit
from dragoman.data.xml import NOT_XML
from dragoman.notation import whole_number

__all__ = ["Xliff1", "percent", "xliff_version"]

_DIALECT = Dialect(
    whole=frozenset({"bpt", "ept", "it", "ph"}),
    halves={"bpt": "open", "ept": "close", "bx": "open", "ex": "close"},
    pairs=("rid", "id"),
    ids=("id", "mid"),
    protected=(("mtype", "protected"),),
    shown=("equiv-text",),
)
_STATES: dict[str, State] = {
    "new": "new",
    "needs-translation": "draft",
    "needs-adaptation": "draft",
    "needs-l10n": "draft",
    "needs-review-translation": "draft",
    "needs-review-adaptation": "draft",
    "needs-review-l10n": "draft",
    "translated": "translated",
    "signed-off": "approved",
    "final": "approved",
}
# XLIFF has no word for a translation that a reviewer sent back.
_WRITTEN: dict[State, str] = {
    "new": "new",
    "draft": "needs-review-translation",
    "translated": "translated",
    "approved": "signed-off",
    "rejected": "needs-translation",
}


_NOT_PROPOSED = ("rejected", "reference")  # kinds of `alt-trans`: thrown away before, or in another language
_PERCENT = re.compile(r"\s*(\d{1,3}(?:\.\d+)?)\s*%?\s*")


@dataclass(frozen=True)
class _Segment(Slot):
    """A `trans-unit`, or a `mrk` of its `seg-source`."""

    element: Element  # the trans-unit
    source: Element  # <source>, or <mrk mtype="seg"> inside <seg-source>
    place: Element | None  # <target>, or the mrk in it

    @property
    def is_marked(self) -> bool:
        """Whether it is a part of a `seg-source`."""
        return self.source.tag == "mrk"


@dataclass(frozen=True)
class Xliff1(TextFormat[_Segment]):
    """XLIFF 1.2: `trans-unit` by `trans-unit`, or by the segments that a `seg-source` marks.

    Inline elements are codes, also those of other namespaces; text in `sub` and `g` is translated, a protected `mrk` is
    not. `alt-trans` are alternatives, notes are shown, `translate="no"` is kept. A missing `target` is put behind the
    source; the state of a target is its attribute `state`.
    """

    name: ClassVar[str] = "xliff"
    suffixes: ClassVar[tuple[str, ...]] = (".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".mxliff")
    bilingual: ClassVar[bool] = True
    escaped: ClassVar[bool] = True
    forbidden: ClassVar[re.Pattern[str] | None] = NOT_XML

    def recognises(self, content: bytes) -> bool:
        """Whether the root says version 1."""
        return xliff_version(content) != "2"

    def languages(self, content: bytes, *, name: str = "file") -> Langs:
        """Those of the first file."""
        file = tree(self.document(content, name)).first("file")
        attributes = file.attributes if file else {}
        return attributes.get("source-language", ""), attributes.get("target-language", "")

    def document(self, content: bytes, name: str) -> Document:
        """The file, checked to be XLIFF 1."""
        document = xml_document(content, name)
        root = re.compile(r"<(?:[\w.-]+:)?xliff[\s>]").search(document.text)
        if root is None:
            raise document.error("this is no XLIFF: it has no element <xliff>.", document.start)
        if xliff_version(content) == "2":
            raise document.error("this is XLIFF 2; read it with the format xliff2.", root.start())
        return document

    def slots(self, document: Document) -> Sequence[_Segment]:
        """One for each `trans-unit`, or for each of its segments."""
        keys = Keys()
        root = tree(document)
        return [
            segment
            for number, file in enumerate(root.named("file"), start=1)
            for element in file.within("trans-unit")
            for segment in _segments(document, element, keys, str(number))
        ]

    def edits(self, document: Document, slot: _Segment, target: Target) -> Iterable[Edit]:
        """The edits of a segment whose place in the target is there."""
        assert slot.place is not None  # noqa: S101 - see `_filled`
        markup = _markup(document, slot.unit, target)
        edits = [] if target.text == slot.unit.target else replaced(slot.place, markup)
        if target.state != slot.unit.state and not slot.is_marked:  # the state is that of the whole target
            edits.append(set_attribute(slot.place, "state", _WRITTEN[target.state]))
        return edits

    def all_edits(
        self,
        document: Document,
        slots: Sequence[_Segment],
        targets: Mapping[str, Target],
        langs: Langs | None,  # noqa: ARG002 - the contract
    ) -> Sequence[Edit]:
        """Segments whose place is there, one by one; elsewhere the whole target of a `trans-unit`."""
        elements: dict[int, list[_Segment]] = {}
        for slot in slots:
            elements.setdefault(slot.begin, []).append(slot)
        edits: list[Edit] = []
        for segments in elements.values():
            filled = [each for each in segments if each.unit.key in targets]
            if all(each.place for each in filled):
                edits += [edit for each in filled for edit in self.edits(document, each, targets[each.unit.key])]
            else:
                edits += _inserted(document, segments, targets)
        return edits


def xliff_version(content: bytes) -> str:
    """The first digit of the version that the root tells; empty without one."""
    head = content[:4000].replace(b"\0", b"")
    root = re.search(rb"""<(?:[\w.-]+:)?xliff\s[^>]*?\bversion\s*=\s*["'](\d)""", head)
    return root[1].decode() if root else ""


def _segments(document: Document, element: Element, keys: Keys, file: str) -> Iterator[_Segment]:
    source = element.first("source")
    if source is None:
        raise document.error("a <trans-unit> has no <source>.", element.begin)
    target = element.first("target")
    ident = element.attributes.get("id", "")
    marked = element.first("seg-source")
    parts = [] if marked is None else _marks(marked)
    filled = [] if target is None else _marks(target)
    if not parts or (target is not None and not filled and target.inner.strip()):
        unit = _unit(element, source, target, keys.unique(f"{file}/{ident}"), cut=marked is None)
        yield _Segment(unit, element.begin, element.end, element, source, target)
        return
    by_mid = {mark.attributes.get("mid", ""): mark for mark in filled}
    for mark in parts:
        mid = mark.attributes.get("mid", "")
        place = by_mid.get(mid)
        unit = _unit(element, mark, place, keys.unique(f"{file}/{ident}/{mid}"), cut=False, state_of=target)
        yield _Segment(unit, element.begin, element.end, element, mark, place)


def _marks(element: Element) -> list[Element]:
    return [mark for mark in element.within("mrk") if mark.attributes.get("mtype") == "seg"]


def _unit(
    element: Element, source: Element, target: Element | None, key: str, *, cut: bool, state_of: Element | None = None
) -> Unit:
    table = CodeTable()
    text = inline_text(source, _DIALECT, table)
    translation = None if target is None else inline_text(target, _DIALECT, table)
    alternatives = tuple(_alternatives(element, source, table))
    attributes = element.attributes
    width = attributes.get("maxwidth", "") if attributes.get("size-unit") == "char" else ""
    names: dict[str, str] = {name: attributes[name] for name in ("resname", "restype") if name in attributes}
    return Unit(
        key,
        text,
        tuple(table.codes),
        translation,
        _state(element, state_of or target, translation),
        "\n".join(note.plain().strip() for note in element.named("note")),
        translate=(element.inherited("translate") or "yes") != "no",
        cut=cut,
        max_length=whole_number(width) if width else None,
        alternatives=alternatives,
        meta=names,
    )


def _alternatives(element: Element, source: Element, table: CodeTable) -> Iterator[Alternative]:
    """What `alt-trans` propose for a unit, or for one of its marked segments; not what they have in other languages."""
    marked = element.first("seg-source") if source.tag == "mrk" else None
    mid = source.attributes.get("mid", "") if marked else ""
    alone = marked is not None and len(_marks(marked)) == 1
    for match in element.named("alt-trans"):
        if match.attributes.get("alttranstype") in _NOT_PROPOSED:
            continue
        own = match.first("source")
        of_part = match.attributes.get("mid", "")
        for target in match.named("target"):
            part = next((each for each in _marks(target) if each.attributes.get("mid", "") == mid), None)
            proposal = part if part is not None else target if of_part == mid or (alone and not of_part) else None
            if proposal is not None and _is_wanted(element, target):
                yield Alternative(
                    inline_text(proposal, _DIALECT, table),
                    match.attributes.get("origin") or match.attributes.get("tool-id", ""),
                    percent(match.attributes.get("match-quality", "")),
                    inline_text(own, _DIALECT, table) if own is not None and proposal is target else "",
                )


def _is_wanted(element: Element, target: Element) -> bool:
    """Whether a proposal is in the language of the file's targets, as far as either is told."""
    langs = target.attributes.get("xml:lang", ""), element.inherited("target-language") or ""
    bases = [lang.replace("_", "-").partition("-")[0].lower() for lang in langs]
    return not all(bases) or bases[0] == bases[1]


def percent(text: str) -> float | None:
    """A quality as files tell it (`85%`, `85`, `87.5`); None of what is no share of a hundred."""
    number = _PERCENT.fullmatch(text)
    return float(number[1]) if number and float(number[1]) <= 100 else None


def _state(element: Element, target: Element | None, translation: str | None) -> State:
    if not translation:
        return "new"
    if element.attributes.get("approved") == "yes":
        return "approved"
    return _STATES.get(target.attributes.get("state", "") if target else "", "translated")


def _markup(document: Document, unit: Unit, target: Target) -> str:
    markup = written(target.text, unit.codes, lambda text: escape(text, document.newline))
    check_fragment(markup, unit.key)
    return markup


def _inserted(document: Document, segments: Sequence[_Segment], targets: Mapping[str, Target]) -> list[Edit]:
    """A new target behind the source, or behind the `seg-source` with all its marks, empty without a target."""
    element = segments[0].element
    source, old, marked = (element.first(tag) for tag in ("source", "target", "seg-source"))
    assert source is not None  # noqa: S101 - `_segments` has looked
    new = {each.source.begin: _inner(document, each, targets) for each in segments}
    states = {targets[each.unit.key].state for each in segments if each.unit.key in targets}
    state = _WRITTEN[states.pop() if len(states) == 1 else "draft"]
    inner = _with_marks(marked, new) if marked is not None and segments[0].is_marked else new[source.begin]
    if old is not None:  # without some of the marks
        return [*replaced(old, inner), set_attribute(old, "state", state)]
    behind = marked or source
    gap = document.line_gap(source.begin, element.inner_begin)
    prefix = document.text[source.begin + 1 : source.inner_begin].partition("source")[0]
    target = f'<{prefix}target state="{state}">{inner}</{prefix}target>'
    return [Edit(behind.end, behind.end, f"{gap}{target}")]


def _inner(document: Document, segment: _Segment, targets: Mapping[str, Target]) -> str:
    if segment.unit.key in targets:
        return _markup(document, segment.unit, targets[segment.unit.key])
    return segment.place.inner if segment.place else ""


def _with_marks(marked: Element, new: Mapping[int, str]) -> str:
    begin = marked.inner_begin
    edits = [
        Edit(edit.begin - begin, edit.end - begin, edit.text)
        for mark in _marks(marked)
        for edit in replaced(mark, new[mark.begin])
    ]
    return splice(marked.inner, edits)
