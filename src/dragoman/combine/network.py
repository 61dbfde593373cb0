"""A confusion network as people see it: links, arcs, who has which word; its text form; how far systems agree."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.errors import DataError

__all__ = ["Agreement", "Arc", "Network"]

_NULL = "NULL"
_ARC = re.compile(r"J=(\d+) S=(\d+) E=(\d+) SC=\(([01](?:,[01])*)\) W=(\S+)")


@dataclass(frozen=True)
class Arc:
    """A word between two nodes, or none, and the systems that have it there."""

    start: int
    word: str | None
    votes: tuple[bool, ...]


@dataclass(frozen=True)
class Agreement:
    """How many arcs exactly 1, 2, … systems have; *weak* arcs are those of half the systems at most."""

    words: tuple[int, ...]
    nulls: tuple[int, ...]

    @property
    def weak_strong(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Weak and strong arcs with a word, and without one."""
        half = len(self.words) // 2
        words, nulls = ((sum(counts[:half]), sum(counts[half:])) for counts in (self.words, self.nulls))
        return words, nulls


@dataclass(frozen=True)
class Network:
    """Links one behind the other; in each, every system has a word or none (Rosti et al., WMT 2012, Figure 2)."""

    links: tuple[tuple[str | None, ...], ...]  # (links, systems)
    n_systems: int

    def arcs(self) -> list[Arc]:
        """The arcs, link by link, in the order of the first system that has each."""
        return [
            Arc(start, word, tuple(other == word for other in link))
            for start, link in enumerate(self.links)
            for word in dict.fromkeys(link)
        ]

    @property
    def n_paths(self) -> int:
        """How many ways lead through it."""
        return math.prod(len(set(link)) for link in self.links)

    def score(self, path: Sequence[str | None], weights: Sequence[float] | None = None) -> float:
        """Σ ln of the weight of the systems that have each arc of a path; all weigh the same unless told."""
        shares = weights or [1 / self.n_systems] * self.n_systems
        if len(path) != len(self.links):
            raise DataError(f"A path takes an arc in each of {len(self.links)} links, got {len(path)}.")
        total = 0.0
        for number, (word, link) in enumerate(zip(path, self.links, strict=True), start=1):
            if word not in link:
                raise DataError(f"Link {number} has no arc {word or _NULL}.")
            total += math.log(sum(share for share, other in zip(shares, link, strict=True) if other == word))
        return total

    def agreement(self) -> Agreement:
        """Arcs by the number of systems that have them."""
        counts = {True: [0] * self.n_systems, False: [0] * self.n_systems}
        for arc in self.arcs():
            counts[arc.word is not None][sum(arc.votes) - 1] += 1
        return Agreement(tuple(counts[True]), tuple(counts[False]))

    def write(self) -> str:
        """The text form, a line an arc: `J=0 S=0 E=1 SC=(1,1,0) W=twelve`."""
        return "".join(
            f"J={number} S={arc.start} E={arc.start + 1} SC=({','.join(map(str, map(int, arc.votes)))}) "
            f"W={_written(arc.word)}\n"
            for number, arc in enumerate(self.arcs())
        )

    @classmethod
    def read(cls, text: str) -> Network:
        """The network of a text; what is wrong is named with its line."""
        links: list[list[str | None]] = []
        taken: list[set[int]] = []
        n_systems = 0
        for number, line in enumerate(text.splitlines(), start=1):
            fields = _ARC.fullmatch(line)
            if not fields:
                raise DataError(f"Line {number} is no arc: {line[:60]!r}; expected J=0 S=0 E=1 SC=(1,0) W=word.")
            votes = [vote == "1" for vote in fields[4].split(",")]
            start, end = int(fields[2]), int(fields[3])
            n_systems = n_systems or len(votes)
            if len(votes) != n_systems or end != start + 1 or start not in (len(links), len(links) - 1):
                raise DataError(
                    f"Line {number}: arcs lead from a node to the next, with a vote of each of {n_systems} systems."
                )
            if start == len(links):
                links.append([None] * n_systems)
                taken.append(set())
            systems = {system for system, vote in enumerate(votes) if vote}
            if systems & taken[start] or not systems:
                raise DataError(f"Line {number}: every system has one arc in each link.")
            taken[start] |= systems
            for system in systems:
                links[start][system] = _read(fields[5])
        if any(len(systems) != n_systems for systems in taken):
            raise DataError("Every system has one arc in each link; some have none.")
        return cls(tuple(map(tuple, links)), n_systems)


def _written(word: str | None) -> str:
    if word is None:
        return _NULL
    return f"\\{word}" if word.lstrip("\\") == _NULL else word


def _read(text: str) -> str | None:
    if text == _NULL:
        return None
    return text[1:] if text.startswith("\\") and text.lstrip("\\") == _NULL else text
