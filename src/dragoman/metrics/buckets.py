"""Where a difference comes from: scores by kind of segment, words found by kind of word, n-grams won and lost.

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
from dragoman.metrics.references import References
from dragoman.metrics.scoring import Statistics
from dragoman.report import Column, Figure, Table

__all__ = [
    "Breakdown",
    "Ngram",
    "NgramContrast",
    "Tagged",
    "Words",
    "by_frequency",
    "by_label",
    "by_length",
    "by_tag",
    "contrast_ngrams",
    "first_references",
    "split_words",
]

Words = Sequence[Sequence[str]]  # the words of each segment
Tagged = Sequence[Sequence[tuple[str, str]] | None]  # (word, tag) of each segment; None where it was not annotated

_MOST_BARS = 12  # a figure of more groups than this cannot be read

# Lower bounds of the buckets, in reference words of a segment and in occurrences of a word.
_LENGTHS = (0, 10, 20, 30, 40, 50, 60)
_FREQUENCIES = (0, 1, 2, 3, 4, 5, 10, 100, 1000)

_SMOOTHING = 1.0  # added to both sides of an n-gram's matches, so that 1 : 0 does not outweigh 20 : 2


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

    def table(self) -> Table:
        """One row per group, one column per system."""
        columns = [Column(self.by), Column(self.unit), *_system_columns(self.systems)]
        rows = [
            (group, count, *(_known(value) for value in self.values[:, g]))
            for g, (group, count) in enumerate(zip(self.groups, self.counts, strict=True))
        ]
        return Table.of(self.title, columns, rows, note=self.note)

    def to_dict(self) -> dict[str, Any]:
        """The groups as JSON has them, one row each."""
        rows = [
            {self.by: group, self.unit: count, **dict(zip(self.systems, self.values[:, g].tolist(), strict=True))}
            for g, (group, count) in enumerate(zip(self.groups, self.counts, strict=True))
        ]
        return {"by": self.by, "measure": self.measure, "rows": rows}

    def figure(self) -> Figure | None:
        """Bars per group and system; None where there are too many groups to draw, or only one."""
        if not 1 < len(self.groups) <= _MOST_BARS:
            return None
        columns = [Column(self.by), Column("system"), Column("value", self.measure, digits=2)]
        rows = [
            (group, system, _known(self.values[s, g]))
            for g, group in enumerate(self.groups)
            for s, system in enumerate(self.systems)
        ]
        table = Table.of(self.title, columns, rows)
        return Figure(self.title, "bar", table, x=self.by, y="value", series="system")


@dataclass(frozen=True)
class Ngram:
    """An n-gram of the references and how often each of two systems has it where a reference has it."""

    text: str
    order: int
    left: int
    right: int

    @property
    def score(self) -> float:
        """The right system's share of the matches, smoothed; above ½ the right system is ahead."""
        return (self.right + _SMOOTHING) / (self.left + self.right + 2 * _SMOOTHING)


@dataclass(frozen=True)
class NgramContrast:
    """The n-grams that tell two systems apart most."""

    left: str
    right: str
    losses: tuple[Ngram, ...]  # that the left system gets right more often
    wins: tuple[Ngram, ...]  # that the right one does

    def tables(self) -> list[Table]:
        """Wins of the right system, then wins of the left."""
        note = (
            "Matches with a reference, counted in each segment at most as often as the reference has the n-gram; "
            f"score = (matches of {self.right} + 1) / (matches of both + 2). An n-gram that only one system gets right "
            "may be a matter of wording, not of quality; with thousands of n-grams some stand here by chance."
        )
        columns = [
            Column("ngram", "n-gram", is_text=True),
            Column("n"),
            Column("left", self.left),
            Column("right", self.right),
            Column("score", digits=3),
        ]
        return [
            Table.of(
                f"N-grams that {winner} gets right more often than {loser}",
                columns,
                [(each.text, each.order, each.left, each.right, each.score) for each in ngrams],
                note=said,
            )
            for winner, loser, ngrams, said in (
                (self.right, self.left, self.wins, note),
                (self.left, self.right, self.losses, "Counted as above."),
            )
        ]

    def to_dict(self) -> dict[str, Any]:
        """The n-grams as JSON has them."""
        return {
            "left": self.left,
            "right": self.right,
            **{
                side: [
                    {"ngram": each.text, "left": each.left, "right": each.right, "score": each.score} for each in ngrams
                ]
                for side, ngrams in (("wins", self.wins), ("losses", self.losses))
            },
        }


