"""Words as models of words see them: numbers are one word, and typographic quotation marks are plain ones."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.text.vocabulary import Vocabulary

__all__ = ["Ids", "encode_words", "fold_word", "lines_digest", "word_ids"]

Ids = tuple[NDArray[np.int32], NDArray[np.int64]]  # word numbers from 0, −1 for unknown ones, and sentence ends

NUMBER = "$number"
_UNKNOWN = " "  # no token is a space
_QUOTES = str.maketrans({"“": '"', "”": '"'})


def fold_word(word: str) -> str:
    """A word as Buck (2012) prepares it: `$number` for what has digits and no letters, “ and ” as plain marks."""
    if any(char.isdigit() for char in word) and not any(char.isalpha() for char in word):
        return NUMBER
    return word.translate(_QUOTES)


def encode_words(lines: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64], Vocabulary]:
    """Tokenised lines as word numbers, and the folded words, whose vocabulary has one entry more: the unknown word."""
    raw = Vocabulary()
    ids, offsets = raw.core.encode(list(lines), _core.text.surface_tokeniser("none"))
    folded = Vocabulary(unk=_UNKNOWN)
    words = raw.words()
    number = folded.ids([fold_word(word) for word in words]) if words else np.zeros(0, dtype=np.int32)
    return (number - 1).astype(np.int32)[ids], offsets, folded.freeze()


def word_ids(words: Sequence[str], ids: NDArray[np.int32], vocabulary: Vocabulary) -> NDArray[np.int32]:
    """Tokens that are numbers of `words`, as word numbers of a frozen vocabulary."""
    if not words:
        return np.zeros(0, dtype=np.int32)
    number = vocabulary.ids([fold_word(word) for word in words])
    return (number - 1).astype(np.int32)[ids]


def lines_digest(*texts: Sequence[str]) -> dict[str, str]:
    """What an artifact was made from: SHA-256 of each side."""
    digests = {}
    for name, lines in zip(("source", "target"), texts, strict=False):
        digest = sha256()
        for line in lines:
            digest.update(line.encode() + b"\n")
        digests[name] = digest.hexdigest()
    return digests
