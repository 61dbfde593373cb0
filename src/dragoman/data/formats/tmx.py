"""TMX 1.4b, the exchange format of translation memories, level 2: read as a stream, written properly.

A unit may have any number of languages; a bitext takes two of them. The whole units, with dates, authors, contexts and
notes, are read by `read_units` and written back by `write_units`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TextIO
from xml.parsers import expat

from dragoman import __version__
from dragoman.data.bitext import Bitext, Pair, PairSource
from dragoman.data.formats.base import Format
from dragoman.data.formats.tmx_reading import INLINE, iter_units
from dragoman.data.memory import TranslationUnit, TranslationUnits, Variant
from dragoman.data.xml import Start, attribute, content, events
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, open_writer
from dragoman.options import check_options, option

__all__ = ["TmxFormat", "variants_in"]


@dataclass(frozen=True)
class TmxFormat(Format):
    """Translation memories.

    Languages are compared regardless of case; `en` also stands for `en-US` where a unit has no plain `en`. If none is
    named, the source is the header's and the target the only other one of the first unit. With `markup="keep"` texts
    are XML content, with inline elements and `&amp;` as in the file; `strip` leaves the codes out.
    """

    name: ClassVar[str] = "tmx"
    holds: ClassVar[type] = Bitext
    suffixes: ClassVar[tuple[str, ...]] = (".tmx",)

    source_lang: str | None = option(None, text="BCP 47 tag of the source")
    target_lang: str | None = option(None, text="BCP 47 tag of the target")
    markup: Literal["strip", "keep"] = option(
        "strip", choices=("strip", "keep"), text="inline elements (bpt, ept, it, ph, hi, ut) inside segments"
    )
    line_breaks: Literal["keep", "space"] = option("keep", choices=("keep", "space"), text="inside segments")
    on_missing: Literal["error", "drop"] = option(
        "error", choices=("error", "drop"), text="what to do with a unit without one of the two languages"
    )
    several: Literal["error", "first", "all"] = option(
        "error", choices=("error", "first", "all"), text="which segments to take where a unit has several in a language"
    )

    def __post_init__(self) -> None:
        check_options(self)

    def read(self, path: StrPath) -> Bitext:
        """The pairs of two languages; the file is opened now to find them, and again when the bitext is iterated."""
        source, target = self.source_lang, self.target_lang
        if source is None or target is None:
            source, target = _find_languages(path, source, target)
        part = _TmxPairs(os.fspath(path), replace(self, source_lang=source, target_lang=target))
        return Bitext((part,), source, target)

    def write(self, value: Bitext, path: StrPath) -> None:
        """Write a unit for each pair; both languages must be known."""
        source, target = self.source_lang or value.source_lang, self.target_lang or value.target_lang
        if not source or not target:
            raise DataError("TMX names the language of every segment; give source_lang and target_lang.")
        units = (TranslationUnit((Variant(source, src), Variant(target, tgt))) for src, tgt in value)
        replace(self, source_lang=source).write_units(units, path)

    def read_units(self, path: StrPath) -> TranslationUnits:
        """All units with all they hold."""
        return TranslationUnits(_TmxUnits(os.fspath(path), self))

    def write_units(self, units: Iterable[TranslationUnit], path: StrPath) -> None:
        """Write whole units; the header names `source_lang`, or says that any language can be the source."""
        with _document(path, self.source_lang or "*all*") as stream:
            for number, unit in enumerate(units, start=1):
                stream.write(_unit(unit, number, markup=self.markup))


@dataclass(frozen=True)
class _TmxUnits:
    path: str
    form: TmxFormat

    def __iter__(self) -> Iterator[TranslationUnit]:
        return iter_units(self.path, markup=self.form.markup, line_breaks=self.form.line_breaks)


@dataclass(frozen=True)
class _TmxPairs(PairSource):
    path: str
    form: TmxFormat

    @property
    def label(self) -> str:
        return self.path

    def pairs(self) -> Iterator[Pair]:
        source, target = self.form.source_lang or "", self.form.target_lang or ""
        for number, unit in enumerate(_TmxUnits(self.path, self.form), start=1):
            srcs, tgts = (self._choose(unit, number, lang) for lang in (source, target))
            yield from ((src, tgt) for src in srcs for tgt in tgts)

    def _choose(self, unit: TranslationUnit, number: int, lang: str) -> list[str]:
        """The texts in a language; none if the unit lacks it and that is allowed."""
        variants = variants_in(unit, lang)
        if not variants and self.form.on_missing == "error":
            has = ", ".join(variant.lang for variant in unit.variants)
            raise FormatError(
                f"{_name(unit, number)} has no {lang} segment, but {has}. Drop such units with on_missing='drop'.",
                path=self.path,
                line=unit.line,
            )
        if len(variants) > 1 and self.form.several == "error":
            has = ", ".join(variant.lang for variant in variants)
            raise FormatError(
                f"{_name(unit, number)} has {len(variants)} segments for {lang} ({has}). Name the language exactly, or "
                "take them with several='first' or 'all'.",
                path=self.path,
                line=unit.line,
            )
        return [variant.text for variant in (variants[:1] if self.form.several == "first" else variants)]


def variants_in(unit: TranslationUnit, lang: str) -> list[Variant]:
    """The variants in a language; if there are none, those of its regions."""
    wanted = _plain(lang)
    exact = [variant for variant in unit.variants if _plain(variant.lang) == wanted]
    return exact or [variant for variant in unit.variants if _plain(variant.lang).startswith(wanted + "-")]


def _plain(lang: str) -> str:
    return lang.lower().replace("_", "-")


def _name(unit: TranslationUnit, number: int) -> str:
    tuid = unit.attributes.get("tuid")
    return f"unit {number}" if tuid is None else f"unit {number} ({tuid!r})"


def _find_languages(path: StrPath, source: str | None, target: str | None) -> tuple[str, str]:
    first = next(iter_units(path), None)
    if first is None:
        raise FormatError("the memory is empty, so its languages are unknown; name them.", path=path)
    langs = list(dict.fromkeys(variant.lang for variant in first.variants))

    def only_other(lang: str) -> str | None:
        taken = {variant.lang for variant in variants_in(first, lang)}
        others = [each for each in langs if each not in taken]
        return others[0] if len(others) == 1 else None

    if source is None and target is None:
        # The header's source language holds unless the unit has its own; *all* means that any may be the source.
        declared = first.attributes.get("srclang") or _header_language(path) or "*all*"
        source = declared if variants_in(first, declared) else None
    if source is not None:
        target = target or only_other(source)
    elif target is not None:
        declared = _header_language(path) or "*all*"
        is_source = variants_in(first, declared) and declared not in {v.lang for v in variants_in(first, target)}
        source = declared if is_source else only_other(target)
    if source is None or target is None:
        raise FormatError(
            f"the first unit has {', '.join(langs)}; name the two languages to take (source_lang, target_lang).",
            path=path,
            line=first.line,
        )
    return source, target


def _header_language(path: StrPath) -> str | None:
    for event in events(path):
        if isinstance(event, Start) and event.tag == "header":
            return event.attributes.get("srclang")
        if isinstance(event, Start) and event.tag == "tu":
            break
    return None


@contextmanager
def _document(path: StrPath, source_lang: str) -> Iterator[TextIO]:
    """The frame of a document. No date: the same units give the same bytes."""
    with open_writer(path) as stream:
        stream.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
            '<tmx version="1.4">\n'
            f'<header creationtool="Dragoman" creationtoolversion={attribute(__version__)} segtype="sentence" '
            f'o-tmf="Dragoman" adminlang="en" srclang={attribute(source_lang)} datatype="plaintext"/>\n'
            "<body>\n"
        )
        yield stream
        stream.write("</body>\n</tmx>\n")


def _unit(unit: TranslationUnit, number: int, *, markup: str) -> str:
    if not unit.variants:
        raise DataError(f"{_name(unit, number).capitalize()} has no segments; TMX demands at least one.")
    lines = [f"<tu{_attributes(unit)}>", *_remarks(unit)]
    for variant in unit.variants:
        if markup == "keep":
            _check_inline(variant.text, _name(unit, number))
        text = variant.text if markup == "keep" else content(variant.text)
        remarks = "".join(_remarks(variant))
        lines.append(f"<tuv xml:lang={attribute(variant.lang)}{_attributes(variant)}>{remarks}<seg>{text}</seg></tuv>")
    lines.append("</tu>\n")
    return "\n".join(lines)


def _attributes(holder: TranslationUnit | Variant) -> str:
    return "".join(f" {name}={attribute(value)}" for name, value in holder.attributes.items())


def _remarks(holder: TranslationUnit | Variant) -> list[str]:
    notes = [f"<note>{content(note)}</note>" for note in holder.notes]
    return [*notes, *(f"<prop type={attribute(kind)}>{content(value)}</prop>" for kind, value in holder.props)]


def _check_inline(text: str, unit: str) -> None:
    """Raise unless the text is XML content with no elements but TMX's inline ones."""

    def start(tag: str, _: dict[str, str]) -> None:
        if tag not in INLINE and tag != "seg":
            raise DataError(f"The text of {unit} has <{tag}>, which is no inline element of TMX: {text[:60]!r}.")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    try:
        # Inside an element there can be no DOCTYPE, hence no entities.
        parser.Parse(f"<seg>{text}</seg>".encode(), True)
    except expat.ExpatError as error:
        raise DataError(
            f"The text of {unit} is no XML content ({error}): {text[:60]!r}. Write it with markup='strip'."
        ) from None
