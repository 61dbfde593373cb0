"""Language models: estimation, ARPA files, scoring."""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import dragoman._core.text


class Estimator:
    """Modified Kneser-Ney estimation."""

    @staticmethod
    def make(*, order: int, prune: Sequence[int], fallback: Sequence[float], max_words: int, min_count: int, memory: int, folder: str, n_threads: int) -> Estimator: ...

    def add(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64]) -> None:
        """Count sentences."""

    def sorted_run(self) -> bytes:
        """The counts of what was added as a sorted run; nothing is left here."""

    def take_runs(self, runs: list[memoryview]) -> None:
        """
        Take the counts of a text's parts instead of the text; the runs stay in memory until `finish`.
        """

    def finish(self, vocabulary: dragoman._core.text.Vocabulary, *, arpa: Callable[[bytes], object] | None, trie: bool, p_bits: int, backoff_bits: int) -> tuple[Model, list[tuple[int, int, list[int], list[float], bool]]]:
        """
        The model, and for each order: n-grams seen, kept, counts of counts, discounts, whether those fell back.
        """

class Members:
    """Words that a model knows by their classes."""

    @staticmethod
    def make(model: Model, words: Sequence[str], classes: Sequence[str], log_p: NDArray[numpy.float32]) -> Members: ...

def cluster(ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, n_words: int, n_classes: int, max_rounds: int) -> tuple[NDArray[numpy.uint32], float, int]:
    """
    The class of each word by the exchange algorithm, the log-likelihood, and the rounds it took.
    """

class Model:
    """A back-off language model."""

    @property
    def order(self) -> int: ...

    def n_ngrams(self, order: int) -> int: ...

    def find(self, word: str) -> int: ...

    def find_words(self, words: Sequence[str]) -> list[int]: ...

    def words(self) -> list[str]: ...

    def score_lines(self, lines: Sequence[str], *, bos: bool, eos: bool, n_threads: int, members: Members | None = None) -> tuple[NDArray[numpy.float32], NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.int64]]:
        """
        Per token log10 probability, length of the n-gram found, whether it is unknown; offsets of the lines.
        """

    def score_totals(self, lines: object, *, bos: bool, eos: bool, n_threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """log10 probability of each line."""

    @property
    def is_trie(self) -> bool: ...

    @property
    def p_bits(self) -> int: ...

    @property
    def backoff_bits(self) -> int: ...

    def converted(self, *, trie: bool, p_bits: int, backoff_bits: int) -> Model:
        """The same n-grams in a trie or in hash tables."""

    def pruned(self, threshold: float, *, trie: bool, p_bits: int, backoff_bits: int) -> Model:
        """
        The model without n-grams that change perplexity by a share below the threshold.
        """

    def write_arpa(self, write: Callable[[bytes], object]) -> None:
        """Hand the model over as the text of an ARPA file, in pieces."""

    def serialised(self) -> bytes:
        """The content of a model file."""

    @staticmethod
    def on_file(file: memoryview) -> Model:
        """A model on the mapped content of a file."""

def interpolated(models: Sequence[Model], weights: Sequence[float], *, log_linear: bool, trie: bool, p_bits: int, backoff_bits: int) -> Model:
    """One back-off model of several."""

def read_arpa(file: bytes) -> Model:
    """The model that an ARPA file describes."""
