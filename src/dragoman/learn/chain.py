"""Labelling tokens in their sentences: linear chains, trained as a conditional random field or a perceptron.

Tokens are sparse vectors; everything that touches them lives in the core.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["Chain", "TokenVectors", "fit_crf", "fit_perceptron"]


@dataclass(frozen=True, eq=False)
class TokenVectors:
    """The tokens of sentences as sparse vectors."""

    sentences: NDArray[np.int64]  # tokens of sentence s: [sentences[s], sentences[s + 1])
    tokens: NDArray[np.int64]  # features of token t: [tokens[t], tokens[t + 1])
    ids: NDArray[np.int32]
    values: NDArray[np.float32]
    n_features: int

    @classmethod
    def of_table(cls, table: NDArray[np.int32], sentences: NDArray[np.int64], n_features: int) -> TokenVectors:
        """From a table (tokens, columns) of the one feature that each column has, −1 for none, all with the value 1."""
        there = table >= 0
        tokens = np.zeros(len(table) + 1, dtype=np.int64)
        np.cumsum(there.sum(axis=1), out=tokens[1:])
        ids = np.ascontiguousarray(table[there], dtype=np.int32)
        return cls(sentences, tokens, ids, np.ones(len(ids), dtype=np.float32), n_features)

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.sentences) - 1

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
        """What the core takes."""
        return self.sentences, self.tokens, self.ids, self.values

    def take(self, sentences: Sequence[int]) -> TokenVectors:
        """Some sentences, in this order."""
        chosen = np.asarray(sentences, dtype=np.int64)
        tokens, offsets = _ranges(self.sentences, chosen)
        features, of_tokens = _ranges(self.tokens, tokens)
        return TokenVectors(offsets, of_tokens, self.ids[features], self.values[features], self.n_features)


@dataclass(frozen=True, eq=False)
class Chain:
    """Weights of features and of neighbouring labels; the last row of transitions leads into the first token."""

    emissions: Floats  # (features, labels)
    transitions: Floats  # (labels + 1, labels)

    def probabilities(self, vectors: TokenVectors, *, n_threads: int = 1) -> Floats:
        """P(label | sentence) of every token, as a conditional random field has it."""
        return _core.sequence.marginals(
            *vectors.arrays(), emissions=self.emissions, transitions=self.transitions, n_threads=n_threads
        )

    def margins(self, vectors: TokenVectors, *, n_threads: int = 1) -> Floats:
        """The score of the best labelling with each label at each token."""
        return _core.sequence.max_marginals(
            *vectors.arrays(), emissions=self.emissions, transitions=self.transitions, n_threads=n_threads
        )


def fit_crf(
    vectors: TokenVectors,
    labels: NDArray[np.int32],
    n_labels: int,
    *,
    epochs: int = 10,
    rate: float = 1.0,
    penalty: float = 1e-3,
    seed: int = 1,
) -> Chain:
    """A conditional random field (Lafferty et al. 2001) by stochastic gradients: AdaGrad with dual averaging.

    `penalty` is λ of λ/2·w², per sentence seen.
    """
    return Chain(
        *_core.sequence.train_crf(
            *vectors.arrays(),
            labels,
            n_features=vectors.n_features,
            n_labels=n_labels,
            epochs=epochs,
            rate=rate,
            penalty=penalty,
            key=Stream(seed, "crf").key,
        )
    )


def fit_perceptron(
    vectors: TokenVectors,
    labels: NDArray[np.int32],
    n_labels: int,
    *,
    epochs: int = 10,
    margin: float = 1.0,
    seed: int = 1,
) -> Chain:
    """An averaged perceptron (Collins 2002); a wrong label must lose by `margin`.

    Only the proportions of its weights mean something: they are scaled so that on the training data the best labelling
    with another label at a token loses by 2 on average, which makes probabilities of the scores that spread.
    """
    costs = margin * (1.0 - np.eye(n_labels)).ravel()
    emissions, transitions = _core.sequence.train_perceptron(
        *vectors.arrays(),
        labels,
        n_features=vectors.n_features,
        n_labels=n_labels,
        epochs=epochs,
        costs=costs,
        key=Stream(seed, "perceptron").key,
    )
    chain = Chain(emissions, transitions)
    if n_labels < 2 or not len(labels):
        return chain
    first, second = np.sort(chain.margins(vectors), axis=1)[:, :-3:-1].T
    scale = 2.0 / float(np.mean(first - second) or 1.0)
    return Chain(emissions * scale, transitions * scale)


def _ranges(offsets: NDArray[np.int64], chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of the chosen ranges one behind the other, and their new offsets."""
    lengths = offsets[chosen + 1] - offsets[chosen]
    new = np.zeros(len(chosen) + 1, dtype=np.int64)
    np.cumsum(lengths, out=new[1:])
    places = np.arange(new[-1]) + np.repeat(offsets[chosen] - new[:-1], lengths)
    return places, new
