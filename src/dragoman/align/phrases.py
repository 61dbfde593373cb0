"""Phrases of a sentence pair that are translations of each other, as spans, by the links of their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dragoman.data.alignments import Link

__all__ = ["PhraseSpans", "phrase_spans"]

PhraseSpans = tuple[int, int, int, int]  # begin and end in the source, begin and end in the target


def phrase_spans(
    links: Iterable[Link], n_source: int, longest: int, *, free_ends: bool = False
) -> Iterator[PhraseSpans]:
    """The phrase pairs that links allow (Och & Ney 2004), the tightest target of each source phrase.

    No link leads out of one, the first and last token of the target are linked, and the source has `longest` tokens at
    most. The source's ends are linked, too, unless `free_ends`: then a word that nothing stands for may be one.
    """
    by_source: dict[int, list[int]] = {}
    by_target: dict[int, list[int]] = {}
    for s, t in links:
        by_source.setdefault(s, []).append(t)
        by_target.setdefault(t, []).append(s)
    for begin in range(n_source) if free_ends else sorted(by_source):
        targets: list[int] = []
        for end in range(begin + 1, min(begin + longest, n_source) + 1):
            linked = by_source.get(end - 1)
            targets += linked or ()
            if not targets or (linked is None and not free_ends):
                continue
            low, high = min(targets), max(targets)
            inside = [s for t in range(low, high + 1) for s in by_target.get(t, ())]
            if begin <= min(inside) and max(inside) < end:
                yield begin, end, low, high + 1
