"""WordNet as a taxonomy: what every meaning is a kind of, and how much it tells.

Nouns and verbs have a taxonomy each; where it has several roots, one above them all is added. Adjectives and adverbs
are kinds of nothing: two of them are alike if they share a meaning, or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import NotAvailable
from dragoman.files import StrPath
from dragoman.text.wordnet import WordNet, find_wordnet, synonyms_install, wordnet_at

__all__ = ["Taxonomy", "open_taxonomy"]

_KIND_OF = {"@", "@i"}  # the pointers to what a synset is a kind, or an instance, of
_PARTS = ("n", "v", "a", "r")


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """All meanings of a WordNet as numbers, with what the kernel wants to know of each."""

    wordnet: WordNet
    number_of: dict[str, int]  # by the id of the synset
    ancestors: NDArray[np.int32]
    distances: NDArray[np.int32]
    ancestor_offsets: NDArray[np.int64]
    content: NDArray[np.float64]  # 1 − log(meanings at or below) / log(all of that part of speech) (Seco et al. 2004)
    depth: NDArray[np.float64]  # the root's is 1
    span: NDArray[np.float64]  # log of twice the greatest depth

    @classmethod
    def of(cls, wordnet: WordNet) -> Taxonomy:
        """The taxonomy of a WordNet."""
        number_of: dict[str, int] = {}
        parents: list[list[int]] = []
        parts: list[slice] = []
        for part in _PARTS:
            begin = len(parents)
            above = {
                synset.id: [name for symbol, name in synset.pointers if symbol in _KIND_OF]
                for synset in wordnet.all_synsets(part)
            }
            number_of |= {name: begin + k for k, name in enumerate(above)}
            parents += [[number_of[name] for name in names if name in number_of] for names in above.values()]
            if part in "nv":
                _join_roots(parents, begin)
            parts.append(slice(begin, len(parents)))
        offsets = np.array([0, *accumulate(map(len, parents))], dtype=np.int64)
        flat = np.array([each for line in parents for each in line], dtype=np.int32)
        ancestors, distances, bounds, n_below = _core.metrics.ancestry(flat, offsets)
        depth = np.maximum.reduceat(distances, bounds[:-1]) + 1.0 if len(parents) else np.zeros(0)
        content, span = np.ones(len(parents)), np.ones(len(parents))
        for own in parts:
            size = own.stop - own.start
            if size > 1:
                content[own] = 1.0 - np.log(n_below[own]) / np.log(size)
            if size:
                span[own] = np.log(2.0 * depth[own].max())
        return cls(wordnet, number_of, ancestors, distances, bounds, content, depth, span)

    def senses(self, words: Sequence[str]) -> list[list[int]]:
        """The numbers of all meanings of each word."""
        return [[self.number_of[name] for name in self.wordnet.synset_ids(word)] for word in words]


def _join_roots(parents: list[list[int]], begin: int) -> None:
    """Put one root above all those from `begin` on that have none above them, unless there is one only."""
    roots = [number for number in range(begin, len(parents)) if not parents[number]]
    if len(roots) > 1:
        for number in roots:
            parents[number].append(len(parents))
        parents.append([])


def open_taxonomy(place: StrPath | None = None) -> Taxonomy:
    """The taxonomy of the WordNet at a place, or where its files usually are."""
    folder = find_wordnet() if place is None else place
    if folder is None:
        raise NotAvailable(f"The kinds of things are in WordNet. Install it with: {synonyms_install()}.")
    return _taxonomy(str(folder))


@lru_cache(maxsize=2)
def _taxonomy(place: str) -> Taxonomy:
    return Taxonomy.of(wordnet_at(place))
