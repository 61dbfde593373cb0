"""Statistics of metrics, for batches of segments."""

import numpy
from numpy.typing import NDArray


def chrf(systems: object, ref: object, *, char_order: int, word_order: int, whitespace: bool, n_threads: int) -> NDArray[numpy.float64]: ...
