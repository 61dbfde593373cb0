"""Does an engine learn while it is used? The percentage slope (Bertoldi, Cettolo, Federico & Buck, WMT 2012).

The stream of segments is cut into blocks. Errors y of block x (or of all blocks up to x) are fitted by y = a·x^b, and
the slope S = 100·2^b says what remains of the errors when experience doubles: 100 is no learning, less is learning,
more is forgetting. Industry knows 70 (manual work) to 100 (automatic); 96 to 98 is clear learning for an engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data import check_parallel
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.base import METRICS, Metric
from dragoman.metrics.scoring import collect
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream

__all__ = [
    "FEWEST_BLOCKS",
    "LearningCurves",
    "Slope",
    "SlopeRecipe",
    "cut_blocks",
    "learning_curves",
    "percentage_slope",
]

FEWEST_BLOCKS = 5  # for a curve of real scores; below that a slope says nothing


@dataclass(frozen=True)
class SlopeRecipe(Recipe):
    """How the errors of a learning curve are counted, and how its interval is drawn."""

    metric: Metric | str = option("bleu", of=METRICS, text="metric whose errors are counted")
    incremental: bool = option(False, text="score all blocks up to each, not each by itself")
    trials: int = option(1000, low=0, text="resamples of the interval")
    seed: int = option(1, low=0, text="seed of everything left to chance")


@dataclass(frozen=True)
class Slope:
    """A fitted learning curve y = a·x^b."""

    a: float
    b: float
    slope: float  # S = 100·2^b, in percent
    r2: float | None  # of the fit in logarithms; None where all errors are equal
    n: int  # points used
    n_dropped: int  # points without errors, which have no logarithm
    low: float | None = None  # 95 % interval of S from resampling the points
    high: float | None = None


def percentage_slope(
    errors: Sequence[float], x: Sequence[float] | None = None, *, trials: int = 0, seed: int = 1
) -> Slope:
    """Fit y = a·x^b by least squares in logarithms; x counts the blocks from 1 if it is not given.

    `trials` resamples of the points give an interval, where they are asked for.
    """
    y = np.asarray(errors, dtype=np.float64)
    places = np.arange(1, len(y) + 1, dtype=np.float64) if x is None else np.asarray(x, dtype=np.float64)
    check_parallel({"errors": y, "x": places})
    if not np.isfinite(y).all() or not np.isfinite(places).all() or (y < 0).any() or (places <= 0).any():
        raise DataError("A learning curve wants errors from 0 on and places above 0, all finite.")
    used = y > 0
    log_x, log_y = np.log(places[used]), np.log(y[used])
    if len(np.unique(log_x)) < 2:
        raise DataError(f"A slope needs errors at two places at least, got {len(np.unique(log_x))}.")
    b = float(_exponents(log_x, log_y))
    a = float(np.exp(log_y.mean() - b * log_x.mean()))
    spread = float(((log_y - log_y.mean()) ** 2).sum())
    left = float(((log_y - np.log(a) - b * log_x) ** 2).sum())
    low, high = _interval(log_x, log_y, trials, seed) if trials else (None, None)
    r2 = None if spread < 1e-24 else 1 - left / spread
    return Slope(a, b, 100 * 2**b, r2, int(used.sum()), int((~used).sum()), low, high)


def _exponents(log_x: NDArray[np.float64], log_y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least-squares slopes along the last axis; NaN where all x are equal."""
    dx = log_x - log_x.mean(axis=-1, keepdims=True)
    dy = log_y - log_y.mean(axis=-1, keepdims=True)
    spread = (dx**2).sum(axis=-1)
    slopes: NDArray[np.float64] = np.where(spread > 0, (dx * dy).sum(axis=-1) / np.where(spread > 0, spread, 1), np.nan)
    return slopes


def _interval(log_x: NDArray[np.float64], log_y: NDArray[np.float64], trials: int, seed: int) -> tuple[float, float]:
    n = len(log_x)
    draws = (Stream(seed, "slope").uniform(trials * n) * n).astype(np.int64).reshape(trials, n)
    slopes = 100 * 2 ** _exponents(log_x[draws], log_y[draws])
    low, high = np.nanpercentile(slopes, [2.5, 97.5])
    return float(low), float(high)


