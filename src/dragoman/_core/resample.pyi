"""Resampled sums of per-segment statistics."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def bootstrap_totals(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_trials: int, key: int, *, first_trial: int = 0, n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Column sums of bootstrap samples of the rows: float64 (trials, columns).
    """

def coin_totals(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_trials: int, key: int, *, first_trial: int = 0, n_threads: int = 1) -> NDArray[numpy.float64]:
    """Column sums over random halves of the rows: float64 (trials, columns)."""

def counted_totals(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Column sums with given uint16 counts (trials, rows): float64 (trials, columns).
    """

def dealt_totals(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_slots: int, n_trials: int, key: int, *, first_trial: int = 0, n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Column sums when each row's `n_slots` groups of columns are dealt anew: float64 (trials, columns).
    """
