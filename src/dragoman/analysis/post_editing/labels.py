"""What a post-editor did to each word: kept, changed in form, exchanged, moved, added, taken away (Koponen, WMT 2012).

The paper paired the words of output and post-edit by hand; here the pairs are found, in its order of preference: equal
words, words of one lemma, then words that replace each other. Case does not tell words apart, as in TER.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from dragoman.errors import DataError
from dragoman.metrics.traces import Trace, ter_trace

__all__ = ["CLASSES", "LABELS", "Edited", "Label", "WordClass", "Words", "label_words", "order_of", "word_class"]

Label = Literal["word match", "form changed", "word changed", "pos changed", "deleted", "inserted"]
LABELS: tuple[Label, ...] = ("word match", "form changed", "word changed", "pos changed", "deleted", "inserted")

WordClass = Literal["Noun", "Verb", "Adj", "Det", "Other", "Punct"]
CLASSES: tuple[WordClass, ...] = ("Noun", "Verb", "Adj", "Det", "Other", "Punct")
_CLASS_OF: dict[str, WordClass] = {
    "NOUN": "Noun",
    "PROPN": "Noun",
    "VERB": "Verb",
    "AUX": "Verb",
    "ADJ": "Adj",
    "DET": "Det",
    "PUNCT": "Punct",
}


@dataclass(frozen=True)
class Words:
    """The words of a sentence, with their lemmas and universal parts of speech where these are known."""

    forms: Sequence[str]
    lemmas: Sequence[str] | None = None
    tags: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for name, layer in (("lemmas", self.lemmas), ("tags", self.tags)):
            if layer is not None and len(layer) != len(self.forms):
                raise DataError(f"A sentence of {len(self.forms)} words has {len(layer)} {name}.")


class Edited(NamedTuple):
    """One word of output or post-edit, or a pair of them, and what was done to it. Positions count from 0."""

    label: Label
    mt: int | None  # None: inserted
    pe: int | None  # None: deleted
    word_class: WordClass | None  # None: no tags
    distance: int | None = None  # matched words that it passed; 0: order kept; None: it has no partner
    in_group: bool = False  # moved together with a neighbour

    @property
    def moved(self) -> bool:
        """Whether it stands in another order than in the output."""
        return bool(self.distance)


def word_class(tag: str) -> WordClass:
    """The paper's class of a universal part of speech."""
    return _CLASS_OF.get(tag, "Other")


def label_words(
    outputs: Sequence[Words], post_edits: Sequence[Words], *, n_threads: int = 1
) -> list[tuple[Edited, ...]]:
    """Label the words of every segment: those of the output in their order, then the inserted ones.

    Words that replace each other are told by TER's trace; of several candidates one with the same part of speech is
    taken, else the first, and the others count as inserted or deleted.
    """
    traces = ter_trace(
        [" ".join(each.forms) for each in outputs],
        [[" ".join(each.forms) for each in post_edits]],
        case_sensitive=False,
        n_threads=n_threads,
    )
    return [_label(mt, pe, trace) for mt, pe, trace in zip(outputs, post_edits, traces, strict=True)]


def _label(mt: Words, pe: Words, trace: Trace) -> tuple[Edited, ...]:
    pairs = _pair_words(mt, pe, trace)
    moves = order_of([(m, pairs[m], _key(mt.forms, m) == _key(pe.forms, pairs[m])) for m in sorted(pairs)])
    labelled = []
    for m in range(len(mt.forms)):
        p = pairs.get(m)
        if p is None:
            labelled.append(Edited("deleted", m, None, _class_at(mt, m)))
        else:
            labelled.append(Edited(_label_of(mt, m, pe, p), m, p, _class_at(mt, m), *moves[m]))
    taken = set(pairs.values())
    labelled += [Edited("inserted", None, p, _class_at(pe, p)) for p in range(len(pe.forms)) if p not in taken]
    return tuple(labelled)


def _pair_words(mt: Words, pe: Words, trace: Trace) -> dict[int, int]:
    """The word of the post-edit that each word of the output became."""
    pairs: dict[int, int] = {}
    free = set(range(len(pe.forms)))

    def join(found: Iterable[tuple[int, int]]) -> None:
        for m, p in found:
            if m not in pairs and p in free:
                pairs[m] = p
                free.discard(p)

    steps = trace.steps()
    join((step.hyp, step.ref) for step in steps if step.operation == "match" and None not in step[1:])  # type: ignore[misc]
    join(_nearest(mt.forms, pe.forms, pairs, free))
    if mt.lemmas is not None and pe.lemmas is not None:
        join(_nearest(mt.lemmas, pe.lemmas, pairs, free))
    join(_replacements(mt, pe, pairs, free))
    return pairs


