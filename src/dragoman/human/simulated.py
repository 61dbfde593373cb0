"""Invented judges for any protocol: to try a campaign, load a server, test an analysis before people are asked.

What they say is no judgement of anything: the quality that they find is a function of a system's name and a segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from statistics import fmean
from typing import Any

from dragoman.data.judgements import Judgements
from dragoman.human.draws import Draws
from dragoman.human.protocol import Assignment, Item, Protocol

__all__ = ["deserved", "is_careful", "known_quality", "seconds_of", "simulate_answers", "simulate_judges"]

_SEED = 610  # so chosen that the systems of the samples stand in the order of their names
_SYSTEM_RANGE = (35.0, 85.0)  # where the means of systems lie
_SEGMENT_SD = 12.0
_DEGRADED_LOSS = 40.0
_REFERENCE = 97.0


@lru_cache(maxsize=100_000)
def deserved(system: str, segment: int, kind: str = "TGT") -> float:
    """The invented quality of an output, 0–100; a reference is nearly perfect, a degraded copy much worse."""
    if kind == "REF":
        return _REFERENCE
    low, high = _SYSTEM_RANGE
    mean = low + (high - low) * Draws(_SEED, f"quality of {system}").share()
    own = mean + _SEGMENT_SD * Draws(_SEED, f"quality of {system} in {segment}").normal()
    return min(100.0, max(0.0, own - (_DEGRADED_LOSS if kind == "BAD" else 0.0)))


def known_quality(item: Item, scale: tuple[float, float]) -> float | None:
    """What gold is known to be worth, 0–100: the middle of its range on a scale; None where nothing is known."""
    if item.type != "GOLD" or item.expected is None or "text" not in item.expected.get("range", {}):
        return None
    low, high = scale
    return 100 * (fmean(item.expected["range"]["text"]) - low) / (high - low)


def is_careful(draws: Draws, care: float) -> bool:
    """Whether this answer is given with care, which happens in a share `care` of the answers."""
    return draws.share() < care


def seconds_of(draws: Draws, careful: bool, *, typical: float = 15.0) -> float:
    """Working time: the careful need the typical time, give or take a half; the careless hardly any."""
    return round((typical if careful else typical / 10) * (0.5 + draws.share()), 1)


def simulate_answers(
    protocol: Protocol, assignments: Iterable[Assignment], care: float | Mapping[str, float] = 1.0, *, seed: int = 1
) -> Iterator[tuple[Assignment, Item, dict[str, Any]]]:
    """Each assigned item with the answer of its invented judge; what one answers does not hang on the others."""
    for each in assignments:
        own = care if isinstance(care, int | float) else care[each.annotator]
        for item in each.task.items:
            draws = Draws(seed, f"answer of {each.annotator} to {item.id}")
            yield each, item, protocol.simulate(item, draws, own)


def simulate_judges(
    protocol: Protocol, assignments: Iterable[Assignment], care: float | Mapping[str, float] = 1.0, *, seed: int = 1
) -> Judgements:
    """What invented judges say about a whole plan."""
    answers = simulate_answers(protocol, assignments, care, seed=seed)
    return Judgements.of(
        protocol.schema, [row for each, item, answer in answers for row in protocol.record(each, item, answer)]
    )
