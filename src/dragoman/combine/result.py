"""What a combination gives: the text, and who contributed what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.combine.batch import Batch, Paths
from dragoman.combine.network_page import MOST_SHOWN, TakenPath, network_page
from dragoman.report import Column, Result, Table

__all__ = ["Combination", "Contribution", "contributions", "taken_paths"]


@dataclass(frozen=True)
class Contribution:
    """What of the combined text one system said."""

    system: str
    skeletons: float  # share of segments whose path goes through its network
    words: float  # share of the words of the text that it has in their places
    alone: float  # share that no other system has there
    taken: float | None  # share of its own words that are in the text; None: it has none
    vote: float  # its weight

    @property
    def shares(self) -> tuple[float | None, ...]:
        """All shares, as the table has them."""
        return self.skeletons, self.words, self.alone, self.taken


@dataclass(frozen=True)
class Combination(Result):
    """One text of several."""

    kind: ClassVar[str] = "system combination"

    texts: tuple[str, ...]
    contributions: tuple[Contribution, ...]
    align: str
    n_empty: Mapping[str, int] = field(default_factory=dict)  # lines without words, by system
    n_given_up: int = 0  # alignments for which inversions took too long
    paths: tuple[TakenPath, ...] = ()  # of the first segments, where the page is wanted

    def html(self) -> str:
        """The page of the networks."""
        return network_page(self)

    def answer(self) -> str:
        """Whose words the text is made of."""
        most = max(self.contributions, key=lambda each: each.words)
        return f"{len(self.texts):,} segments; most of their words, {100 * most.words:.1f} %, stand in {most.system}."

    def tables(self) -> list[Table]:
        """A row a system."""
        columns = [
            Column("system"),
            Column("skeletons", "skeleton %", digits=1),
            Column("words", "words %", digits=1),
            Column("alone", "alone %", digits=2),
            Column("taken", "taken %", digits=1),
            Column("vote", "weight", digits=3),
        ]
        rows = [
            (each.system, *(None if share is None else 100 * share for share in each.shares), each.vote)
            for each in self.contributions
        ]
        note = (
            "Skeleton: segments built on its order. Words: words of the text that it has, alone: that no other has. "
            "Taken: its words that are in the text."
        )
        blank = {name: n for name, n in self.n_empty.items() if n}
        if blank:
            note += " Lines without words: " + ", ".join(f"{name} {n}" for name, n in blank.items()) + "."
        return [Table.of(f"Combination, {len(self.texts)} segments", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How outputs were aligned, and what was odd."""
        return {
            "align": self.align,
            "n_segments": len(self.texts),
            "empty": dict(self.n_empty),
            "shifts_instead_of_inversions": self.n_given_up,
        }


def taken_paths(batch: Batch, paths: Paths) -> tuple[TakenPath, ...]:
    """The networks and words of the first segments' best paths, for a page."""
    shown = []
    for segment in range(min(len(batch), MOST_SHOWN)):
        best = int(paths.offsets[segment])
        skeleton = int(paths.networks[best])
        words = tuple(None if word < 0 else batch.words[word] for word in paths.arcs[best].tolist())
        shown.append(TakenPath(skeleton, batch.network(segment, skeleton).links, words))
    return tuple(shown)


def _chosen_links(batch: Batch, paths: Paths, segment: int) -> NDArray[np.int32]:
    """The links of the network that the best path of a segment goes through: the word of each system, -1: none."""
    words, offsets = batch.networks
    number = segment * len(batch.systems) + int(paths.networks[paths.offsets[segment]])
    return words[offsets[number] : offsets[number + 1]]


def contributions(batch: Batch, paths: Paths, weights: Mapping[str, float]) -> tuple[Contribution, ...]:
    """What each system has of the best paths."""
    n = len(batch.systems)
    has, alone, own = np.zeros(n), np.zeros(n), np.zeros(n)
    n_words = 0
    best = paths.offsets[:-1]
    for segment in range(len(batch)):
        links = _chosen_links(batch, paths, segment)
        taken = paths.arcs[int(best[segment])]
        there = taken >= 0
        same = (links == taken[:, np.newaxis])[there]
        n_words += int(there.sum())
        has += same.sum(axis=0)
        alone += (same & (same.sum(axis=1) == 1)[:, np.newaxis]).sum(axis=0)
        own += (links >= 0).sum(axis=0)
    skeletons = np.bincount(paths.networks[best], minlength=n) / max(1, len(batch))
    return tuple(
        Contribution(
            name,
            float(skeletons[s]),
            float(has[s] / max(1, n_words)),
            float(alone[s] / max(1, n_words)),
            float(has[s] / own[s]) if own[s] else None,
            float(weights[f"vote {name}"]),
        )
        for s, name in enumerate(batch.systems)
    )