def _nearest(left: Sequence[str], right: Sequence[str], pairs: dict[int, int], free: set[int]) -> list[tuple[int, int]]:
    """Pairs of equal words that are still alone, those first that stand at like places."""
    places: dict[str, list[int]] = {}
    for p in free:
        places.setdefault(right[p].casefold(), []).append(p)
    scale = len(right) / len(left) if left else 1.0
    near = [
        (abs(m * scale - p), m, p)
        for m in range(len(left))
        if m not in pairs
        for p in places.get(left[m].casefold(), ())
    ]
    return [(m, p) for _, m, p in sorted(near)]


def _replacements(mt: Words, pe: Words, pairs: dict[int, int], free: set[int]) -> list[tuple[int, int]]:
    """Lonely words between the same neighbours replace each other: same part of speech first, then from the left."""
    replacements: list[tuple[int, int]] = []
    for run in _runs([m for m in range(len(mt.forms)) if m not in pairs]):
        low = pairs.get(run[0] - 1, -1)
        high = pairs.get(run[-1] + 1, len(pe.forms))
        between = [p for p in range(low + 1, high) if p in free] if low < high else []
        replacements += _align_run(mt, run, pe, between)
    return replacements


def _align_run(mt: Words, left: list[int], pe: Words, right: list[int]) -> list[tuple[int, int]]:
    """The pairing in order of as many words as can be, with as many equal parts of speech as can be."""
    n, m = len(left), len(right)
    best = [[(0, 0)] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            size, same = best[i + 1][j + 1]
            paired = (size + 1, same + _same_tag(mt, left[i], pe, right[j]))
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < n and j < m:
        size, same = best[i + 1][j + 1]
        if best[i][j] == (size + 1, same + _same_tag(mt, left[i], pe, right[j])):
            pairs.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def order_of(matched: Sequence[tuple[int, int, bool]]) -> dict[int, tuple[int, bool]]:
    """How far each matched word moved, and whether together with a neighbour.

    `matched` has (place in the output, place in the post-edit, equal words?), by the first. Only matched words are
    counted, so what is inserted or deleted moves nothing. The words of a longest increasing subsequence keep their
    order (of several such, the one with most equal words, then the leftmost); the others moved past as many words as
    their ranks differ by, at least one. Words that moved side by side are a group.
    """
    ranks = {p: rank for rank, p in enumerate(sorted(p for _, p, _ in matched))}
    sequence = [ranks[p] for _, p, _ in matched]
    in_order = _increasing(sequence, [equal for _, _, equal in matched])
    distances = {}
    for place, (m, _, _) in enumerate(matched):
        if place in in_order:
            distances[m] = (0, False)
            continue
        beside = any(
            0 <= other < len(sequence) and other not in in_order and sequence[other] - sequence[place] == other - place
            for other in (place - 1, place + 1)
        )
        distances[m] = (max(1, abs(sequence[place] - place)), beside)
    return distances


def _increasing(sequence: Sequence[int], equal: Sequence[bool]) -> set[int]:
    """The places of the longest increasing subsequence, ties as `order_of` says."""
    if all(rank == place for place, rank in enumerate(sequence)):
        return set(range(len(sequence)))
    best: list[tuple[int, int]] = [(0, 0)] * len(sequence)  # length and equal words of the best one that begins here
    following = [-1] * len(sequence)
    for i in range(len(sequence) - 1, -1, -1):
        tail, after = (0, 0), -1
        for j in range(i + 1, len(sequence)):
            if sequence[j] > sequence[i] and best[j] > tail:
                tail, after = best[j], j
        best[i] = (tail[0] + 1, tail[1] + equal[i])
        following[i] = after
    place = max(range(len(sequence)), key=lambda i: (best[i], -i))
    places = set()
    while place >= 0:
        places.add(place)
        place = following[place]
    return places


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Neighbouring places together."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _label_of(mt: Words, m: int, pe: Words, p: int) -> Label:
    if _key(mt.forms, m) == _key(pe.forms, p):
        return "word match"
    if mt.lemmas is not None and pe.lemmas is not None and _key(mt.lemmas, m) == _key(pe.lemmas, p):
        return "form changed"
    if mt.tags is None or pe.tags is None or _same_tag(mt, m, pe, p):
        return "word changed"
    return "pos changed"


def _same_tag(mt: Words, m: int, pe: Words, p: int) -> bool:
    return mt.tags is not None and pe.tags is not None and mt.tags[m] == pe.tags[p]


def _class_at(words: Words, place: int) -> WordClass | None:
    return None if words.tags is None else word_class(words.tags[place])


def _key(words: Sequence[str], place: int) -> str:
    return words[place].casefold()
