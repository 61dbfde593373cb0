"""Tree kernels: how alike two sentences are in structure (Hardmeier, Nivre & Tiedemann, WMT 2012).

K(a, b) counts the parts that two trees have in common, large parts less than small ones by a decay: `subset` trees keep
or cut whole productions (SST), for constituents; `partial` trees keep any children in their order (PTK), for
dependencies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from dragoman import _core
from dragoman.errors import DataError
from dragoman.stats.arrays import Floats
from dragoman.text.trees import Tree

__all__ = ["KernelTrees", "TreeKernel"]

_KINDS = ("subset", "partial")


class KernelTrees:
    """KernelTrees made ready for kernels: one for each sentence."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        self.trees = tuple(trees)

    def __len__(self) -> int:
        return len(self.trees)

    @cached_property
    def forest(self) -> _core.tree.Forest:
        """The trees in the core."""
        numbers: dict[str, int] = {}
        labels = [
            numbers.setdefault(label, len(numbers)) for label in chain.from_iterable(tree.labels for tree in self.trees)
        ]
        offsets = np.zeros(len(self.trees) + 1, dtype=np.int64)
        np.cumsum([len(tree) for tree in self.trees], out=offsets[1:])
        parents = list(chain.from_iterable(tree.parents for tree in self.trees))
        return _core.tree.Forest(np.array(labels, dtype=np.int32), np.array(parents, dtype=np.int32), offsets)


@dataclass(frozen=True)
class TreeKernel:
    """A kernel on trees. `width` is λ, `depth` is μ, which only partial trees have."""

    kind: str = "partial"
    width: float = 0.4
    depth: float = 0.4
    normalised: bool = True

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise DataError(f"There is no tree kernel {self.kind!r}. Known: {', '.join(_KINDS)}.")
        for name in ("width", "depth"):
            if not 0 < getattr(self, name) <= 1:
                raise DataError(f"The decay {name} is {getattr(self, name):g}; expected a number above 0, at most 1.")

    def gram(
        self, trees: KernelTrees, rows: ArrayLike | None = None, columns: ArrayLike | None = None, *, n_threads: int = 1
    ) -> Floats:
        """K of all pairs (rows, columns), given as places in `trees`; all of them by default."""
        every = np.arange(len(trees), dtype=np.int64)
        left, right = (every if places is None else _places(places) for places in (rows, columns))
        gram: Floats = trees.forest.gram(
            left,
            right,
            partial=self.kind == "partial",
            width=self.width,
            depth=self.depth,
            normalised=self.normalised,
            n_threads=n_threads,
        )
        return gram


def _places(numbers: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    places = np.asarray(numbers)
    if places.size and not np.issubdtype(places.dtype, np.integer):
        raise DataError("Places of trees are whole numbers, counted from 0.")
    return np.ascontiguousarray(places, dtype=np.int64).reshape(-1)
