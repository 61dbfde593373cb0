"""From an aligned bitext to a phrase table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Recipe, option
from dragoman.data.parallel import check_parallel
from dragoman.smt.phrase_table import PhraseTable
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["ORIENTATIONS", "AlignedText", "PhraseExtraction"]

ORIENTATIONS = ("none", "word", "hierarchical")
SMOOTHINGS = ("none", "good-turing", "kneser-ney")


@dataclass(frozen=True, eq=False)
class AlignedText:
    """Sentence pairs as ids and word alignment; the links of pair i are `[link_offsets[i], link_offsets[i + 1])`."""

    source: TokenIds
    target: TokenIds
    links: NDArray[np.uint16]  # (links, 2): place in the source, place in the target, from 0
    link_offsets: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of sentence pairs."""
        return len(self.source)


@dataclass(frozen=True)
class PhraseExtraction(Recipe):
    """How to extract and score phrase pairs."""

    longest: int = option(7, low=1, high=255, text="words of a phrase, on either side")
    smoothing: str = option("none", choices=SMOOTHINGS, text="of phrase probabilities (Foster, Kuhn & Johnson 2006)")
    orientation: str = option("word", choices=ORIENTATIONS, text="what a phrase is oriented to")
    orientation_smoothing: float = option(0.5, low=0, text="weight of the orientations of all phrases together")
    translations_per_phrase: int = option(100, low=0, text="of one source phrase, the most probable; 0: all")

    def extract(self, text: AlignedText, source: Vocabulary, target: Vocabulary, *, n_threads: int = 1) -> PhraseTable:
        """The phrase table of an aligned bitext, whose ids are those of the vocabularies."""
        self.check()
        check_parallel({"source": text.source, "target": text.target, "alignment": text.link_offsets[1:]})
        options = _core.phrase.ExtractOptions()
        options.longest = self.longest
        options.smoothing = _core.phrase.Smoothing[self.smoothing.replace("-", "_")]
        options.orientation = _core.phrase.Orientation[self.orientation]
        options.orientation_smoothing = self.orientation_smoothing
        options.translations_per_phrase = self.translations_per_phrase
        options.n_threads = n_threads
        core, *_ = _core.phrase.extract(
            text.source.ids, text.source.offsets, text.target.ids, text.target.offsets, text.links, text.link_offsets,
            options,
        )  # fmt: skip
        return PhraseTable(core, source, target, self)
