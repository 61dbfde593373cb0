"""Labels without a parser: spans are called by the classes of their first and last words.

Zollmann & Vogel (ACL 2011); the "poor man's syntax" of DFKI's systems (WMT 2012) clusters phrases to the same end.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dragoman.smt.grammar.extraction import SpanLabels
from dragoman.smt.grammar.labels import DEFAULT
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["class_labels"]

_UNKNOWN = "unk"  # the class of words that have none


def class_labels(text: TokenIds, vocabulary: Vocabulary, classes: Mapping[str, str], *, longest: int) -> SpanLabels:
    """The labels of all spans of at most `longest` words: `C3` of one word, `C3-C7` of several."""
    names = [_UNKNOWN, *sorted(set(classes.values()))]
    numbers = {name: number for number, name in enumerate(names)}
    by_word = np.array([numbers[classes.get(word, _UNKNOWN)] for word in vocabulary.words()], dtype=np.int64)
    words = by_word[text.ids]
    lengths = text.lengths()
    first = np.repeat(text.offsets[:-1], lengths)  # of each word's sentence
    place = np.arange(len(words)) - first
    left = np.repeat(lengths, lengths) - place  # words from here to the end of the sentence
    rows = [_spans(words, place, left, n, len(names)) for n in range(1, min(longest, max(lengths, default=0)) + 1)]
    spans = np.concatenate([np.zeros((0, 5), np.int64), *rows])
    spans = spans[np.lexsort((spans[:, 1], spans[:, 0]))]  # by word of the text, then by length
    label_ids, labels = np.unique(spans[:, 4], return_inverse=True)
    sentences = np.repeat(np.arange(len(text)), lengths)[spans[:, 0]]
    offsets = np.searchsorted(sentences, np.arange(len(text) + 1)).astype(np.int64)
    columns = [spans[:, 2], spans[:, 3], labels + 1, np.full(len(spans), -1)]
    return SpanLabels(
        (DEFAULT, *(_name(int(each), names) for each in label_ids)),
        np.stack(columns, axis=1).astype(np.int32),
        offsets,
    )


def _spans(
    words: NDArray[np.int64], place: NDArray[np.int64], left: NDArray[np.int64], n: int, n_names: int
) -> NDArray[np.int64]:
    """Spans of n words: first word of the text, n, begin and end in the sentence, and the label as one number."""
    begins = np.flatnonzero(left >= n)
    label = words[begins] if n == 1 else n_names * (1 + words[begins]) + words[begins + n - 1]
    return np.stack([begins, np.full(len(begins), n), place[begins], place[begins] + n, label], axis=1)


def _name(label: int, names: list[str]) -> str:
    first, last = divmod(label, len(names))
    return names[last] if first == 0 else f"{names[first - 1]}-{names[last]}"
