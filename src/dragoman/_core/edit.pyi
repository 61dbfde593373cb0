"""Edit distances, translation edit rate."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def levenshtein(hyp_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_threads: int = 1) -> NDArray[numpy.int32]:
    """
    Edit distances of pairs of sequences of int32 ids, laid end to end: int32 array.
    """

def damerau(hyp_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_threads: int = 1) -> NDArray[numpy.int32]:
    """
    The same with swaps of neighbours as one edit, no item being edited twice.
    """

def operations(hyp_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_threads: int = 1) -> tuple[NDArray[numpy.uint8], NDArray[numpy.int64]]:
    """
    Shortest ways from hypotheses to references: uint8 operations and their int64 offsets.
    Operations: 0 match, 1 substitute, 2 insert, 3 delete.
    """

def tercom_tokenise(lines: object, *, lowercase: bool, normalised: bool, no_punct: bool, asian: bool) -> list[str]:
    """tercom's tokeniser: lines with single spaces between tokens."""

class TerReferences:
    """References digested for TER: streams of lines, one per segment."""

    def __init__(self, streams: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, *, lowercase: bool = False, normalised: bool = False, no_punct: bool = False, asian: bool = False) -> None: ...

    @property
    def n_bytes(self) -> int:
        """How much memory this holds."""

    def lengths(self) -> NDArray[numpy.int32]:
        """
        Words of each reference, -1 where a segment lacks it: int32 array (segments, references).
        """

    def count(self, hyps: object, *, n_threads: int = 1) -> NDArray[numpy.int32]:
        """
        Edits against each reference, -1 where a segment lacks it: int32 array (segments, references).
        """

    def count_pairs(self, hyps: object, *, n_threads: int = 1) -> NDArray[numpy.int32]:
        """
        Edits of every hypothesis against the first reference of every segment: int32 array (hyps, segments).
        """

    def trace(self, hyps: object, *, with_shifts: bool = True, n_threads: int = 1) -> list[tuple[int, int, list[tuple[int, int, int]], bytes, list[str], list[str]]]:
        """
        For each segment: best reference, edits, shifts (from, length, to), operations, hypothesis and reference words.
        """
