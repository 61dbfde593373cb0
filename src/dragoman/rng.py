"""Chance, counted: the same seed gives the same draws, whatever the thread count, chunking or NumPy version.

A stream is named by a seed and a label (`"split"`, `"bootstrap"`), so two uses of one seed do not share draws. A draw
is a pure function of (seed, label, counter): SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) evaluated at the counter.
"""

from __future__ import annotations

from hashlib import blake2b
from operator import index
from typing import TYPE_CHECKING, SupportsIndex

from dragoman.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Stream"]

_GOLDEN_GAMMA = 0x9E3779B97F4A7C15


class Stream:
    """A counter-based stream of random numbers."""

    def __init__(self, seed: int, label: str = "") -> None:
        if not isinstance(seed, SupportsIndex) or isinstance(seed, bool) or index(seed) < 0:
            raise DataError(f"A seed is a whole number from 0 on, got {seed!r}.")
        self.seed = index(seed)
        self.label = label
        digest = blake2b(f"{self.seed}\x00{label}".encode(), digest_size=8).digest()
        self.key = int.from_bytes(digest, "little")

    def __repr__(self) -> str:
        return f"Stream(seed={self.seed}, label={self.label!r})"

    def bits(self, count: int, *, start: int = 0) -> NDArray[np.uint64]:
        """`count` 64-bit draws, from counter `start` on."""
        import numpy as np

        with np.errstate(over="ignore"):  # arithmetic modulo 2**64 is the method
            z = np.arange(start + 1, start + count + 1, dtype=np.uint64) * np.uint64(_GOLDEN_GAMMA) + np.uint64(
                self.key
            )
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return z ^ (z >> np.uint64(31))

    def uniform(self, count: int, *, start: int = 0) -> NDArray[np.float64]:
        """`count` draws from [0, 1)."""
        import numpy as np

        return (self.bits(count, start=start) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def permutation(self, n: int) -> NDArray[np.int64]:
        """A random order of 0 … n−1: the indices sorted by their own draws."""
        import numpy as np

        return np.argsort(self.bits(n), kind="stable")

    def generator(self) -> np.random.Generator:
        """NumPy's generator on this stream's key, for distributions; its draws may change with NumPy's version."""
        import numpy as np

        return np.random.Generator(np.random.Philox(key=self.key))
