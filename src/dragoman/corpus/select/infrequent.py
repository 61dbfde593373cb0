"""Recovery of infrequent n-grams: take what has n-grams of the test text that were not met often enough.

Gascó et al. (EACL 2012). The pool is gone through once, in its order: a line is taken while any n-gram of the text to
be like that it has was met fewer than `times` times, in what was there before (`have`) and in what was taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from dragoman.corpus.select.base import Scorer, SelectionScore
from dragoman.corpus.select.texts import TextBatch, Texts
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["Infrequent"]

Ngram = tuple[str, ...]


@dataclass(frozen=True)
class Infrequent(SelectionScore):
    """How many times short of `times` the n-grams of the text to be like still are that a line has; −∞ if none is.

    With `have`, the text trained on, it says what a pool adds to that; without, what of a pool is enough.
    """

    name: ClassVar[str] = "infrequent"

    side: Literal["both", "source", "target"] = option(
        "source", choices=("source", "target"), text="side of the pool that is looked at"
    )
    order: int = option(3, low=1, high=9, text="longest n-grams")
    times: int = option(10, low=1, text="how often an n-gram must be met")
    have: str = option("", text="file of lines, of this side, that are there already")

    def start(self, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> Scorer:  # noqa: ARG002
        """See `SelectionScore`."""
        text = self.wanted(like)
        like_side, pool_side = self.compared_sides(text, pool)[0]
        needs = {ngram: self.times for line in self.cut_side(text, like_side) for ngram in self._ngrams(line)}
        if self.have:
            for line in self.cut_side(Texts.from_files([self.have]), 0):
                self._meet(needs, line)

        def score(batch: TextBatch) -> Floats:
            lines = self.cut(batch.sides[pool_side], n_threads)
            benefits = np.array([self._meet(needs, line) for line in lines], dtype=np.float64)
            return np.where(benefits > 0, benefits, -np.inf)

        return score

    def _meet(self, needs: dict[Ngram, int], line: str) -> int:
        """What a line gives: the needs of its n-grams, which are then less by what it has of them."""
        met = Counter(ngram for ngram in self._ngrams(line) if needs.get(ngram, 0) > 0)
        benefit = sum(needs[ngram] for ngram in met)
        for ngram, count in met.items():
            needs[ngram] -= count
        return benefit

    def _ngrams(self, line: str) -> Iterator[Ngram]:
        words = line.split()
        for length in range(1, self.order + 1):
            for first in range(len(words) - length + 1):
                yield tuple(words[first : first + length])
