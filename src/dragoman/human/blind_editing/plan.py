"""Tasks for blind editing: snippets of neighbouring segments, each from another system (Findings 2013, §4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.report import Result, Table
from dragoman.rng import Stream

__all__ = ["BlindEditingPlan", "BlindItem", "plan_blind_editing"]


@dataclass(frozen=True)
class BlindItem:
    """One output to edit."""

    task: int  # from 1
    snippet: int  # from 1, within the task
    segment: int  # from 1
    system: str


@dataclass(frozen=True)
class BlindEditingPlan(Result):
    """Tasks of snippets."""

    kind: ClassVar[str] = "blind-editing-plan"

    items: tuple[BlindItem, ...]
    systems: tuple[str, ...]
    n_left: int  # segments in no snippet: the ends of documents too short for one
    seed: int

    def tables(self) -> list[Table]:
        """Items, then how often each system is shown."""
        rows = [(each.task, each.snippet, each.segment, each.system) for each in self.items]
        counts = Counter(each.system for each in self.items)
        return [
            Table.of("Tasks", ["task", "snippet", "segment", "system"], rows),
            Table.of("Outputs by system", ["system", "n"], [(system, counts[system]) for system in self.systems]),
        ]

    def meta(self) -> dict[str, Any]:
        """Seed and counts."""
        return {"seed": self.seed, "n": len(self.items), "n_left": self.n_left, "systems": list(self.systems)}


def plan_blind_editing(
    documents: Sequence[int], systems: Sequence[str], *, size: int = 3, snippets: int = 8, seed: int = 1
) -> BlindEditingPlan:
    """Cut documents, given by their numbers of segments, into snippets and fill tasks with them.

    The segments of a snippet come from different systems. Systems are shown equally often, but for one.
    """
    if size < 1 or snippets < 1 or any(n < 1 for n in documents) or not documents:
        raise DataError("A plan needs documents, snippets and tasks of at least one each.")
    if len(set(systems)) < len(systems) or len(systems) < size:
        raise DataError(f"Snippets of {size} need at least so many systems, each named once; got {', '.join(systems)}.")
    starts: list[int] = []
    first = 1
    for length in documents:
        starts += range(first, first + length - size + 1, size)
        first += length
    order = Stream(seed, "blind editing snippets").permutation(len(starts)).tolist()
    draws = Stream(seed, "blind editing systems").uniform(len(starts) * len(systems)).reshape(-1, len(systems))
    shown = Counter(dict.fromkeys(systems, 0))
    items = []
    for number, place in enumerate(order):
        luck = dict(zip(systems, draws[number].tolist(), strict=True))
        chosen = sorted(systems, key=lambda system: (shown[system], luck[system]))[:size]
        # The least shown come first; who of them stands where is drawn as well.
        chosen.sort(key=lambda system: luck[system])
        for offset, system in enumerate(chosen):
            shown[system] += 1
            items.append(BlindItem(number // snippets + 1, number % snippets + 1, starts[place] + offset, system))
    return BlindEditingPlan(tuple(items), tuple(systems), sum(documents) - len(items), seed)
