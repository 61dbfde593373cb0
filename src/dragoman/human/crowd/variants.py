"""Spellings of one word in the translations of many hands, and the votes that are split between them.

Post et al. (WMT 2012, §5) found *japanese* in seven spellings. A variant is a rare word that stands, in one translation
of a segment, where another translation of the same segment has a much more frequent word of nearly the same letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.crowd import VotedSegment, Votes
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.text.unicode import character_class

__all__ = ["SpellingVariants", "Variant", "pool_votes", "spelling_variants"]

_ENDINGS = (
    "s",
    "d",
    "ed",
    "es",
    "ly",
    "y",
    "n",
    "r",
    "er",
    "i",
    "an",
    "'s",
    "’s",
)  # words apart by these are forms, not spellings


@cache
def _word() -> re.Pattern[str]:
    letters = character_class("L", "M")
    return re.compile(rf"[{letters}]+(?:['’-][{letters}]+)*")


@dataclass(frozen=True)
class Variant:
    """A spelling and the word that it is taken for."""

    variant: str
    word: str
    n_variant: int  # how often each is there
    n_word: int
    segments: int  # where one translation has the one and another the other
    edits: int


@dataclass(frozen=True)
class SpellingVariants(Result):
    """Variants, those with most segments for their edits first, and what they do to votes."""

    kind: ClassVar[str] = "spelling-variants"

    variants: tuple[Variant, ...]
    n_alike: int  # segments with translations that differ in spelling alone
    n_other: int  # of which so many have another best translation when their votes are pooled
    n_untied: int  # segments whose tie is gone then
    settings: Mapping[str, Any]
    provenance: Mapping[str, Any]

    def tables(self) -> list[Table]:
        """One row per variant."""
        columns: list[Column | str] = [
            Column("variant", is_text=True),
            Column("word", is_text=True),
            "n_variant",
            "n_word",
            "segments",
            "edits",
        ]
        rows = [(v.variant, v.word, v.n_variant, v.n_word, v.segments, v.edits) for v in self.variants]
        note = (
            f"segments: where one translation has the variant and another the word. {self.n_alike} segments have "
            f"translations that differ in spelling alone; with their votes pooled, {self.n_other} have another best "
            f"translation and {self.n_untied} are no longer tied."
        )
        return [Table.of("Spelling variants", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Counts and settings."""
        return {
            **self.provenance,
            **self.settings,
            "n": len(self.variants),
            "n_alike": self.n_alike,
            "n_other": self.n_other,
            "n_untied": self.n_untied,
        }


def spelling_variants(
    votes: Votes, *, edits: int = 2, shortest: int = 5, ratio: float = 5.0, segments: int = 2, top: int | None = None
) -> SpellingVariants:
    """Find words that are spellings of others: at most `edits` letters apart, `ratio` times as rare, in `segments`.

    Words begin alike, have at least `shortest` letters, and are no forms of each other by a common ending.
    """
    for name, value, least in (
        ("edits", edits, 1),
        ("shortest", shortest, 2),
        ("ratio", ratio, 1),
        ("segments", segments, 1),
    ):
        if value < least:
            raise DataError(f"{name} is {value:g}; expected at least {least}.")
    words = [[_words(text) for text in each.translations] for each in votes.segments]
    counts = Counter(word for texts in words for text in texts for word in text)
    support: Counter[tuple[str, str]] = Counter()
    for texts in words:
        support.update(set(_candidates(texts, counts, edits, shortest, ratio)))
    pairs = [pair for pair, n in support.items() if n >= segments]
    far = _distances(pairs)
    best: dict[str, Variant] = {}
    for (rare, word), distance in zip(pairs, far, strict=True):
        one = Variant(rare, word, counts[rare], counts[word], support[rare, word], distance)
        if distance <= edits and (rare not in best or _order(one) < _order(best[rare])):
            best[rare] = one
    ordered = sorted(best.values(), key=_order)
    plain, pooled = pool_votes(votes, ()), pool_votes(votes, ordered)
    alike = [
        (before, after)
        for before, after in zip(plain.segments, pooled.segments, strict=True)
        if len(after.translations) < len(before.translations)
    ]
    return SpellingVariants(
        tuple(ordered[:top]),
        len(alike),
        sum(before.translations[before.winners[0]] not in _texts(after) for before, after in alike),
        sum(len(before.winners) > 1 and len(after.winners) == 1 for before, after in alike),
        {"edits": edits, "shortest": shortest, "ratio": ratio, "segments": segments},
        votes.provenance,
    )


def pool_votes(votes: Votes, variants: Iterable[Variant]) -> Votes:
    """Votes with translations that differ in spelling or case alone taken together, for the one with most votes."""
    words = {each.variant: each.word for each in variants}
    return Votes(tuple(_pooled(each, words) for each in votes.segments), votes.provenance)


def _pooled(segment: VotedSegment, words: Mapping[str, str]) -> VotedSegment:
    groups: dict[str, list[int]] = {}
    for place, text in enumerate(segment.translations):
        plain = _word().sub(lambda match: words.get(match[0].lower(), match[0].lower()), text)
        groups.setdefault(" ".join(plain.split()), []).append(place)
    if len(groups) == len(segment.translations):
        return segment
    heads = [max(places, key=lambda place: segment.votes[place]) for places in groups.values()]
    return VotedSegment(
        segment.segment,
        tuple(segment.translations[head] for head in heads),
        tuple(sum(segment.votes[place] for place in places) for places in groups.values()),
        segment.n_absent,
        tuple(segment.translators[head] for head in heads) if segment.translators else (),
    )


def _texts(segment: VotedSegment) -> set[str]:
    return {segment.translations[place] for place in segment.winners}


def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("'s").removesuffix("’s") for word in _word().findall(text.lower()))


def _candidates(
    texts: Sequence[frozenset[str]], counts: Counter[str], edits: int, shortest: int, ratio: float
) -> Iterator[tuple[str, str]]:
    """Words of two translations of a segment, each in one of them alone, that might be spellings of each other."""
    for one, other in combinations(texts, 2):
        for a in one - other:
            if len(a) < shortest:
                continue
            for b in other - one:
                if a[0] != b[0] or abs(len(a) - len(b)) > edits or len(b) < shortest:
                    continue
                rare, word = (a, b) if counts[a] < counts[b] else (b, a)
                if counts[word] >= ratio * counts[rare] and not _are_forms(rare, word):
                    yield rare, word


def _are_forms(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return long.startswith(short) and long[len(short) :] in _ENDINGS


def _order(variant: Variant) -> tuple[float, ...]:
    return -variant.segments / variant.edits**2, variant.edits, -variant.n_word


def _distances(pairs: Sequence[tuple[str, str]]) -> list[int]:
    """Edits between the words of each pair; neighbours that are swapped are one."""
    from dragoman._core import edit

    rare, word = (_points([pair[place] for pair in pairs]) for place in (0, 1))
    return [int(distance) for distance in edit.damerau(*rare, *word)]


def _points(words: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The letters of words in a row, and where each word begins."""
    ids = np.array([ord(letter) for word in words for letter in word], dtype=np.int32)
    return ids, np.cumsum([0, *map(len, words)], dtype=np.int64)
