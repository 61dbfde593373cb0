"""Error classes of words."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def classify(hyp_full: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_base: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_full: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_base: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_threads: int = 1) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.int64]]:
    """
    Error classes of the words of sentence pairs: uint8 labels of hypotheses and of references, int64 edits.
    Labels: 0 correct, 1 inflection, 2 reordering, 3 missing, 4 extra, 5 lexical.
    """
