"""Sentence pairs as the kernels take them: ids, offsets, and the links known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.alignments import Link
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["LONGEST", "Anchors", "PairIds", "encode"]

# A link's places are 16-bit numbers, and work and memory grow with the product of the lengths.
LONGEST = 4096  # words of a sentence

Anchors = Sequence[Sequence[Link]]  # by sentence pair, the links known in it


_Links = tuple[NDArray[np.int32], NDArray[np.int64]]  # links (n, 2), and the offsets of the pairs or nothing


@dataclass(frozen=True, eq=False)
class PairIds:
    """The two sides of a bitext as ids, one line each for a pair."""

    source: TokenIds
    target: TokenIds
    anchors: _Links  # that are known
    possible: _Links  # the anchors, and pairs of words that go with each other alone, linked or not

    def __len__(self) -> int:
        """The number of sentence pairs."""
        return len(self.source)

    @classmethod
    def checked(
        cls,
        source: TokenIds,
        target: TokenIds,
        anchors: Anchors | None = None,
        *,
        bounds: Anchors | None = None,
        first: int = 0,
    ) -> PairIds:
        """The pairs, if no sentence is too long and no anchor leads beyond one."""
        for name, side in (("source", source), ("target", target)):
            lengths = side.lengths()
            if len(lengths) and lengths.max() > LONGEST:
                line = int(np.argmax(lengths > LONGEST))
                raise DataError(
                    f"Line {first + line + 1} of the {name} has {lengths[line]} words; at most {LONGEST} can be "
                    'aligned. Cut it, or leave it out (see "dragoman corpus clean").'
                )
        anchored = _anchor_arrays(anchors, source, target, first)
        if bounds is None:
            return cls(source, target, anchored, anchored)
        none: Anchors = [()] * len(bounds)
        both = [[*links, *more] for links, more in zip(anchors or none, bounds, strict=True)]
        return cls(source, target, anchored, _anchor_arrays(both, source, target, first))

    def core(self, *, backward: bool = False, decided: bool = False) -> _core.align.Bitext:
        """What kernels take; backward, the target is the side that is given; `decided`, with anchors and no bounds."""
        points, offsets = self.anchors if decided else self.possible
        if backward:
            sides, points = (self.target, self.source), np.ascontiguousarray(points[:, ::-1])
        else:
            sides = (self.source, self.target)
        return _core.align.Bitext(sides[0].ids, sides[1].ids, sides[0].offsets, sides[1].offsets, points, offsets)


def encode(
    srcs: Sequence[str],
    tgts: Sequence[str],
    vocabularies: tuple[Vocabulary, Vocabulary],
    *,
    anchors: Anchors | None = None,
    bounds: Anchors | None = None,
    first: int = 0,
    n_threads: int = 1,
) -> PairIds:
    """The ids of tokenised sentence pairs; `first` is how many pairs came before, for messages."""
    if isinstance(srcs, str) or isinstance(tgts, str):
        raise DataError("Expected lines of text, got one str. Pass a sequence of lines for each side.")
    check_parallel({"srcs": srcs, "tgts": tgts, "anchors": anchors})
    whitespace = _core.text.surface_tokeniser("none")
    source, target = (
        TokenIds(*vocabulary.core.encode(lines, whitespace, n_threads=n_threads))
        for lines, vocabulary in zip((srcs, tgts), vocabularies, strict=True)
    )
    return PairIds.checked(source, target, anchors, bounds=bounds, first=first)


def _anchor_arrays(
    anchors: Anchors | None, source: TokenIds, target: TokenIds, first: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    if anchors is None or not any(anchors):
        return np.zeros((0, 2), np.int32), np.zeros(0, np.int64)
    sizes = zip(anchors, source.lengths().tolist(), target.lengths().tolist(), strict=True)
    for line, (links, n_source, n_target) in enumerate(sizes, start=first + 1):
        for s, t in links:
            if not (0 <= s < n_source and 0 <= t < n_target):
                raise DataError(
                    f"Line {line}: the anchor {s}-{t} leads beyond the sentences, which have {n_source} and {n_target} "
                    "words. Anchors count tokens, from 0 on."
                )
    points = np.array([link for links in anchors for link in links], np.int32).reshape(-1, 2)
    return points, np.cumsum([0, *map(len, anchors)], dtype=np.int64)
