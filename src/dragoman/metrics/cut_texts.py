"""The texts of a comparison cut into words and numbered by one vocabulary, so that the core can count them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.testset import TestSet
from dragoman.metrics.references import References
from dragoman.metrics.words import Ids, encode_lines
from dragoman.text import Vocabulary

__all__ = ["CutTexts", "first_references"]


@dataclass(frozen=True, eq=False)
class CutTexts:
    """Words of all systems and references as ids of one vocabulary."""

    vocabulary: Vocabulary
    systems: Mapping[str, Ids]
    refs: tuple[Ids, ...]
    first: Ids  # of each segment the first reference that there is
    present: NDArray[np.uint8]  # as `References.present`
    n_threads: int = 1

    @classmethod
    def of(cls, test_set: TestSet, tokeniser: str = "13a", *, n_threads: int = 1) -> CutTexts:
        """The texts cut by a tokeniser."""
        references, vocabulary = References.of_test_set(test_set), Vocabulary()

        def cut(lines: Sequence[str]) -> Ids:
            return encode_lines(lines, tokeniser, lowercase=False, vocabulary=vocabulary, n_threads=n_threads)

        streams = tuple(cut(references.lines(number)) for number in range(len(references.streams)))
        first = streams[0] if references.present[0].all() else cut(first_references(references))
        return cls(
            vocabulary,
            {name: cut(lines) for name, lines in test_set.systems.items()},
            streams,
            first,
            references.present,
            n_threads,
        )

    def words(self, ids: Ids) -> list[list[str]]:
        """The words that ids stand for, line by line."""
        vocabulary = self.vocabulary.words()
        words = [vocabulary[number] for number in ids[0].tolist()]
        return [words[begin:end] for begin, end in pairwise(ids[1].tolist())]

    def number(self, lines: Sequence[Sequence[str]]) -> Ids:
        """Lines of words as ids."""
        offsets = np.zeros(len(lines) + 1, dtype=np.int64)
        np.cumsum([len(words) for words in lines], out=offsets[1:])
        return self.vocabulary.ids([word for words in lines for word in words]), offsets

    def matched(self, words: Ids, others: Ids) -> NDArray[np.bool_]:
        """For each word, in order, whether the other text of its segment still has one of its kind."""
        return _core.metrics.found_words(words, others, n_threads=self.n_threads).astype(bool)


def first_references(refs: References) -> list[str]:
    """Of each segment the first reference that there is."""
    return [next(line for line in segment if line is not None) for segment in zip(*refs.streams, strict=True)]
