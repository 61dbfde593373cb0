"""From an aligned bitext to a phrase table."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.parallel import check_parallel
from dragoman.options import Recipe, option
from dragoman.smt.phrase_table import PhraseTable
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["ORIENTATIONS", "AlignedText", "PhraseExtraction"]

ORIENTATIONS = ("none", "word", "hierarchical")
SIGNIFICANCES = ("none", "a-e", "a+e")
SMOOTHINGS = ("none", "good-turing", "kneser-ney")

_EPSILON = 0.001  # in −log p: larger than any rounding, smaller than any difference


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
    smoothing: str = option(
        "kneser-ney", choices=SMOOTHINGS, text="of phrase probabilities (Foster, Kuhn & Johnson 2006)"
    )
    orientation: str = option("word", choices=ORIENTATIONS, text="what a phrase is oriented to")
    orientation_smoothing: float = option(0.5, low=0, text="weight of the orientations of all phrases together")
    significance: str = option(
        "none",
        choices=SIGNIFICANCES,
        text="prune pairs that meet by chance (Fisher's test, Johnson et al. 2007): a-e keeps what was met once in all "
        "ways, a+e does not",
    )
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
        if self.significance != "none" and len(text):
            # Two phrases that occur once each, and together, have p = 1/n: that is the limit, with or without them.
            least = log(len(text)) + (_EPSILON if self.significance == "a+e" else -_EPSILON)
            core = _core.phrase.prune_by_significance(
                core, text.source.ids, text.source.offsets, text.target.ids, text.target.offsets, least=least,
                n_threads=n_threads,
            )  # fmt: skip
        return PhraseTable(core, source, target, self)
