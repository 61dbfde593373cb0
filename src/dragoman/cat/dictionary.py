"""Entries for a rule-based engine's dictionary, out of a bitext (PROMT at WMT 2012).

A phrase pair that word links allow is an entry if both sides are well-formed by their parts of speech, a noun phrase or
a single verb, and of the same kind. Names, numbers and dates are none: their tags are in no pattern. The probability of
a translation is how often the key was so translated, of all times it occurs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.cat.memory.tokens import Token
from dragoman.cat.phrase_pairs import AlignedPair, aligned_pairs, phrase_pairs
from dragoman.cat.terms import Glossary, Term
from dragoman.data.alignments import Link
from dragoman.data.parallel import check_parallel
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.text.annotate.base import Annotator
from dragoman.text.layers import annotate_once

__all__ = ["DictionaryEntries", "Entry", "Tagging", "extract_entries"]

# Universal parts of speech, a letter each; all others, names and numbers among them, are in no pattern.
_LETTERS = {"NOUN": "n", "ADJ": "a", "ADP": "p", "DET": "d", "VERB": "v"}
_NOUNS = "a*n[an]*"
_PATTERNS = {"n": re.compile(rf"{_NOUNS}(?:pd?{_NOUNS})*"), "v": re.compile("v")}

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A key, how often it occurs, a translation, its probability, and n for nouns or v for verbs."""

    key: str
    frequency: int
    translation: str
    probability: float  # how often the key was so translated, by `frequency`
    pos: str
    is_variant: bool  # the dictionary at hand has the key with another translation


@dataclass(frozen=True)
class DictionaryEntries(Result):
    """Entries, the most frequent keys first, and of a key the likeliest translation first."""

    kind: ClassVar[str] = "dictionary entries"

    entries: tuple[Entry, ...]
    source_lang: str = ""
    target_lang: str = ""
    seed: int = 1

    def tables(self) -> list[Table]:
        """One row per entry, as PROMT writes them, and whether it is new to the dictionary at hand."""
        columns = [Column("key", is_text=True), Column("frequency"), Column("translation", is_text=True)]
        columns += [Column("probability", digits=6), Column("pos"), Column("state")]
        rows = [
            (each.key, each.frequency, each.translation, each.probability, each.pos, _state(each))
            for each in self.entries
        ]
        return [Table.of("Dictionary entries", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """Languages and seed."""
        return {"source_lang": self.source_lang, "target_lang": self.target_lang, "seed": self.seed}

    def glossary(self) -> Glossary:
        """The entries as a glossary; a variant is admitted beside what the dictionary has."""
        terms = tuple(
            Term(each.key, each.translation, "admitted" if each.is_variant else "preferred", each.pos)
            for each in self.entries
        )
        return Glossary(terms, self.source_lang, self.target_lang)


def _state(entry: Entry) -> str:
    return "variant" if entry.is_variant else "new"


@dataclass(frozen=True)
class Tagging:
    """Who says what parts of speech the words of one side are, and perhaps their base forms."""

    pos: Annotator[str]
    lemma: Annotator[str] | None = None

    def side(self, lines: Sequence[str], cut: Sequence[Sequence[Token]]) -> list[_Side]:
        """The tokens of lines as keys' words and as letters of patterns."""
        words = [[line[t.begin : t.end] for t in each] for line, each in zip(lines, cut, strict=True)]
        tags = annotate_once(self.pos, words)
        forms = annotate_once(self.lemma, words) if self.lemma else [[t.form for t in each] for each in cut]
        return [
            _Side(tuple(form), "".join(_LETTERS.get(tag, ".") for tag in tag_line))
            for form, tag_line in zip(forms, tags, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Side:
    forms: Key
    letters: str

    def kind(self, begin: int, end: int) -> str | None:
        """Which kind of entry a span is; None if it is none."""
        kinds = (kind for kind, pattern in _PATTERNS.items() if pattern.fullmatch(self.letters, begin, end))
        return next(kinds, None)

    def phrases(self, longest: int) -> Iterator[tuple[Key, str]]:
        """All spans that are entries, with their kind."""
        for begin in range(len(self.forms)):
            for end in range(begin + 1, min(begin + longest, len(self.forms)) + 1):
                if kind := self.kind(begin, end):
                    yield self.forms[begin:end], kind


def extract_entries(
    srcs: Sequence[str],
    tgts: Sequence[str],
    taggings: tuple[Tagging, Tagging],
    *,
    known: Glossary | None = None,
    source_lang: str = "",
    target_lang: str = "",
    links: Sequence[Sequence[Link]] | None = None,
    least_frequency: int = 3,
    least_probability: float = 0.3,
    longest: int = 5,
    most: int = 1000,
    seed: int = 1,
    n_threads: int = 1,
) -> DictionaryEntries:
    """Entries that are frequent and sure enough; pairs that the dictionary at hand, `known`, has are left out."""
    check_parallel({"srcs": srcs, "tgts": tgts})
    pairs = aligned_pairs(srcs, tgts, links, seed=seed, n_threads=n_threads)
    sources = taggings[0].side(srcs, [pair.source for pair in pairs])
    targets = taggings[1].side(tgts, [pair.target for pair in pairs])
    frequencies = Counter(phrase for side in sources for phrase in side.phrases(longest))
    uses: dict[tuple[Key, str], Counter[Key]] = defaultdict(Counter)
    for pair, source, target in zip(pairs, sources, targets, strict=True):
        for key, kind, translation in _well_formed(pair, source, target, longest):
            uses[key, kind][translation] += 1
    had = _by_key(known)
    entries = []
    for (key, kind), translations in uses.items():
        frequency, text = frequencies[key, kind], " ".join(key)
        for translation, count in translations.items():
            sure = frequency >= least_frequency and count >= least_probability * frequency
            if sure and " ".join(translation) not in had.get(text, ()):
                probability = count / frequency
                entries.append(Entry(text, frequency, " ".join(translation), probability, kind, text in had))
    best = sorted(entries, key=lambda each: (-each.frequency, each.key, -each.probability, each.translation))
    return DictionaryEntries(tuple(best[:most]), source_lang, target_lang, seed)


def _well_formed(pair: AlignedPair, source: _Side, target: _Side, longest: int) -> Iterator[tuple[Key, str, Key]]:
    for phrase in phrase_pairs(pair, longest):
        kind = source.kind(*phrase.source)
        if kind and kind == target.kind(*phrase.target):
            yield source.forms[slice(*phrase.source)], kind, target.forms[slice(*phrase.target)]


def _by_key(known: Glossary | None) -> dict[str, set[str]]:
    translations: dict[str, set[str]] = defaultdict(set)
    for term in known.terms if known else ():
        translations[term.source.lower()].add(term.target.lower())
    return dict(translations)
