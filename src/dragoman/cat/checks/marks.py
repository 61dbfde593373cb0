"""Checks of what is not words: numbers, placeholders, punctuation, symbols, spaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.checks.base import Check, Finding, Pair, Severity, Span
from dragoman.cat.segments import plain
from dragoman.report import Sentence

__all__ = ["Brackets", "Capital", "EndMark", "Numbers", "Placeholders", "Spaces", "Symbols"]

_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f'’]\d+)*")
# printf, Python, ICU and shell: %s %1$d %(name)s {0} {name} ${name} $(name); also addresses, which are kept as they are
_PLACEHOLDER = re.compile(
    r"%(?:\(\w+\)|\d+\$)?[-+#0]*\d*(?:\.\d+)?[hlLqjzt]{0,2}[sdifuxXeEgGcpr@](?!\w)"
    r"|\$?\{\{?[\w.:, ]*\}?\}|\$\([\w.]+\)|https?://[^\s<>\"']+[^\s<>\"'.,;:!?)]|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
)
_SYMBOLS = "&@#£€%=*$"
# Marks that end a sentence, each by one of its kind in other scripts.
_ENDS = {
    **dict.fromkeys(".。।።։۔", "."),
    **dict.fromkeys("!！՜", "!"),
    **dict.fromkeys("?？؟՞", "?"),
    **dict.fromkeys(":：", ":"),
    **dict.fromkeys(";；؛", ";"),
    **dict.fromkeys(",，、،", ","),
    "…": "…",
}
_GREEK = {";": "?", "·": ";"}
_CLOSERS = "\"'”’»«“„)]}›」』"
_BRACKETS = {"(": "(", ")": ")", "[": "[", "]": "]", "{": "{", "}": "}", "（": "(", "）": ")", "【": "[", "】": "]"}


def _kept(pattern: re.Pattern[str], text: str, wanted: Counter[str], key: dict[str, str]) -> list[Span]:
    """Where a text has what is wanted, as often as it is."""
    left = Counter(wanted)
    spans = []
    for place in pattern.finditer(text):
        form = key.get(place[0], place[0])
        if left[form] > 0:
            left[form] -= 1
            spans.append(place.span())
    return spans


@dataclass(frozen=True)
class Numbers(Check):
    """Numbers that only one side has; separators of thousands and decimals do not matter."""

    name: ClassVar[str] = "numbers"
    severity: ClassVar[Severity] = "error"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for missing numbers, one for others."""
        texts = [_PLACEHOLDER.sub(lambda place: " " * len(place[0]), text) for text in (pair.source, pair.target)]
        written = {form for text in texts for form in _NUMBER.findall(text)}
        key = {form: "".join(str(int(c)) for c in form if c.isdecimal()) or form for form in written}
        source, target = (Counter(key[form] for form in _NUMBER.findall(text)) for text in texts)
        if source - target:
            spans = _kept(_NUMBER, texts[0], source - target, key)
            shown = ", ".join(pair.source[slice(*span)] for span in spans)
            yield self.finding(Sentence("The translation lacks numbers: {shown}.", shown=shown), spans)
        if target - source:
            spans = _kept(_NUMBER, texts[1], target - source, key)
            shown = ", ".join(pair.target[slice(*span)] for span in spans)
            yield self.finding(Sentence("The source has no such numbers: {shown}.", shown=shown), (), spans)


@dataclass(frozen=True)
class Placeholders(Check):
    """Placeholders of programs (%s, {name}), addresses of pages and mail that only one side has."""

    name: ClassVar[str] = "placeholders"
    severity: ClassVar[Severity] = "error"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for missing ones, one for others."""
        source, target = (Counter(_PLACEHOLDER.findall(text)) for text in (pair.source, pair.target))
        if source - target:
            spans = _kept(_PLACEHOLDER, pair.source, source - target, {})
            shown = ", ".join(source - target)
            yield self.finding(Sentence("The translation lacks placeholders: {shown}.", shown=shown), spans)
        if target - source:
            spans = _kept(_PLACEHOLDER, pair.target, target - source, {})
            shown = ", ".join(target - source)
            yield self.finding(Sentence("The source has no such placeholders: {shown}.", shown=shown), (), spans)


@dataclass(frozen=True)
class EndMark(Check):
    """Another mark at the end than the source has."""

    name: ClassVar[str] = "end-mark"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding, unless the languages write the same mark in their own ways."""
        (source, at), (target, there) = _end(pair.source, pair.source_lang), _end(pair.target, pair.target_lang)
        if pair.target_lang.startswith("th") and source == ".":
            return  # Thai has no full stop
        if source != target:
            said = Sentence(
                "The source {source}, the translation {target}.", source=_ends(source), target=_ends(target)
            )
            yield self.finding(said, at, there)


