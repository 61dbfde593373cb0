"""Features of what a checker of language finds, and of words that point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.options import option
from dragoman.qe.checks.find import Hits, find
from dragoman.qe.checks.rules import CHECKS, FEATURES, Pattern, Rule, rules_of
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, once, shares
from dragoman.qe.features.sides import ON, ON_TEXT, between, needs_of
from dragoman.stats.arrays import Floats

__all__ = ["Checks", "Deictics"]

_PARSED = ("all", "subject-verb", "noun-phrase", "dangling-determiner")


@dataclass(frozen=True)
class Checks(Feature):
    """What a checker of language finds: hits, the characters they cover, or their share of the places it looked at.

    `word-repeat` and `double-punctuation` hold for all languages; `word-form` (Spanish y for e) and
    `split-contraction` (a el for al) where there are rules of the language, elsewhere they are 0; `subject-verb` and
    `noun-phrase` are disagreements in number, gender or person along dependencies; `dangling-determiner` belongs to no
    noun. The languages are those of the resources, or as said with the text.
    """

    name: ClassVar[str] = "checks"
    paper: ClassVar[str] = "Avramidis, WMT 2012, §3 (language check); Felice & Specia, WMT 2012, §3"
    needs: ClassVar[tuple[str, ...]] = ()

    kind: str = option("word-repeat", choices=("all", *CHECKS), text="which check")
    value: str = option("matches", choices=("matches", "characters", "share"), text="what of the hits")
    feature: str = option("", choices=("", *FEATURES), text="of disagreements, those in this alone")
    on: str = option("target", choices=ON, text=ON_TEXT)

    def needed(self) -> tuple[str, ...]:
        """Parsers, for agreement."""
        return needs_of(self.on, "parser") if self.kind in _PARSED else ()

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        return between(self.on, lambda side: self._of(batch, side))

    def _of(self, batch: Batch, side: str) -> Floats:
        tokens = batch.tokens(side)
        total, chances = np.zeros(len(batch)), np.zeros(len(batch))
        for rule in rules_of(batch.resources.language(side)).called(self.kind):
            hits = _hits(batch, rule, side, self.feature)
            line = tokens.sentence[hits.first]
            weights = None
            if self.value == "characters":
                # Of words far apart, such as a subject and its verb, the two alone are wrong.
                lengths = np.concatenate([[0], np.cumsum(tokens.by_word(len)[tokens.ids] if len(tokens.ids) else [])])
                ends = lengths[hits.first + 1] - lengths[hits.first] + lengths[hits.last + 1] - lengths[hits.last]
                weights = np.where(hits.first == hits.last, ends / 2, ends)
            total += np.bincount(line, weights=weights, minlength=len(batch))
            chances += np.bincount(hits.chances, minlength=len(batch))
        return shares(total, chances) if self.value == "share" else total


@once
def _hits(batch: Batch, rule: Rule, side: str, feature: str) -> Hits:
    return find(rule, batch.tokens(side), None if isinstance(rule, Pattern) else batch.parses(side), feature)


@dataclass(frozen=True)
class Deictics(Feature):
    """Words that point to person, place or time (I, here, now), of a list of the language; 0 where there is none."""

    name: ClassVar[str] = "deictics"
    paper: ClassVar[str] = "Felice & Specia, WMT 2012, §3 (deictics)"

    on: str = option("target", choices=ON, text=ON_TEXT)
    per: str = option("", choices=("", "length"), text="divided by the length")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""

        def of(side: str) -> Floats:
            tokens = batch.tokens(side)
            listed = rules_of(batch.resources.language(side)).deictics
            number = tokens.sums(tokens.by_word(lambda word: word.lower() in listed))
            return shares(number, tokens.lengths) if self.per else number

        return between(self.on, of)
