"""Which of two systems was better, again and again: the pairwise outcomes that relative rankings imply.

A screen on which k systems were ranked says k(k−1)/2 things (Lopez 2012, §2: five systems, ten relations). Rankers,
agreement and meta-evaluation all start from this table of arrays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements import Judgements, Value
from dragoman.errors import DataError
from dragoman.text.languages import pair_among

__all__ = ["Comparisons", "compare_pairwise", "judged_pairs"]

_SYSTEM = re.compile("system([0-9]+)")
_BLANK_RULES = ("drop", "best")


@dataclass(frozen=True)
class Comparisons:
    """Pairwise outcomes in the order they were judged, as arrays of one length."""

    systems: tuple[str, ...]  # sorted by name, so that the order of the rows does not move a result
    annotators: tuple[str, ...]  # sorted by name
    first: NDArray[np.int32]  # index into systems
    second: NDArray[np.int32]  # index into systems, always above `first`
    outcome: NDArray[np.int8]  # +1: first is better, 0: tie, −1: second is better
    screen: NDArray[np.int32]  # which row of the judgements, counted from 0
    segment: NDArray[np.int32]  # which source segment, dense from 0
    annotator: NDArray[np.int32]  # index into annotators
    provenance: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lengths = {
            len(each) for each in (self.first, self.second, self.outcome, self.screen, self.segment, self.annotator)
        }
        if len(lengths) > 1:
            raise DataError(f"The arrays of comparisons must be equally long, got {sorted(lengths)}.")
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))

    def __len__(self) -> int:
        return len(self.first)

    def wins(self) -> NDArray[np.int64]:
        """How often the row's system was better than the column's."""
        n = len(self.systems)
        better = np.where(self.outcome > 0, self.first, self.second)
        worse = np.where(self.outcome > 0, self.second, self.first)
        decided = self.outcome != 0
        cells = better[decided].astype(np.int64) * n + worse[decided]
        return np.bincount(cells, minlength=n * n).reshape(n, n)

    def ties(self) -> NDArray[np.int64]:
        """How often the row's and the column's system were held equal; symmetric."""
        n = len(self.systems)
        tied = self.outcome == 0
        cells = self.first[tied].astype(np.int64) * n + self.second[tied]
        upper = np.bincount(cells, minlength=n * n).reshape(n, n)
        return upper + upper.T

    def take(self, keep: NDArray[np.bool_] | NDArray[np.integer]) -> Comparisons:
        """Some of the comparisons, by mask or by place; the systems stay the same."""
        return replace(
            self,
            first=self.first[keep],
            second=self.second[keep],
            outcome=self.outcome[keep],
            screen=self.screen[keep],
            segment=self.segment[keep],
            annotator=self.annotator[keep],
        )

    def without(self, *systems: str) -> Comparisons:
        """The comparisons in which none of these systems took part, and the systems without them."""
        return self.only(*(name for name in self.systems if name not in systems))

    def only(self, *systems: str) -> Comparisons:
        """The comparisons among these systems alone."""
        names = sorted(systems)
        strange = [name for name in names if name not in self.systems]
        if strange:
            raise DataError(f"No judgement names {', '.join(strange)}. Judged: {', '.join(self.systems)}.")
        new = np.full(len(self.systems), -1, dtype=np.int32)
        new[[self.systems.index(name) for name in names]] = np.arange(len(names), dtype=np.int32)
        first, second = new[self.first], new[self.second]
        some = replace(self, systems=tuple(names), first=first, second=second)
        return some.take((first >= 0) & (second >= 0))


def judged_pairs(judgements: Judgements) -> tuple[str, ...]:
    """The language pairs of relative rankings, source first, in the order they come up."""
    _check_kind(judgements)
    pairs = dict.fromkeys(zip(judgements["source_lang"], judgements["target_lang"], strict=True))
    return tuple(f"{source}-{target}" for source, target in pairs)


def compare_pairwise(judgements: Judgements, *, pair: str | None = None, blanks: str = "drop") -> Comparisons:
    """The pairwise outcomes of relative rankings of one language pair.

    A system without a rank was not judged: `blanks="drop"` leaves it out. `blanks="best"` takes it for better than
    every ranked one and equal to other blanks, as the ranking tables of WMT 2012 (Tables 5 and 22–28) did by mistake;
    it serves to reproduce them and nothing else.
    """
    if blanks not in _BLANK_RULES:
        raise DataError(f"blanks is {blanks!r}; expected {' or '.join(_BLANK_RULES)}.")
    chosen = _only_pair(judgements, pair)
    systems, ranks = _screens(judgements, chosen)
    judged = systems >= 0
    if blanks == "drop":
        judged &= ~np.isnan(ranks)
    ranks = np.nan_to_num(ranks, nan=0.0)  # only blanks="best" still looks at a missing rank: better than 1
    names = _system_names(judgements)

    nothing: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
    parts: list[tuple[NDArray[np.intp], ...]] = [(nothing,) * 4]
    for left in range(systems.shape[1]):
        for right in range(left + 1, systems.shape[1]):
            rows = np.flatnonzero(judged[:, left] & judged[:, right])
            a, b = systems[rows, left], systems[rows, right]
            twice = rows[a == b]
            if len(twice):
                raise DataError(
                    f"Row {chosen[twice[0]] + 1}: the system {names[systems[twice[0], left]]!r} is ranked twice on one"
                    " screen; keep one of the two ranks."
                )
            outcome = np.sign(ranks[rows, right] - ranks[rows, left]).astype(np.int8)
            parts.append((rows, np.minimum(a, b), np.maximum(a, b), np.where(a < b, outcome, -outcome)))
    rows, first, second, outcome = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(rows, kind="stable")
    rows = rows[order]

    annotators, annotator = _dense([judgements["annotator"][n] for n in chosen])
    _, segment = _dense([judgements["segment"][n] for n in chosen])
    used = np.unique(systems[judged])
    dense = np.full(len(names), -1, dtype=np.int32)
    dense[used] = np.arange(len(used), dtype=np.int32)
    return Comparisons(
        systems=tuple(names[n] for n in used),
        annotators=tuple(str(name) for name in annotators),
        first=dense[first[order]],
        second=dense[second[order]],
        outcome=outcome[order].astype(np.int8),
        screen=chosen[rows].astype(np.int32),
        segment=segment[rows],
        annotator=annotator[rows],
        provenance={
            "pair": pair or next(iter(judged_pairs(judgements)), None),
            "blanks": blanks,
            "screens": len(chosen),
            "comparisons": len(rows),
        },
    )


def _check_kind(judgements: Judgements) -> None:
    if judgements.schema.kind != "relative-ranking":
        raise DataError(
            f"Pairwise outcomes come from relative rankings; these are {judgements.schema.kind} judgements."
        )


def _only_pair(judgements: Judgements, pair: str | None) -> NDArray[np.intp]:
    """The places of the rows of one language pair, which must be named where there are several."""
    pairs = judged_pairs(judgements)
    if pair is None:
        if len(pairs) > 1:
            raise DataError(f"The judgements are of several language pairs; name one of {', '.join(pairs)}.")
        return np.arange(len(judgements))
    judged = pair_among(pair, pairs)
    if judged is None:
        raise DataError(f"No judgement is of the language pair {pair!r}. Judged: {', '.join(pairs) or 'none'}.")
    spoken = zip(judgements["source_lang"], judgements["target_lang"], strict=True)
    return np.flatnonzero([f"{source}-{target}" == judged for source, target in spoken])


def _places(judgements: Judgements) -> list[str]:
    """The numbers of the places on a screen: system1 and rank1, system2 and rank2, …"""
    matches = [_SYSTEM.fullmatch(each.name) for each in judgements.schema.fields]
    return [match[1] for match in matches if match]


def _system_names(judgements: Judgements) -> list[str]:
    return sorted({str(name) for n in _places(judgements) for name in set(judgements[f"system{n}"]) - {None}})


def _screens(judgements: Judgements, rows: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Systems (−1: an empty place) and ranks (NaN: not judged) of the rows, one column for each place."""
    number: dict[Value, int] = {name: n for n, name in enumerate(_system_names(judgements))}
    number[None] = -1
    places = _places(judgements)
    systems = np.empty((len(rows), len(places)), dtype=np.int32)
    ranks = np.empty(systems.shape, dtype=np.float64)
    for column, n in enumerate(places):
        systems[:, column] = np.array([number[name] for name in judgements[f"system{n}"]], dtype=np.int32)[rows]
        ranks[:, column] = judgements.numbers(f"rank{n}")[rows]
    return systems, ranks


def _dense(values: Collection[Value]) -> tuple[list[Value], NDArray[np.int32]]:
    """The distinct values, sorted, and the number of each value among them."""
    distinct = sorted(set(values), key=lambda value: (str(type(value)), value))
    number = {value: n for n, value in enumerate(distinct)}
    return distinct, np.array([number[value] for value in values], dtype=np.int32)
