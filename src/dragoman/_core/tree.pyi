"""Tree kernels."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


class Forest:
    """Ordered trees with labelled nodes, parents before their children."""

    def __init__(self, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def gram(self, rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, partial: bool, width: float, depth: float, normalised: bool, n_threads: int = 1) -> NDArray[numpy.float64]:
        """Tree kernel of all pairs: float64 (rows, columns)."""
