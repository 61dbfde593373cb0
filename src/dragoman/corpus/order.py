"""Shuffling and splitting that depend on the seed and on nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from tempfile import SpooledTemporaryFile
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman._core import corpus as core
from dragoman.data.bitext import Bitext, Pair, PairSource
from dragoman.errors import DataError
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream

__all__ = ["By", "Shuffling", "Split", "shuffle", "split"]

By = Literal["line", "source", "target", "either"]

_BUCKETS = 128  # temporary files; a power of two
_IN_MEMORY = 1 << 20  # bytes that each of them may keep in memory


def shuffle(bitext: Bitext, *, seed: int) -> Bitext:
    """The pairs in random order: that of `Stream(seed, "shuffle").permutation(n)`.

    Each pass over the result shuffles anew, through temporary files: a bitext larger than memory is no obstacle.
    """
    return replace(bitext, parts=(_Shuffled(bitext, seed),))


@dataclass(frozen=True)
class Shuffling(Result):
    """What was shuffled, where it went, and the seed that decided the order."""

    kind: ClassVar[str] = "shuffling"

    source: str
    target: str
    seed: int

    def tables(self) -> list[Table]:
        """One row."""
        return [Table.of("", ["input", "output", "seed"], [(self.source, self.target, self.seed)])]

    def meta(self) -> dict[str, Any]:
        """The seed."""
        return {"seed": self.seed}


@dataclass(frozen=True)
class _Shuffled(PairSource):
    whole: Bitext
    seed: int

    @property
    def label(self) -> str:
        return f"{self.whole.label}, shuffled with seed {self.seed}"

    def pairs(self) -> Iterator[Pair]:
        # A permutation sorts the pairs by their draws. The leading bits of a draw choose a bucket, so the buckets in
        # turn, each sorted, give the same order whatever their number.
        stream = Stream(self.seed, "shuffle")
        shift = np.uint64(64 - _BUCKETS.bit_length() + 1)
        with ExitStack() as stack:
            buckets = [
                stack.enter_context(SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="ascii")) for _ in range(_BUCKETS)
            ]
            for batch in self.whole.batches():
                draws = stream.bits(len(batch.srcs), start=batch.start)
                for draw, bucket, *pair in zip(
                    draws.tolist(), (draws >> shift).tolist(), batch.srcs, batch.tgts, strict=True
                ):
                    buckets[bucket].write(json.dumps([draw, *pair]) + "\n")
            for bucket in buckets:
                bucket.seek(0)
                records = [json.loads(line) for line in bucket]
                records.sort(key=lambda record: record[0])
                for _, src, tgt in records:
                    yield src, tgt


@dataclass(frozen=True)
class Split(Result):
    """A bitext cut into parts by chance. `parts` are bitexts that keep the order of the whole."""

    kind: ClassVar[str] = "split"

    parts: Mapping[str, Bitext] = field(repr=False)
    sizes: Mapping[str, int]
    shared_sources: Mapping[str, int]  # pairs whose source sentence stands in another part too
    seed: int
    by: By

    def __post_init__(self) -> None:
        for name in ("parts", "sizes", "shared_sources"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def tables(self) -> list[Table]:
        """A row for each part."""
        total = sum(self.sizes.values())
        rows = [
            (name, size, size / total if total else None, self.shared_sources[name])
            for name, size in self.sizes.items()
        ]
        columns: list[str | Column] = [
            "part",
            "pairs",
            Column("share", digits=4),
            Column("shared_sources", "source also elsewhere"),
        ]
        what = {"line": "lines", "source": "sources", "target": "targets", "either": "sources and targets"}[self.by]
        return [Table.of("Split", columns, rows, note=f"By {what}, seed {self.seed}.")]

    def meta(self) -> dict[str, Any]:
        """The seed, and what was kept together."""
        return {"seed": self.seed, "by": self.by, "pairs": sum(self.sizes.values())}


def split(bitext: Bitext, sizes: Mapping[str, int], *, rest: str = "train", by: By = "line", seed: int) -> Split:
    """Draw parts of exactly these sizes (`{"dev": 1000, "test": 1000}`); what remains is the part `rest`.

    `by="source"` keeps pairs of one source sentence together, so that no test sentence is seen in training; `target`
    does so for the target, `either` for both. Reads the bitext once; the memory is some fifty bytes a pair.
    """
    _check_parts(sizes, rest, by)
    src_keys, tgt_keys = _keys(bitext)
    n = len(src_keys)
    if sum(sizes.values()) > n:
        asked = " + ".join(map(str, sizes.values()))
        raise DataError(f"{', '.join(sizes)}: {asked} pairs are asked for, but {bitext.label} has {n}.")
    groups = _groups(src_keys, tgt_keys, by)
    part_of = _draw(groups, list(sizes.items()), by, Stream(seed, "split"))
    parts, counts, shared = {}, {}, {}
    for number, name in [*enumerate(sizes), (len(sizes), rest)]:
        mask = part_of == number
        parts[name] = bitext.choose(mask.astype(np.uint8).tobytes())
        counts[name] = int(mask.sum())
        shared[name] = int(np.isin(src_keys[mask], src_keys[~mask]).sum())
    return Split(parts, counts, shared, seed, by)


def _check_parts(sizes: Mapping[str, int], rest: str, by: str) -> None:
    if by not in ("line", "source", "target", "either"):
        raise DataError(f"A bitext is split by line, source, target or either, got by={by!r}.")
    if rest in sizes:
        raise DataError(f"The part {rest!r} takes what remains; it cannot have a size as well.")
    for name, size in sizes.items():
        if size < 0:
            raise DataError(f"The part {name!r} cannot have {size} pairs.")
    for name in (*sizes, rest):
        if not name or os.sep in name or "\0" in name:
            raise DataError(f"{name!r} cannot name a part; use letters, digits, '.', '-' and '_'.")


def _keys(bitext: Bitext) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The hashes of all sources and of all targets."""
    srcs, tgts = [np.empty(0, dtype=np.uint64)], [np.empty(0, dtype=np.uint64)]
    for batch in bitext.batches():
        srcs.append(core.hash_lines(batch.srcs))
        tgts.append(core.hash_lines(batch.tgts))
    return np.concatenate(srcs), np.concatenate(tgts)


