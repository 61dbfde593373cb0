"""What more of a ranking gives: a measure at several sizes, and where it turns (LIUM at WMT 2012)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any, ClassVar

from dragoman.corpus.select.base import SelectionScore
from dragoman.corpus.select.cutting import ranked
from dragoman.corpus.select.texts import Texts
from dragoman.errors import DataError
from dragoman.lm import KneserNey
from dragoman.lm.perplexity import perplexity
from dragoman.report import Column, Figure, Progress, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["SHARES", "CurvePoint", "Measure", "SelectionCurve", "measure_curve", "perplexity_of"]

Measure = Callable[[Texts], float]  # of what was selected
SHARES = (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4, 1.0)


@dataclass(frozen=True)
class CurvePoint:
    """The first `size` of a ranking, and what they give."""

    size: int
    share: float
    value: float


@dataclass(frozen=True)
class SelectionCurve(Result):
    """A measure along a ranking."""

    kind: ClassVar[str] = "selection curve"

    measure: str
    higher_is_better: bool
    points: tuple[CurvePoint, ...]

    @property
    def turn(self) -> CurvePoint:
        """The point of the best value, the smaller one among equals."""
        sign = -1 if self.higher_is_better else 1
        return min(self.points, key=lambda point: (sign * point.value, point.size))

    @property
    def turns_inside(self) -> bool:
        """False if the best value is at an end: more text, or less, might be better still."""
        return self.turn not in (self.points[0], self.points[-1])

    def answer(self) -> str:
        """Where the curve turns."""
        best, last = self.turn, self.points[-1]
        name = f"{self.measure[:1].upper()}{self.measure[1:]}"
        where = f"{name} is best, {best.value:.2f}, with the first {best.size:,} ({best.share:.1%})"
        if best is last:
            return f"{where}: the curve does not turn; everything helps."
        end = f"; all {last.size:,} give {last.value:.2f}."
        return where + end if self.turns_inside else f"{where}, the smallest size that was tried{end}"

    def tables(self) -> list[Table]:
        """A row for each size."""
        rows = [(point.size, point.share, point.value, point is self.turn) for point in self.points]
        columns: list[str | Column] = ["size", Column("share", digits=4), Column("value", self.measure, 2), "best"]
        return [Table.of("Curve", columns, rows)]

    def figures(self) -> list[Figure]:
        """The measure against the size."""
        return [Figure(f"{self.measure} along the ranking", "line", self.tables()[0], x="size", y="value")]

    def meta(self) -> dict[str, Any]:
        """The turning point."""
        return {"measure": self.measure, "turn": self.turn.size, "turns_inside": self.turns_inside}


def measure_curve(
    pool: Texts,
    scores: Floats,
    measure: Measure,
    *,
    name: str = "perplexity",
    higher_is_better: bool = False,
    shares: Sequence[float] = SHARES,
    progress: Progress | None = None,
) -> SelectionCurve:
    """Measure the best of a pool at several shares of what may be taken."""
    places = ranked(scores)
    sizes = sorted({max(1, round(share * len(places))) for share in shares if 0 < share <= 1})
    if not len(places) or not sizes:
        raise DataError("There is nothing to measure: no line may be taken, or no share lies above 0 and up to 1.")
    points = []
    for done, size in enumerate(sizes):
        if progress:
            progress(done, len(sizes), f"measuring {name}")
        value = measure(pool.at(places[:size], len(scores)))
        points.append(CurvePoint(size, size / len(scores), float(value)))
    return SelectionCurve(name, higher_is_better, tuple(points))


def perplexity_of(dev: Texts, pool: Texts, cutter: SelectionScore, *, order: int = 3, n_threads: int = 1) -> Measure:
    """The perplexity of held-out text under n-gram models of what was selected, the geometric mean of its sides.

    All models know the same words, those of pool and held-out text, so that values can be compared.
    """
    pairs = cutter.compared_sides(dev, pool)
    lines = [list(cutter.cut_side(dev, side, n_threads)) for side, _ in pairs]
    if not all(lines):
        raise DataError(f"{dev.label}: the held-out text is empty; there is nothing to measure by.")
    words = [_words(cutter, pool, side, held) for (_, side), held in zip(pairs, lines, strict=True)]

    def measure(chosen: Texts) -> float:
        logs = []
        for (_, side), held, vocabulary in zip(pairs, lines, words, strict=True):
            model = KneserNey(order=order).train(
                cutter.cut_side(chosen, side, n_threads), vocabulary=vocabulary, n_threads=n_threads
            )
            logs.append(log10(perplexity(model, held, n_threads=n_threads).value))
        return float(10 ** (sum(logs) / len(logs)))

    return measure


def _words(cutter: SelectionScore, pool: Texts, side: int, held: list[str]) -> list[str]:
    words = {word for line in cutter.cut_side(pool, side) for word in line.split(" ")}
    words.update(word for line in held for word in line.split(" "))
    return sorted(words - {"<unk>", "<s>", "</s>"})
