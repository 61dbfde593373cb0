"""Draws one after another from a counted stream, for plans that choose step by step."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import TypeVar

from dragoman.errors import DataError
from dragoman.rng import Stream

__all__ = ["Draws"]

T = TypeVar("T")

_BLOCK = 512  # draws fetched at once: one NumPy call for many small choices


class Draws:
    """Whole numbers, choices and orders, each a function of seed, label and how many were drawn before."""

    def __init__(self, seed: int, label: str) -> None:
        self._stream = Stream(seed, label)
        self._block: list[int] = []
        self._drawn = 0

    def bits(self) -> int:
        """64 random bits."""
        place = self._drawn % _BLOCK
        if place == 0:
            self._block = self._stream.bits(_BLOCK, start=self._drawn).tolist()
        self._drawn += 1
        return self._block[place]

    def below(self, n: int) -> int:
        """A whole number from 0 to n − 1."""
        if n < 1:
            raise DataError(f"A draw needs at least one possibility, got {n}.")
        return (self.bits() * n) >> 64  # the bias is below n / 2^64

    def share(self) -> float:
        """A number from 0 on, below 1."""
        return (self.bits() >> 11) / 2.0**53

    def normal(self) -> float:
        """A draw of the standard normal distribution, by its quantiles."""
        return NormalDist().inv_cdf(self.share() + 2.0**-54)

    def one_of(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self.below(len(values))]

    def sample(self, values: Sequence[T], count: int) -> list[T]:
        """`count` different places of the sequence, in random order."""
        if count > len(values):
            raise DataError(f"{count} of {len(values)} cannot be drawn without putting back.")
        pool = list(values)
        for place in range(count):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """All values in random order."""
        return self.sample(values, len(values))

    def name(self) -> str:
        """An opaque name of 16 hexadecimal digits."""
        return f"{self.bits():016x}"
