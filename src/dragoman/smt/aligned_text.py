"""An aligned bitext as ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.text.tokens import TokenIds, join_rows

__all__ = ["AlignedText"]


@dataclass(frozen=True, eq=False)
class AlignedText:
    """Sentence pairs as ids and word alignment; the links of pair i are `[link_offsets[i], link_offsets[i + 1])`."""

    source: TokenIds
    target: TokenIds
    links: NDArray[np.uint16]  # (links, 2): place in the source, place in the target, from 0
    link_offsets: NDArray[np.int64]
    weights: NDArray[np.float32] | None = None  # what each pair counts when phrases are extracted; none: 1

    def __len__(self) -> int:
        """The number of sentence pairs."""
        return len(self.source)

    def between(self, begin: int, end: int, n_pairs: int) -> AlignedText:
        """Some of the pairs of a text of `n_pairs`, which may stand there several times, once for each aligner."""
        copies = [(first + begin, first + end) for first in range(0, len(self), n_pairs)]
        source = [_slice(self.source.ids, self.source.offsets, *copy) for copy in copies]
        target = [_slice(self.target.ids, self.target.offsets, *copy) for copy in copies]
        links = [_slice(self.links, self.link_offsets, *copy) for copy in copies]
        weights = None if self.weights is None else np.concatenate([self.weights[a:b] for a, b in copies])
        return AlignedText(TokenIds(*join_rows(source)), TokenIds(*join_rows(target)), *join_rows(links), weights)


def _slice(
    values: NDArray[Any], offsets: NDArray[np.int64], begin: int, end: int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    return values[offsets[begin] : offsets[end]], offsets[begin : end + 1]
