"""Judgements as agreement sees them: which item, whose, which label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.data.comparisons import Comparisons, compare_pairwise
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError

__all__ = ["MODES", "Ints", "Labelled", "Mode", "labelled", "pooled", "sources"]

Ints = NDArray[np.int64]
Mode = Literal["clean", "official", "all"]
MODES = ("clean", "official", "all")

_TIE = 1  # labels: 0 the second is better, 1 a tie, 2 the first


@dataclass(frozen=True)
class Labelled:
    """Pairwise outcomes of relative rankings; items, segments, annotators are numbered from 0."""

    item: Ints  # one segment and one pair of systems
    label: Ints
    annotator: Ints
    segment: Ints
    annotators: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.item)

    def ties(self) -> int:
        """How many judgements hold the two systems equal."""
        return int(np.count_nonzero(self.label == _TIE))

    def take(self, keep: NDArray[np.bool_]) -> Labelled:
        """Those of a mask, items numbered anew."""
        _, item = np.unique(self.item[keep], return_inverse=True)
        return Labelled(
            item.astype(np.int64), self.label[keep], self.annotator[keep], self.segment[keep], self.annotators
        )

    def segment_of_item(self) -> Ints:
        """The segment of every item."""
        segments = np.zeros(int(self.item.max(initial=-1)) + 1, dtype=np.int64)
        segments[self.item] = self.segment
        return segments


def labelled(judgements: Judgements, *, pair: str | None = None, mode: Mode = "clean") -> Labelled:
    """The pairwise outcomes of one language pair.

    The clean item is a segment and two systems in whatever order. The official scripts of WMT 2013–2015 took the two
    systems in the order of the screen, so that (A, B) and (B, A) never met, and left out screens with a rank missing.
    """
    if mode not in MODES:
        raise DataError(f"mode is {mode!r}; expected {', '.join(MODES)}.")
    outcomes = compare_pairwise(judgements, pair=pair)
    label = outcomes.outcome.astype(np.int64) + 1
    first, second = outcomes.first.astype(np.int64), outcomes.second.astype(np.int64)
    if mode == "official":
        place, whole = _shown(judgements, outcomes)
        swapped = place[outcomes.screen, first] > place[outcomes.screen, second]
        first, second = np.where(swapped, second, first), np.where(swapped, first, second)
        label = np.where(swapped, 2 - label, label)
    n = max(1, len(outcomes.systems))
    _, item = np.unique((outcomes.segment.astype(np.int64) * n + first) * n + second, return_inverse=True)
    labels = Labelled(
        item.astype(np.int64),
        label,
        outcomes.annotator.astype(np.int64),
        outcomes.segment.astype(np.int64),
        outcomes.annotators,
    )
    return labels.take(whole[outcomes.screen]) if mode == "official" else labels


def _shown(judgements: Judgements, outcomes: Comparisons) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """The place of each system on each screen, and whether every system there has a rank."""
    number = {name: n for n, name in enumerate(outcomes.systems)}
    names = [each.name for each in judgements.schema.fields]
    place = np.zeros((len(judgements), max(1, len(number))), dtype=np.int8)
    whole = np.ones(len(judgements), dtype=np.bool_)
    for n in range(1, sum(name.startswith("rank") for name in names) + 1):
        codes, shown = judgements.coded(f"system{n}")
        systems = np.array([number.get(str(name), -1) for name in shown])[codes]
        there = np.flatnonzero(systems >= 0)
        place[there, systems[there]] = n
        is_shown = np.array([name is not None for name in shown])[codes]
        whole &= ~(is_shown & np.isnan(judgements.numbers(f"rank{n}")))
    return place, whole


def pooled(parts: list[Labelled]) -> Labelled:
    """Several language pairs as one: items, segments stay apart, an annotator of one name is one."""
    annotators = sorted({name for part in parts for name in part.annotators})
    number = {name: n for n, name in enumerate(annotators)}
    columns: list[tuple[Ints, Ints, Ints, Ints]] = []
    item_base = segment_base = 0
    for part in parts:
        own = np.array([number[name] for name in part.annotators], dtype=np.int64)
        columns.append((part.item + item_base, part.label, own[part.annotator], part.segment + segment_base))
        item_base += int(part.item.max(initial=-1)) + 1
        segment_base += int(part.segment.max(initial=-1)) + 1
    item, label, annotator, segment = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Labelled(item, label, annotator, segment, tuple(annotators))


def sources(judgements: Judgements) -> dict[str, Any]:
    """Where judgements come from, for the result's provenance."""
    return {"files": [file.to_dict() for file in judgements.files]} if judgements.files else {}
