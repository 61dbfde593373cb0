"""Rules of segmentation as data: SRX 2.0 (LISA 2008; GALA), read, written and followed.

Patterns of others may take for ever on some texts (a repeat inside a repeat); they get a time, and are named when it is
over. The package `regex` can do that, Python's own `re` cannot.
"""

from __future__ import annotations

import re
import sys
import time
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from math import prod
from typing import Any

from dragoman.cat.files.document import Document
from dragoman.cat.files.markup import Element, tree, xml_document
from dragoman.data.xml import attribute, content
from dragoman.errors import DataError, NotAvailable
from dragoman.text.prefixes import PREFIX_LANGUAGES, prefixes_of

__all__ = ["Srx", "SrxRule", "SrxRules", "default_srx", "read_srx"]

_NUMERIC_ONLY = "#NUMERIC_ONLY#"
_SECONDS = 2.0  # for a rule on a text
_LONGEST = 100_000  # characters of a pattern


@dataclass(frozen=True)
class SrxRule:
    """Between text that ends like `before` and text that begins like `after` a segment ends, or does not."""

    before: str
    after: str
    breaks: bool = True


@dataclass(frozen=True)
class SrxRules:
    """The rules for one language, in order: at each place the first that matches decides (SRX 2.0 §5)."""

    rules: tuple[SrxRule, ...]

    def breaks(self, text: str) -> Sequence[int]:
        """The places at which a segment begins. A pattern that takes too long on the text raises `DataError`."""
        decisions: dict[int, bool] = {}
        for rule in self.rules:
            for place in _places(rule, text):
                decisions.setdefault(place, rule.breaks)
        return sorted(place for place, breaks in decisions.items() if breaks and 0 < place < len(text))


@dataclass(frozen=True)
class Srx:
    """A file of rules: lists of them by name, and which languages each list is for."""

    lists: Mapping[str, tuple[SrxRule, ...]]
    maps: tuple[tuple[str, str], ...]  # pattern of language codes, name of a list
    cascade: bool = True  # all lists whose pattern matches hold, one after the other; otherwise the first
    header: Mapping[str, str] = field(default_factory=dict)  # its other attributes

    def rules(self, lang: str) -> SrxRules:
        """The rules for a language; without any, a unit is one segment."""
        names = [name for pattern, name in self.maps if _is_for(pattern, lang)]
        return SrxRules(tuple(rule for name in (names if self.cascade else names[:1]) for rule in self.lists[name]))

    def to_bytes(self) -> bytes:
        """The rules as a file."""
        header = {"segmentsubflows": "yes", **self.header, "cascade": "yes" if self.cascade else "no"}
        attributes = "".join(f" {name}={attribute(value)}" for name, value in header.items())
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<srx xmlns="http://www.lisa.org/srx20" version="2.0">',
            f"<header{attributes}/>",
            "<body>",
            "<languagerules>",
        ]
        for name, rules in self.lists.items():
            lines += [f"<languagerule languagerulename={attribute(name)}>", *map(_line, rules), "</languagerule>"]
        lines += ["</languagerules>", "<maprules>"]
        lines += [
            f"<languagemap languagepattern={attribute(pattern)} languagerulename={attribute(name)}/>"
            for pattern, name in self.maps
        ]
        return "\n".join([*lines, "</maprules>", "</body>", "</srx>", ""]).encode()


def _line(rule: SrxRule) -> str:
    before, after = content(rule.before), content(rule.after)
    decision = "yes" if rule.breaks else "no"
    return f'<rule break="{decision}"><beforebreak>{before}</beforebreak><afterbreak>{after}</afterbreak></rule>'


def read_srx(data: bytes, *, name: str = "rules.srx") -> Srx:
    """The rules of a file. A pattern that cannot be followed raises `FormatError` with its line."""
    document = xml_document(data, name)
    root = tree(document)
    if root.tag != "srx":
        raise document.error(f"this is no SRX: it begins with <{root.tag}>.", root.begin)
    header = next(root.within("header"), None)
    settings = dict(header.attributes) if header else {}
    lists = {
        each.attributes.get("languagerulename", ""): tuple(_rule(document, rule) for rule in each.named("rule"))
        for each in root.within("languagerule")
    }
    maps = tuple(_map(document, each, lists) for each in root.within("languagemap"))
    return Srx(lists, maps, settings.pop("cascade", "yes") == "yes", settings)


def _rule(document: Document, element: Element) -> SrxRule:
    parts = {tag: (found.plain() if (found := element.first(tag)) else "") for tag in ("beforebreak", "afterbreak")}
    rule = SrxRule(parts["beforebreak"], parts["afterbreak"], element.attributes.get("break", "yes") != "no")
    try:
        _pattern(rule)
    except DataError as error:
        raise document.error(str(error), element.begin) from None
    return rule


def _map(document: Document, element: Element, lists: Mapping[str, object]) -> tuple[str, str]:
    pattern, name = (element.attributes.get(each, "") for each in ("languagepattern", "languagerulename"))
    if name not in lists:
        raise document.error(f"<languagemap> names the rules {name!r}, which the file does not have.", element.begin)
    _regex(pattern)
    return pattern, name


def _is_for(pattern: str, lang: str) -> bool:
    try:
        return _regex(pattern, ignore_case=True).fullmatch(lang, timeout=_SECONDS) is not None
    except TimeoutError:
        raise DataError(f"The pattern of languages {pattern!r} takes more than {_SECONDS:g} seconds.") from None


