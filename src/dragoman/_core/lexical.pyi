"""Words by the words around them: lexicons, information, topics."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def train_lexicon(source_ids: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target_ids: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], *, n_source_words: int, n_target_words: int, l1: float, l2: float, least: int, pairs: int, negatives: float, most: int, rounds: int, tolerance: float, key: int, n_threads: int = 1) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32], NDArray[numpy.float32]]:
    """
    Rows (offsets, source words, weights) and biases of a logistic model a target word.
    """

def lexicon_probabilities(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], biases: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], source_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], source_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_source_words: int, n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    p(word | source) of every target token, NaN without a model: float64 (tokens,).
    """

def mutual_information(first_ids: NDArray[numpy.int32], first_offsets: NDArray[numpy.int64], second_ids: NDArray[numpy.int32], second_offsets: NDArray[numpy.int64], *, n_first_words: int, n_second_words: int, same: bool, least: int, n_threads: int = 1) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32]]:
    """
    Rows (offsets, words of the second side, information in nats) of the words of the first side.
    """

def mean_information(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], second_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], second_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, same: bool, n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Mean information of every token of the first side with the second side's: float64 (tokens,).
    """

def match_sentences(first_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], second_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], second_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_threads: int = 1) -> NDArray[numpy.int32]:
    """
    Matched words and edits of the best local alignment, distance of the whole: int32 (sentences, 3).
    """

def sample_topics(ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_words: int, n_topics: int, alpha: float, beta: float, sweeps: int, key: int) -> NDArray[numpy.int32]:
    """How often each word was given each topic: int32 (words, topics)."""

def fold_in(ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], p_word: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, alpha: float, rounds: int, n_threads: int = 1) -> NDArray[numpy.float64]:
    """Shares of the topics in documents: float64 (documents, topics)."""

class TranslatedIndex:
    """Documents that queries of another language are looked up in."""

    def __init__(self, ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], literal: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], background: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, lambda_: float, beta: float, n_threads: int = 1) -> None: ...

    def search(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, k: int, document_numbers: NDArray[numpy.int64], query_numbers: NDArray[numpy.int64], width: int, n_threads: int = 1) -> tuple[NDArray[numpy.int32], NDArray[numpy.float32]]:
        """
        The k best documents of each query, -1 where there are fewer, and what they gain over none, in nats.
        """

    def __len__(self) -> int: ...

    @property
    def n_postings(self) -> int:
        """How many gains are kept."""
