"""The Transformer (Vaswani et al., NIPS 2017), normalised before each block, as pure functions over a tree of weights.

Embeddings are shared by source, target and output. Weights are kept in single precision; products may be in half. The
weights of a side's layers are stacked, and a scan goes through them: one layer is compiled, not all.
Shapes in comments: B sentences, S source and T target positions, W width, H heads, D = W / H.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from dragoman.neural.recipe import Shape

__all__ = ["END", "PAD", "START", "Dropout", "greedy", "initial_weights", "logits_of", "n_weights", "positions"]

Weights = dict[str, Any]
# Ids of sentencepiece. <unk>, 0, stands for padding: pieces with a fallback to bytes need no unknown one.
PAD, START, END = 0, 1, 2
_MASKED = -1e9


class Dropout(NamedTuple):
    """By how much and with which key values are left out; without a key none are."""

    rate: float  # of embeddings and of what a block adds
    inner: float = 0.0  # of attention's weights and of hidden values
    key: Any = None

    def keys(self, n: int) -> Any:
        """Independent keys."""
        return None if self.key is None else jax.random.split(self.key, n)

    def split(self, n: int) -> list[Dropout]:
        """Independent ones."""
        keys = self.keys(n)
        return [self._replace(key=None if keys is None else keys[number]) for number in range(n)]

    def inside_and_after(self) -> tuple[Dropout, Dropout]:
        """What a block leaves out within, and of what it gives."""
        inside, after = self.split(2)
        return inside._replace(rate=self.inner), after

    def __call__(self, values: Any) -> Any:
        """The values, some of them 0 and the rest larger."""
        if not self.rate or self.key is None:
            return values
        kept = jax.random.bernoulli(self.key, 1 - self.rate, values.shape)
        return jnp.where(kept, values / (1 - self.rate), jnp.zeros((), values.dtype))


NO_DROPOUT = Dropout(0.0)


def initial_weights(shape: Shape, seed: int) -> Weights:
    """Weights to start from: Glorot's for matrices, 1 and 0 for norms, a small normal for embeddings."""
    rng = np.random.default_rng(seed)
    width, inner = shape.width, shape.inner

    def linear(n_in: int, n_out: int, n_parts: int = 1) -> Weights:
        bound = math.sqrt(6 / (n_in + n_out))
        return {
            "w": rng.uniform(-bound, bound, (n_in, n_out * n_parts)).astype(np.float32),
            "b": np.zeros(n_out * n_parts, np.float32),
        }

    def norm() -> Weights:
        return {"g": np.ones(width, np.float32), "b": np.zeros(width, np.float32)}

    def own() -> Weights:
        return {"norm": norm(), "qkv": linear(width, width, 3), "out": linear(width, width)}

    def cross() -> Weights:
        return {"norm": norm(), "q": linear(width, width), "kv": linear(width, width, 2), "out": linear(width, width)}

    def feed() -> Weights:
        return {"norm": norm(), "up": linear(width, inner), "down": linear(inner, width)}

    return {
        "embedding": rng.normal(0, width**-0.5, (shape.n_pieces, width)).astype(np.float32),
        "encoder": _stacked([{"own": own(), "feed": feed()} for _ in range(shape.encoder_layers)]),
        "encoder_norm": norm(),
        "decoder": _stacked([{"own": own(), "cross": cross(), "feed": feed()} for _ in range(shape.decoder_layers)]),
        "decoder_norm": norm(),
    }


def _stacked(layers: list[Weights]) -> Weights:
    stack: Weights = jax.tree.map(lambda *leaves: np.stack(leaves), *layers)
    return stack


def n_weights(weights: Weights) -> int:
    """How many numbers a net has."""
    return sum(leaf.size for leaf in jax.tree.leaves(weights))


