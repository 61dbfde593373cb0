"""Dependencies of sources as they come out in translations: kept by post-editors, or changed (Pighin et al. 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.align.result import AlignmentResult
from dragoman.arrays import check_array
from dragoman.options import Recipe, option
from dragoman.qe.resources.ngrams import Keys, look_up
from dragoman.qe.resources.parses import Parsed
from dragoman.qe.resources.stored import StoredArtifact

__all__ = ["PROJECTED", "ProjectedDependencies", "ProjectionRecipe", "projected_edges"]

PROJECTED = ("word", "root", "ending")
_ROOT = 4  # letters
_NONE = -1

Counts = NDArray[np.int64]
Edge = tuple[str, str, str]  # relation, head, dependent


def projected_edges(
    parsed: Parsed, links: AlignmentResult, token_lines: Sequence[Sequence[str]]
) -> list[list[tuple[int, Edge]]]:
    """The dependencies of each source whose two words are linked: place of the dependent, relation and target words."""
    heads = parsed.tree()
    by_line = []
    for line, tokens in enumerate(token_lines):
        start, end = int(parsed.offsets[line]), int(parsed.offsets[line + 1])
        partner = np.full(end - start, _NONE)
        own = links.links[int(links.offsets[line]) : int(links.offsets[line + 1])]
        partner[own[::-1, 0]] = own[::-1, 1]  # of several links the first counts
        edges = []
        for place in range(end - start):
            head = int(heads[start + place]) - start
            if head >= 0 and partner[place] != _NONE and partner[head] != _NONE:
                relation = parsed.relations[start + place]
                words = tokens[int(partner[head])].lower(), tokens[int(partner[place])].lower()
                edges.append((place, (relation, *words)))
        by_line.append(edges)
    return by_line


def _part(word: str, unit: str) -> str:
    return {"word": word, "root": word[:_ROOT], "ending": word[_ROOT:]}[unit]


def _key(edge: Edge, unit: str) -> int:
    relation, head, dependent = edge
    text = "\t".join((unit, relation, _part(head, unit), _part(dependent, unit)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


@dataclass(frozen=True)
class ProjectionRecipe(Recipe):
    """How to count dependencies that post-editors kept and changed."""

    units: tuple[str, ...] = option(PROJECTED, text="whole words, their roots of four letters, their endings")

    def train(
        self, outputs: Sequence[Sequence[tuple[int, Edge]]], edits: Sequence[Sequence[tuple[int, Edge]]]
    ) -> ProjectedDependencies:
        """Count what `projected_edges` gives of outputs and of their post-edits.

        An edge of an output counts as kept if the post-edit has the same two words for it, else as changed.
        """
        self.check()
        counts: dict[int, list[int]] = {}
        for of_output, right in zip(outputs, edits, strict=True):
            wanted = dict(right)
            for place, edge in of_output:
                same = wanted.get(place) == edge
                for unit in self.units:
                    counts.setdefault(_key(edge, unit), [0, 0])[0 if same else 1] += 1
        keys = np.array(sorted(counts), dtype=np.uint64)
        numbers = np.array([counts[int(key)] for key in keys], dtype=np.int64).reshape(len(keys), 2)
        return ProjectedDependencies(self, keys, numbers)


@dataclass(eq=False, repr=False)
class ProjectedDependencies(StoredArtifact):
    """How often projected dependencies were kept and changed. They are known by hashes."""

    kind: ClassVar[str] = "projected dependencies"
    format: ClassVar[int] = 2

    recipe: ProjectionRecipe
    keys: Keys
    counts: Counts  # (edges, 2): kept, changed

    def __len__(self) -> int:
        """The number of different edges."""
        return len(self.keys)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of different edges."""
        return (len(self),)

    def _check(self) -> None:
        check_array("keys.npy", self.keys, np.uint64, None)
        check_array("counts.npy", self.counts, np.int64, len(self.keys), 2)

    def of(self, edges: Sequence[Edge], unit: str) -> Counts:
        """Kept and changed of each edge: (edges, 2)."""
        return look_up(np.array([_key(edge, unit) for edge in edges], dtype=np.uint64), self.keys, self.counts, 0)
