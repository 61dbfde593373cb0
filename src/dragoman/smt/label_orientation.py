"""Orientation by what target phrases are called: a second model of where phrases stand (Mehay & Brew, WMT 2012).

A phrase pair that was met once says little of where it stands to its neighbours; all phrases that are, say, a noun
phrase that lacks its noun, `NP/N`, say more. A table gets six further scores, p(orientation | label of the target
phrase), beside those of its pairs, with weights of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar.labels import Labeller, Spans, label_by_parts
from dragoman.smt.grammar.parses import LineParse
from dragoman.smt.phrase_table import PhraseTable

__all__ = ["PhraseLabels", "phrase_label", "with_label_orientation"]

_LEAST = 1e-9  # probabilities below are taken as it


def phrase_label(labels: Spans, begin: int, end: int) -> str | None:
    """What a phrase is called: its own label, or those that cover it from left to right; None where a gap is left."""
    return " ".join(label_by_parts(labels, begin, end)) or None


@dataclass(frozen=True, eq=False)
class PhraseLabels:
    """What the target phrases of a text are called.

    `spans` has rows of begin, end (behind the last word) and the label's number in `names`; those of sentence i are
    `[offsets[i], offsets[i + 1])`.
    """

    names: tuple[str, ...]
    spans: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        labeller: Labeller,
        parses: Sequence[LineParse],
        lengths: Sequence[int],
        *,
        longest: int,
        words_alone: bool = False,
    ) -> PhraseLabels:
        """The labels of all phrases of at most `longest` words of lines with so many words.

        With `words_alone` a phrase is called by the labels of its words in their order (the paper's supertags). Each
        parse is labelled by itself: what other sentences say of a word does not count.
        """
        check_parallel({"lines": lengths, "parses": parses})
        numbers: dict[str, int] = {}
        rows: list[tuple[int, int, int]] = []
        ends = [0]
        for parse, length in zip(parses, lengths, strict=True):
            own = {} if parse is None else labeller.spans(parse, 1 if words_alone else longest)
            for begin in range(length if own else 0):
                for end in range(begin + 1, min(length, begin + longest) + 1):
                    name = phrase_label(own, begin, end)
                    if name:
                        rows.append((begin, end, numbers.setdefault(name, len(numbers))))
            ends.append(len(rows))
        spans = np.array(rows, dtype=np.int32).reshape(-1, 3)
        return cls(tuple(numbers), spans, np.array(ends, dtype=np.int64))

    def repeated(self, copies: int) -> PhraseLabels:
        """Those of a text that stands there several times."""
        first = [self.offsets[:-1] + copy * len(self.spans) for copy in range(copies)]
        offsets = np.concatenate([*first, np.array([copies * len(self.spans)])]).astype(np.int64)
        return replace(self, spans=np.tile(self.spans, (copies, 1)), offsets=offsets)


def with_label_orientation(
    table: PhraseTable,
    text: AlignedText,
    labels: PhraseLabels,
    *,
    share: float = 0.5,
    smoothing: float = 0.5,
    n_threads: int = 1,
) -> PhraseTable:
    """The table with six more orientation scores, learnt from its text and the labels of its target phrases.

    Of the labels that a pair has in the text those count that have at least `share` of what its most frequent one has,
    as often as they were met; the paper has an entry for each of them. `smoothing` is the weight of the orientations of
    all labels together, which are also those of a pair without any.
    """
    if not table.oriented:
        raise DataError("A table without orientation has no place for that of labels: set phrases.orientation=word.")
    if table.labelled:
        raise DataError("The table has orientations of labels already.")
    check_parallel({"sentence pairs": text.source, "labels": labels.offsets[1:]})
    of_labels, pairs, masses = _core.phrase.label_orientations(
        table.core,
        text.source.ids,
        text.source.offsets,
        text.target.ids,
        text.target.offsets,
        text.links,
        text.link_offsets,
        labels.spans,
        labels.offsets,
        len(labels.names),
        _core.phrase.Orientation[table.orientation],
        int(getattr(table.recipe, "longest", table.core.longest)),
        text.weights,
        n_threads=n_threads,
    )
    if not len(pairs):
        raise DataError("No phrase of the text has a label. Parse its target side: parse.target.")
    mass = of_labels[:, :3].sum(axis=1)
    overall = of_labels.sum(axis=0) / mass.sum()
    p = (of_labels + smoothing * overall) / (mass + smoothing)[:, None]
    mixed = _mixture(p, pairs, masses, overall, len(table), share)
    scores = _core.phrase.all_scores(table.core)
    place = len(table.features) + 6
    more = np.log(np.maximum(mixed, _LEAST)).astype(np.float32)
    core = _core.phrase.with_scores(
        table.core, np.ascontiguousarray(np.concatenate([scores[:, :place], more, scores[:, place:]], axis=1))
    )
    return PhraseTable(
        core,
        table.source,
        table.target,
        table.recipe,
        features=table.features,
        orientation=table.orientation,
        labelled=True,
        data=table.data,
    )


def _mixture(
    p: NDArray[np.float64],
    pairs: NDArray[np.int64],
    masses: NDArray[np.float64],
    overall: NDArray[np.float64],
    n_pairs: int,
    share: float,
) -> NDArray[np.float64]:
    """For each pair of the table the orientations of its labels, by how often it has each of those that are kept."""
    highest = np.zeros(n_pairs)
    np.maximum.at(highest, pairs[:, 0], masses)
    kept = masses >= share * highest[pairs[:, 0]]
    numbers, names, weights = pairs[kept, 0], pairs[kept, 1], masses[kept]
    sums = np.zeros((n_pairs, 6))
    np.add.at(sums, numbers, weights[:, None] * p[names])
    totals = np.bincount(numbers, weights=weights, minlength=n_pairs)
    known = totals > 0
    sums[known] /= totals[known, None]
    sums[~known] = overall
    return sums
