"""How much labels of one language tell about those of another: a quick look at a set of labels, without an engine.

(Dušek et al., WMT 2012.) I = Σ p(x, y) log2 p(x, y) / (p(x) p(y)) over linked nodes. Merging labels never raises it,
and small samples raise it for fine labels; so it stands beside a share of what is possible, and beside what the counts
of one half tell about the other half.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from dragoman.errors import DataError
from dragoman.report import Column, Result, Table

__all__ = ["LabelInformation", "MutualInformation", "held_out_information", "label_information", "mutual_information"]

T = TypeVar("T", bound=Hashable)
Label = str
_SMOOTHING = 0.5


@dataclass(frozen=True)
class LabelInformation:
    """What a set of labels tells, in bits."""

    labels: str  # which: as they are, or what was merged
    bits: float
    normalised: float  # of the smaller of both entropies: 1 is all
    held_out: float  # in one half by the counts of the other, both ways
    n_first: int  # different labels on each side
    n_second: int


@dataclass(frozen=True)
class MutualInformation(Result):
    """Information between the labels of two languages, as they are and with some merged."""

    kind: ClassVar[str] = "mutual information"

    sets: tuple[LabelInformation, ...]
    pairs: tuple[tuple[str, str, int], ...]  # the commonest
    n_pairs: int

    def tables(self) -> list[Table]:
        """One row for each set of labels; the commonest pairs."""
        columns = [Column("labels"), Column("bits", digits=3), Column("normalised", digits=3)]
        columns += [Column("held_out", "held out", digits=3), Column("first"), Column("second")]
        rows = [(s.labels, s.bits, s.normalised, s.held_out, s.n_first, s.n_second) for s in self.sets]
        note = f"{self.n_pairs} pairs of linked nodes. Held out: bits in one half by the counts of the other."
        return [
            Table.of("Information", columns, rows, note=note),
            Table.of("Pairs", ["first", "second", "nodes"], self.pairs),
        ]

    def meta(self) -> dict[str, Any]:
        """How many pairs."""
        return {"pairs": self.n_pairs}


def mutual_information(pairs: Iterable[tuple[T, T]]) -> float:
    """Bits that one of a pair tells about the other."""
    joint = Counter(pairs)
    total = joint.total()
    if not total:
        raise DataError("There is no pair of labels to compute information from.")
    first, second = _margins(joint)
    return sum(n / total * math.log2(n * total / (first[x] * second[y])) for (x, y), n in joint.items())


def held_out_information(pairs: Sequence[tuple[T, T]]) -> float:
    """Mean log2 p(x, y) / (p(x) p(y)) of each half by smoothed counts of the other; labels never seen tell nothing."""
    halves = pairs[0::2], pairs[1::2]
    if not halves[1]:
        raise DataError("Two pairs of labels are needed to hold one half out.")
    bits = 0.0
    for known, other in (halves, halves[::-1]):
        joint = Counter(known)
        first, second = _margins(joint)
        total, cells = joint.total(), len(first) * len(second)
        for x, y in other:
            if x in first and y in second:
                chance = first[x] * second[y] / total**2
                # Smoothed towards independence, so that a pair never seen tells little rather than nothing at all.
                p = (joint[x, y] + _SMOOTHING * cells * chance) / (total + _SMOOTHING * cells)
                bits += math.log2(p / chance)
    return bits / len(pairs)


def label_information(
    pairs: Sequence[tuple[Label, Label]], merges: Sequence[Mapping[Label, Label]] = (), *, n_shown: int = 20
) -> MutualInformation:
    """Information of labels as they are, and with each set of merges (label → the label it becomes)."""
    sets = [_information("as they are", pairs)]
    for merge in merges:
        known = {label for pair in pairs for label in pair}
        missing = [label for label in merge if label not in known]
        if missing:
            raise DataError(f"No linked node has the label {missing[0]!r}; nothing would be merged.")
        merged = [(merge.get(x, x), merge.get(y, y)) for x, y in pairs]
        sets.append(_information(", ".join(f"{old} → {new}" for old, new in merge.items()), merged))
    common = tuple((x, y, n) for (x, y), n in Counter(pairs).most_common(n_shown))
    return MutualInformation(tuple(sets), common, len(pairs))


def _information(name: str, pairs: Sequence[tuple[Label, Label]]) -> LabelInformation:
    bits = mutual_information(pairs)
    first, second = _margins(Counter(pairs))
    most = min(_entropy(first), _entropy(second))
    return LabelInformation(
        name, bits, bits / most if most else 0.0, held_out_information(pairs), len(first), len(second)
    )


def _margins(joint: Counter[tuple[T, T]]) -> tuple[Counter[T], Counter[T]]:
    first: Counter[T] = Counter()
    second: Counter[T] = Counter()
    for (x, y), n in joint.items():
        first[x] += n
        second[y] += n
    return first, second


def _entropy(counts: Counter[T]) -> float:
    total = counts.total()
    return -sum(n / total * math.log2(n / total) for n in counts.values())
