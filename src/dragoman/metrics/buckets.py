"""Where a difference comes from: scores by kind of segment, words found by kind of word.

The kinds of table are those of compare-mt (Neubig et al., NAACL 2019 demonstrations). All of them describe; none is a
test, and the note of each table says what it does not tell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.metrics.cut_texts import CutTexts
from dragoman.metrics.scoring import Statistics
from dragoman.report import Column, Figure, Table
from dragoman.text import Annotator
from dragoman.text.layers import annotate_once

__all__ = ["Breakdown", "Tagged", "by_frequency", "by_label", "by_length", "by_tag", "by_tagger"]

Tagged = Sequence[Sequence[tuple[str, str]] | None]  # (word, tag) of each segment; None where it was not annotated

_MOST_BARS = 12  # a figure of more groups than this cannot be read

# Lower bounds of the buckets, in reference words of a segment and in occurrences of a word.
_LENGTHS = (0, 10, 20, 30, 40, 50, 60)
_FREQUENCIES = (0, 1, 2, 3, 4, 5, 10, 100, 1000)


@dataclass(frozen=True, eq=False)
class Breakdown:
    """One measure of all systems, group by group."""

    by: str  # what the groups are: "length", "frequency", "tag", "document" …
    measure: str  # the metric's label, or what share of words is given
    groups: tuple[str, ...]
    counts: tuple[int, ...]  # segments or reference words in each group
    unit: str  # what `counts` counts
    systems: tuple[str, ...]
    values: NDArray[np.float64]  # (systems, groups); NaN where a group has nothing to measure
    note: str = ""

    @property
    def title(self) -> str:
        """What the table says: `BLEU by length`."""
        return f"{self.measure} by {self.by}"

    @property
    def digits(self) -> int:
        """Decimals shown: two of per cent, three of what stays below 10, as scores of neural metrics do."""
        most = np.nanmax(np.abs(self.values)) if np.isfinite(self.values).any() else 0.0
        return 3 if 0 < most < 10 else 2

    def table(self) -> Table:
        """One row per group, one column per system."""
        columns = [Column(self.by), Column(self.unit), *_system_columns(self.systems, self.digits)]
        rows = [
            (group, count, *(_or_none(value) for value in self.values[:, g]))
            for g, (group, count) in enumerate(zip(self.groups, self.counts, strict=True))
        ]
        return Table.of(self.title, columns, rows, note=self.note, is_matrix=True)

    def to_dict(self) -> dict[str, Any]:
        """The groups as JSON has them, one row each."""
        rows = [
            {self.by: group, self.unit: count, **dict(zip(self.systems, self.values[:, g].tolist(), strict=True))}
            for g, (group, count) in enumerate(zip(self.groups, self.counts, strict=True))
        ]
        return {"by": self.by, "measure": self.measure, "rows": rows}

    def figure(self, order: Sequence[str] | None = None) -> Figure | None:
        """Bars per group and system, systems in an order; None where there are too many groups to draw, or one."""
        if not 1 < len(self.groups) <= _MOST_BARS:
            return None
        columns = [Column(self.by), Column("system"), Column("value", self.measure, digits=self.digits)]
        rows = [
            (group, system, _or_none(self.values[s, g]))
            for g, group in enumerate(self.groups)
            for system in (self.systems if order is None else order)
            for s in (self.systems.index(system),)
        ]
        table = Table.of(self.title, columns, rows)
        return Figure(self.title, "bar", table, x=self.by, y="value", series="system")


def by_label(
    statistics: Statistics, labels: Sequence[str | None], *, by: str, order: Sequence[str] | None = None, note: str = ""
) -> Breakdown:
    """The metric's score of the segments of each label, from sums of their statistics; `None` is left out."""
    check_parallel({"segments": range(statistics.rows.shape[1]), by: labels})
    names = list(order) if order is not None else list(dict.fromkeys(name for name in labels if name is not None))
    numbers = {name: g for g, name in enumerate(names)}
    of_segment = np.array([-1 if name is None else numbers[name] for name in labels], dtype=np.int64)
    groups = [g for g in range(len(names)) if np.any(of_segment == g)]
    values = np.empty((len(statistics.systems), len(groups)))
    for column, g in enumerate(groups):
        values[:, column] = statistics.metric.values(statistics.rows[:, of_segment == g].sum(axis=1))
    better = "higher" if statistics.metric.higher_is_better else "lower"
    return Breakdown(
        by=by,
        measure=statistics.metric.label,
        groups=tuple(names[g] for g in groups),
        counts=tuple(int(np.count_nonzero(of_segment == g)) for g in groups),
        unit="segments",
        systems=statistics.systems,
        values=values,
        note=f"{better.capitalize()} is better. {note}".strip(),
    )


