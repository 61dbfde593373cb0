"""N-best lists: agreement, diversity, models of them."""

import numpy
from numpy.typing import NDArray


def confidences(outputs: NDArray[numpy.int32], output_offsets: NDArray[numpy.int64], entries: NDArray[numpy.int32], entry_offsets: NDArray[numpy.int64], list_offsets: NDArray[numpy.int64], weights: NDArray[numpy.float64], *, n_threads: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    Agreement of lists with the n-grams of outputs: (tokens, criteria, weightings, sizes); and of the words in their places: (tokens, 4).
    """

def diversities(outputs: NDArray[numpy.int32], output_offsets: NDArray[numpy.int64], entries: NDArray[numpy.int32], entry_offsets: NDArray[numpy.int64], list_offsets: NDArray[numpy.int64], most: int, *, n_threads: int) -> NDArray[numpy.float64]:
    """
    Of each list: rank of the central entry, its mean distance, distance of the first to it, entries within 1, 2, 5, 10 edits of the first, repeats of the first, mean distance of all pairs.
    """

def list_log_p(outputs: NDArray[numpy.int32], output_offsets: NDArray[numpy.int64], entries: NDArray[numpy.int32], entry_offsets: NDArray[numpy.int64], list_offsets: NDArray[numpy.int64], *, n_threads: int) -> NDArray[numpy.float64]:
    """
    Log-probability (base 10) of outputs in models of order 1 to 5 of their own lists.
    """