def _ends(mark: str) -> Sentence:
    return Sentence("ends with {mark}", mark=repr(mark)) if mark else Sentence("has no mark at its end")


def _end(text: str, lang: str) -> tuple[str, list[Span]]:
    """The mark at the end of a text, behind which may be quotes, brackets, codes; where it stands."""
    blanked = plain(text, " ")
    kept = blanked.rstrip().rstrip(_CLOSERS).rstrip()
    if kept.endswith("..."):
        return "…", [(len(kept) - 3, len(kept))]
    last = kept[-1:]
    mark = (_GREEK if lang.split("-")[0] == "el" else {}).get(last) or _ENDS.get(last, "")
    return mark, [(len(kept) - 1, len(kept))] if mark else []


@dataclass(frozen=True)
class Brackets(Check):
    """Brackets that do not close, where the source's do."""

    name: ClassVar[str] = "brackets"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding."""
        source, target = _open_brackets(pair.source), _open_brackets(pair.target)
        if target and not source:
            yield self.finding(Sentence("A bracket is not closed, or not opened."), (), [(k, k + 1) for k in target])


def _open_brackets(text: str) -> list[int]:
    """The places of brackets without their other half."""
    closing = {")": "(", "]": "[", "}": "{"}
    opened: list[tuple[str, int]] = []
    alone: list[int] = []
    for k, char in enumerate(text):
        bracket = _BRACKETS.get(char, "")
        if bracket in closing.values():
            opened.append((bracket, k))
        elif bracket and opened and opened[-1][0] == closing[bracket]:
            opened.pop()
        elif bracket:
            alone.append(k)
    return sorted([*alone, *(k for _, k in opened)])


@dataclass(frozen=True)
class Symbols(Check):
    """Symbols (& @ # £ € % = * $) that one side has more often."""

    name: ClassVar[str] = "symbols"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for all symbols."""
        texts = [_PLACEHOLDER.sub(lambda place: " " * len(place[0]), text) for text in (pair.source, pair.target)]
        wrong = [char for char in _SYMBOLS if texts[0].count(char) != texts[1].count(char)]
        if wrong:
            spans = [[(k, k + 1) for k, char in enumerate(text) if char in wrong] for text in texts]
            yield self.finding(Sentence("Not as often as in the source: {symbols}.", symbols=" ".join(wrong)), *spans)


@dataclass(frozen=True)
class Spaces(Check):
    """Spaces at begin and end that differ, line breaks and tabs that are missing, two spaces in a row."""

    name: ClassVar[str] = "spaces"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """A finding for each."""
        sides = (
            ("begin", str.lstrip, Sentence("Space at the begin on one side alone.")),
            ("end", str.rstrip, Sentence("Space at the end on one side alone.")),
        )
        for what, strip, said in sides:
            source, target = (len(text) - len(strip(text)) for text in (pair.source, pair.target))
            if bool(source) != bool(target) and pair.target.strip():
                spans = [_edge(text, n, what) for text, n in ((pair.source, source), (pair.target, target))]
                yield self.finding(said, *spans)
        breaks, tabs = ([text.strip().count(char) for text in (pair.source, pair.target)] for char in "\n\t")
        if breaks[0] != breaks[1]:
            counts = {"source": breaks[0], "target": breaks[1]}
            yield self.finding(Sentence("The source has {source} line breaks, the translation {target}.", **counts))
        if tabs[0] != tabs[1]:
            counts = {"source": tabs[0], "target": tabs[1]}
            yield self.finding(Sentence("The source has {source} tabs, the translation {target}.", **counts))
        double = [place.span() for place in re.finditer(r"(?<=\S)  +(?=\S)", pair.target)]
        if double and not re.search(r"(?<=\S)  +(?=\S)", pair.source):
            yield self.finding(Sentence("Several spaces in a row."), (), double)


def _edge(text: str, n: int, what: str) -> list[Span]:
    if not n:
        return []
    return [(0, n)] if what == "begin" else [(len(text) - n, len(text))]


@dataclass(frozen=True)
class Capital(Check):
    """A small letter at the begin where the source has a capital, or the reverse."""

    name: ClassVar[str] = "capital"
    severity: ClassVar[Severity] = "note"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding."""
        texts = (pair.source, pair.target)
        places = [next((k for k, char in enumerate(text) if char.isalnum()), None) for text in texts]
        if places[0] is None or places[1] is None:
            return
        source, target = pair.source[places[0]], pair.target[places[1]]
        if (source.isupper() and target.islower()) or (source.islower() and target.isupper()):
            spans = [[(place, place + 1)] for place in (places[0], places[1])]
            yield self.finding(Sentence("The first letters differ in case."), *spans)