def first_references(refs: References) -> list[str]:
    """Of each segment the first reference that there is."""
    return [next(line for line in segment if line is not None) for segment in zip(*refs.streams, strict=True)]


def split_words(lines: Sequence[str], tokeniser: str, *, n_threads: int = 1) -> list[list[str]]:
    """The words of each line."""
    from dragoman.metrics.words import make_tokeniser

    return [line.split() for line in make_tokeniser(tokeniser).tokenise(lines, n_threads=n_threads)]


def by_label(
    statistics: Statistics, labels: Sequence[str | None], *, by: str, order: Sequence[str] | None = None, note: str = ""
) -> Breakdown:
    """The metric's score of the segments of each label, from sums of their statistics; `None` is left out."""
    check_parallel({"segments": range(statistics.rows.shape[1]), by: labels})
    names = list(order) if order is not None else list(dict.fromkeys(name for name in labels if name is not None))
    numbers = {name: g for g, name in enumerate(names)}
    of_segment = np.array([-1 if name is None else numbers[name] for name in labels], dtype=np.int64)
    kept = [g for g in range(len(names)) if np.any(of_segment == g)]
    values = np.empty((len(statistics.systems), len(kept)))
    for column, g in enumerate(kept):
        values[:, column] = statistics.metric.values(statistics.rows[:, of_segment == g].sum(axis=1))
    better = "higher" if statistics.metric.higher_is_better else "lower"
    return Breakdown(
        by=by,
        measure=statistics.metric.label,
        groups=tuple(names[g] for g in kept),
        counts=tuple(int(np.count_nonzero(of_segment == g)) for g in kept),
        unit="segments",
        systems=statistics.systems,
        values=values,
        note=f"{better.capitalize()} is better. {note}".strip(),
    )


def by_length(statistics: Statistics, ref_words: Words) -> Breakdown:
    """The metric's score by the number of words of the reference."""
    names = _bucket_names(_LENGTHS)
    labels = [names[_bucket(_LENGTHS, len(words))] for words in ref_words]
    note = (
        "Words of the first reference. Scores of different rows are not comparable: long segments differ from short "
        "ones in text sort as well, and a row of few segments is mostly noise."
    )
    return by_label(statistics, labels, by="length", order=names, note=note)


def by_frequency(
    systems: Mapping[str, Words], ref_words: Words, frequencies: Mapping[str, int] | None = None
) -> Breakdown:
    """F of words by how often they occur: in training data (`frequencies`), or in the references themselves.

    A word of the output counts as found as often as the first reference of its segment has it.
    """
    known = Counter(word for words in ref_words for word in words) if frequencies is None else frequencies
    n_buckets = len(_FREQUENCIES)
    cache: dict[str, int] = {}

    def bucket(word: str) -> int:
        if word not in cache:
            cache[word] = _bucket(_FREQUENCIES, known.get(word, 0))
        return cache[word]

    wanted = np.zeros(n_buckets)
    for words in ref_words:
        for word in words:
            wanted[bucket(word)] += 1
    values = np.full((len(systems), n_buckets), np.nan)
    for s, output in enumerate(systems.values()):
        given, found = np.zeros(n_buckets), np.zeros(n_buckets)
        for words, reference in zip(output, ref_words, strict=True):
            there = Counter(reference)
            for word in words:
                number = bucket(word)
                given[number] += 1
                if there[word] > 0:
                    there[word] -= 1
                    found[number] += 1
        whole = given + wanted
        np.divide(200.0 * found, whole, out=values[s], where=wanted > 0)
    source = "the references" if frequencies is None else "the training data"
    note = (
        f"F (per cent) of the words that occur so often in {source}. It says whether a word was produced where the "
        "first reference has it, not whether it stands in the right place, and a synonym counts as wrong."
    )
    kept = [b for b in range(n_buckets) if wanted[b] > 0]
    names = _bucket_names(_FREQUENCIES)
    return Breakdown(
        by="frequency",
        measure="F of words",
        groups=tuple(names[b] for b in kept),
        counts=tuple(int(wanted[b]) for b in kept),
        unit="reference words",
        systems=tuple(systems),
        values=values[:, kept],
        note=note,
    )