def by_length(statistics: Statistics, lengths: Sequence[int]) -> Breakdown:
    """The metric's score by the number of words of the reference."""
    names = _bucket_names(_LENGTHS)
    labels = [names[bisect_right(_LENGTHS, length) - 1] for length in lengths]
    note = (
        "Words of the first reference. Scores of different rows are not comparable: long segments differ from short "
        "ones in text sort as well, and a row of few segments is mostly noise."
    )
    return by_label(statistics, labels, by="length", order=names, note=note)


def by_frequency(texts: CutTexts, frequencies: Mapping[str, int] | None = None) -> Breakdown:
    """F of words by how often they occur: in training data (`frequencies`), or in the references themselves.

    A word of the output counts as found as often as the first reference of its segment has it.
    """
    n_words, n_buckets = len(texts.vocabulary), len(_FREQUENCIES)
    if frequencies is None:
        counts = np.bincount(texts.first[0], minlength=n_words)
    else:
        counts = np.array([frequencies.get(word, 0) for word in texts.vocabulary.words()], dtype=np.int64)
    bucket = np.searchsorted(_FREQUENCIES, counts, side="right") - 1

    def count(ids: NDArray[np.int32]) -> NDArray[np.int64]:
        return np.bincount(bucket[ids], minlength=n_buckets)

    wanted = count(texts.first[0])
    values = np.full((len(texts.systems), n_buckets), np.nan)
    for s, output in enumerate(texts.systems.values()):
        values[s] = _f(count(output[0][texts.matched(output, texts.first)]), count(output[0]), wanted)
    source = "the references" if frequencies is None else "the training data"
    note = (
        f"F (per cent) of the words that occur so often in {source}. It says whether a word was produced where the "
        "first reference has it, not whether it stands in the right place, and a synonym counts as wrong."
    )
    buckets = [b for b in range(n_buckets) if wanted[b] > 0]
    names = _bucket_names(_FREQUENCIES)
    return Breakdown(
        by="frequency",
        measure="F of words",
        groups=tuple(names[b] for b in buckets),
        counts=tuple(int(wanted[b]) for b in buckets),
        unit="reference words",
        systems=tuple(texts.systems),
        values=values[:, buckets],
        note=note,
    )


def by_tag(texts: CutTexts, tagged: Tagged) -> Breakdown:
    """Which share of the reference's words of each tag (part of speech) the systems have, in per cent."""
    check_parallel({"tags": tagged, "segments": range(texts.present.shape[1])})
    segments = [segment or () for segment in tagged]
    words = texts.number([[word for word, _ in segment] for segment in segments])
    tags = _Tags([tag for segment in segments for _, tag in segment])
    if not tags.names:
        raise DataError("The tags are empty: no segment of the reference is annotated.")
    wanted = tags.count()
    values = np.stack([100.0 * tags.count(texts.matched(words, output)) / wanted for output in texts.systems.values()])
    annotated = sum(segment is not None for segment in tagged)
    note = (
        f"Share of the reference's words of each tag that the output has (per cent), over the {annotated} annotated "
        "segments. The output itself is not tagged: words it has too many of do not count against it, and words that "
        "the annotation cuts otherwise than the tokeniser are not found."
    )
    return Breakdown(
        by="tag",
        measure="Recall of words",
        groups=tuple(tags.names),
        counts=tuple(wanted.tolist()),
        unit="reference words",
        systems=tuple(texts.systems),
        values=values,
        note=note,
    )


