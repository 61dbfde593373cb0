"""The words that a net predicts, class by class: what it does not know, a sentence's end, a short list, clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines, write_lines
from dragoman.lm.classes import cluster_words
from dragoman.lm.nets.recipe import NetRecipe
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["END", "UNKNOWN", "OutputWords"]

UNKNOWN, END = 0, 1  # numbers of <unk> and </s>, which are classes of their own
_SPECIAL = ("<unk>", "</s>")
_ROUNDS = 5  # of exchange: more of them hardly move perplexity


@dataclass(frozen=True, eq=False)
class OutputWords:
    """Words numbered class by class, `<unk>` and `</s>` first; `sizes` are those of the classes."""

    words: tuple[str, ...]
    sizes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def offsets(self) -> NDArray[np.uint32]:
        """Where each class begins, and the end."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.uint32)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words by number; any other is `<unk>`."""
        return Vocabulary(self.words, unk=_SPECIAL[UNKNOWN]).freeze()

    def encode(self, lines: Sequence[str], *, n_threads: int = 1) -> TokenIds:
        """The numbers of the tokens of lines, each line with its end behind it."""
        if isinstance(lines, str):
            raise DataError("Expected lines of text, got one str. Pass a sequence of lines.")
        cut = _core.text.surface_tokeniser("none")
        ids, offsets = self.vocabulary.core.encode(lines, cut, n_threads=n_threads)
        return TokenIds(
            np.insert(ids, offsets[1:], END).astype(np.int32), offsets + np.arange(len(offsets), dtype=np.int64)
        )

    @classmethod
    def of(cls, lines: Sequence[str], recipe: NetRecipe, *, n_threads: int = 1) -> Self:
        """Of tokenised text: the most frequent words each for itself, others by clusters of the text's bigrams.

        SOUL clusters by the projections of a first training; clusters by exchange cost a second and need none.
        """
        counts = Counter(word for line in lines for word in line.split())
        frequent = [word for word, n in counts.most_common() if n >= recipe.min_count and word not in _SPECIAL]
        if not frequent:
            raise DataError(f"No word is there {recipe.min_count} times; give more text or lower 'min_count'.")
        single, rest = frequent[: recipe.shortlist], frequent[recipe.shortlist :]
        clusters: dict[str, list[str]] = {}
        if rest:
            kept = {*frequent}
            masked = [" ".join(word if word in kept else "<unk>" for word in line.split()) for line in lines]
            classes = cluster_words(masked, recipe.classes, max_rounds=_ROUNDS, n_threads=n_threads).classes
            for word in rest:
                clusters.setdefault(classes[word], []).append(word)
        groups = [*([word] for word in (*_SPECIAL, *single)), *(clusters[name] for name in sorted(clusters, key=int))]
        return cls(tuple(word for group in groups for word in group), tuple(len(group) for group in groups))

    def write(self, path: StrPath) -> None:
        """A line for each class, its words separated by blanks."""
        write_lines(path, (" ".join(self.words[begin:end]) for begin, end in pairwise(self.offsets.tolist())))

    @classmethod
    def read(cls, path: StrPath) -> Self:
        """What `write` wrote; a word that is there twice or an empty class raises with the line."""
        words: dict[str, int] = {}
        sizes = []
        for number, line in enumerate(read_lines(path), start=1):
            group = line.split(" ")
            for word in group:
                if not word or word in words:
                    raise FormatError(f"the word {word!r} is there twice or empty.", path=path, line=number)
                words[word] = number
            sizes.append(len(group))
        if tuple(words)[: len(_SPECIAL)] != _SPECIAL:
            raise FormatError(f"the first classes must be {' and '.join(_SPECIAL)}.", path=path, line=1)
        return cls(tuple(words), tuple(sizes))
