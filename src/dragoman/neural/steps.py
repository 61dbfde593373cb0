"""One step of training: the loss of a batch, its gradient, and Adam (Kingma & Ba, ICLR 2015)."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from dragoman.neural.network import PAD, Dropout, Weights, logits_of
from dragoman.neural.recipe import NeuralRecipe, Shape

__all__ = ["State", "Terms", "initial_state", "surprise", "train_step"]

_FIRST, _SECOND, _TINY = 0.9, 0.98, 1e-9  # Adam's decays and guard, as Vaswani et al. set them
_LONGEST_STEP = 1.0  # a longer gradient is cut to this norm


class Terms(NamedTuple):
    """What of a recipe enters a step; fixed when the step is compiled."""

    shape: Shape
    dtype: Any
    dropout: float
    inner_dropout: float
    smoothing: float
    consistency: float
    rate: float
    warmup: int

    @classmethod
    def of(cls, recipe: NeuralRecipe, shape: Shape, dtype: Any) -> Terms:
        """Of a resolved recipe."""
        names = [name for name in cls._fields if name not in ("shape", "dtype")]
        return cls(shape, dtype, *(getattr(recipe, name) for name in names))


class State(NamedTuple):
    """The weights, Adam's two means of them, and how many steps were done."""

    weights: Weights
    first: Weights
    second: Weights
    step: Any


def initial_state(weights: Weights) -> State:
    """Before the first step."""
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return State(jax.tree.map(jnp.asarray, weights), zeros, jax.tree.map(jnp.copy, zeros), jnp.zeros((), jnp.int32))


def surprise(logs: Any, wanted: Any, smoothing: float) -> Any:
    """Cross-entropy with the wanted piece, some of whose probability every piece shares."""
    own = jnp.take_along_axis(logs, wanted[..., None], axis=-1)[..., 0]
    return -(1 - smoothing) * own - smoothing * logs.mean(-1)


def _loss(weights: Weights, source: Any, target: Any, key: Any, terms: Terms) -> Any:
    given, wanted = target[:, :-1], target[:, 1:]
    is_piece = wanted != PAD
    n_pieces = jnp.maximum(is_piece.sum(), 1)
    if terms.consistency:  # R-Drop: two dropouts of one batch should agree (Liang et al., NeurIPS 2021)
        source, given, wanted = (jnp.concatenate([each, each]) for each in (source, given, wanted))
    logs = jax.nn.log_softmax(
        logits_of(weights, source, given, terms.shape, terms.dtype, Dropout(terms.dropout, terms.inner_dropout, key)),
        axis=-1,
    )
    losses = surprise(logs, wanted, terms.smoothing)
    if not terms.consistency:
        return (losses * is_piece).sum() / n_pieces
    one, other = jnp.split(logs, 2)
    apart = ((jnp.exp(one) - jnp.exp(other)) * (one - other)).sum(-1) / 2
    both = sum(jnp.split(losses, 2)) / 2
    return ((both + terms.consistency * apart) * is_piece).sum() / n_pieces


@partial(jax.jit, static_argnames=("terms",), donate_argnames=("state",))
def train_step(state: State, source: Any, target: Any, key: Any, terms: Terms) -> tuple[State, Any]:
    """The state after a batch, and the batch's loss."""
    loss, slope = jax.value_and_grad(_loss)(state.weights, source, target, key, terms)
    norm = jnp.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(slope)))
    scale = jnp.minimum(1.0, _LONGEST_STEP / (norm + 1e-12))
    step = state.step + 1
    rate = terms.rate * jnp.minimum(step / terms.warmup, math.sqrt(terms.warmup) / jnp.sqrt(step))
    first = jax.tree.map(lambda m, g: _FIRST * m + (1 - _FIRST) * g * scale, state.first, slope)
    second = jax.tree.map(lambda v, g: _SECOND * v + (1 - _SECOND) * (g * scale) ** 2, state.second, slope)
    ahead, beside = 1 - _FIRST**step, 1 - _SECOND**step
    weights = jax.tree.map(
        lambda w, m, v: w - rate * (m / ahead) / (jnp.sqrt(v / beside) + _TINY), state.weights, first, second
    )
    return State(weights, first, second, step), loss
