"""Checks of words: untranslated, twice, misspelt, not the glossary's, too many, unlike those of the same segment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from dragoman.cat.checks.base import Check, Finding, Pair, Severity
from dragoman.cat.memory.codes import in_order
from dragoman.cat.memory.tokens import tokens
from dragoman.cat.segments import plain
from dragoman.cat.terms import Glossary
from dragoman.options import option
from dragoman.report import Sentence
from dragoman.text.spelling import Dictionary

__all__ = ["DoubleWords", "Length", "Spelling", "Terms", "Unlike", "Untranslated"]


@dataclass(frozen=True)
class Untranslated(Check):
    """A translation that says again what the source says, word by word."""

    name: ClassVar[str] = "untranslated"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding, if there are two words or more that could be translated."""
        words = [[t.form for t in tokens(text) if t.kind == "word"] for text in (pair.source, pair.target)]
        translatable = [word for word in words[0] if not word.isdecimal()]
        if words[0] == words[1] and len(translatable) > 1:
            yield self.finding(
                Sentence("The translation is the source."), [(0, len(pair.source))], [(0, len(pair.target))]
            )


@dataclass(frozen=True)
class DoubleWords(Check):
    """A word twice in a row, where the source has none twice."""

    name: ClassVar[str] = "double-words"

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for all words."""
        target = _doubles(pair.target)
        if target and not _doubles(pair.source):
            words = ", ".join(pair.target[begin:end] for begin, end in target)
            yield self.finding(Sentence("A word stands twice: {words}.", words=words), (), target)


def _doubles(text: str) -> list[tuple[int, int]]:
    cut = [token for token in tokens(text) if token.kind != "code"]
    return [
        (a.begin, b.end)
        for a, b in pairwise(cut)
        if a.kind == "word" and a.form == b.form and a.end < b.begin and not a.form.isdecimal()
    ]


@dataclass(frozen=True)
class Length(Check):
    """A translation longer than its unit allows, or far longer or shorter than its source."""

    name: ClassVar[str] = "length"
    severity: ClassVar[Severity] = "error"

    ratio: float = option(3.0, text="of lengths in characters that is a warning; 0 for none")
    shortest: int = option(20, text="characters of the longer side from which on the ratio is looked at")

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding."""
        source, target = len(plain(pair.source)), len(plain(pair.target))
        if pair.max_length is not None and target > pair.max_length:
            span = [(min(pair.max_length, len(pair.target) - 1), len(pair.target))]
            counts = {"n": target, "most": pair.max_length}
            said = Sentence("The translation has {n} characters; {most} are allowed.", **counts)
            yield self.finding(said, (), span)
        elif self.ratio and source and target and max(source, target) >= self.shortest:
            times = max(source / target, target / source)
            if times > self.ratio:
                longer = Sentence("The translation is {times:.1f} times longer than the source.", times=times)
                shorter = Sentence("The translation is {times:.1f} times shorter than the source.", times=times)
                yield Finding(self.name, "warning", longer if target > source else shorter)


@dataclass(frozen=True)
class Terms(Check):
    """Terms of a glossary whose translation is missing, and translations that are forbidden."""

    name: ClassVar[str] = "terms"

    glossary: str = option("", text="the glossary's file: .tbx, .tsv, .csv; without one, nothing is found")

    def find(self, pair: Pair) -> Iterator[Finding]:
        """A finding for each term."""
        return self.find_with(_glossary(self.glossary, pair.source_lang, pair.target_lang), pair)

    def find_with(self, glossary: Glossary | None, pair: Pair) -> Iterator[Finding]:
        """What a glossary that is there already finds."""
        for hit in glossary.missing(pair.source, pair.target) if glossary else ():
            wanted = " or ".join(term.target for term in hit.terms if term.status != "forbidden")
            said = pair.source[hit.begin : hit.end]
            message = Sentence("{said} should be {wanted}.", said=repr(said), wanted=repr(wanted))
            yield self.finding(message, [(hit.begin, hit.end)])
        for hit, term, span in glossary.forbidden(pair.source, pair.target) if glossary else ():
            said = pair.source[hit.begin : hit.end]
            message = Sentence("{said} must not be {wrong}.", said=repr(said), wrong=repr(term.target))
            yield self.finding(message, [(hit.begin, hit.end)], [span])


@lru_cache(maxsize=16)
def _glossary(path: str, source_lang: str, target_lang: str) -> Glossary | None:
    from dragoman.cat.term_files import read_glossary

    return read_glossary(path, source_lang, target_lang) if path else None


@dataclass(frozen=True)
class Spelling(Check):
    """Words that a Hunspell dictionary of the target language does not know, unless the source has them, too."""

    name: ClassVar[str] = "spelling"

    dictionaries: str = option("/usr/share/hunspell", text="a folder of dictionaries, or one without its ending")

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for all words; none where there is no dictionary."""
        dictionary = _dictionary(self.dictionaries, pair.target_lang)
        if dictionary is None:
            return
        source = {token.form for token in tokens(pair.source)}
        words = [t for t in tokens(pair.target) if t.kind == "word" and t.form not in source]
        forms = [pair.target[t.begin : t.end] for t in words]
        wrong = [t for t, known in zip(words, dictionary.knows(forms), strict=True) if not known]
        if wrong:
            shown = ", ".join(pair.target[t.begin : t.end] for t in wrong)
            yield self.finding(
                Sentence("Not in the dictionary: {shown}.", shown=shown), (), [(t.begin, t.end) for t in wrong]
            )


@lru_cache(maxsize=16)
def _dictionary(where: str, lang: str) -> Dictionary | None:
    """The dictionary of a language: of its region, else of any; none if there is none."""
    place = Path(where)
    if not place.is_dir():
        base = place.with_suffix("") if place.suffix in {".aff", ".dic"} else place
        return Dictionary.load(base) if base.with_name(f"{base.name}.dic").is_file() else None
    name = lang.replace("-", "_")
    files = [*place.glob(f"{name}.dic"), *sorted(place.glob(f"{name.split('_')[0]}_*.dic"))] if lang else []
    files += place.glob(f"{name.split('_')[0]}.dic") if lang else []
    return Dictionary.load(files[0]) if files else None


@dataclass(frozen=True)
class Unlike(Check):
    """The same source, which other segments have with another translation."""

    name: ClassVar[str] = "unlike"
    severity: ClassVar[Severity] = "warning"

    def find(self, pair: Pair) -> Iterator[Finding]:  # noqa: ARG002
        """Nothing: one pair has nothing to be unlike."""
        return iter(())

    def find_all(self, pairs: Sequence[Pair]) -> list[list[Finding]]:
        """A finding for each pair whose source others have with another target."""
        targets: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for number, pair in enumerate(pairs):
            if pair.target:
                targets[in_order(pair.source)][in_order(pair.target, pair.source)].append(number)
        findings: list[list[Finding]] = [[] for _ in pairs]
        for by_target in targets.values():
            for target, numbers in by_target.items():
                others = [(text, places[0] + 1) for text, places in by_target.items() if text != target]
                if others:
                    text, place = others[0]
                    shown = plain(text, "…")
                    message = Sentence("Translated otherwise in segment {place}: {shown}", place=place, shown=shown)
                    for number in numbers:
                        span = [(0, len(pairs[number].target))]
                        findings[number].append(self.finding(message, (), span))
        return findings
