"""Line profiles, counting, hashing, mis-alignment, retrieval."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


def profile_lines(lines: object, *, n_threads: int = 1) -> NDArray[numpy.int32]:
    """
    What one pass over each line counts: int32 array (lines, fields), columns named by profile_fields().
    """

def profile_fields() -> list[str]:
    """The names of the columns of profile_lines."""

def hash_lines(lines: object, *, skeleton: bool = False, n_threads: int = 1) -> NDArray[numpy.uint64]:
    """
    A 64-bit hash of each line; of its letters and digits (each read as 0) alone if `skeleton`.
    """

def hash_pairs(first: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
    """One hash of two, item by item."""

def fit_shifted(srcs: object, tgts: object, shifts: Sequence[int], *, centre: float, spread: float) -> NDArray[numpy.float64]:
    """
    How well source i and target i + shift fit each other, in nats: float64 array (lines, shifts).
    """

class RepeatCounter:
    """How often each 64-bit key has come so far."""

    def __init__(self) -> None: ...

    def add(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint16]:
        """
        Count the keys; for each, how often it has now come (1: first, at most 65,535).
        """

    @property
    def distinct(self) -> int:
        """How many different keys there were."""

class TypeCounter:
    """Counts the different tokens of a text."""

    def __init__(self) -> None: ...

    def add(self, lines: object) -> NDArray[numpy.int32]:
        """Count the tokens of the lines; how many each line has."""

    @property
    def tokens(self) -> int:
        """Tokens so far."""

    @property
    def types(self) -> int:
        """Different tokens so far."""

    @property
    def hapaxes(self) -> int:
        """Tokens that came exactly once."""

def split_columns(data: bytes, *, quoted: bool) -> tuple[list[str], list[tuple[NDArray[numpy.int32], list[str]]], NDArray[numpy.int64], list[tuple[int, int]]]:
    """
    A table in valid UTF-8, CSV (quoted) or TSV, by columns: header, for each column int32 codes (rows,) and the different cells, int64 lines on which the rows begin (rows,), and (line, cells) of each ragged row.
    """

class Weighting(enum.Enum):
    BM25 = 0

    CLASSIC = 1

    COSINE = 2

class InvertedIndex:
    """Documents by their terms, given as int32 ids and int64 offsets."""

    def __init__(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, n_terms: int, weighting: Weighting = ..., k1: float = 1.2, b: float = 0.75, n_threads: int = 1) -> None: ...

    @property
    def n_documents(self) -> int: ...

    @property
    def n_postings(self) -> int: ...

    def best(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], k: int, *, weights: NDArray[numpy.float32] | None = None, n_threads: int = 1) -> tuple[NDArray[numpy.int32], NDArray[numpy.float32]]:
        """
        The k best documents of each query and their scores, (queries, k); -1 and 0 where fewer are met.
        """

    def sums(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, weights: NDArray[numpy.float32] | None = None, n_threads: int = 1) -> NDArray[numpy.float64]:
        """
        What the scores of each document for all queries add up to, (documents,).
        """
