"""A bitext: sentence pairs in file order, read when iterated, never held whole.

A `Bitext` says where the pairs are; iterating it opens the files, as often as one likes. Its memory does not grow with
the corpus. Lines never go missing quietly: when one side ends before the other, both files and both counts are named.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count, islice, zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath, iter_lines

__all__ = ["Batch", "Bitext", "FilePairs", "HeldPairs", "PairSource"]

Pair = tuple[str, str]

_SOURCE = "source."  # before a layer of the source side (`text.layers`)
BATCH = 10_000  # pairs; a batch of news text is about three megabytes


class PairSource(ABC):
    """Where pairs come from. A format adds a subclass; the pairs can be asked for again and again."""

    @property
    @abstractmethod
    def label(self) -> str:
        """What messages call it: the file, or the files."""

    @abstractmethod
    def pairs(self) -> Iterator[Pair]:
        """The pairs, from the first on."""


@dataclass(frozen=True)
class FilePairs(PairSource):
    """Two files, one sentence a line."""

    src: StrPath
    tgt: StrPath

    def __post_init__(self) -> None:
        if os.fspath(self.src) == os.fspath(self.tgt) == "-":
            raise DataError("Only one side of a bitext can come from standard input; name a file for the other.")

    @property
    def label(self) -> str:
        """Both files."""
        return f"{os.fspath(self.src)} and {os.fspath(self.tgt)}"

    def pairs(self) -> Iterator[Pair]:
        """The pairs; a side that ends early raises when it ends, with both counts."""
        src_lines, tgt_lines = iter_lines(self.src), iter_lines(self.tgt)
        for done, (src, tgt) in enumerate(zip_longest(src_lines, tgt_lines)):
            if src is None or tgt is None:
                longer = tgt_lines if src is None else src_lines
                rest = done + 1 + sum(1 for _ in longer)
                n_src, n_tgt = (done, rest) if src is None else (rest, done)
                raise DataError(
                    f"The sides of a bitext must have one line per pair: {os.fspath(self.src)} has {n_src} lines, "
                    f"{os.fspath(self.tgt)} has {n_tgt}. Find the missing lines, or take the right pair of files."
                )
            yield src, tgt


@dataclass(frozen=True)
class HeldPairs(PairSource):
    """Pairs in memory."""

    srcs: tuple[str, ...]
    tgts: tuple[str, ...]

    @property
    def label(self) -> str:
        """There is no file to name."""
        return "pairs in memory"

    def pairs(self) -> Iterator[Pair]:
        """The pairs."""
        return zip(self.srcs, self.tgts, strict=True)


class Batch(NamedTuple):
    """Consecutive pairs, side by side; `start` is the place of the first in the bitext, from 0."""

    start: int
    srcs: list[str]
    tgts: list[str]


@dataclass(frozen=True)
class Bitext:
    """Sentence pairs from one or more places, one after the other."""

    parts: tuple[PairSource, ...]
    source_lang: str | None = None  # BCP 47
    target_lang: str | None = None
    layers: Mapping[str, str] = field(default_factory=dict)  # layer → the annotator that makes it (`text.layers`)

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", MappingProxyType(dict(self.layers)))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled; a plain one says the same to a worker process.
        return type(self), (self.parts, self.source_lang, self.target_lang, dict(self.layers))

    @classmethod
    def from_files(
        cls, src: StrPath, tgt: StrPath, *, source_lang: str | None = None, target_lang: str | None = None
    ) -> Self:
        """The bitext of two files, one sentence a line; nothing is read yet."""
        return cls((FilePairs(src, tgt),), source_lang, target_lang)

    @classmethod
    def from_lines(
        cls, srcs: Sequence[str], tgts: Sequence[str], *, source_lang: str | None = None, target_lang: str | None = None
    ) -> Self:
        """The bitext of two sequences in memory."""
        check_parallel({"srcs": srcs, "tgts": tgts})
        return cls((HeldPairs(tuple(srcs), tuple(tgts)),), source_lang, target_lang)

    @classmethod
    def from_pairs(
        cls, pairs: Iterable[Pair], *, source_lang: str | None = None, target_lang: str | None = None
    ) -> Self:
        """The bitext of pairs, which are taken into memory."""
        held = list(pairs)
        return cls.from_lines(
            [src for src, _ in held], [tgt for _, tgt in held], source_lang=source_lang, target_lang=target_lang
        )

    @property
    def pair(self) -> str | None:
        """The language pair, source first: `de-en`."""
        return f"{self.source_lang}-{self.target_lang}" if self.source_lang and self.target_lang else None

    @property
    def label(self) -> str:
        """What messages call the bitext."""
        return "; ".join(part.label for part in self.parts)

    def __iter__(self) -> Iterator[Pair]:
        for part in self.parts:
            yield from part.pairs()

    def batches(self, size: int = BATCH) -> Iterator[Batch]:
        """The pairs in runs of `size` (the last one shorter)."""
        if size < 1:
            raise DataError(f"A batch holds at least one pair, got size={size}.")
        pairs = iter(self)
        start = 0
        while held := list(islice(pairs, size)):
            yield Batch(start, [src for src, _ in held], [tgt for _, tgt in held])
            start += len(held)

    def shard(self, index: int, of: int, *, size: int = BATCH) -> Bitext:
        """One of `of` bitexts that share out this one: runs of `size` pairs are dealt in turn, the order is kept."""
        if not 0 <= index < of or size < 1:
            raise DataError(
                f"A shard is one of 0 … {of - 1} in runs of at least one pair, got {index} and size={size}."
            )
        return replace(self, parts=(_Shard(self, index, of, size),))

    def choose(self, keep: bytes) -> Bitext:
        """The pairs whose place in `keep` holds 1 (one byte a pair, 0 or 1), in order."""
        return replace(self, parts=(_Chosen(self, keep),))

    def first(self, n_pairs: int) -> Bitext:
        """The first `n_pairs` pairs, or all where there are fewer; what comes behind them is not read."""
        if n_pairs < 1:
            raise DataError(f"A bitext has at least one pair, got n_pairs={n_pairs}.")
        return replace(self, parts=(_First(self, n_pairs),))

    def mapped(self, change: Callable[[str], str]) -> Bitext:
        """The same pairs with every text changed, one at a time."""
        return replace(self, parts=(_Mapped(self, change),))

    def swapped(self) -> Bitext:
        """The same pairs with source and target exchanged."""
        layers = {
            layer.removeprefix(_SOURCE) if layer.startswith(_SOURCE) else f"{_SOURCE}{layer}": annotator
            for layer, annotator in self.layers.items()
        }
        return Bitext((_Swapped(self),), self.target_lang, self.source_lang, layers)

    def __add__(self, other: Bitext) -> Bitext:
        """The pairs of both, one after the other; languages and layers must agree where both have them."""
        for side in ("source_lang", "target_lang"):
            mine, theirs = getattr(self, side), getattr(other, side)
            if mine and theirs and mine != theirs:
                raise DataError(f"A {self.pair} bitext and a {other.pair} bitext do not make one.")
        layers = {**other.layers, **self.layers}
        if any(layers[layer] != annotator for layer, annotator in other.layers.items()):
            raise DataError("Bitexts whose layers are made by different annotators do not make one.")
        langs = self.source_lang or other.source_lang, self.target_lang or other.target_lang
        return Bitext((*self.parts, *other.parts), *langs, layers)

    def count(self) -> int:
        """How many pairs there are; reads everything once."""
        return sum(1 for _ in self)

    def fingerprint(self) -> str:
        """The SHA-256 of the pairs, whatever files they come from; reads everything once.

        Each text is hashed with its length in front (`5:Hello`), so that no two different bitexts run together.
        """
        digest = sha256()
        for batch in self.batches():
            framed = [f"{len(s)}:{s}{len(t)}:{t}" for s, t in zip(batch.srcs, batch.tgts, strict=True)]
            digest.update("".join(framed).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


@dataclass(frozen=True)
class _First(PairSource):
    whole: Bitext
    n_pairs: int

    @property
    def label(self) -> str:
        return f"the first {self.n_pairs} pairs of {self.whole.label}"

    def pairs(self) -> Iterator[Pair]:
        return islice(iter(self.whole), self.n_pairs)


@dataclass(frozen=True)
class _Shard(PairSource):
    whole: Bitext
    index: int
    of: int
    size: int

    @property
    def label(self) -> str:
        return f"shard {self.index} of {self.of} of {self.whole.label}"

    def pairs(self) -> Iterator[Pair]:
        pairs = iter(self.whole)
        # Reads to the end also where the rest belongs to others: every shard finds a side that is too short.
        for number in count():
            run = islice(pairs, self.size)
            first = next(run, None)
            if first is None:
                return
            if number % self.of == self.index:
                yield first
                yield from run
            else:
                for _ in run:
                    pass


@dataclass(frozen=True)
class _Chosen(PairSource):
    whole: Bitext
    keep: bytes

    @property
    def label(self) -> str:
        return f"{sum(self.keep)} of {len(self.keep)} pairs of {self.whole.label}"

    def pairs(self) -> Iterator[Pair]:
        for pair, is_kept in zip_longest(self.whole, self.keep):
            if pair is None or is_kept is None:
                raise DataError(
                    f"{self.whole.label} no longer has {len(self.keep)} pairs; it was changed after reading."
                )
            if is_kept:
                yield pair


@dataclass(frozen=True)
class _Mapped(PairSource):
    whole: Bitext
    change: Callable[[str], str]

    @property
    def label(self) -> str:
        return self.whole.label

    def pairs(self) -> Iterator[Pair]:
        return ((self.change(src), self.change(tgt)) for src, tgt in self.whole)


@dataclass(frozen=True)
class _Swapped(PairSource):
    whole: Bitext

    @property
    def label(self) -> str:
        return self.whole.label

    def pairs(self) -> Iterator[Pair]:
        return ((tgt, src) for src, tgt in self.whole)