def positions(length: int, width: int) -> np.ndarray:
    """Sinusoids: all sines, then all cosines, from position 0 on."""
    steps = np.exp(-math.log(10_000) / (width // 2 - 1) * np.arange(width // 2))
    angles = np.arange(length)[:, None] * steps[None]
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


def _norm(weights: Weights, x: Any) -> Any:
    x32 = x.astype(jnp.float32)
    centred = x32 - x32.mean(-1, keepdims=True)
    scale = jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
    return (centred * scale * weights["g"] + weights["b"]).astype(x.dtype)


def _linear(weights: Weights, x: Any) -> Any:
    return x @ weights["w"].astype(x.dtype) + weights["b"].astype(x.dtype)


def _projections(weights: Weights, x: Any, n_parts: int, heads: int) -> list[Any]:
    """Queries, keys, values or some of them, each (B, T, H, D)."""
    parts = jnp.split(_linear(weights, x), n_parts, axis=-1)
    return [part.reshape(*part.shape[:-1], heads, part.shape[-1] // heads) for part in parts]


def _attend(q: Any, k: Any, v: Any, mask: Any, dropout: Dropout) -> Any:
    """Queries (B, T, H, D) over keys and values (B, S, H, D); `mask` (B, 1, T or 1, S) is true where one may look."""
    scores = jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32) / math.sqrt(q.shape[-1])
    weights = dropout(jax.nn.softmax(jnp.where(mask, scores, _MASKED), axis=-1).astype(v.dtype))
    mixed = jnp.einsum("bhts,bshd->bthd", weights, v)
    return mixed.reshape(*mixed.shape[:-2], -1)


def _own(layer: Weights, x: Any, mask: Any, heads: int, dropout: Dropout) -> Any:
    inside, after = dropout.inside_and_after()
    q, k, v = _projections(layer["qkv"], _norm(layer["norm"], x), 3, heads)
    return x + after(_linear(layer["out"], _attend(q, k, v, mask, inside)))


def _cross(layer: Weights, x: Any, memory: Any, mask: Any, heads: int, dropout: Dropout) -> Any:
    inside, after = dropout.inside_and_after()
    [q] = _projections(layer["q"], _norm(layer["norm"], x), 1, heads)
    k, v = _projections(layer["kv"], memory, 2, heads)
    return x + after(_linear(layer["out"], _attend(q, k, v, mask, inside)))


def _feed(layer: Weights, x: Any, dropout: Dropout) -> Any:
    inside, after = dropout.inside_and_after()
    hidden = inside(jax.nn.relu(_linear(layer["up"], _norm(layer["norm"], x))))
    return x + after(_linear(layer["down"], hidden))


def _embed(weights: Weights, ids: Any, places: Any, dtype: Any, dropout: Dropout) -> Any:
    width = weights["embedding"].shape[1]
    return dropout((weights["embedding"][ids] * math.sqrt(width) + places).astype(dtype))


def _through(
    layers: Weights, x: Any, n_layers: int, dropout: Dropout, block: Callable[[Weights, Any, Dropout], Any]
) -> Any:
    """What comes out of the last of a side's layers."""
    return jax.lax.scan(
        lambda x, at: (block(at[0], x, dropout._replace(key=at[1])), None), x, (layers, dropout.keys(n_layers))
    )[0]


def _encode(weights: Weights, source: Any, shape: Shape, dtype: Any, dropout: Dropout) -> tuple[Any, Any]:
    """The memory (B, S, W) and the mask (B, 1, 1, S) of the positions that hold a piece."""
    first, rest = dropout.split(2)
    mask = (source != PAD)[:, None, None, :]
    x = _embed(weights, source, positions(source.shape[1], shape.width), dtype, first)

    def block(layer: Weights, x: Any, dropout: Dropout) -> Any:
        own, feed = dropout.split(2)
        return _feed(layer["feed"], _own(layer["own"], x, mask, shape.heads, own), feed)

    return _norm(weights["encoder_norm"], _through(weights["encoder"], x, shape.encoder_layers, rest, block)), mask


def _output(weights: Weights, x: Any) -> Any:
    return (_norm(weights["decoder_norm"], x) @ weights["embedding"].T.astype(x.dtype)).astype(jnp.float32)


def logits_of(
    weights: Weights, source: Any, target: Any, shape: Shape, dtype: Any, dropout: Dropout = NO_DROPOUT
) -> Any:
    """What the net expects behind each position of a target that begins with START: (B, T, pieces), before softmax."""
    reading, first, rest = dropout.split(3)
    memory, source_mask = _encode(weights, source, shape, dtype, reading)
    length = target.shape[1]
    causal = jnp.tril(jnp.ones((length, length), bool))[None, None]
    x = _embed(weights, target, positions(length, shape.width), dtype, first)

    def block(layer: Weights, x: Any, dropout: Dropout) -> Any:
        own, cross, feed = dropout.split(3)
        x = _own(layer["own"], x, causal, shape.heads, own)
        x = _cross(layer["cross"], x, memory, source_mask, shape.heads, cross)
        return _feed(layer["feed"], x, feed)

    return _output(weights, _through(weights["decoder"], x, shape.decoder_layers, rest, block))


@partial(jax.jit, static_argnames=("shape", "length"))
def greedy(weights: Weights, source: Any, shape: Shape, length: int) -> Any:
    """The most likely piece behind the pieces so far, until END or `length`: ids (B, length), PAD behind END."""
    memory, source_mask = _encode(weights, source, shape, jnp.float32, NO_DROPOUT)
    n = source.shape[0]
    places = jnp.asarray(positions(length, shape.width))
    empty = jnp.zeros((shape.decoder_layers, n, length, shape.heads, shape.width // shape.heads))

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        place, last, is_done, output, caches = state
        seen = (jnp.arange(length) <= place)[None, None, None]

        def block(x: Any, at: tuple[Weights, Any, Any]) -> tuple[Any, tuple[Any, Any]]:
            layer, keys, values = at
            own = layer["own"]
            q, k, v = _projections(own["qkv"], _norm(own["norm"], x), 3, shape.heads)
            keys = jax.lax.dynamic_update_slice_in_dim(keys, k, place, 1)
            values = jax.lax.dynamic_update_slice_in_dim(values, v, place, 1)
            x = x + _linear(own["out"], _attend(q, keys, values, seen, NO_DROPOUT))
            x = _cross(layer["cross"], x, memory, source_mask, shape.heads, NO_DROPOUT)
            return _feed(layer["feed"], x, NO_DROPOUT), (keys, values)

        x = _embed(weights, last[:, None], places[place][None, None], jnp.float32, NO_DROPOUT)
        x, caches = jax.lax.scan(block, x, (weights["decoder"], *caches))
        scores = _output(weights, x)[:, 0].at[:, jnp.array([PAD, START])].set(_MASKED)
        piece = jnp.where(is_done, PAD, scores.argmax(-1))
        return place + 1, piece, is_done | (piece == END), output.at[:, place].set(piece), caches

    start = (0, jnp.full(n, START), jnp.zeros(n, bool), jnp.zeros((n, length), int), (empty, empty))
    return jax.lax.while_loop(lambda state: (state[0] < length) & ~state[2].all(), step, start)[3]
