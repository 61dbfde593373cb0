"""Sentence pairs as two streams that tuples keep in step: target words in their order, source words as units have them.

A stream's tokens are words, or whole sides of units (phrases).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.align import Aligner
from dragoman.align.text import LONGEST
from dragoman.align.tuples import unfold
from dragoman.data.parallel import check_parallel

__all__ = ["UNITS", "Streams", "unfolded"]

UNITS = ("word", "phrase")
_NOTHING = "<null>"  # the phrase of a side without words
_JOINT = "\N{LOWER ONE EIGHTH BLOCK}"  # between the words of a phrase


@dataclass(frozen=True, eq=False)
class Streams:
    """The tokens of both sides, a line a pair, and how many tokens each unit has on each side.

    Behind the units of a pair stands one of its end, with the sentence ends that models add to the lines.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    source_sizes: NDArray[np.int64]  # by unit, all pairs one behind the other
    target_sizes: NDArray[np.int64]
    n_units: NDArray[np.int64]  # by pair, the end included

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.source)


def unfolded(srcs: Sequence[str], tgts: Sequence[str], aligner: Aligner, units: str, *, n_threads: int = 1) -> Streams:
    """Tokenised pairs, their words linked by an aligner, as streams of `units`: word or phrase.

    Words behind those that an aligner takes are left out.
    """
    check_parallel({"srcs": srcs, "tgts": tgts})
    sides = [[line.split()[:LONGEST] for line in lines] for lines in (srcs, tgts)]
    links = aligner.align(*([" ".join(words) for words in side] for side in sides), n_threads=n_threads)
    pairs, offsets = links.links.tolist(), links.offsets.tolist()
    streams: tuple[list[str], list[str]] = ([], [])
    sizes: tuple[list[int], list[int]] = ([], [])
    n_units = []
    for i, words in enumerate(zip(*sides, strict=True)):
        found = unfold(len(words[0]), len(words[1]), pairs[offsets[i] : offsets[i + 1]])
        for side in (0, 1):
            tokens = [_tokens(words[side], unit[side], units) for unit in found]
            streams[side].append(" ".join(token for group in tokens for token in group))
            sizes[side].extend([*map(len, tokens), 1])
        n_units.append(len(found) + 1)
    source_sizes, target_sizes, counts = (np.array(each, dtype=np.int64) for each in (*sizes, n_units))
    return Streams(tuple(streams[0]), tuple(streams[1]), source_sizes, target_sizes, counts)


def _tokens(words: Sequence[str], places: Sequence[int], units: str) -> list[str]:
    """What a unit puts into a stream."""
    side = [words[place] for place in places]
    return side if units == "word" else [_JOINT.join(side) or _NOTHING]
