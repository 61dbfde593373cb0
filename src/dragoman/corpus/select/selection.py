"""Selecting from a pool: scores, a cut, and a result that shows what was taken and what was not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.corpus.select.base import SELECTION_SCORES, SelectionScore
from dragoman.corpus.select.curve import SHARES, Measure, SelectionCurve, measure_curve
from dragoman.corpus.select.cutting import Cut, ranked, with_lengths
from dragoman.corpus.select.overlap import Overlap, check_apart
from dragoman.corpus.select.scoring import Join, PoolScores, score_pool
from dragoman.corpus.select.texts import Texts
from dragoman.errors import DataError
from dragoman.files import StrPath, open_writer
from dragoman.parts import PART, Workshop
from dragoman.report import Column, Figure, Progress, Result, Table

__all__ = ["Selection", "select"]

_BINS = 100  # of the histogram of scores, as GTH-UPM drew it


@dataclass(frozen=True, eq=False)
class Selection(Result):
    """What was selected, best first in `places`; `kept` has it in file order, read again when iterated."""

    kind: ClassVar[str] = "selection"

    scores: PoolScores
    places: NDArray[np.int64]
    kept: Texts = field(repr=False)
    noun: str
    seed: int
    examples: tuple[tuple[str, int, float, tuple[str, ...]], ...] = ()  # what it is, number from 1, score, text
    curve: SelectionCurve | None = None
    common: Overlap | None = None  # with the training text, where one was named

    def answer(self) -> str:
        """How much was taken, and where the curve turns."""
        n_lines, n_refused = len(self.scores.joint), int((~np.isfinite(self.scores.joint)).sum())
        parts = [f"{len(self.places):,} of {n_lines:,} {self.noun} selected."]
        parts += [f"{n_refused:,} are not to be taken at all."] if n_refused else []
        parts += [self.curve.answer()] if self.curve else []
        parts += [f"Forced: {self.common}."] if self.common and self.common.places else []
        return " ".join(parts)

    def tables(self) -> list[Table]:
        """A row for each score, the joint one last; then examples and the curve."""
        chosen = np.zeros(len(self.scores.joint), dtype=bool)
        chosen[self.places] = True
        rows = [
            (name, weight, *_means(column, chosen))
            for name, weight, column in zip(self.scores.methods, self.scores.weights, self.scores.columns, strict=True)
        ]
        if len(rows) > 1:
            rows.append((f"all, by {self.scores.join}", None, *_means(self.scores.joint, chosen)))
        columns: list[str | Column] = [
            "score",
            Column("weight", digits=2),
            Column("taken", "mean of taken", 4),
            Column("rest", "mean of rest", 4),
            Column("lowest", "lowest taken", 4),
        ]
        tables = [Table.of("Selection", columns, rows), *self._reason_tables()]
        if self.examples:
            heads: list[str | Column] = ["example", "number", Column("value", "score", 4)]
            heads += [Column(name, is_text=True) for name in ("src", "tgt")[: len(self.examples[0][3])]]
            tables.append(Table.of("Examples", heads, [(what, n, v, *text) for what, n, v, text in self.examples]))
        return [*tables, *(self.curve.tables() if self.curve else [])]

    def reasons(self) -> dict[str, dict[str, tuple[int, int]]]:
        """Of scores that are the worst of several: how often each of these was the worst, of what was taken and not."""
        may, chosen = np.isfinite(self.scores.joint), np.isin(np.arange(len(self.scores.joint)), self.places)
        counts = {}
        for method, why in zip(self.scores.methods, self.scores.reasons, strict=True):
            if why is not None:
                parts = (np.bincount(why.places[part & may], minlength=len(why.names)) for part in (chosen, ~chosen))
                taken, rest = (part.tolist() for part in parts)
                counts[method] = dict(zip(why.names, zip(taken, rest, strict=True), strict=True))
        return counts

    def _reason_tables(self) -> list[Table]:
        heads: list[str | Column] = ["lowest", Column("taken"), Column("rest", "not taken")]
        return [
            Table.of(f"What is lowest, by {method}", heads, [(name, *counts) for name, counts in each.items()])
            for method, each in self.reasons().items()
        ]

    def figures(self) -> list[Figure]:
        """The histogram of the scores, from the lowest, 0, to the highest, 100; and the curve."""
        finite = self.scores.joint[np.isfinite(self.scores.joint)]
        figures = [] if self.curve is None else self.curve.figures()
        if not len(finite):
            return figures
        counts, borders = np.histogram(finite, bins=_BINS)
        rows = list(zip(range(_BINS), borders[:-1].tolist(), counts.tolist(), strict=True))
        table = Table.of("Histogram", ["bin", Column("from", digits=4), "count"], rows)
        return [Figure("Scores of the pool", "bar", table, x="bin", y="count"), *figures]

    def meta(self) -> dict[str, Any]:
        """Counts, the seed, the curve and what stands in the training text."""
        return {
            "pool": len(self.scores.joint),
            "selected": len(self.places),
            "join": self.scores.join,
            "seed": self.seed,
            **({"curve": self.curve.to_dict()["rows"], "turn": self.curve.turn.size} if self.curve else {}),
            **({"lowest": self.reasons()} if self.reasons() else {}),
            **({"in_training": len(self.common.places)} if self.common else {}),
        }

    def write_scores(self, path: StrPath) -> None:
        """Every score, a line for each item of the pool: those of the methods, then the joint one, between tabs."""
        columns = [*self.scores.columns, self.scores.joint][: len(self.scores.columns) + (len(self.scores.columns) > 1)]
        with open_writer(path) as stream:
            for row in zip(*(column.tolist() for column in columns), strict=True):
                stream.write("\t".join(format(value, ".6g") for value in row) + "\n")


def select(
    pool: Texts,
    methods: Sequence[SelectionScore | str],
    *,
    like: Texts | None = None,
    weights: Sequence[float] = (),
    join: Join = "ranks",
    cut: Cut | None = None,
    match_lengths: bool = False,
    measure: Measure | None = None,
    measure_name: str = "perplexity",
    higher_is_better: bool = False,
    shares: Sequence[float] = SHARES,
    training: Texts | None = None,
    force: bool = False,
    examples: int = 2,
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
    shop: Workshop | None = None,
    part: int = PART,
) -> Selection:
    """Take the best of a pool by one score or several.

    `cut` says how much; without it, a `measure` decides by the point where its curve turns. With `match_lengths` the
    selection has the lengths of the text to be like. Where `training` has something of what was taken, it is refused
    unless `force`. The text is read several times and never held; what is held are eight bytes for each score. Workers
    of a `shop` score parts of the pool.
    """
    made = [SELECTION_SCORES.make(each) if isinstance(each, str) else each for each in methods]
    scores = score_pool(
        pool,
        made,
        like=like,
        weights=weights,
        join=join,
        seed=seed,
        n_threads=n_threads,
        progress=progress,
        shop=shop,
        part=part,
    )
    curve = None
    if measure is not None:
        curve = measure_curve(
            pool,
            scores.joint,
            measure,
            name=measure_name,
            higher_is_better=higher_is_better,
            shares=shares,
            progress=progress,
        )
    cut = cut or (Cut(most=curve.turn.size) if curve else Cut())
    places = cut.apply(scores.joint)
    if match_lengths:
        if like is None:
            raise DataError("Lengths are matched to those of the text to be like; name one (--like).")
        limited = np.where(np.isin(np.arange(len(scores.joint)), places), scores.joint, -np.inf)
        open_end = scores.joint if cut.least is None else limited
        places = with_lengths(open_end, pool, like, cut.size(len(scores.joint)))
    kept = pool.at(places, len(scores.joint))
    common = check_apart(kept, training, force=force) if training is not None else None
    shown = _examples(pool, scores, places, examples)
    return Selection(scores, places, kept, pool.noun, seed, shown, curve, common)


def _means(column: NDArray[np.float64], chosen: NDArray[np.bool_]) -> tuple[float | None, ...]:
    """The mean of what was taken, the mean of the rest, the lowest that was taken; None where there is nothing."""
    finite = np.isfinite(column)
    taken, rest = column[chosen & finite], column[~chosen & finite]
    parts = ((taken, np.mean), (rest, np.mean), (taken, np.min))
    return tuple(float(summary(part)) if len(part) else None for part, summary in parts)


def _examples(
    pool: Texts, scores: PoolScores, places: NDArray[np.int64], n_each: int
) -> tuple[tuple[str, int, float, tuple[str, ...]], ...]:
    """The best, the last that were taken, and the worst, with their text."""
    rest = ranked(scores.joint)
    rest = rest[~np.isin(rest, places)]
    groups = (
        {"best": places[:n_each], "last taken": places[n_each:][-n_each:], "worst": rest[-n_each:]} if n_each else {}
    )
    wanted = {int(place) for group in groups.values() for place in group}
    texts = {}
    if wanted:
        for batch in pool.batches():
            for place in wanted & set(range(batch.start, batch.start + len(batch))):
                texts[place] = tuple(side[place - batch.start] for side in batch.sides)
    return tuple(
        (name, int(place) + 1, float(scores.joint[place]), texts[int(place)])
        for name, group in groups.items()
        for place in group
    )
