"""Translation memories as files for translation: units whose target is missing or to be revised (TMX 1.4b)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from dragoman.cat.files.base import Keys, Langs, Slot, TextFormat
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import CodeTable, written
from dragoman.cat.files.markup import Element, check_fragment, escape, replaced, tree, xml_document
from dragoman.cat.files.xml_inline import Dialect, inline_text
from dragoman.cat.segments import Target, Unit
from dragoman.data.xml import NOT_XML, attribute
from dragoman.errors import DataError
from dragoman.options import option

__all__ = ["DIALECT", "Tmx"]

DIALECT = Dialect(
    whole=frozenset({"bpt", "ept", "it", "ph", "ut"}),
    halves={"bpt": "open", "ept": "close"},
    pairs=("i",),
    ids=("i", "x"),
)


@dataclass(frozen=True)
class _Pair(Slot):
    source: Element  # <tuv>
    target: Element | None  # <seg> of the target
    lang: str  # of the target; empty if the file has only one language


@dataclass(frozen=True)
class Tmx(TextFormat[_Pair]):
    """TMX: every unit's segment in the target language, replaced, or added behind the source where there is none.

    The source language is that of the header, the target language the only other one; else the options name them.
    """

    name: ClassVar[str] = "tmx"
    suffixes: ClassVar[tuple[str, ...]] = (".tmx",)
    bilingual: ClassVar[bool] = True
    escaped: ClassVar[bool] = True
    forbidden: ClassVar[re.Pattern[str] | None] = NOT_XML
    source_lang: str = option("", text="Language of the sources; that of the header if empty.")
    target_lang: str = option("", text="Language of the targets; the only other one if empty.")

    def document(self, content: bytes, name: str) -> Document:
        """The file, checked to be TMX."""
        document = xml_document(content, name)
        root = tree(document)
        if root.tag != "tmx":
            raise document.error(f"this is no TMX file: it begins with <{root.tag}>.", root.begin)
        return document

    def languages(self, content: bytes, *, name: str = "file") -> Langs:
        """Those whose segments are taken."""
        document = self.document(content, name)
        root = tree(document)
        return self._langs(document, root, list(root.within("tu")))

    def for_languages(self, content: bytes, langs: Langs, *, name: str = "file") -> Tmx:
        """The format for these two of several languages."""
        root = tree(self.document(content, name))
        found = {_lang(variant).lower() for unit in root.within("tu") for variant in unit.named("tuv")}
        return replace(self, source_lang=langs[0], target_lang=langs[1]) if len(found) > 2 else self

    def slots(self, document: Document) -> Sequence[_Pair]:
        """One for each unit that has a segment in the source language."""
        root = tree(document)
        units = list(root.within("tu"))
        source_lang, target_lang = self._langs(document, root, units)
        keys = Keys()
        slots = []
        for number, element in enumerate(units, start=1):
            source = _variant(element, source_lang)
            if source is not None:
                key = keys.unique(element.attributes.get("tuid") or str(number))
                target = _variant(element, target_lang)
                slots.append(_pair(document, element, source, target, key, target_lang))
        return slots

    def _langs(self, document: Document, root: Element, units: Sequence[Element]) -> Langs:
        header = root.first("header")
        declared = header.attributes.get("srclang", "") if header else ""
        source = self.source_lang or ("" if declared == "*all*" else declared)
        langs = list(dict.fromkeys(_lang(variant) for unit in units for variant in unit.named("tuv")))
        source = source or (langs[0] if langs else "")
        others = [lang for lang in langs if not _is_of(lang, source)]
        if not self.target_lang and len(others) > 1:
            raise document.error(
                f"the memory has {', '.join(langs)}; name two: tmx:source_lang={source},target_lang={others[0]}.",
                root.begin,
            )
        return source, self.target_lang or (others[0] if others else "")

    def edits(self, document: Document, slot: _Pair, target: Target) -> Iterable[Edit]:
        """The segment's content, or a new variant behind the source."""
        if target.text == slot.unit.target:
            return []
        markup = written(target.text, slot.unit.codes, lambda text: escape(text, document.newline))
        check_fragment(markup, slot.unit.key)
        return replaced(slot.target, markup) if slot.target else [_added(document, slot, markup)]

    def all_edits(
        self, document: Document, slots: Sequence[_Pair], targets: Mapping[str, Target], langs: Langs | None
    ) -> Sequence[Edit]:
        """The edits of all units; the languages of the work hold where the file has only one."""
        if langs:
            slots = [replace(slot, lang=slot.lang or langs[1]) for slot in slots]
        return super().all_edits(document, slots, targets, langs)


def _lang(variant: Element) -> str:
    # Before version 1.4 the attribute was called lang.
    return variant.attributes.get("xml:lang") or variant.attributes.get("lang", "")


def _is_of(lang: str, wanted: str) -> bool:
    lang, wanted = (each.lower().replace("_", "-") for each in (lang, wanted))
    return lang == wanted or lang.startswith(f"{wanted}-") or wanted.startswith(f"{lang}-")


def _variant(element: Element, lang: str) -> Element | None:
    variants = element.named("tuv")
    exact = next((each for each in variants if _lang(each).lower() == lang.lower()), None)
    return exact or next((each for each in variants if lang and _is_of(_lang(each), lang)), None)


def _pair(document: Document, element: Element, source: Element, target: Element | None, key: str, lang: str) -> _Pair:
    segments = [None if variant is None else variant.first("seg") for variant in (source, target)]
    if segments[0] is None or (target is not None and segments[1] is None):
        raise document.error("a <tuv> has no <seg>.", (source if segments[0] is None else target or source).begin)
    table = CodeTable()
    text = inline_text(segments[0], DIALECT, table)
    translation = None if segments[1] is None else inline_text(segments[1], DIALECT, table)
    note = "\n".join(each.plain().strip() for each in element.named("note"))
    state = "translated" if translation else "new"
    unit = Unit(key, text, tuple(table.codes), translation, state, note, cut=False)  # type: ignore[arg-type]
    return _Pair(unit, element.begin, element.end, source, segments[1], lang)


def _added(document: Document, slot: _Pair, markup: str) -> Edit:
    if not slot.lang:
        raise DataError(
            f"{document.name} has no second language; say which the targets are in (langs, or target_lang)."
        )
    source = slot.source
    gap = document.line_gap(source.begin)
    variant = f"<tuv xml:lang={attribute(slot.lang)}><seg>{markup}</seg></tuv>"
    return Edit(source.end, source.end, f"{gap}{variant}")
