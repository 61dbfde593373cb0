"""The discriminative word lexicon: for each target word, which source words speak for it (Mauser et al. 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.arrays import check_array, check_rows
from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.qe.resources.words import Ids, encode_words, lines_digest, word_ids
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats
from dragoman.text.vocabulary import Vocabulary

__all__ = ["WordLexicon", "WordLexiconRecipe"]

_ROWS = ("offsets", "sources", "weights", "biases")


@dataclass(frozen=True)
class WordLexiconRecipe(Recipe):
    """How to learn p(target word | source sentence): a logistic model a word over the set of source words.

    Each model minimises the sum of −ln p over the sentences, those without the word as well, and
    `l1`·Σ|λ| + `l2`·Σλ²/2. `negatives`, `most` and `pairs` bound the work: drawn sentences stand for the others by
    their weight, and source words that never stand beside the target word have no weight. With `negatives=0`, `most=0`
    and `pairs=0` the models are those of the whole corpus and all its words.
    """

    l1: float = option(0.2, low=0.0, text="penalty on weights")
    l2: float = option(0.2, low=0.0, text="penalty on half the squares of weights")
    least: int = option(3, low=1, text="sentences that a target word must stand in to have a model")
    pairs: int = option(2, low=0, text="sentences that a source word must share with it; 0 takes all source words")
    negatives: float = option(5.0, low=0.0, text="sentences without the word drawn for each with it; 0 takes all")
    most: int = option(20_000, low=0, text="sentences with the word that are looked at, evenly spread; 0 takes all")
    rounds: int = option(50, low=1, text="rounds over the weights of a word, at most")
    tolerance: float = option(1e-2, low=0.0, text="no more rounds when no weight moves further")

    def train(
        self, sources: Sequence[str], targets: Sequence[str], *, seed: int = 1, n_threads: int = 1
    ) -> WordLexicon:
        """Learn from a tokenised bitext."""
        self.check()
        if self.l1 + self.l2 <= 0:
            raise DataError("A word lexicon needs a penalty, l1 or l2: without, weights of rare words have no bound.")
        check_parallel({"sources": sources, "targets": targets})
        source_ids, source_offsets, words = encode_words(sources)
        target_ids, target_offsets, others = encode_words(targets)
        rows = _core.lexical.train_lexicon(
            source_ids,
            source_offsets,
            target_ids,
            target_offsets,
            n_source_words=len(words) - 1,
            n_target_words=len(others) - 1,
            l1=self.l1,
            l2=self.l2,
            least=self.least,
            pairs=self.pairs,
            negatives=self.negatives,
            most=self.most,
            rounds=self.rounds,
            tolerance=self.tolerance,
            key=Stream(seed, "word lexicon").key,
            n_threads=n_threads,
        )
        return WordLexicon(self, (words, others), rows, seed=seed, data=lines_digest(sources, targets))


@dataclass(eq=False, repr=False)
class WordLexicon(StoredArtifact):
    """Weights of source words for target words."""

    kind: ClassVar[str] = "word lexicon"
    format: ClassVar[int] = 2

    recipe: WordLexiconRecipe
    vocabularies: tuple[Vocabulary, Vocabulary]  # of the source and of the target
    # Ends of the rows, source words, weights; biases, NaN for words without a model.
    rows: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32], NDArray[np.float32]]

    def __repr__(self) -> str:
        return f"<WordLexicon: {self.n_models:,} target words, {len(self.rows[1]):,} weights>"

    @property
    def n_models(self) -> int:
        """Target words that have a model."""
        return int((~np.isnan(self.rows[3])).sum())

    @property
    def sizes(self) -> tuple[int, ...]:
        """Models and weights."""
        return self.n_models, len(self.rows[1])

    def _check(self) -> None:
        offsets, sources, weights, biases = self.rows
        n = len(self.vocabularies[1]) - 1
        check_array("rows.1.npy", sources, np.int32, None)
        check_array("rows.2.npy", weights, np.float32, len(sources))
        check_array("rows.3.npy", biases, np.float32, n)
        check_rows("rows.0.npy", offsets, n, len(sources))

    def probabilities(self, sources: Ids, targets: Ids, *, n_threads: int = 1) -> Floats:
        """p(word | source sentence) of every target token, given as word numbers; NaN for words without a model."""
        return _core.lexical.lexicon_probabilities(
            *self.rows, *sources, *targets, n_source_words=len(self.vocabularies[0]) - 1, n_threads=n_threads
        )

    def of_lines(self, sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1) -> list[list[float]]:
        """The same of tokenised lines, a list a sentence."""
        check_parallel({"sources": sources, "targets": targets})
        sides = []
        for lines, vocabulary in zip((sources, targets), self.vocabularies, strict=True):
            ids, offsets, own = encode_words(lines)
            words = own.words()[1:]  # the unknown word stands first
            sides.append((word_ids(words, ids, vocabulary), offsets))
        p = self.probabilities(sides[0], sides[1], n_threads=n_threads)
        return [part.tolist() for part in np.split(p, sides[1][1][1:-1])] if len(targets) else []

    def weight(self, source: str, target: str) -> float:
        """λ of a source word in the model of a target word, 0 if there is none."""
        row, column = (
            (vocabulary.get(word) or 0) - 1
            for vocabulary, word in zip(self.vocabularies[::-1], (target, source), strict=True)
        )
        if row < 0 or column < 0:
            return 0.0
        begin, end = self.rows[0][row : row + 2]
        at = begin + int(np.searchsorted(self.rows[1][begin:end], column))
        return float(self.rows[2][at]) if at < end and self.rows[1][at] == column else 0.0
