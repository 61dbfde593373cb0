"""Lexical probabilities of a trained aligner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.text.vocabulary import Vocabulary

__all__ = ["Lexicon"]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """p(target | source) for all pairs of words worth keeping, sorted by source and target id; -1: the empty word."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    p: NDArray[np.float32]
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary

    def translations(self, word: str | None, *, n: int = 10) -> list[tuple[str, float]]:
        """The most probable translations of a word, or of the empty word (None), with their probabilities."""
        number = -1 if word is None else self.source_vocabulary.get(word)
        if number is None:
            return []
        begin, end = np.searchsorted(self.sources, [number, number + 1])
        best = begin + np.argsort(-self.p[begin:end], kind="stable")[:n]
        return [(self.target_vocabulary.word(int(self.targets[at])), float(self.p[at])) for at in best]
