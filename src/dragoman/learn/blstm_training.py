"""Training of recurrent nets that label tokens: all nets side by side, with JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import NotAvailable
from dragoman.learn.blstm import Blstm
from dragoman.learn.chain import TokenVectors
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["fit_blstm", "need_jax"]

_BATCH = 32  # sentences
# Sentences of a batch are padded to one of these lengths, a multiple of the last beyond: a step is compiled for each.
_LENGTHS = (8, 16, 24, 32, 48, 64, 96)
_FEATURES = 8  # a token's features are padded to a multiple of this
_FIRST, _SECOND, _EPSILON = 0.9, 0.999, 1e-8  # Adam (Kingma & Ba 2015), with the paper's own decays
_LONGEST_STEP = 1.0  # a longer gradient of a net is cut to this norm

Weights = dict[str, Any]


def need_jax() -> None:
    """Raise `NotAvailable` if JAX is missing; asked before any work."""
    try:
        import jax  # noqa: F401 - whether it is there
    except ImportError:
        raise NotAvailable.package("Training of recurrent nets", package="jax", extra="neural") from None


def fit_blstm(
    tokens: TokenVectors,
    labels: NDArray[np.int32],
    n_labels: int,
    *,
    n_nets: int = 5,
    units: int = 32,
    epochs: int = 10,
    rate: float = 2e-3,
    dropout: float = 0.5,
    seed: int = 1,
) -> Blstm:
    """Nets that differ in their first weights and in what is left out, on the same batches, by Adam.

    The loss is the mean surprise of the labels. `dropout` is the share of a token's features, and of the states, that
    a step leaves out. The rate falls to 0 in a straight line.
    """
    need_jax()
    import jax
    import jax.numpy as jnp

    batches = _Batches(tokens, labels)
    weights = {name: jnp.asarray(w) for name, w in _first_weights(tokens.n_features, n_labels, n_nets, units, seed)}
    moments = [{name: jnp.zeros_like(w) for name, w in weights.items()} for _ in range(2)]
    step = _compiled_step(float(dropout))
    n_steps = epochs * batches.n_batches
    done = 0
    for epoch in range(epochs):
        for batch in batches.shuffled(Stream(seed, f"blstm epoch {epoch}")):
            done += 1
            keys = jax.random.split(jax.random.fold_in(jax.random.key(seed % 2**32), done), n_nets)
            weights, *moments = step(weights, *moments, keys, batch, done, rate * (1 - (done - 1) / n_steps))
    return Blstm(**{name: np.asarray(w, dtype=np.float64) for name, w in weights.items()})


def _first_weights(
    n_features: int, n_labels: int, n_nets: int, units: int, seed: int
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Uniform within ±√(3/fan-in), so that what goes into a unit has about its own spread; forget gates begin open."""
    shapes: dict[str, tuple[tuple[int, ...], float]] = {
        "vectors": ((n_nets, n_features, units), 0.1),
        "inputs": ((n_nets, 2, units, 4 * units), (3 / units) ** 0.5),
        "states": ((n_nets, 2, units, 4 * units), (3 / units) ** 0.5),
        "biases": ((n_nets, 2, 4 * units), 0.0),
        "outputs": ((n_nets, 2 * units, n_labels), (3 / (2 * units)) ** 0.5),
        "offsets": ((n_nets, n_labels), 0.0),
    }
    for name, (shape, width) in shapes.items():
        drawn: Floats = 2 * Stream(seed, f"blstm {name}").uniform(int(np.prod(shape))) - 1
        values = (width * drawn.reshape(shape)).astype(np.float32)
        if name == "biases":
            values[..., units : 2 * units] = 1.0
        yield name, values


