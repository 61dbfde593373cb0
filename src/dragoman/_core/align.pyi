"""Word alignment."""

import enum

import numpy
from numpy.typing import NDArray


class DiagonalOptions:
    def __init__(self) -> None: ...

    @property
    def n_rounds(self) -> int: ...

    @n_rounds.setter
    def n_rounds(self, arg: int, /) -> None: ...

    @property
    def p_null(self) -> float: ...

    @p_null.setter
    def p_null(self, arg: float, /) -> None: ...

    @property
    def tension(self) -> float: ...

    @tension.setter
    def tension(self, arg: float, /) -> None: ...

    @property
    def learn_tension(self) -> bool: ...

    @learn_tension.setter
    def learn_tension(self, arg: bool, /) -> None: ...

    @property
    def alpha(self) -> float: ...

    @alpha.setter
    def alpha(self, arg: float, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

def diagonal(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], options: DiagonalOptions) -> tuple[NDArray[numpy.int32], list[float], list[float]]:
    """
    For each target word its source word or -1; log-likelihood and tension of each round.
    """

class Symmetrisation(enum.Enum):
    intersection = 0

    union = 1

    grow_diag = 2

    grow_diag_final = 3

    grow_diag_final_and = 4

def symmetrise(forward: NDArray[numpy.int32], backward: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target_offsets: NDArray[numpy.int64], method: Symmetrisation, *, n_threads: int = 1) -> tuple[NDArray[numpy.uint16], NDArray[numpy.int64]]:
    """Links of both directions as one set: points and offsets."""
