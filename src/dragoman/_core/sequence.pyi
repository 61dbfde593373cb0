"""Labelling tokens in their sentences."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def train_crf(sentences: NDArray[numpy.int64], tokens: NDArray[numpy.int64], ids: NDArray[numpy.int32], values: NDArray[numpy.float32], labels: NDArray[numpy.int32], *, n_features: int, n_labels: int, epochs: int, rate: float, penalty: float, key: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    Weights (features, labels) and transitions (labels + 1, labels) of a CRF.
    """

def train_perceptron(sentences: NDArray[numpy.int64], tokens: NDArray[numpy.int64], ids: NDArray[numpy.int32], values: NDArray[numpy.float32], labels: NDArray[numpy.int32], *, n_features: int, n_labels: int, epochs: int, costs: NDArray[numpy.float64], key: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """The same by averaged perceptron; costs are (labels · labels) or empty."""

def marginals(sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tokens: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, emissions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], transitions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """P(label) of every token: float64 (tokens, labels)."""

def max_marginals(sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tokens: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, emissions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], transitions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Score of the best labelling with each label at each token: float64 (tokens, labels).
    """