def by_tagger(texts: CutTexts, tagger: Annotator[str]) -> Breakdown:
    """F of words by the part of speech that a tagger gives them, in the first reference and in the output.

    A word of the output counts as found as often as the reference has the same word with the same tag.
    """
    streams = [texts.first, *texts.systems.values()]
    tag_lines = [[tag for line in annotate_once(tagger, texts.words(ids)) for tag in line] for ids in streams]
    tags = [_Tags(each) for each in tag_lines]
    # Word and tag together, numbered anew; the references' tags come first and give the rows.
    numbers = {name: number for number, name in enumerate(dict.fromkeys(name for each in tags for name in each.names))}
    n_tags = len(numbers)
    own = [np.array([numbers[tag] for tag in each], dtype=np.int64) for each in tag_lines]
    pairs = [ids[0].astype(np.int64) * n_tags + tag for ids, tag in zip(streams, own, strict=True)]
    _, numbered = np.unique(np.concatenate(pairs), return_inverse=True)
    cut = np.split(numbered.astype(np.int32), np.cumsum([len(each) for each in pairs])[:-1])
    (ref_ids, ref_tags, ref_offsets) = cut[0], own[0], texts.first[1]
    wanted = np.bincount(ref_tags, minlength=n_tags)
    places = [numbers[name] for name in tags[0].names]
    values = np.empty((len(texts.systems), len(places)))
    for s, (ids, tag, output) in enumerate(zip(cut[1:], own[1:], texts.systems.values(), strict=True)):
        there = texts.matched((ids, output[1]), (ref_ids, ref_offsets))
        matched = np.bincount(tag[there], minlength=n_tags)
        values[s] = _f(matched, np.bincount(tag, minlength=n_tags), wanted)[places]
    note = (
        f"F (per cent) of the words that {tagger.signature()} gives each tag, in the output and in the first "
        "reference: found is what the reference has with the same tag. The tagger errs too, and more often on bad "
        "output; where a word stands does not count, and a synonym counts as wrong."
    )
    return Breakdown(
        by="part of speech",
        measure="F of words",
        groups=tuple(tags[0].names),
        counts=tuple(int(wanted[g]) for g in places),
        unit="reference words",
        systems=tuple(texts.systems),
        values=values,
        note=note,
    )


class _Tags:
    """The tags of words as numbers, the most frequent first, of equals in the order of the alphabet."""

    def __init__(self, tags: Sequence[str]) -> None:
        totals = Counter(tags)
        self.names = [tag for tag, _ in sorted(totals.items(), key=lambda item: (-item[1], item[0]))]
        numbers = {tag: number for number, tag in enumerate(self.names)}
        self.of_word = np.array([numbers[tag] for tag in tags], dtype=np.int64)

    def count(self, which: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """How many words, or those that `which` points at, have each tag."""
        return np.bincount(self.of_word if which is None else self.of_word[which], minlength=len(self.names))


def _f(matches: NDArray[np.int64], output: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.float64]:
    """F in per cent; NaN where nothing is wanted."""
    values: NDArray[np.float64] = np.full(len(wanted), np.nan)
    np.divide(200.0 * matches, output + wanted, out=values, where=wanted > 0)
    return values


def _bucket_names(bounds: Sequence[int]) -> list[str]:
    names = [str(low) if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(bounds)]
    return [*names, f"{bounds[-1]}+"]


def _system_columns(systems: Sequence[str], digits: int) -> list[Column]:
    # A system may be called like a column of the table ("segments"); the prefix keeps the names apart.
    return [Column(f"system:{name}", name, digits=digits) for name in systems]


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
