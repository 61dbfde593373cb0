"""Phrases of sentence pairs that are translations of each other, by the links of their words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dragoman.align import align
from dragoman.align.phrases import phrase_spans
from dragoman.cat.memory.tokens import Token, tokens
from dragoman.data.alignments import Link
from dragoman.data.parallel import check_parallel
from dragoman.errors import UnknownName
from dragoman.text.annotate.function_words import function_words

__all__ = ["AlignedPair", "PhrasePair", "aligned_pairs", "phrase_pairs", "stop_words"]


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A sentence pair, cut into tokens without codes, and the links of their places."""

    source: tuple[Token, ...]
    target: tuple[Token, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class PhrasePair:
    """Tokens `[begin, end)` of a source and of its target."""

    source: tuple[int, int]
    target: tuple[int, int]


def aligned_pairs(
    srcs: Sequence[str],
    tgts: Sequence[str],
    links: Sequence[Sequence[Link]] | None = None,
    *,
    seed: int = 1,
    n_threads: int = 1,
) -> list[AlignedPair]:
    """Sentence pairs with their links: those given, of tokens as memories cut them, or learnt from the pairs."""
    check_parallel({"srcs": srcs, "tgts": tgts})
    cut = [[tuple(t for t in tokens(line) if t.kind != "code") for line in side] for side in (srcs, tgts)]
    if links is None:
        lines = [[" ".join(token.form for token in line) for line in side] for side in cut]
        found = align(lines[0], lines[1], seed=seed, n_threads=n_threads)
        ends = found.offsets.tolist()
        pairs = found.links.tolist()
        links = [[(s, t) for s, t in pairs[a:b]] for a, b in pairwise(ends)]
    check_parallel({"srcs": srcs, "links": links})
    return [AlignedPair(s, t, tuple(each)) for s, t, each in zip(*cut, links, strict=True)]


def phrase_pairs(pair: AlignedPair, longest: int = 4) -> Iterator[PhrasePair]:
    """The phrase pairs that links allow, the tightest of each source phrase (see `phrase_spans`)."""
    for begin, end, low, high in phrase_spans(pair.links, len(pair.source), longest):
        yield PhrasePair((begin, end), (low, high))


def stop_words(lang: str) -> frozenset[str]:
    """The function words of a language; none where there is no list of them."""
    try:
        return function_words(lang) if lang else frozenset()
    except UnknownName:
        return frozenset()
