"""Unicode, tokenisers, vocabulary."""

import numpy
from numpy.typing import NDArray


def count_scripts(lines: object, *, n_threads: int = 1) -> NDArray[numpy.int32]:
    """
    Alphabetic characters of each script in each line: int32 array (lines, scripts).
    """
