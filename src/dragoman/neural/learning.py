"""What a net learns after it was trained: each confirmed pair, by a few steps down its own gradient.

The pairs, not the weights, are what is remembered: they stand in a journal, and the weights follow from them and their
order, one pair at a time. So every process that shares a journal comes to the same net, and forgetting is exact.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from dragoman.engines.journal import JOURNAL, Entry, Journal, LearntPair, replayed
from dragoman.errors import ModelError
from dragoman.files import StrPath
from dragoman.neural.checkpoints import load_tree, save_tree
from dragoman.neural.network import END, PAD, START, Weights, logits_of
from dragoman.neural.recipe import Shape
from dragoman.neural.steps import surprise
from dragoman.text.subword_training import SubwordModel

__all__ = ["Lessons"]

_STATE = "learnt.npz"
_STEPS = 4  # down the gradient of one pair
_RATE = 0.02  # of such a step, for the mean loss of a pair's pieces: more forgets what the net was trained for
_LONGEST_STEP = 1.0  # a longer gradient is cut to this norm
_ROUND = 32  # lengths are padded to multiples of it, since each shape is compiled once
_RECENT = 3  # states kept in memory, beside the first, so that the last pairs are forgotten at once
_EVERY = 20  # pairs between two states on disk, so that a long journal is not replayed from its beginning


@partial(jax.jit, static_argnames=("shape",))
def taught(weights: Weights, source: Any, target: Any, shape: Shape) -> Weights:
    """The weights after some steps of plain gradient descent on one pair, (1, S) and (1, T)."""
    given, wanted = target[:, :-1], target[:, 1:]
    is_piece = wanted != PAD

    def loss(weights: Weights) -> Any:
        logs = jax.nn.log_softmax(logits_of(weights, source, given, shape, jnp.float32), axis=-1)
        return (surprise(logs, wanted, 0.0) * is_piece).sum() / is_piece.sum()

    def step(_: int, weights: Weights) -> Weights:
        slope = jax.grad(loss)(weights)
        norm = jnp.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(slope)))
        rate = _RATE * jnp.minimum(1.0, _LONGEST_STEP / (norm + 1e-12))
        lower: Weights = jax.tree.map(lambda w, g: w - rate * g, weights, slope)
        return lower

    after: Weights = jax.lax.fori_loop(0, _STEPS, step, weights)
    return after


class Lessons:
    """The pairs that a net has learnt, and its weights after them; kept in a folder, if it was loaded from one."""

    def __init__(self, shape: Shape, pieces: SubwordModel, weights: Weights, longest: int, folder: StrPath | None):
        self.shape, self._pieces, self._longest = shape, pieces, longest
        self._states: dict[int, Weights] = {0: weights}
        self._folder = None if folder is None else Path(folder)
        self._journal = None if self._folder is None else Journal(self._folder / JOURNAL)
        self.pairs: list[LearntPair] = []

    @property
    def weights(self) -> Weights:
        """After all pairs."""
        return self._states[len(self.pairs)]

    def take(self, entries: Sequence[Entry]) -> None:
        """Learn pairs or forget some; both are on disk before the net changes."""
        if self._journal is not None:
            entries = self._journal.append(entries)
        self._become(replayed(self.pairs, entries, n_first=0))

    def refresh(self) -> int:
        """Take in what others have written; how many entries."""
        entries = self._journal.more() if self._journal is not None else []
        if entries:
            self._become(replayed(self.pairs, entries, n_first=0))
        return len(entries)

    def _become(self, pairs: list[LearntPair]) -> None:
        same = next((n for n, (old, new) in enumerate(zip(self.pairs, pairs, strict=False)) if old != new), None)
        same = min(len(self.pairs), len(pairs)) if same is None else same
        self._states = {n: state for n, state in self._states.items() if n <= same}
        start = max(self._states)
        if len(pairs) - start > _EVERY:
            self._resume(pairs)
            start = max(self._states)
        weights = self._states[start]
        for number, pair in enumerate(pairs[start:], start=start + 1):
            weights = taught(weights, *self._rectangles(pair), self.shape)
            if number % _EVERY == 0:
                self._save(pairs[:number], weights)
            if len(pairs) - number < _RECENT:
                self._states[number] = weights
        self.pairs = pairs
        kept = {0, *sorted(self._states)[-_RECENT:]}
        self._states = {n: state for n, state in self._states.items() if n in kept}

    def _rectangles(self, pair: LearntPair) -> tuple[np.ndarray, np.ndarray]:
        source, target = self._pieces.encode_ids([pair.source, pair.target])
        source, target = source[: self._longest - 1], target[: self._longest - 1]
        return _row([*source, END]), _row([START, *target, END])

    def _save(self, pairs: Sequence[LearntPair], weights: Weights) -> None:
        """Put a state on disk, with what it was learnt from."""
        if self._folder is not None:
            save_tree(self._folder / _STATE, _state(pairs, weights))

    def _resume(self, pairs: Sequence[LearntPair]) -> None:
        """Take the state on disk, if it is one of a beginning of these pairs; if not, all can be learnt again."""
        if self._folder is None or not (self._folder / _STATE).exists():
            return
        with suppress(ValueError, OSError, ModelError):
            state = load_tree(self._folder / _STATE, _state((), self._states[0]))
            n = int(state["n_pairs"])
            if n <= len(pairs) and (_state(pairs[:n], {})["digest"] == state["digest"]).all():
                self._states[n] = state["weights"]


def _state(pairs: Sequence[LearntPair], weights: Weights) -> dict[str, Any]:
    digest = sha256(json.dumps([asdict(pair) for pair in pairs]).encode()).digest()
    return {"n_pairs": np.array(len(pairs)), "digest": np.frombuffer(digest, np.uint8), "weights": weights}


def _row(ids: Sequence[int]) -> np.ndarray:
    row = np.full((1, -(-len(ids) // _ROUND) * _ROUND), PAD, np.int32)
    row[0, : len(ids)] = ids
    return row
