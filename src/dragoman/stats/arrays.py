"""What the room works on: statistics per segment and a function from sums to scores, checked at the door.

`rows` are additive statistics, one row per segment: float64 (n, k), or (runs, n, k) when a system was built several
times. `values` turns sums of rows, (m, k), into scores, (m,). Higher scores are better: for an error rate such as TER
the caller hands over the negated score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dragoman.errors import DataError

__all__ = ["Floats", "Values", "check_level", "check_trials", "run_scores", "score_of", "segment_scores", "systems_of"]

Floats = NDArray[np.float64]
Values = Callable[[Floats], Floats]


def systems_of(systems: Sequence[ArrayLike], *, n_least: int = 2, names: Sequence[str] | None = None) -> list[Floats]:
    """The statistics of all systems as (runs, n, k), checked: same segments, same columns, finite, enough segments."""
    called = list(names) if names is not None else [f"system {number}" for number in range(1, len(systems) + 1)]
    checked = [_rows_of(rows, name) for rows, name in zip(systems, called, strict=True)]
    if not checked:
        raise DataError("There are no systems to look at.")
    shapes = {rows.shape[1:] for rows in checked}
    if len(shapes) > 1:
        sizes = ", ".join(f"{name}={rows.shape[1]}x{rows.shape[2]}" for name, rows in zip(called, checked, strict=True))
        raise DataError(f"All systems need the same segments and statistics, got (segments x statistics) {sizes}.")
    n = checked[0].shape[1]
    if n < n_least:
        have = {0: "no segments", 1: "one segment"}.get(n, f"{n} segments")
        raise DataError(f"There is nothing to vary: the systems have {have}; at least {n_least} are needed.")
    return checked


def _rows_of(rows: ArrayLike, name: str) -> Floats:
    array = np.ascontiguousarray(rows, dtype=np.float64)
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim != 3 or array.shape[0] == 0 or array.shape[2] == 0:
        raise DataError(
            f"The statistics of {name} have the shape {np.shape(rows)}; "
            "expected (segments, statistics) or (runs, segments, statistics)."
        )
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        run, segment, column = (int(index) for index in wrong[0])
        where = f"segment {segment + 1}" + (f" of run {run + 1}" if len(array) > 1 else "")
        raise DataError(
            f"The statistics of {name} hold {len(wrong)} values that are not finite numbers, first at {where}, "
            f"statistic {column + 1}: {array[run, segment, column]}. Score these segments again or leave them out."
        )
    return array


def score_of(values: Values, totals: Floats, what: str = "sums") -> Floats:
    """`values(totals)` over the last axis, checked: one finite score per sum."""
    flat = np.ascontiguousarray(totals.reshape(-1, totals.shape[-1]))
    scores = np.asarray(values(flat), dtype=np.float64)
    if scores.shape != (len(flat),):
        raise DataError(f"The scoring function gave the shape {scores.shape} for {len(flat)} {what}; one score each.")
    n_wrong = int(np.count_nonzero(~np.isfinite(scores)))
    if n_wrong:
        raise DataError(
            f"The score of {n_wrong} of {len(flat)} {what} is not a finite number. The metric needs a defined value "
            "where there is nothing to match (smoothing, or 0)."
        )
    return scores.reshape(totals.shape[:-1])


def run_scores(system: Floats, values: Values) -> Floats:
    """The score of every run of a system."""
    return score_of(values, system.sum(axis=1))


def segment_scores(system: Floats, values: Values) -> Floats:
    """The score of every segment on its own, averaged over the runs."""
    scores: Floats = score_of(values, system, "segments").mean(axis=0)
    return scores


def check_trials(trials: int) -> None:
    """Refuse fewer than one trial."""
    if trials < 1:
        raise DataError(f"At least one trial is needed, got {trials}; 1000 is usual, 10000 settles small p-values.")


def check_level(level: float, name: str = "level") -> None:
    """Refuse a share that is not strictly between 0 and 1 (NaN too)."""
    if not 0 < level < 1:
        raise DataError(f"The {name} must lie between 0 and 1, got {level}.")