@dataclass(eq=False)
class _Batches:
    """The sentences as padded arrays: features and their values (B, T, C), labels (B, T), −1 beyond a sentence."""

    tokens: TokenVectors
    labels: NDArray[np.int32]

    def __post_init__(self) -> None:
        lengths = np.diff(self.tokens.sentences)
        counts = np.diff(self.tokens.tokens)
        most = max(1, int(counts.max(initial=0)))
        self._n_features = -(-most // _FEATURES) * _FEATURES
        self._padded = np.array([_padded_length(int(n)) for n in lengths], dtype=np.int64)
        self._full = np.flatnonzero(lengths)
        self.n_batches = sum(
            -(-int((self._padded[self._full] == n).sum()) // _BATCH) for n in np.unique(self._padded[self._full])
        )

    def shuffled(self, stream: Stream) -> Iterator[tuple[Any, Any, Any]]:
        """All batches, sentences of about one length together, in the stream's order."""
        order = self._full[stream.permutation(len(self._full))]
        groups = []
        for length in np.unique(self._padded[order]).tolist():
            own = order[self._padded[order] == length]
            groups += [(length, own[start : start + _BATCH]) for start in range(0, len(own), _BATCH)]
        for place in Stream(stream.seed, stream.label + " batches").permutation(len(groups)).tolist():
            yield self._batch(*groups[place])

    def _batch(self, length: int, chosen: NDArray[np.int64]) -> tuple[Any, Any, Any]:
        ids = np.zeros((_BATCH, length, self._n_features), dtype=np.int32)
        values = np.zeros((_BATCH, length, self._n_features), dtype=np.float32)
        labels = np.full((_BATCH, length), -1, dtype=np.int32)
        for row, sentence in enumerate(chosen.tolist()):
            first, last = (int(self.tokens.sentences[sentence + end]) for end in (0, 1))
            counts = np.diff(self.tokens.tokens[first : last + 1])
            there = np.arange(self._n_features) < counts[:, np.newaxis]
            inside = slice(int(self.tokens.tokens[first]), int(self.tokens.tokens[last]))
            ids[row, : last - first][there] = self.tokens.ids[inside]
            values[row, : last - first][there] = self.tokens.values[inside]
            labels[row, : last - first] = self.labels[first:last]
        return ids, values, labels


def _padded_length(n: int) -> int:
    return next((each for each in _LENGTHS if n <= each), -(-n // _LENGTHS[-1]) * _LENGTHS[-1])


@cache
def _compiled_step(dropout: float) -> Callable[..., Any]:
    """A step of all nets; compiled once for each shape of a batch."""
    import jax
    import jax.numpy as jnp

    def kept(key: Any, values: Any) -> Any:
        return values * jax.random.bernoulli(key, 1 - dropout, values.shape) / (1 - dropout) if dropout else values

    def loss(net: Weights, key: Any, ids: Any, values: Any, labels: Any) -> Any:
        keys = jax.random.split(key, 2)
        values = kept(keys[0], values)
        sums = (net["vectors"][ids] * values[..., None]).sum(axis=2)
        is_token = labels >= 0

        def read(way: int) -> Any:
            gates = sums @ net["inputs"][way] + net["biases"][way]

            def advance(carried: Any, step: Any) -> Any:
                state, memory = carried
                moved, going = step
                enter, keep, candidate, leave = jnp.split(moved + state @ net["states"][way], 4, axis=-1)
                new = jax.nn.sigmoid(keep) * memory + jax.nn.sigmoid(enter) * jnp.tanh(candidate)
                # Padding is passed through, so that reading from the end begins with the last word.
                memory = jnp.where(going[:, None], new, memory)
                state = jnp.where(going[:, None], jax.nn.sigmoid(leave) * jnp.tanh(memory), state)
                return (state, memory), state

            start = jnp.zeros((len(ids), net["states"].shape[1]))
            by_step = (gates.transpose(1, 0, 2), is_token.T)
            _, states = jax.lax.scan(advance, (start, start), by_step, reverse=bool(way))
            return states.transpose(1, 0, 2)

        both = kept(keys[1], jnp.concatenate([read(0), read(1)], axis=-1))
        logs = jax.nn.log_softmax(both @ net["outputs"] + net["offsets"], axis=-1)
        own = jnp.take_along_axis(logs, jnp.maximum(labels, 0)[..., None], axis=-1)[..., 0]
        return -(own * is_token).sum() / jnp.maximum(is_token.sum(), 1)

    slopes_of = jax.vmap(jax.grad(loss), in_axes=(0, 0, None, None, None))

    def cut(slopes: Weights) -> Weights:
        def squares(leaf: Any) -> Any:
            return (leaf**2).reshape(len(leaf), -1).sum(axis=1)

        norm = jnp.sqrt(sum(squares(leaf) for leaf in slopes.values()))
        scale = jnp.minimum(1.0, _LONGEST_STEP / (norm + 1e-12))
        return {name: leaf * scale.reshape(-1, *[1] * (leaf.ndim - 1)) for name, leaf in slopes.items()}

    def step(weights: Weights, first: Weights, second: Weights, keys: Any, batch: Any, done: Any, rate: Any) -> Any:
        slopes = cut(slopes_of(weights, keys, *batch))
        first = jax.tree.map(lambda m, g: _FIRST * m + (1 - _FIRST) * g, first, slopes)
        second = jax.tree.map(lambda v, g: _SECOND * v + (1 - _SECOND) * g * g, second, slopes)
        size = rate * jnp.sqrt(1 - _SECOND**done) / (1 - _FIRST**done)
        weights = jax.tree.map(lambda w, m, v: w - size * m / (jnp.sqrt(v) + _EPSILON), weights, first, second)
        return weights, first, second

    return jax.jit(step, donate_argnums=(0, 1, 2))
