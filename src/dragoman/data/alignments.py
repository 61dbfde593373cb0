"""Word alignments: which source word goes with which target word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dragoman.errors import DataError

__all__ = ["Alignment", "Alignments", "Link"]

Link = tuple[int, int]  # (source word, target word), both from 0 on


@dataclass(frozen=True)
class Alignment:
    """The links of one sentence pair, sorted. `possible` are those that a careful annotator did not call sure."""

    sure: tuple[Link, ...] = ()
    possible: tuple[Link, ...] = ()

    def __post_init__(self) -> None:
        links = [*self.sure, *self.possible]
        if any(min(link) < 0 for link in links):
            raise DataError(f"Words are counted from 0 on, got the link {min(links)}.")
        if len(set(links)) < len(links):
            doubled = next(link for link in links if links.count(link) > 1)
            raise DataError(f"The link {doubled[0]}-{doubled[1]} comes twice.")
        object.__setattr__(self, "sure", tuple(sorted(self.sure)))
        object.__setattr__(self, "possible", tuple(sorted(self.possible)))

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, sure and possible, sorted."""
        return tuple(sorted((*self.sure, *self.possible)))

    def swapped(self) -> Alignment:
        """The alignment seen from the target."""
        return Alignment(tuple((t, s) for s, t in self.sure), tuple((t, s) for s, t in self.possible))

    def check_within(self, n_src: int, n_tgt: int) -> None:
        """Raise if a link leads beyond sentences of `n_src` and `n_tgt` words."""
        for s, t in self.links:
            if s >= n_src or t >= n_tgt:
                raise DataError(f"The link {s}-{t} leads beyond the sentences, which have {n_src} and {n_tgt} words.")


@dataclass(frozen=True)
class Alignments:
    """The alignments of a bitext, one a pair, in order; those of a file are read when iterated."""

    items: Iterable[Alignment]

    def __iter__(self) -> Iterator[Alignment]:
        return iter(self.items)
