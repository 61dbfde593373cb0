"""The contract of miners: two texts in, pairs of their lines that may translate each other out, with scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError

__all__ = ["Candidates", "Miner", "Numbers"]


@dataclass(frozen=True)
class Numbers:
    """A number for each line of both texts, such as a day or a document: pairs lie at most `width` apart."""

    sources: Sequence[int]
    targets: Sequence[int]
    width: int = 0

    def check(self, srcs: Sequence[str], tgts: Sequence[str]) -> Numbers:
        """Itself, if every line has a number."""
        check_parallel({"sources": srcs, "numbers of sources": self.sources})
        check_parallel({"targets": tgts, "numbers of targets": self.targets})
        if self.width < 0:
            raise DataError(f"Pairs lie at least 0 apart, got a width of {self.width}.")
        return self


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of lines by their places, in the order of the sources: each once, unless more pairs were asked for."""

    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    scores: NDArray[np.float64]  # higher is better, and comparable between pairs

    def __len__(self) -> int:
        return len(self.scores)


class Miner(ABC):
    """Finds for each source line the target line that translates it best, if any does."""

    @abstractmethod
    def candidates(
        self, srcs: Sequence[str], tgts: Sequence[str], *, numbers: Numbers | None = None, n_threads: int = 1
    ) -> Candidates:
        """The best pair of each source that has one; more of them where the miner's recipe says so."""

    @abstractmethod
    def signature(self) -> str:
        """How pairs are found and scored, in a line."""
