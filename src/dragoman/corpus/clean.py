"""Cleaning a bitext: all filters in one pass, each with what it left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dragoman.corpus.filters import FILTERS, Filter, PairBatch
from dragoman.data.bitext import Batch, Bitext
from dragoman.report import Column, Result, Table
from dragoman.text.entities import without_entities

__all__ = ["DEFAULT_FILTERS", "Cleaning", "FilterCount", "clean"]

# What Moses' clean-corpus-n does.
DEFAULT_FILTERS = ("empty", "length", "ratio", "long-token")


@dataclass(frozen=True)
class FilterCount:
    """What one filter left out; examples are (number of the pair from 1, source, target)."""

    filter: str
    removed: int
    left: int  # pairs that it let through
    examples: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True)
class Cleaning(Result):
    """The counts of a cleaning and, in `kept`, the bitext that remains (read again when iterated)."""

    kind: ClassVar[str] = "cleaning"

    steps: tuple[FilterCount, ...]
    pairs: int
    kept: Bitext = field(repr=False)
    mended: int = 0  # pairs whose character references were resolved
    flags: bytes = field(default=b"", repr=False)  # a byte for each pair, 1 if it is kept

    @property
    def left(self) -> int:
        """Pairs that passed every filter."""
        return self.steps[-1].left if self.steps else self.pairs

    def tables(self) -> list[Table]:
        """A row for each filter in the order of work, then examples of what went."""
        rows = [(s.filter, s.removed, s.removed / self.pairs if self.pairs else None, s.left) for s in self.steps]
        mended = f" {self.mended} pairs had HTML entities such as &amp;, which were resolved." if self.mended else ""
        counts = Table.of(
            "Cleaning",
            ["filter", "removed", Column("share", digits=4), "left"],
            rows,
            note=f"{self.left} of {self.pairs} pairs left. A pair counts for the first filter that stops it.{mended}",
        )
        examples = [(s.filter, *example) for s in self.steps for example in s.examples]
        columns: list[str | Column] = ["filter", "pair", Column("src", is_text=True), Column("tgt", is_text=True)]
        return [counts, *([Table.of("Examples", columns, examples)] if examples else [])]

    def meta(self) -> dict[str, Any]:
        """How many pairs there were and are, and examples of what went."""
        return {
            "pairs": self.pairs,
            "left": self.left,
            "mended": self.mended,
            "examples": [
                {"filter": s.filter, "pair": n, "src": src, "tgt": tgt}
                for s in self.steps
                for n, src, tgt in s.examples
            ],
        }


def clean(
    bitext: Bitext,
    filters: Sequence[Filter | str] = DEFAULT_FILTERS,
    *,
    keep_entities: bool = False,
    examples: int = 3,
    n_threads: int = 1,
) -> Cleaning:
    """Pass the pairs through `filters` in turn (names with options, or filters) and keep what passes all, in order.

    HTML entities (`&amp;`) become the characters that they stand for, unless `keep_entities`; then filters look.
    One byte a pair is remembered; looking for duplicates takes fifteen to thirty more. `n_threads` does not change the
    result.
    """
    chosen = [FILTERS.make(each) if isinstance(each, str) else each for each in filters]
    judges = [each.start(bitext.source_lang, bitext.target_lang) for each in chosen]
    removed = [0] * len(chosen)
    shown: list[list[tuple[int, str, str]]] = [[] for _ in chosen]
    keep = bytearray()
    mended = 0
    for batch in bitext.batches():
        if not keep_entities:
            batch, changed = _mended(batch)
            mended += changed
        places = np.arange(len(batch.srcs))
        pairs = PairBatch(
            batch.srcs, batch.tgts, source_lang=bitext.source_lang, target_lang=bitext.target_lang, n_threads=n_threads
        )
        for number, judge in enumerate(judges):
            bad = judge(pairs)
            if not bad.any():
                continue
            gone = np.flatnonzero(bad)
            removed[number] += len(gone)
            for place in gone[: max(0, examples - len(shown[number]))]:
                shown[number].append((batch.start + int(places[place]) + 1, pairs.srcs[place], pairs.tgts[place]))
            stay = np.flatnonzero(~bad)
            places, pairs = places[stay], pairs.take(stay)
        flags = np.zeros(len(batch.srcs), dtype=np.uint8)
        flags[places] = 1
        keep += flags.tobytes()
    steps = []
    left = len(keep)
    for each, count, some in zip(chosen, removed, shown, strict=True):
        left -= count
        steps.append(FilterCount(each.signature(), count, left, tuple(some)))
    plain = bitext if keep_entities else bitext.mapped(without_entities)
    return Cleaning(tuple(steps), len(keep), plain.choose(bytes(keep)), mended, bytes(keep))


def _mended(batch: Batch) -> tuple[Batch, int]:
    """The batch without character references, and how many of its pairs had one."""
    srcs, tgts = ([without_entities(text) for text in side] for side in (batch.srcs, batch.tgts))
    pairs = zip(batch.srcs, srcs, batch.tgts, tgts, strict=True)
    return Batch(batch.start, srcs, tgts), sum(
        src != plain_src or tgt != plain_tgt for src, plain_src, tgt, plain_tgt in pairs
    )