def _places(rule: SrxRule, text: str) -> Sequence[int]:
    """Where the rule's first part ends, wherever it begins: matches may overlap."""
    pattern, places, start = _pattern(rule), [], 0
    end = time.monotonic() + _SECONDS
    try:
        while match := pattern.search(text, start, timeout=max(1e-3, end - time.monotonic())):
            places.append(match.end())
            start = match.start() + 1
            if start > len(text):
                break
    except TimeoutError:
        raise DataError(
            f"The pattern {rule.before!r} before {rule.after!r} takes more than {_SECONDS:g} seconds on a text of "
            f"{len(text):,} characters that begins {text[:30]!r}. Write it without repeats inside repeats."
        ) from None
    return places


# Repeats of groups are written out when a pattern is understood, repeats inside repeats as often as their product.
_GROUP_TIMES = re.compile(r"\)\{([0-9]{1,9})(?:,([0-9]{0,9}))?\}")
_MOST_TIMES = 10_000


@cache
def _pattern(rule: SrxRule) -> Any:
    return _regex(f"(?:{rule.before})(?={rule.after})")


@cache
def _regex(pattern: str, *, ignore_case: bool = False) -> Any:
    r"""A regular expression of ICU, as SRX has them, for Python: `\p{…}`, `\x{…}` and `\h` are written out."""
    try:
        import regex
    except ImportError:
        raise NotAvailable.package("Segmentation by SRX", package="regex", extra="cat") from None
    if len(pattern) > _LONGEST:
        raise DataError(f"the pattern {pattern[:40]!r} … has {len(pattern):,} characters; take at most {_LONGEST:,}.")
    times = prod(max(1, int(most or least)) for least, most in _GROUP_TIMES.findall(pattern))
    if times > _MOST_TIMES:
        raise DataError(
            f"the pattern {pattern[:40]!r} repeats its groups {times:,} times; take at most {_MOST_TIMES:,}."
        )
    try:
        return regex.compile(_python(pattern), regex.IGNORECASE if ignore_case else 0)
    except (re.error, regex.error, OverflowError, RecursionError) as error:
        raise DataError(f"the pattern {pattern!r} cannot be followed: {error}.") from None


_ESCAPE = re.compile(r"\\p\{(\^?)(\w+)\}|\\P\{(\w+)\}|\\x\{([0-9a-fA-F]+)\}|\\(h)|\\.|(\[\^?\]?)|(\])", re.DOTALL)


def _python(pattern: str) -> str:
    inside = False

    def replacement(match: re.Match[str]) -> str:
        nonlocal inside
        negated, named, not_named, number, blank, opening, closing = match.groups()
        if opening or closing:
            inside = bool(opening)
            return match[0]
        if number:
            return re.escape(chr(int(number, 16)))
        if blank:
            return r" \t\u00a0" if inside else r"[ \t\u00a0]"
        name = named or not_named
        if name is None:
            return match[0]
        outside = bool(negated or not_named)
        if outside and inside:
            raise re.error(f"{match[0]} inside brackets")
        ranges = _ranges(name)
        return ranges if inside else f"[{'^' if outside else ''}{ranges}]"

    return _ESCAPE.sub(replacement, pattern)


@cache
def _categories() -> Mapping[str, str]:
    """The characters of each category of Unicode, as the inside of brackets."""
    ranges: dict[str, list[str]] = {}
    for name, run in groupby(range(sys.maxunicode + 1), key=lambda number: unicodedata.category(chr(number))):
        numbers = list(run)
        ranges.setdefault(name, []).append(f"\\U{numbers[0]:08x}-\\U{numbers[-1]:08x}")
    return {name: "".join(parts) for name, parts in ranges.items()}


def _ranges(name: str) -> str:
    aliases = {"Alpha": "L", "Alphabetic": "L", "Upper": "Lu", "Lower": "Ll", "Digit": "Nd", "Punct": "P", "Space": "Z"}
    wanted = aliases.get(name, name)
    ranges = "".join(characters for category, characters in _categories().items() if category.startswith(wanted))
    if not ranges:
        raise re.error(f"no characters are known as {name!r}")
    return ranges


def default_srx() -> Srx:
    """Rules of our own for every language whose abbreviations the sentence splitter knows, in SRX's terms.

    They are for other tools; `SentenceRules` knows more than rules of this kind can say.
    """
    ends = "['\"”’»)\\]]*"
    starts = "['\"“‘«„(\\[¿¡]*"
    breaks = (
        SrxRule(f"[.?!…]{ends}", rf"\s+{starts}[\p{{Lu}}\p{{Lt}}\p{{Lo}}\p{{Nd}}]"),
        SrxRule(f"[?!]{ends}", rf"\s+{starts}\p{{Ll}}"),
        SrxRule("[。！？।॥؟]['\"”’」』）]*", r"\s*\S"),
    )
    lists = {lang: _abbreviations(lang) for lang in PREFIX_LANGUAGES}
    maps = [(f"{lang}([-_].*)?", lang) for lang in PREFIX_LANGUAGES]
    return Srx({**lists, "breaks": breaks}, (*maps, (".*", "breaks")))


def _abbreviations(lang: str) -> tuple[SrxRule, ...]:
    words = prefixes_of(lang)
    plain = [re.escape(word) for word in words if _NUMERIC_ONLY not in word]
    numeric = [re.escape(word.replace(_NUMERIC_ONLY, "").strip()) for word in words if _NUMERIC_ONLY in word]
    rules = [SrxRule(rf"\b(?:{'|'.join(plain)})\.", r"\s", breaks=False)] if plain else []
    return (*rules, *([SrxRule(rf"\b(?:{'|'.join(numeric)})\.", r"\s+\d", breaks=False)] if numeric else []))
