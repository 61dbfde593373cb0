"""Who hears which passage in which condition (Hamon et al., EACL 2009, §4.2: 6 passages, 2 conditions, 20 judges).

Nobody hears a passage twice; everybody hears every condition equally often; every passage is heard equally often in
every condition. Six passages have C(6, 3) = 20 halves: twenty judges can have one each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.report import Result, Table
from dragoman.rng import Stream

__all__ = ["Hearing", "ListeningPlan", "plan_listening"]

_LISTED = 20_000  # so many ways of dealing are listed and dealt without repeats; of more, some are drawn


@dataclass(frozen=True)
class Hearing:
    """One passage for one annotator: at which place of their session, in which condition."""

    annotator: str
    place: int  # from 1
    passage: str
    condition: str


@dataclass(frozen=True)
class ListeningPlan(Result):
    """Sessions for all annotators."""

    kind: ClassVar[str] = "listening-plan"

    hearings: tuple[Hearing, ...]
    conditions: tuple[str, ...]
    passages: tuple[str, ...]
    seed: int

    def coverage(self) -> dict[tuple[str, str], int]:
        """How many annotators hear each passage in each condition."""
        counts = Counter((each.passage, each.condition) for each in self.hearings)
        return {
            (passage, condition): counts[passage, condition]
            for passage in self.passages
            for condition in self.conditions
        }

    def tables(self) -> list[Table]:
        """Sessions, then coverage."""
        rows = [(each.annotator, each.place, each.passage, each.condition) for each in self.hearings]
        coverage = self.coverage()
        covered = [(p, *(coverage[p, c] for c in self.conditions)) for p in self.passages]
        note = "How many annotators hear each passage in each condition."
        return [
            Table.of("Sessions", ["annotator", "place", "passage", "condition"], rows),
            Table.of("Coverage", ["passage", *self.conditions], covered, note=note),
        ]

    def meta(self) -> dict[str, Any]:
        """Seed and coverage."""
        counts = self.coverage().values()
        return {
            "seed": self.seed,
            "conditions": list(self.conditions),
            "n_annotators": len({each.annotator for each in self.hearings}),
            "n_passages": len(self.passages),
            "least_hearings": min(counts),
            "most_hearings": max(counts),
        }


def plan_listening(
    passages: Sequence[str],
    annotators: Sequence[str] | int,
    *,
    conditions: Sequence[str] = ("interpreter", "system"),
    seed: int = 1,
) -> ListeningPlan:
    """A plan for these annotators (names, or how many).

    Annotators come in blocks, one for each condition, that share one deal of the passages and turn it: within a block
    every passage is heard once in every condition. With a whole number of blocks all cells are equal; otherwise they
    differ by one at most. Blocks get different deals as long as there are any (of very many, deals are drawn).
    """
    names = [str(n) for n in range(1, annotators + 1)] if isinstance(annotators, int) else list(annotators)
    for what, values, least in (("passage", passages, 1), ("annotator", names, 1), ("condition", conditions, 2)):
        if len(values) < least:
            raise DataError(f"A plan needs at least {least} {what}{'s' if least > 1 else ''}, got {len(values)}.")
        twice = sorted(name for name, count in Counter(values).items() if count > 1)
        if twice:
            raise DataError(f"The {what} {twice[0]!r} is named twice.")
    if len(passages) < len(conditions):
        raise DataError(
            f"{len(passages)} passages cannot show {len(conditions)} conditions to everybody; take more passages."
        )
    hearings = []
    n = len(conditions)
    deals = _deals(len(passages), n, seed)
    deal: tuple[int, ...] = ()
    for number, annotator in enumerate(names):
        turn = number % n
        if turn == 0:
            deal = next(deals)
        order = Stream(seed, f"listening order of {annotator}").permutation(len(passages)).tolist()
        hearings += [
            Hearing(annotator, place, passages[p], conditions[(deal[p] + turn) % n])
            for place, p in enumerate(order, start=1)
        ]
    return ListeningPlan(tuple(hearings), tuple(conditions), tuple(passages), seed)


def _deals(n_passages: int, n_conditions: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Deals of the passages to the conditions, in a random order, each once before any comes again.

    Turning a deal gives the other annotators of its block theirs, so the first passage's condition is always 0.
    """
    size, rest = divmod(n_passages, n_conditions)
    count = factorial(n_passages) // factorial(size) ** n_conditions // n_conditions
    if rest == 0 and count <= _LISTED:
        listed = list(_all_deals(n_passages, n_conditions))
        round_ = 0
        while True:
            for k in Stream(seed, f"listening deals {round_}").permutation(len(listed)).tolist():
                yield listed[k]
            round_ += 1
    drawn = 0
    while True:
        order = Stream(seed, f"listening deal {drawn}").permutation(n_passages).tolist()
        deal = [0] * n_passages
        for place, passage in enumerate(order):
            deal[passage] = place % n_conditions
        yield tuple(deal)
        drawn += 1


def _all_deals(n_passages: int, n_conditions: int) -> Iterator[tuple[int, ...]]:
    size = n_passages // n_conditions

    def fill(deal: dict[int, int], condition: int) -> Iterator[tuple[int, ...]]:
        free = [p for p in range(n_passages) if p not in deal]
        if condition == n_conditions:
            yield tuple(deal[p] for p in range(n_passages))
            return
        for chosen in combinations(free, size):
            if condition > 0 or 0 in chosen:  # one of each set of turned deals
                yield from fill(deal | dict.fromkeys(chosen, condition), condition + 1)

    yield from fill({}, 0)
