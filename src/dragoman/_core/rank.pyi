"""Rankings from pairwise judgements."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


TABLE_ITEMS: int = 25

SEARCH_ITEMS: int = 63

def search_order(costs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], max_states: int) -> tuple[NDArray[numpy.int32], int, int, int] | None:
    """
    Order of least cost by search: (order, cost, orders of that cost or 0, states), or None when it gave up.
    """

def tabulate_order(costs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int32], int, int, int]:
    """
    Order of least cost by a table of all sets: (order, cost, orders of that cost or 0, states).
    """

def resampled_counts(cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_cells: int, n_replicates: int, key: int, *, first: int = 0, n_threads: int = 1) -> NDArray[numpy.int32]:
    """
    Counts by cell of units drawn with replacement: int32 (replicates, cells).
    """

def playoff_ranks(p_beats: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_runs: int, key: int, *, n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Mean final rank of each system over random playoffs: float64 (systems,).
    """

class TrueSkillOptions:
    """Beliefs before any judgement, and noise."""

    def __init__(self, *, mean: float = 0.0, sd: float = 0.5, beta: float = 1.0, tau: float = 0.0, p_draw: float = 0.25) -> None: ...

class EloOptions:
    """Start, step and scale of Elo's rating."""

    def __init__(self, *, start: float = 1500.0, k: float = 16.0, scale: float = 400.0) -> None: ...

def active_replays(wins: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], ties: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_matches: int, n_replicates: int, key: int, *, options: TrueSkillOptions, first: int = 0, n_threads: int = 1) -> NDArray[numpy.float64]:
    """Means after each of WMT 2014's replays: float64 (replicates, systems)."""

def elo_runs(first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], outcome: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_systems: int, starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sequence: str, n_runs: int, key: int, *, options: EloOptions, n_threads: int = 1) -> NDArray[numpy.float64]:
    """Elo ratings after each run: float64 (runs, systems)."""

def trueskill_runs(first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], outcome: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_systems: int, starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sequence: str, n_runs: int, key: int, *, options: TrueSkillOptions, n_threads: int = 1) -> NDArray[numpy.float64]:
    """Means and variances after each run: float64 (runs, 2, systems)."""
