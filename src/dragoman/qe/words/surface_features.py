"""What the outputs themselves show of a word: its letters, its neighbours, its place, other outputs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.options import option
from dragoman.qe.features.batch import Batch
from dragoman.qe.words.features import Neighbours, Symbols, WordFeature, moved, words_of
from dragoman.stats.arrays import Floats

__all__ = ["Affix", "Bigram", "Elsewhere", "Position", "SentenceLength", "Shape", "Word"]


@dataclass(frozen=True)
class Word(Neighbours):
    """The word itself, lower-cased; of neighbours with the option `at`."""

    name: ClassVar[str] = "word"
    paper: ClassVar[str] = "LIG, WMT 2014"

    def own(self, batch: Batch) -> Symbols:
        """The words."""
        return [word.lower() for word in words_of(batch)]


@dataclass(frozen=True)
class Bigram(Neighbours):
    """The word together with the one before it, both lower-cased."""

    name: ClassVar[str] = "bigram"
    paper: ClassVar[str] = "LIG, WMT 2014"

    def own(self, batch: Batch) -> Symbols:
        """Two words a token."""
        words = [word.lower() for word in words_of(batch)]
        before = moved(words, batch.tokens("target").offsets, -1)
        return [f"{left} {word}" for left, word in zip(before, words, strict=True)]


@dataclass(frozen=True)
class Affix(Neighbours):
    """The last or first letters of the word; a shorter word whole."""

    name: ClassVar[str] = "affix"
    paper: ClassVar[str] = "LIG, WMT 2014"

    end: str = option("end", choices=("begin", "end"), text="which end")
    letters: int = option(3, low=1, high=6, text="how many letters")

    def own(self, batch: Batch) -> Symbols:
        """The letters."""
        cut = slice(None, self.letters) if self.end == "begin" else slice(-self.letters, None)
        return [word.lower()[cut] for word in words_of(batch)]


@dataclass(frozen=True)
class Shape(Neighbours):
    """What the word is made of: capitals, small letters, digits, marks, each run once."""

    name: ClassVar[str] = "shape"
    paper: ClassVar[str] = "LIG, WMT 2014 (punctuation, numeral, proper name)"

    def own(self, batch: Batch) -> Symbols:
        """The shapes."""
        tokens = batch.tokens("target")
        shapes = [_shape(word) for word in tokens.words]
        return [shapes[number] for number in tokens.ids.tolist()]


def _shape(word: str) -> str:
    shape = ""
    for letter in word:
        kind = "9" if letter.isdigit() else "A" if letter.isupper() else "a" if letter.isalpha() else "."
        if not shape.endswith(kind):
            shape += kind
    return shape


@dataclass(frozen=True)
class Position(WordFeature):
    """Where in the sentence the word stands, from 0 to 1."""

    name: ClassVar[str] = "position"
    paper: ClassVar[str] = "LIG, WMT 2014"

    def column(self, batch: Batch) -> Floats:
        """The places."""
        target = batch.tokens("target")
        place = np.arange(int(target.offsets[-1])) - target.offsets[target.sentence]
        return np.asarray(place / np.maximum(target.lengths[target.sentence] - 1, 1), dtype=np.float64)


@dataclass(frozen=True)
class SentenceLength(WordFeature):
    """The number of words that the whole output has."""

    name: ClassVar[str] = "sentence-length"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014"

    def column(self, batch: Batch) -> Floats:
        """The lengths."""
        target = batch.tokens("target")
        return target.lengths[target.sentence].astype(np.float64)


@dataclass(frozen=True)
class Elsewhere(Neighbours):
    """The share of other outputs of the same source, among those given, that have the n-gram ending with this word.

    NaN where there is no other output, and at the first words of sentences for longer n-grams.
    """

    name: ClassVar[str] = "elsewhere"
    paper: ClassVar[str] = "LIG, WMT 2014 (occurrence in several systems' outputs)"

    length: int = option(1, low=1, high=3, text="words of the n-gram")

    def own(self, batch: Batch) -> Floats:
        """The shares."""
        target = batch.tokens("target")
        lines = [line.lower().split() for line in target.lines]
        ngrams = [
            ["\t".join(words[end - self.length : end]) for end in range(self.length, len(words) + 1)] for words in lines
        ]
        others: dict[str, list[int]] = {}
        for row, source in enumerate(batch.tokens("source").lines):
            others.setdefault(source, []).append(row)
        column = np.full(int(target.offsets[-1]), np.nan)
        for rows in others.values():
            if len(rows) < 2:
                continue
            having = Counter(ngram for row in rows for ngram in set(ngrams[row]))
            for row in rows:
                shares = [(having[ngram] - 1) / (len(rows) - 1) for ngram in ngrams[row]]
                end = int(target.offsets[row + 1])
                column[end - len(shares) : end] = shares
        return column
