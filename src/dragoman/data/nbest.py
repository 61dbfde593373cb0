"""N-best lists: what a decoder thought of, best first, with the numbers that made it think so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

__all__ = ["Candidate", "NBest", "NBestLists"]


@dataclass(frozen=True)
class Candidate:
    """One translation: its text, its features by name, the model's score, and the word alignment as the file has it."""

    text: str
    features: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    score: float | None = None
    alignment: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", MappingProxyType(dict(self.features)))

    def vector(self) -> tuple[float, ...]:
        """All feature values in order."""
        return tuple(value for values in self.features.values() for value in values)


@dataclass(frozen=True)
class NBest:
    """The candidates for one segment, in the file's order; `segment` is counted from 0."""

    segment: int
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class NBestLists:
    """The lists of a test set in the order of its segments; those of a file are read when iterated, one at a time.

    A segment for which the decoder found nothing is absent.
    """

    items: Iterable[NBest]

    def __iter__(self) -> Iterator[NBest]:
        return iter(self.items)
