"""The memories of a store with their indices, which follow what any process adds or deletes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dragoman.cat.memory.index import THRESHOLD, Hit, Match, MemoryIndex, MemoryUnit, Mode, Query, Side
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.translating.memories import Memory, NewUnit, add_units, changes_of, revision_of

__all__ = ["MemoryShelf", "Penalised"]


@dataclass(frozen=True)
class Penalised:
    """A memory to be asked, and how many points its matches lose."""

    memory: Memory
    penalty: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.penalty <= 100:
            raise DataError(f"The penalty of {self.memory.name!r} is {self.penalty:g}; it has 0 to 100 points.")


@dataclass
class _Follower:
    """An index, and up to where it has followed its table."""

    index: MemoryIndex = field(default_factory=MemoryIndex)
    last_id: int = 0
    revision: int = 0
    turn: threading.Lock = field(default_factory=threading.Lock)


class MemoryShelf:
    """Answers from memories of a store. A unit is found as soon as its transaction is over, in every process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._followers: dict[int, _Follower] = {}
        self._turn = threading.Lock()

    def index(self, memory: Memory) -> MemoryIndex:
        """The memory's index as the store has it now; the first call reads all units."""
        with self._turn:
            follower = self._followers.setdefault(memory.id, _Follower())
        with self._store.peek() as connection:
            revision = revision_of(connection, memory)
        if revision != follower.revision:
            with follower.turn:
                self._follow(memory, follower)
        return follower.index

    def _follow(self, memory: Memory, follower: _Follower) -> None:
        whole = False
        while not whole:
            with self._store.read() as connection:
                changes = changes_of(connection, memory, after_id=follower.last_id, after_revision=follower.revision)
            follower.index.remove(changes.deleted)
            follower.index.add(MemoryUnit(*row) for row in changes.added)
            if changes.added:
                follower.last_id = changes.added[-1].id
            follower.revision, whole = changes.revision, changes.whole

    def forget(self, memory: Memory) -> None:
        """Give the memory of an index back; it is read again when it is asked."""
        with self._turn:
            self._followers.pop(memory.id, None)

    def confirm(self, memory: Memory, unit: NewUnit, *, origin: str, user_id: int | None = None) -> int:
        """Add a unit, in the place of an earlier one with its key; its id. Whoever asks from now on finds it."""
        return self._store.together(
            lambda connection: add_units(connection, memory, [unit], origin=origin, user_id=user_id)
        )[0]

    def matches(
        self, memories: Sequence[Penalised], query: Query | str, *, most: int = 3, threshold: float = THRESHOLD
    ) -> list[Match]:
        """The best matches of all memories, penalties taken off, one for each target."""
        return self.matches_of(memories, [query], most=most, threshold=threshold)[0]

    def matches_of(
        self,
        memories: Sequence[Penalised],
        queries: Sequence[Query | str],
        *,
        most: int = 3,
        threshold: float = THRESHOLD,
        n_threads: int = 1,
    ) -> list[list[Match]]:
        """The matches of each of many sources."""
        merged: list[list[Match]] = [[] for _ in queries]
        for each in memories:
            bar = threshold + each.penalty
            if bar > 101:
                continue
            found = self.index(each.memory).matches_of(queries, most=most, threshold=bar, n_threads=n_threads)
            for into, matches in zip(merged, found, strict=True):
                name, penalty = each.memory.name, each.penalty
                into += [replace(match, score=match.score - penalty, memory=name) for match in matches]
        return [_best(matches, most) for matches in merged]

    def concordance(
        self,
        memories: Sequence[Memory],
        text: str,
        *,
        side: Side = "source",
        mode: Mode = "phrase",
        most: int = 50,
    ) -> list[Hit]:
        """Units of the memories that have the text, memory by memory, the newest first."""
        hits: list[Hit] = []
        for memory in memories:
            more = self.index(memory).concordance(text, side=side, mode=mode, most=most - len(hits))
            hits += [replace(hit, memory=memory.name) for hit in more]
        return hits


def _best(matches: list[Match], most: int) -> list[Match]:
    """The best match of each target; memories that are named first win where scores are equal."""
    by_target: dict[str, Match] = {}
    for match in sorted(matches, key=lambda match: -match.score):
        by_target.setdefault(match.target, match)
    return list(by_target.values())[:most]
