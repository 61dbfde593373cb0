"""Errors by alignment, as Addicter finds them: what is not aligned, what is aligned with a difference, what moved.

The hypothesis is aligned with the reference word by word, as by a hidden Markov model over base forms: a word comes
from one with the same base form, the likelier the nearer it is to the place behind the last one's (Zeman, Fishel, Berka
& Bojar, PBML 2011). The description that this follows is that of TerrorCat (Fishel et al., WMT 2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.metrics.classer import Words

__all__ = ["ADDICTER_CLASSES", "align_words", "fill_gaps", "label_errors", "shifts"]

ADDICTER_CLASSES = (
    *("missing", "punctuation", "extra", "untranslated", "disambiguation", "part of speech"),
    *("inflection", "order, near", "order, far"),
)
_BEAM = 16  # ways to align the words so far
_UNALIGNED = 0.05  # ε: that a word stays alone that the hypothesis has several times, and the reference, too
_HALF = log(2.0)
_LONGEST = 1000  # words of a line


def align_words(hyp: Sequence[int], ref: Sequence[int]) -> list[int]:
    """The place in the reference of each word of the hypothesis, −1 for none; no place is taken twice."""
    places: dict[int, list[int]] = {}
    for place, base in enumerate(ref):
        places.setdefault(base, []).append(place)
    counts: dict[int, int] = {}
    for base in hyp:
        counts[base] = counts.get(base, 0) + 1
    # Log-weight, the place of the last aligned word, and all places; the best ways only.
    beam: list[tuple[float, int, tuple[int, ...]]] = [(0.0, -1, ())]
    for base in hyp:
        choices = places.get(base, [])
        once = counts[base] == 1
        emission = 0.0 if once else log((1.0 - _UNALIGNED) / counts[base])
        alone = log(_UNALIGNED) if choices else 0.0
        ways = [] if choices and once else [(weight + alone, last, (*taken, -1)) for weight, last, taken in beam]
        for weight, last, taken in beam:
            ways += [
                (weight + emission - _HALF * abs(place - last - 1), place, (*taken, place))
                for place in choices
                if place not in taken
            ]
        ways.sort(key=lambda way: (-way[0], way[1:]))
        beam = ways[:_BEAM]
    return list(beam[0][2])


def fill_gaps(links: Sequence[int], n_ref: int) -> list[int]:
    """Links with those of words that are alone on both sides between the same neighbours, in their order."""
    filled, taken = list(links), set(links)
    at = 0
    while at < len(filled):
        if filled[at] >= 0:
            at += 1
            continue
        place = filled[at - 1] + 1 if at else 0
        while at < len(filled) and links[at] < 0:
            if (at == 0 or filled[at - 1] >= 0) and place < n_ref and place not in taken:
                filled[at] = place
                place += 1
            at += 1
    return filled


def shifts(order: Sequence[int]) -> list[int]:
    """How far each aligned word moved, in words, to bring all in order: 1 for a lone swap of neighbours, of both words.

    Words that belong to the longest run in order stay; the others moved over those of them that they are out of order
    with. `order` has the places of aligned words.
    """
    kept = _longest_rising(order)
    moved = [0] * len(order)
    for at, place in enumerate(order):
        if at not in kept:
            moved[at] = sum((place < order[other]) == (at > other) for other in kept)
    return moved


def _longest_rising(order: Sequence[int]) -> set[int]:
    """The longest run of words in order, though not next to each other; of equals the first."""
    lengths: list[int] = []
    before: list[int] = []
    for at, place in enumerate(order):
        best = max((other for other in range(at) if order[other] < place), key=lambda other: lengths[other], default=-1)
        before.append(best)
        lengths.append(1 + (lengths[best] if best >= 0 else 0))
    at = int(np.argmax(lengths)) if lengths else -1
    kept = set()
    while at >= 0:
        kept.add(at)
        at = before[at]
    return kept


def label_errors(
    hyp: Words, ref: Words, hyp_tags: NDArray[np.int64], ref_tags: NDArray[np.int64], marks: set[int], foreign: set[int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The class of each word's error from 1 on, 0 for none: of the hypothesis, and of the reference (missing words).

    `marks` are the ids of punctuation marks; `foreign` those of words that the sources have.
    """
    hyp_labels, ref_labels = (np.zeros(len(side.full), dtype=np.uint8) for side in (hyp, ref))
    number = {name: place + 1 for place, name in enumerate(ADDICTER_CLASSES)}
    bounds = zip(pairwise(hyp.offsets.tolist()), pairwise(ref.offsets.tolist()), strict=True)
    for segment, ((a, b), (c, d)) in enumerate(bounds, start=1):
        if max(b - a, d - c) > _LONGEST:
            raise DataError(
                f"Segment {segment}: too long for Addicter's alignment: {b - a} words. Cut it into sentences."
            )
        own, other = hyp.full[a:b].tolist(), ref.full[c:d].tolist()
        bases, other_bases = hyp.base[a:b].tolist(), ref.base[c:d].tolist()
        links = fill_gaps(align_words(bases, other_bases), d - c)
        aligned = [at for at, place in enumerate(links) if place >= 0]
        moved = dict(zip(aligned, shifts([links[at] for at in aligned]), strict=True))
        for at, place in enumerate(links):
            if place < 0:
                name = "untranslated" if own[at] in foreign else "extra"
            elif moved[at]:
                name = "order, near" if moved[at] == 1 else "order, far"
            elif own[at] == other[place]:
                continue
            elif bases[at] != other_bases[place]:
                name = "disambiguation"
            else:
                name = "inflection" if hyp_tags[a + at] == ref_tags[c + place] else "part of speech"
            hyp_labels[a + at] = number["punctuation" if own[at] in marks else name]
        for place in set(range(d - c)) - set(links):
            ref_labels[c + place] = number["punctuation" if other[place] in marks else "missing"]
    return hyp_labels, ref_labels
