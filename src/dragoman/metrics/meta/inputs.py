"""What a meta-evaluation looks at: scores of systems by metrics and by people, and rankings by people.

Scores of a metric map systems to one number (level `sys`) or to a list with one entry a segment (level `seg`). What is
missing is `None`, NaN or simply absent; nothing is filled in.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons, compare_pairwise
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError, UnknownName
from dragoman.stats.pairwise import bojar, expected_wins

__all__ = [
    "SYSTEM_SCORES",
    "Entry",
    "HumanInput",
    "HumanRankings",
    "MetaLevel",
    "ScoresOf",
    "level_of",
    "score_table",
    "system_means",
]

Floats = NDArray[np.float64]
MetaLevel = Literal["sys", "seg"]
SYSTEM_SCORES = {"expected-wins": expected_wins, "bojar": bojar}

Entry = float | Sequence[float | None] | Floats | None
ScoresOf = Mapping[str, Entry]


@dataclass(frozen=True, eq=False)
class HumanRankings:
    """Relative rankings by people: pairwise outcomes, each with the number of its segment in the test set, from 1."""

    comparisons: Comparisons
    segments: NDArray[np.int64]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.segments.shape != (len(self.comparisons),):
            raise DataError(
                f"Every comparison needs the number of its segment, got {self.segments.shape} "
                f"for {len(self.comparisons)} comparisons."
            )
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))

    @classmethod
    def of(
        cls,
        judgements: Judgements,
        *,
        pair: str | None = None,
        blanks: str = "drop",
        leave_out: Collection[str] = (),
        provenance: Mapping[str, Any] | None = None,
    ) -> HumanRankings:
        """The rankings of one language pair; `leave_out` names what is no system, such as the reference."""
        comparisons = compare_pairwise(judgements, pair=pair, blanks=blanks)
        absent = [name for name in leave_out if name in comparisons.systems]
        if absent:
            comparisons = comparisons.without(*absent)
        numbers = np.array([cast(int, number) for number in judgements["segment"]], dtype=np.int64)
        origin = {**(provenance or {}), **comparisons.provenance, "comparisons": len(comparisons), "left_out": absent}
        return cls(comparisons, numbers[comparisons.screen], origin)

    @property
    def systems(self) -> tuple[str, ...]:
        """The judged systems."""
        return self.comparisons.systems

    def system_scores(self, method: str = "expected-wins") -> dict[str, float]:
        """A human score of each system out of its wins and losses, ties left out.

        `expected-wins` (official in 2013): the mean over opponents of the share of won comparisons. `bojar` (official
        in 2012): wins/(wins + losses) over all comparisons.
        """
        if method not in SYSTEM_SCORES:
            raise UnknownName(f"No score of rankings is called {method!r}. Known: {', '.join(SYSTEM_SCORES)}.")
        scores = SYSTEM_SCORES[method](self.comparisons.wins())
        return dict(zip(self.systems, scores.tolist(), strict=True))


HumanInput = ScoresOf | HumanRankings


def level_of(scores: Mapping[str, ScoresOf], human: HumanInput) -> MetaLevel:
    """`seg` where every metric has lists, `sys` where every metric has single numbers."""
    kinds = {_is_list(entry) for own in scores.values() for entry in own.values() if entry is not None}
    if not isinstance(human, HumanRankings):
        kinds |= {_is_list(entry) for entry in human.values() if entry is not None}
    if len(kinds) > 1:
        raise DataError("Some scores are single numbers, others lists by segment; say which level is meant.")
    return "seg" if kinds == {True} else "sys"


def system_means(scores: ScoresOf) -> dict[str, float | None]:
    """Scores of systems as means of their segment scores, over the segments that have one; numbers stay as they are."""
    means: dict[str, float | None] = {}
    for system, entry in scores.items():
        values = _numbers(entry, system) if entry is not None else np.zeros(0)
        present = values[~np.isnan(values)]
        means[system] = float(present.mean()) if len(present) else None
    return means


def score_table(scores: ScoresOf, systems: Sequence[str], n_segments: int | None, what: str) -> Floats:
    """The scores as an array, NaN where there is none: (systems,) for level `sys`, else (systems, n_segments)."""
    if n_segments is None:
        table = np.full(len(systems), math.nan)
        for place, system in enumerate(systems):
            entry = scores.get(system)
            if entry is None:
                continue
            if _is_list(entry):
                raise DataError(f"{what} has a list of scores of {system!r}; level sys needs one number a system.")
            table[place] = _numbers(entry, f"{what}, {system}")[0]
        return table
    rows = np.full((len(systems), n_segments), math.nan)
    for place, system in enumerate(systems):
        entry = scores.get(system)
        if entry is None:
            continue
        if not _is_list(entry):
            raise DataError(f"{what} has one score of {system!r}; level seg needs a list with one entry a segment.")
        values = _numbers(entry, f"{what}, {system}")
        if len(values) != n_segments:
            raise DataError(
                f"{what} has {len(values)} segments of {system!r}, others have {n_segments}; "
                "an entry that is missing is None."
            )
        rows[place] = values
    return rows


def _is_list(entry: Entry) -> bool:
    return isinstance(entry, Sequence | np.ndarray)


def _numbers(entry: Entry, what: str) -> Floats:
    values = entry if _is_list(entry) else [entry]
    array = np.array([math.nan if value is None else value for value in cast(Sequence[float | None], values)], float)
    if np.isinf(array).any():
        raise DataError(f"{what} is {float(array[np.isinf(array)][0])}, which is no score; leave a missing one out.")
    return array
