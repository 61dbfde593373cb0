"""Does one side say what the other says? Unaligned content words, and the output read back word by word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.options import option
from dragoman.qe.features.alignment import links_of
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch
from dragoman.qe.resources.unaligned import UnalignedRates
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["ReplacedWords", "UnalignedContent"]

_JOIN = "grow-diag-final-and"
_SIDES = ("source", "target")
_CLTE = "Graham et al., SemEval 2013"


@dataclass(frozen=True)
class UnalignedContent(Feature):
    """Number of a side's words without a link that seldom are without one: a smaller share than `most` in the corpus.

    Words that the corpus has not count, too.
    """

    name: ClassVar[str] = "unaligned-content"
    paper: ClassVar[str] = f"{_CLTE}, feature A3"
    needs: ClassVar[tuple[str, ...]] = ("aligner", "unaligned")

    on: str = option("target", choices=_SIDES, text="of which side")
    most: float = option(0.11, low=0.0, high=1.0, text="share of occurrences without a link below which a word counts")

    def values(self, batch: Batch) -> Floats:
        """Such words of each sentence."""
        tokens = batch.tokens(self.on, self.compat)
        rates = batch.resources.ask("unaligned", UnalignedRates).of_words(self.on, tokens.words)
        links = links_of(batch, _JOIN, self.compat)
        pair = np.repeat(np.arange(len(batch)), np.diff(links.offsets))
        place = tokens.offsets[pair] + links.links[:, _SIDES.index(self.on)].astype(np.int64)
        free = np.bincount(place, minlength=len(tokens.ids)) == 0
        counted = free & (rates[tokens.ids] < self.most) if len(tokens.ids) else free
        return np.bincount(tokens.sentence, weights=counted, minlength=len(batch)).astype(np.float64)


@dataclass(frozen=True)
class ReplacedWords(Feature):
    """The output with each word replaced by the source word it is linked to, compared with the source.

    `matched`: equal words in the best local alignment (Smith–Waterman; a match scores 2, an edit −1); `edits`: edits in
    it; `distance`: Levenshtein distance of the whole, a substitution costing 2. A word with several links is replaced
    by the first of them; one without stays as it is.
    """

    name: ClassVar[str] = "replaced-words"
    paper: ClassVar[str] = f"{_CLTE}, features S1 to S3"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    value: str = option("matched", choices=("matched", "edits", "distance"), text="S1, S2 or S3")

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        matches = batch.keep(("replaced words", self.compat), lambda: self._matched(batch))
        return matches[:, ("matched", "edits", "distance").index(self.value)].astype(np.float64)

    def _matched(self, batch: Batch) -> NDArray[np.int32]:
        source, target = (batch.tokens(side, self.compat) for side in _SIDES)
        words = Vocabulary()
        none = np.zeros(0, dtype=np.int32)
        sources = words.ids(source.words)[source.ids] if source.words else none
        read = words.ids(target.words)[target.ids] if target.words else none
        result = links_of(batch, _JOIN, self.compat)
        pair = np.repeat(np.arange(len(batch)), np.diff(result.offsets))
        places = [
            offsets[pair] + result.links[:, side].astype(np.int64)
            for side, offsets in enumerate((source.offsets, target.offsets))
        ]
        # Of several assignments to one word the last counts, so the first link is written last.
        order = np.lexsort((-places[0], places[1]))
        read = read.copy()
        read[places[1][order]] = sources[places[0][order]]
        return _core.lexical.match_sentences(read, target.offsets, sources, source.offsets, n_threads=batch.n_threads)
