"""TESLA-S: words and skip-bigrams that two texts share, for summaries (Lin, Liu, Ng & Kan, ACL 2012)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.metrics.base import BestReference, Rows, mean_rows, ratio
from dragoman.metrics.meteor import check_function_words
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import make_tokeniser
from dragoman.options import option
from dragoman.text.layers import make_annotator

__all__ = ["TeslaS"]

_ALPHA = 0.8  # the weight of recall against precision
_FUNCTION = ("function_word",)
Bag = dict[Hashable, float]


@dataclass(frozen=True)
class TeslaS(BestReference):
    """TESLA-S: the mean of two F, of words and of skip-bigrams, in which function words count a tenth.

    Only equal words match, so that the linear program of TESLA has a closed form. Of several references the best one
    counts.
    """

    name: ClassVar[str] = "tesla-s"
    label_pattern: ClassVar[str] = "TESLA-S"
    level: ClassVar[Literal["corpus", "segment"]] = "segment"
    quick: ClassVar[bool] = False

    lang: str = option("en", positional=True, text="language of the text")
    tokeniser: str = option("13a", text="how lines are cut into words: a name, perhaps with options (moses+lang=de)")
    gap: int = option(4, low=0, high=20, text="the most words between the two of a skip-bigram")
    discount: float = option(0.1, low=0, high=1, text="what a function word weighs")
    function_words: str = option(
        "own",
        layers=_FUNCTION,
        text="own (Dragoman's lists), none, the layer function_word, or an annotator (function-words+file=FILE)",
    )

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        make_tokeniser(self.tokeniser)
        check_function_words(self.function_words, self.lang)
        if self.function_words not in {"own", "none", *_FUNCTION}:
            make_annotator(self.function_words, _FUNCTION)
        return self

    def prepare(self, text: ScoredText, n_threads: int) -> tuple[list[list[list[str]]], list[list[list[str]]]]:
        """The words of all lines: of the systems, and of the references."""
        cut = make_tokeniser(self.tokeniser)

        def words(lines: Sequence[str]) -> list[list[str]]:
            _core.text.check_lines(list(lines))  # lone surrogates
            return [line.split() for line in cut.tokenise(lines, n_threads=n_threads)]

        return (
            [words(lines) for lines in text.systems],
            [words(text.refs.lines(number)) for number in range(len(text.refs.streams))],
        )

    def reference_rows(
        self,
        prepared: tuple[list[list[list[str]]], list[list[list[str]]]],
        refs: References,  # noqa: ARG002
        number: int,
        n_threads: int,  # noqa: ARG002
    ) -> Rows:
        """A segment's score against one of the references, and 1."""
        systems, streams = prepared
        theirs = [self.bags(words) for words in streams[number]]
        scores = [
            [self.score(self.bags(words), other) for words, other in zip(lines, theirs, strict=True)]
            for lines in systems
        ]
        return mean_rows(100.0 * np.array(scores, dtype=np.float64).reshape(len(systems), len(theirs)))

    def bags(self, words: Sequence[str]) -> tuple[Bag, Bag]:
        """Words and skip-bigrams with their weights."""
        weight = self._weights(words)
        single: Bag = defaultdict(float)
        double: Bag = defaultdict(float)
        for place, word in enumerate(words):
            single[word] += weight[word]
            for other in words[place + 1 : place + 2 + self.gap]:
                double[word, other] += weight[word] * weight[other]
        return single, double

    def score(self, ours: Sequence[Bag], theirs: Sequence[Bag]) -> float:
        """The mean F of the bags that either text has something in."""
        pairs = [(a, b) for a, b in zip(ours, theirs, strict=True) if a or b]
        return sum(_f(a, b) for a, b in pairs) / len(pairs) if pairs else 0.0

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])

    def _weights(self, words: Sequence[str]) -> dict[str, float]:
        if self.function_words == "none":
            return dict.fromkeys(words, 1.0)
        kinds = list(dict.fromkeys(words))
        maker = f"function-words+lang={self.lang}" if self.function_words == "own" else self.function_words
        flags = make_annotator(maker, _FUNCTION).annotate([kinds])[0]
        return {word: self.discount if is_function else 1.0 for word, is_function in zip(kinds, flags, strict=True)}


def _f(ours: Bag, theirs: Bag) -> float:
    matched = sum(min(weight, theirs[item]) for item, weight in ours.items() if item in theirs)
    if not matched:
        return 0.0
    precision, recall = matched / sum(ours.values()), matched / sum(theirs.values())
    return precision * recall / (_ALPHA * precision + (1.0 - _ALPHA) * recall)