def _groups(src_keys: NDArray[np.uint64], tgt_keys: NDArray[np.uint64], by: By) -> NDArray[np.int64]:
    """For each pair the first pair that it must stay with."""
    own = np.arange(len(src_keys), dtype=np.int64)
    if by == "line":
        return own
    if by != "either":
        return _first_of(src_keys if by == "source" else tgt_keys, own)
    # A chain of pairs that share a side holds together: the smallest number spreads until nothing changes.
    label = own
    while True:
        spread = _first_of(tgt_keys, _first_of(src_keys, label))
        if np.array_equal(spread, label):
            return label
        label = spread


def _first_of(keys: NDArray[np.uint64], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each place the smallest label among the places with its key."""
    if len(keys) == 0:
        return labels
    _, inverse = np.unique(keys, return_inverse=True)
    smallest = np.full(int(inverse.max()) + 1, len(keys), dtype=np.int64)
    np.minimum.at(smallest, inverse, labels)
    return smallest[inverse]


def _draw(groups: NDArray[np.int64], sizes: list[tuple[str, int]], by: By, stream: Stream) -> NDArray[np.int16]:
    """The part of each pair, by number.

    Groups come in random order; one that is too large for what is left of a part is passed over, so that the sizes are
    met exactly.
    """
    leaders, members = np.unique(groups, return_counts=True)
    order = np.argsort(stream.bits(len(groups))[leaders], kind="stable")
    taken = np.full(len(groups), -1, dtype=np.int16)  # the part of each leader's group
    waiting = iter(order.tolist())
    passed_over: list[int] = []
    for number, (name, size) in enumerate(sizes):
        missing = size
        again: list[int] = []
        candidates = iter(passed_over)
        while missing > 0:
            place = next(candidates, None)
            if place is None:
                place = next(waiting, None)
            if place is None:
                raise DataError(
                    f"The part {name!r} cannot have exactly {size} pairs: by {by}, the remaining pairs come in groups "
                    f"that are too large; {size - missing} fit. Choose another size or seed."
                )
            if members[place] > missing:
                again.append(place)
                continue
            taken[leaders[place]] = number
            missing -= int(members[place])
        passed_over = [*again, *candidates]
    part_of = taken[groups]
    part_of[part_of < 0] = len(sizes)
    return part_of