def by_tag(systems: Mapping[str, Words], tagged: Tagged) -> Breakdown:
    """Which share of the reference's words of each tag (part of speech) the systems have, in per cent."""
    check_parallel({"tags": tagged, **{f"systems[{name}]": words for name, words in systems.items()}})
    totals = Counter(tag for segment in tagged if segment is not None for _, tag in segment)
    if not totals:
        raise DataError("The tags are empty: no segment of the reference is annotated.")
    tags = [tag for tag, _ in sorted(totals.items(), key=lambda item: (-item[1], item[0]))]
    values = np.zeros((len(systems), len(tags)))
    for s, output in enumerate(systems.values()):
        found: Counter[str] = Counter()
        for words, segment in zip(output, tagged, strict=True):
            left = Counter(words)
            for word, tag in segment or ():
                if left[word] > 0:
                    left[word] -= 1
                    found[tag] += 1
        values[s] = [100.0 * found[tag] / totals[tag] for tag in tags]
    annotated = sum(segment is not None for segment in tagged)
    note = (
        f"Share of the reference's words of each tag that the output has (per cent), over the {annotated} annotated "
        "segments. The output itself is not tagged: words it has too many of do not count against it, and words that "
        "the annotation cuts otherwise than the tokeniser are not found."
    )
    return Breakdown(
        by="tag",
        measure="Recall of words",
        groups=tuple(tags),
        counts=tuple(totals[tag] for tag in tags),
        unit="reference words",
        systems=tuple(systems),
        values=values,
        note=note,
    )


def contrast_ngrams(
    left: tuple[str, Words], right: tuple[str, Words], refs: Sequence[Words], *, max_order: int = 4, most: int = 10
) -> NgramContrast:
    """The n-grams that one system gets right more often than the other, the strongest first.

    `refs` are the words of each reference; a reference without a translation of a segment has no words there.
    """
    counts: list[Counter[tuple[str, ...]]] = [Counter(), Counter()]
    for number in range(len(left[1])):
        wanted: Counter[tuple[str, ...]] = Counter()
        for words in refs:
            wanted |= _ngrams(words[number], max_order)
        for total, words in zip(counts, (left[1][number], right[1][number]), strict=True):
            for ngram, count in _ngrams(words, max_order).items():
                if (most_there := wanted.get(ngram, 0)) > 0:
                    total[ngram] += min(count, most_there)
    a, b = counts
    found = [
        Ngram(" ".join(ngram), len(ngram), a[ngram], b[ngram]) for ngram in a.keys() | b.keys() if a[ngram] != b[ngram]
    ]
    ahead = sorted((each for each in found if each.right > each.left), key=lambda e: (-e.score, -e.order, e.text))
    behind = sorted((each for each in found if each.right < each.left), key=lambda e: (e.score, -e.order, e.text))
    return NgramContrast(left[0], right[0], losses=tuple(behind[:most]), wins=tuple(ahead[:most]))


def _ngrams(words: Sequence[str], max_order: int) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for order in range(1, max_order + 1):
        found.update(zip(*(words[start:] for start in range(order)), strict=False))  # shorter from the right on purpose
    return found


def _bucket(bounds: Sequence[int], value: int) -> int:
    return bisect_right(bounds, value) - 1


def _bucket_names(bounds: Sequence[int]) -> list[str]:
    names = [str(low) if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(bounds)]
    return [*names, f"{bounds[-1]}+"]


def _system_columns(systems: Sequence[str]) -> list[Column]:
    # A system may be called like a column of the table ("segments"); the prefix keeps the names apart.
    return [Column(f"system:{name}", name, digits=2) for name in systems]


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
