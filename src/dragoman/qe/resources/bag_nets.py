"""Neural maps from the words of a source to the words of its translation (Buck 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha1
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.arrays import check_array
from dragoman.data import check_parallel
from dragoman.errors import DataError, ModelError
from dragoman.options import Recipe, option
from dragoman.qe.resources.stored import StoredArtifact
from dragoman.qe.resources.words import encode_words, fold_word, lines_digest
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["BagNet", "BagNetRecipe", "hash_word"]

_SALTS = ("0:", "1:", "2:")
_BITS = 12
_BATCH = 64
_AT_ONCE = 1000  # sentences whose predictions are in memory together
_LAYERS = ("hidden_weights", "hidden_biases", "output_weights", "output_biases")


@lru_cache(maxsize=1 << 16)
def hash_word(word: str) -> tuple[int, ...]:
    """The places of a word among 4,096: the first 12 bits of SHA-1 of the word behind each of three salts."""
    places = []
    for salt in _SALTS:
        first = sha1(f"{salt}{word}".encode(), usedforsecurity=False).digest()[:2]
        places.append(int.from_bytes(first, "big") >> (16 - _BITS))
    return tuple(dict.fromkeys(places))


@dataclass(frozen=True)
class BagNetRecipe(Recipe):
    """How to learn which words a translation has from those of its source: a net with one hidden layer.

    Inputs and outputs are sets of words: `hashed`, 4,096 places of which each word has up to three, or `words`, the
    most frequent ones, of given text if there is any. Trained by stochastic gradient descent on the logistic loss of
    every output, each weight with a step of its own (AdaGrad, Duchi et al. 2011).
    """

    encoding: str = option("hashed", choices=("hashed", "words"), text="what inputs and outputs are")
    hidden: int = option(250, low=1, text="units of the hidden layer")
    epochs: int = option(10, low=1, text="how often each sentence is seen")
    rate: float = option(0.05, low=1e-6, text="first step of a weight")
    n_words: int = option(4096, low=1, text="words of a side, of `words`")
    most: int = option(50_000, low=1, text="sentence pairs to learn from, evenly spread")

    def train(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        like: tuple[Sequence[str], Sequence[str]] | None = None,
        seed: int = 1,
    ) -> BagNet:
        """Learn from a tokenised bitext; with `like`, `words` are those of these sources and outputs."""
        self.check()
        check_parallel({"sources": sources, "targets": targets})
        if not len(sources):
            raise DataError("There are no sentence pairs to learn a net from.")
        n = len(sources)
        rows = range(n) if n <= self.most else [n * at // self.most for at in range(self.most)]
        some = [sources[row] for row in rows], [targets[row] for row in rows]
        words: tuple[tuple[str, ...], ...] = ()
        if self.encoding == "words":
            words = tuple(_frequent(lines, self.n_words) for lines in (like or some))
        net = BagNet(self, words, {}, seed=seed, data=lines_digest(sources, targets))
        x, y = (net.rows(side, lines) for side, lines in enumerate(some))
        net.layers = self._fit(x, y, Stream(seed, f"bag net {self.encoding}"))
        return net

    def _fit(self, x: Any, y: Any, chance: Stream) -> dict[str, NDArray[np.float32]]:
        n_in, n_out = x.shape[1], y.shape[1]
        draws = (chance.uniform((n_in + n_out) * self.hidden).astype(np.float32) - np.float32(0.5)) * np.float32(0.1)
        # Before anything is learnt, a word is as probable as it is frequent.
        often = (np.asarray(y.sum(axis=0)).ravel() + 0.5) / (y.shape[0] + 1.0)
        layers = {
            "hidden_weights": draws[: n_in * self.hidden].reshape(n_in, self.hidden),
            "hidden_biases": np.zeros(self.hidden, dtype=np.float32),
            "output_weights": draws[n_in * self.hidden :].reshape(self.hidden, n_out),
            "output_biases": np.log(often / (1 - often)).astype(np.float32),
        }
        squares = {name: np.full_like(values, 1e-8) for name, values in layers.items()}

        def move(name: str, gradient: NDArray[np.float32]) -> None:
            squares[name] += gradient * gradient
            layers[name] -= np.float32(self.rate) * gradient / np.sqrt(squares[name])

        for epoch in range(self.epochs):
            order = Stream(chance.seed, f"{chance.label} {epoch}").permutation(x.shape[0])
            for first in range(0, len(order), _BATCH):
                some = order[first : first + _BATCH]
                words = x[some]
                hidden = np.tanh(words @ layers["hidden_weights"] + layers["hidden_biases"])
                wrong = _logistic(hidden @ layers["output_weights"] + layers["output_biases"]) - y[some].toarray()
                wrong /= np.float32(len(some))
                back = (wrong @ layers["output_weights"].T) * (1 - hidden * hidden)
                move("output_weights", hidden.T @ wrong)
                move("output_biases", wrong.sum(axis=0))
                move("hidden_biases", back.sum(axis=0))
                # Only the rows of words that are there have a gradient.
                there = np.unique(words.indices)
                gradient = np.asarray(words[:, there].T @ back)
                squares["hidden_weights"][there] += gradient * gradient
                step = np.float32(self.rate) * gradient / np.sqrt(squares["hidden_weights"][there])
                layers["hidden_weights"][there] -= step
        return layers


@dataclass(eq=False, repr=False)
class BagNet(StoredArtifact):
    """A net from sets of source words to sets of target words."""

    kind: ClassVar[str] = "bag-of-words net"
    format: ClassVar[int] = 2

    recipe: BagNetRecipe
    words: tuple[tuple[str, ...], ...]  # of either side; none if they are hashed
    layers: dict[str, NDArray[np.float32]]

    def __post_init__(self) -> None:
        self._places = [{word: (at,) for at, word in enumerate(side)} for side in self.words]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Inputs, hidden units, outputs."""
        return (*self.layers["hidden_weights"].shape, self.layers["output_weights"].shape[1])

    def _check(self) -> None:
        if len(self.words) != (2 if self.recipe.encoding == "words" else 0):
            raise ModelError(f"the net has words of {len(self.words)} sides. Build it again.")
        n_in, n_out = (self._width(side) for side in (0, 1))
        sizes = ((n_in, self.recipe.hidden), (self.recipe.hidden,), (self.recipe.hidden, n_out), (n_out,))
        for name, each in zip(_LAYERS, sizes, strict=True):
            check_array(f"layers.{name}.npy", self.layers[name], np.float32, *each)

    def _width(self, side: int) -> int:
        """How many places the words of a side have."""
        return len(self.words[side]) if self.words else 1 << _BITS

    def rows(self, side: int, lines: Sequence[str]) -> Any:
        """The sets of words of tokenised lines of a side, 0 the source: a sparse matrix of ones, float32."""
        from scipy.sparse import csr_matrix

        width = self._width(side)
        indices: list[int] = []
        starts = [0]
        for line in lines:
            places: set[int] = set()
            for word in line.split():
                folded = fold_word(word)
                places.update(self._places[side].get(folded, ()) if self.words else hash_word(folded))
            indices.extend(sorted(places))
            starts.append(len(indices))
        ones = np.ones(len(indices), dtype=np.float32)
        return csr_matrix((ones, np.array(indices, dtype=np.int64), starts), shape=(len(lines), width))

    def compare(self, sources: Sequence[str], targets: Sequence[str]) -> tuple[Floats, Floats]:
        """Of each pair the Euclidean distance between predicted and observed words, and the geometric mean of what is

        predicted where a word is; 0 where there are none.
        """
        x, y = self.rows(0, sources), self.rows(1, targets)
        distance, probability = np.zeros(len(sources)), np.zeros(len(sources))
        for first in range(0, len(sources), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            hidden = np.tanh(x[part] @ self.layers["hidden_weights"] + self.layers["hidden_biases"])
            p = _logistic(hidden @ self.layers["output_weights"] + self.layers["output_biases"]).astype(np.float64)
            seen = y[part].toarray().astype(np.float64)
            distance[part] = np.sqrt(np.square(p - seen).sum(axis=1))
            n = seen.sum(axis=1)
            logs = (np.log(np.maximum(p, 1e-30)) * seen).sum(axis=1)
            probability[part] = np.where(n > 0, np.exp(logs / np.maximum(n, 1)), 0.0)
        return distance, probability


def _logistic(x: NDArray[np.float32]) -> NDArray[np.float32]:
    p: NDArray[np.float32] = np.float32(0.5) * (np.tanh(np.float32(0.5) * x) + np.float32(1.0))
    return p


def _frequent(lines: Sequence[str], most: int) -> tuple[str, ...]:
    ids, _, words = encode_words(lines)
    names = words.words()[1:]
    times = np.bincount(ids, minlength=len(names)) if names else np.zeros(0, dtype=np.int64)
    return tuple(names[at] for at in np.argsort(-times, kind="stable")[:most])
