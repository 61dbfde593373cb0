"""How much of a sentence good text has said before: n-grams with sentence ends, skip-grams (Moreau & Vogel 2012)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.arrays import check_array
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.qe.resources.ngrams import Counts, Keys, Tally, batches, look_up
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["GoodText", "GoodTextRecipe", "mask_keys", "okapi_weights", "padded"]

_UNKNOWN = " "  # no token is a space
_END = -1  # stands n − 1 times before and behind each sentence
_MIX = np.uint64(0x9E3779B97F4A7C15)

Table = tuple[Keys, Counts, Counts]  # n-grams, how often each stands in the text, in how many sentences


@dataclass(frozen=True)
class GoodTextRecipe(Recipe):
    """How to index good text.

    With `ends`, n − 1 signs stand before and behind each sentence: of `Hello World !` one trigram becomes five. `masks`
    are skip-grams beside the n-grams of all lengths up to `order`: `101` makes `There_no is_such no_thing` of `There
    is no such thing`.
    """

    order: int = option(6, low=1, high=8, text="length of the longest n-grams")
    ends: bool = option(True, choices=(False, True), text="with signs for the sentence's ends")
    lowercase: bool = option(True, choices=(False, True), text="upper and lower case are one")
    masks: tuple[str, ...] = option(
        ("101", "1001"), text="skip-grams: 1 for a word that counts, 0 for one that does not"
    )

    def all_masks(self) -> tuple[str, ...]:
        """N-grams by length, then skip-grams."""
        wrong = [mask for mask in self.masks if mask.strip("01") != "" or not mask.startswith("1") or mask[-1] != "1"]
        if wrong:
            raise DataError(f"A mask is made of 0 and 1 and begins and ends with 1, got {wrong[0]!r}.")
        return tuple(dict.fromkeys((*("1" * length for length in range(1, self.order + 1)), *self.masks)))

    def train(self, lines: Iterable[str]) -> GoodText:
        """Index tokenised lines, which are read once."""
        if isinstance(lines, str):
            raise DataError("Expected lines of text, got one str. Pass an iterable of lines.")
        self.check()
        masks = self.all_masks()
        words = Vocabulary(unk=_UNKNOWN)
        tallies = {mask: (Tally(), Tally()) for mask in masks}
        digest = sha256()
        n_sentences = 0
        for batch in batches(lines):
            ids, offsets = self._encode(batch, words)
            n_sentences += len(batch)
            for mask, (times, sentences) in tallies.items():
                keys, sentence = mask_keys(ids, offsets, mask, ends=self.ends)
                times.add(keys)
                with np.errstate(over="ignore"):  # arithmetic modulo 2**64 is the method
                    _, first = np.unique(keys * _MIX + sentence.astype(np.uint64), return_index=True)
                sentences.add(keys[first])
            digest.update("".join(f"{line}\n" for line in batch).encode())
        if len(words) < 2:
            raise DataError("There are no words to index: the text is empty.")
        tables = {}
        for mask, (times, sentences) in tallies.items():
            keys, counts = times.finished()
            tables[mask] = (keys, counts, sentences.finished()[1])
        return GoodText(self, words.freeze(), tables, n_sentences, data={"text": digest.hexdigest()})

    def _encode(self, lines: list[str], words: Vocabulary) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        raw = Vocabulary()
        ids, offsets = raw.core.encode(lines, _core.text.surface_tokeniser("none"))
        forms = raw.words()
        number = words.ids([self.fold(word) for word in forms]) if forms else np.zeros(0, dtype=np.int32)
        return number[ids], offsets

    def fold(self, word: str) -> str:
        """A word as the index has it."""
        return word.lower() if self.lowercase else word


@dataclass(eq=False, repr=False)
class GoodText(StoredArtifact):
    """The n-grams and skip-grams of good text, as hashes, with their counts."""

    kind: ClassVar[str] = "good text"
    format: ClassVar[int] = 2

    recipe: GoodTextRecipe
    vocabulary: Vocabulary
    tables: dict[str, Table]  # by mask
    n_sentences: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """Different n-grams by length, then skip-grams."""
        return tuple(len(keys) for keys, _, _ in self.tables.values())

    def _check(self) -> None:
        for mask, (keys, counts, sentences) in self.tables.items():
            check_array(f"n-grams of {mask}", keys, np.uint64, None)
            for values in (counts, sentences):
                check_array(f"counts of n-grams of {mask}", values, np.int64, len(keys))

    def look_up(
        self, words: list[str], ids: NDArray[np.int32], offsets: NDArray[np.int64], mask: str
    ) -> tuple[Keys, Counts, Counts, NDArray[np.int64]]:
        """The n-grams of sentences: their hashes, counts, sentences that have them, and the sentence of each."""
        if mask not in self.tables:
            raise DataError(f"The good text was indexed by {', '.join(self.tables)}, not by {mask}. Index it anew.")
        number = (
            self.vocabulary.ids([self.recipe.fold(word) for word in words]) if words else np.zeros(0, dtype=np.int32)
        )
        keys, sentence = mask_keys(number[ids] if len(ids) else ids, offsets, mask, ends=self.recipe.ends)
        ngrams, counts, having = self.tables[mask]
        return keys, look_up(keys, ngrams, counts, 0), look_up(keys, ngrams, having, 0), sentence


def padded(ids: NDArray[np.int32], offsets: NDArray[np.int64], n: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The sentences with n signs before and behind each."""
    lengths = np.diff(offsets)
    ends = np.concatenate([[0], np.cumsum(lengths + 2 * n)]).astype(np.int64)
    wide = np.full(int(ends[-1]), _END, dtype=np.int32)
    wide[np.arange(len(ids)) + np.repeat(ends[:-1] + n - offsets[:-1], lengths)] = ids
    return wide, ends


def mask_keys(
    ids: NDArray[np.int32], offsets: NDArray[np.int64], mask: str, *, ends: bool
) -> tuple[Keys, NDArray[np.int64]]:
    """A hash of each n-gram or skip-gram with at least one word, and the sentence of each."""
    if ends:
        ids, offsets = padded(ids, offsets, len(mask) - 1)
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    n = max(0, len(ids) - len(mask) + 1)
    keys = np.zeros(n, dtype=np.uint64)
    worded = np.zeros(n, dtype=bool)
    with np.errstate(over="ignore"):  # arithmetic modulo 2**64 is the method
        for shift, counts in enumerate(mask):
            if counts == "1":
                part = ids[shift : shift + n]
                worded |= part != _END
                keys = (keys ^ (part.astype(np.int64) + 2).astype(np.uint64)) * _MIX
                keys ^= keys >> np.uint64(29)
    if not n:
        return keys, np.zeros(0, dtype=np.int64)
    inside = (sentence[:n] == sentence[len(mask) - 1 :]) & worded
    return keys[inside], sentence[:n][inside]


def okapi_weights(
    times: Counts, having: Counts, length: Floats | float, mean_length: float, n_sentences: int, k1: float, b: float
) -> Floats:
    """BM25 weights of n-grams in texts of a length; an n-gram that half of all sentences have weighs nothing."""
    idf = np.maximum(0.0, np.log((n_sentences - having + 0.5) / (having + 0.5)))
    tf = times.astype(np.float64)
    weights: Floats = idf * tf * (k1 + 1) / np.maximum(tf + k1 * (1 - b + b * length / max(mean_length, 1e-12)), 1e-12)
    return weights
