"""The second language model of an engine: over word classes, it sees further than one over words can."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dragoman.lm import ClassKneserNey, ClassModel, cluster_words
from dragoman.options import Recipe, option

__all__ = ["WordClassing"]

_ROUNDS = 10  # of exchange, half of what clustering takes by default, for time


@dataclass(frozen=True)
class WordClassing(Recipe):
    """How the target's words are clustered, and their classes modelled (Wuebker et al., EMNLP 2013)."""

    number: int = option(200, low=0, text="classes of target words; 0: no model of them")
    order: int = option(7, low=1, high=9, text="length of the longest n-grams of classes")

    def train(self, lines: Iterable[str], *, n_threads: int = 1) -> ClassModel | None:
        """The model of the classes of tokenised lines, or none if none is asked for."""
        self.check()
        if not self.number:
            return None
        text = list(lines)
        classes = cluster_words(text, self.number, max_rounds=_ROUNDS, n_threads=n_threads)
        return ClassKneserNey(order=self.order).fit(text, classes, n_threads=n_threads)
