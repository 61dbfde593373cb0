"""Regression on sets of columns."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def best_subsets(folds: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], float]], gold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], loss: str, worth: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, sign: float = 1.0, n_threads: int = 1) -> tuple[NDArray[numpy.uint32], NDArray[numpy.float64]]:
    """
    The best set of 1, 2, … columns by ridge regression held out fold by fold: masks (bit i is column i) and losses. A fold is (Z'Z/n + penalty, Z'y/n, held rows with a row a column, mean).
    """
