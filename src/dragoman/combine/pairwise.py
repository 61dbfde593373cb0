"""Word links between all pairs of outputs by an aligner learnt from them: the pairwise way (Rosti et al., WMT 2012)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dragoman.align.run import align_ids
from dragoman.text.tokens import TokenIds

__all__ = ["pairwise_links"]

# Learnt from every two outputs of a segment: a few rounds see each word often enough.
_ALIGNER = "hmm:start_rounds=2,rounds=2"
_THRESHOLD = 0.3  # of the geometric mean of both directions' posteriors


Links = tuple[NDArray[np.int32], NDArray[np.int64]]  # (links, 2), and where those of each pair begin


def pairwise_links(hyps: TokenIds, n_systems: int, *, n_threads: int = 1) -> Links:
    """Links (n, 2), one-to-one, and the offsets of the pairs (0, 1), (0, 2), … (1, 2), … of each segment."""
    pairs = list(combinations(range(n_systems), 2))
    firsts = np.arange(0, len(hyps), n_systems)[:, np.newaxis]
    sides = [_taken(hyps, (firsts + np.array(pairs)[:, side]).ravel()) for side in (0, 1)]
    links, offsets = align_ids(
        *sides, method=_ALIGNER, symmetrisation="posterior", threshold=_THRESHOLD, n_threads=n_threads
    )
    return _one_to_one(links.astype(np.int32), offsets)


def _taken(hyps: TokenIds, lists: NDArray[np.int64]) -> TokenIds:
    lengths = hyps.lengths()[lists]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    places = np.repeat(hyps.offsets[lists] - offsets[:-1], lengths) + np.arange(offsets[-1])
    return TokenIds(hyps.ids[places], offsets)


def _one_to_one(links: NDArray[np.int32], offsets: NDArray[np.int64]) -> Links:
    """The links of which no earlier one of the pair has either word."""
    pair = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    for side in (0, 1):
        _, first = np.unique(np.column_stack([pair, links[:, side]]), axis=0, return_index=True)
        first.sort()
        links, pair = links[first], pair[first]
    counts = np.bincount(pair, minlength=len(offsets) - 1)
    return np.ascontiguousarray(links), np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
