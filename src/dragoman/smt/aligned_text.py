"""An aligned bitext as ids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.text.tokens import TokenIds

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
