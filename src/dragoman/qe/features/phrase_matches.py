"""How much of one side is translated in the other, phrase by phrase: a phrase table as a dictionary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, once, shares
from dragoman.qe.resources.phrase_tables import LEVELS, LONGEST, Matches, PhraseTables
from dragoman.stats.arrays import Floats

__all__ = ["PhraseMatch"]

_SIDES = ("source", "target")


@dataclass(frozen=True)
class PhraseMatch(Feature):
    """Share of a side's phrases of so many words that have a translation standing in the other side.

    Phrases and translations are those that the bitext's links allow; overlapping phrases all count. Of the unit
    `semantic`, names, dates and numbers are replaced by what they are, and a run of one kind by one label.
    """

    name: ClassVar[str] = "phrase-match"
    paper: ClassVar[str] = "Mehdad, Negri & Federico, WMT 2012, §3 (PT; SPT: unit=semantic)"
    needs: ClassVar[tuple[str, ...]] = ("phrase_tables",)

    of: str = option("source", choices=_SIDES, text="whose phrases are looked for")
    length: int = option(1, low=1, high=LONGEST, text="words of a phrase")
    unit: str = option(
        "token", choices=LEVELS, text="words as they stand, lemmas, stems, or kinds of names and numbers"
    )
    least: float = option(0.0, low=0.0, high=1.0, text="probability that a translation must have")

    def values(self, batch: Batch) -> Floats:
        """The share of each sentence; 0 where no phrase is so long."""
        matches = _matches(batch, self.unit, self.least, self.compat)
        column = self.length - 1
        return shares(matches.matched[self.of][:, column], matches.total[self.of][:, column])


@once
def _matches(batch: Batch, level: str, least: float, compat: str) -> Matches:
    tables = batch.resources.ask("phrase_tables", PhraseTables)
    sources, targets = (batch.tokens(side, compat).token_lines() for side in _SIDES)
    taggers = {side: batch.resources.get(f"{side}_names") for side in _SIDES}
    names = {side: tagger for side, tagger in taggers.items() if tagger is not None}
    return tables.match(level, sources, targets, names, least=least)