def cut_blocks(lines: Sequence[str], *, words: int = 1000) -> list[int]:
    """The block (from 0) of each line, a new one as soon as a block has `words` words; a short rest joins the last."""
    if words < 1:
        raise DataError(f"A block has at least one word, got {words}.")
    blocks, block, held = [], 0, 0
    for line in lines:
        if held >= words:
            block, held = block + 1, 0
        blocks.append(block)
        held += len(line.split())
    if block > 0 and held < words / 2:
        blocks = [min(number, block - 1) for number in blocks]
    return blocks


@dataclass(frozen=True, eq=False)
class LearningCurves(Result):
    """Errors by block and the percentage slope of each system; the first one is what the others are compared with."""

    kind: ClassVar[str] = "learning curves"

    systems: tuple[str, ...]
    signature: str
    mode: str
    slopes: tuple[Slope, ...]
    errors: NDArray[np.float64]  # (systems, blocks)
    blocks: tuple[str, ...]
    trials: int
    seed: int

    def reading(self, system: int) -> str:
        """What the interval of a system's slope says."""
        slope = self.slopes[system]
        if slope.low is None or slope.high is None:
            return ""
        return "learning" if slope.high < 100 else "forgetting" if slope.low > 100 else "no clear trend"

    def tables(self) -> list[Table]:
        """Slopes by system, and errors by system and block."""
        first = self.slopes[0].slope
        slopes = [
            (name, s.slope, s.low, s.high, s.slope - first, s.a, s.b, s.r2, s.n, s.n_dropped, self.reading(i) or None)
            for i, (name, s) in enumerate(zip(self.systems, self.slopes, strict=True))
        ]
        columns = [
            Column("system"),
            *(Column(name, digits=1, figures=1) for name in ("slope", "low", "high", "delta")),
            *(Column(name, digits=4) for name in ("a", "b", "r2")),
            Column("blocks"),
            Column("dropped"),
            Column("reading"),
        ]
        note = "slope: per cent of the errors that remain when experience doubles; delta: against the first system."
        points = [
            (name, block, error)
            for name, row in zip(self.systems, self.errors.tolist(), strict=True)
            for block, error in zip(self.blocks, row, strict=True)
        ]
        by_block = Table.of("Errors by block", [Column("system"), Column("block"), Column("error", digits=2)], points)
        return [Table.of("Learning curves", columns, slopes, note=note), by_block]

    def meta(self) -> dict[str, Any]:
        """How the errors were counted and the interval drawn."""
        return {"signature": self.signature, "mode": self.mode, "trials": self.trials, "seed": self.seed}


def learning_curves(
    test_set: TestSet, blocks: Sequence[int | str], recipe: SlopeRecipe | None = None, *, n_threads: int = 1
) -> LearningCurves:
    """Learning curves of systems on a stream that is cut into blocks; `blocks` names each segment's block, in order.

    Each block is scored by itself (Crawford's model), or all blocks up to it (Wright's, `incremental`), whose points
    depend on each other, so that no interval is drawn. Errors are the score, or 100 less the score where higher is
    better.
    """
    recipe = (recipe or SlopeRecipe()).check()
    (statistics,) = collect(test_set, [recipe.metric], n_threads=n_threads)
    chosen = statistics.metric
    if not chosen.additive or (chosen.higher_is_better and chosen.bounds[1] != 100.0):
        raise DataError(f"{chosen.label} has no errors to count: it is not additive or has no highest score of 100.")
    check_parallel({"segments": statistics.rows[0], "blocks": blocks})
    starts = [i for i, block in enumerate(blocks) if i == 0 or block != blocks[i - 1]]
    names = [str(blocks[i]) for i in starts]
    if len(set(names)) < len(names):
        raise DataError("The segments of a block must be consecutive; a block begins again later.")
    if len(names) < FEWEST_BLOCKS:
        raise DataError(f"A learning curve needs at least {FEWEST_BLOCKS} blocks, got {len(names)}.")
    sums = np.add.reduceat(statistics.rows, starts, axis=1)
    if recipe.incremental:
        sums = sums.cumsum(axis=1)
    scores = chosen.values(sums)
    errors = 100.0 - scores if chosen.higher_is_better else scores
    drawn = 0 if recipe.incremental else recipe.trials
    return LearningCurves(
        systems=statistics.systems,
        signature=statistics.signature(),
        mode="incremental" if recipe.incremental else "block",
        slopes=tuple(percentage_slope(row, trials=drawn, seed=recipe.seed) for row in errors),
        errors=errors,
        blocks=tuple(names),
        trials=drawn,
        seed=recipe.seed,
    )
