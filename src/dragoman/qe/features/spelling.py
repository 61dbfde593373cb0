"""Features that ask a spelling dictionary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, means, once, sums
from dragoman.qe.features.names import in_names
from dragoman.qe.features.sides import ON, ON_TEXT, between, needs_of
from dragoman.qe.resources.dictionaries import SpellingDictionary
from dragoman.stats.arrays import Floats

__all__ = ["Misspelt"]


@dataclass(frozen=True)
class Misspelt(Feature):
    """Words that the dictionary of their language does not know: their number or share.

    A word has a letter in it. A machine misspells nothing: what is not in the dictionary was not translated, or is a
    name.
    """

    name: ClassVar[str] = "misspelt"
    paper: ClassVar[str] = "Felice & Specia, WMT 2012, §3 (unknown words)"
    needs: ClassVar[tuple[str, ...]] = ("target_dictionary",)

    on: str = option("target", choices=ON, text=ON_TEXT)
    share: bool = option(False, choices=(False, True), text="divided by the length")
    names: str = option("in", choices=("in", "out"), text="whether words of names count, which the paper leaves out")

    def needed(self) -> tuple[str, ...]:
        """The dictionaries of the sides, and taggers of names to leave these out."""
        return needs_of(self.on, "dictionary", *(["names"] if self.names == "out" else []))

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        return between(self.on, lambda side: self._of(batch, side))

    def _of(self, batch: Batch, side: str) -> Floats:
        tokens, strange = batch.tokens(side), _misspelt(batch, side)
        if self.names == "out":
            strange = strange & ~in_names(batch, side)
        return (means if self.share else sums)(strange, tokens.sentence, len(batch))


@once
def _misspelt(batch: Batch, side: str) -> NDArray[np.bool_]:
    """Which tokens of a side are no words that its dictionary knows."""
    tokens = batch.tokens(side)
    dictionary = batch.resources.ask(f"{side}_dictionary", SpellingDictionary)
    pairs = zip(tokens.words, dictionary.knows(tokens.words, n_threads=batch.n_threads), strict=True)
    by_word = np.array([not right and any(map(str.isalpha, word)) for word, right in pairs], dtype=bool)
    return by_word[tokens.ids]
