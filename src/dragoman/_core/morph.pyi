"""Morphemes: learning them, and cutting words into them."""

import numpy
from numpy.typing import NDArray


def clusters(texts: object) -> list[list[str]]:
    """The grapheme clusters of each text."""

def train(words: object, counts: NDArray[numpy.int64], *, corpus_weight: float, longest: int, tolerance: float, max_rounds: int, key: int) -> tuple[list[str], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.int64], list[float]]:
    """
    Morphs and their counts; which words were taken; their morphs' numbers, end to end, with the words' offsets;
    the description length in nats before the first round and after each. Words of more than `longest` grapheme
    clusters are not taken.
    """

class Segmenter:
    """Cuts words into the morphs of a lexicon."""

    def __init__(self, morphs: object, counts: NDArray[numpy.int64], *, n_words: int) -> None: ...

    def description_length(self, corpus_weight: float) -> float:
        """In nats, of the words that the counts were made of and of the lexicon."""

    def costs(self) -> NDArray[numpy.float64]:
        """−ln p of every morph."""

    def cut_lines(self, lines: object, *, mark: str, n_threads: int = 1) -> list[str]:
        """
        Each line as morphs with single spaces between; the mark stands before the first of each word.
        """
