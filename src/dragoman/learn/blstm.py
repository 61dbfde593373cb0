"""Labelling tokens in their sentences by recurrent nets that read from both ends (Graves & Schmidhuber 2005).

Tokens are the same sparse vectors that chains take: a token is the sum of its features' vectors. Several nets, which
differ in their first weights, are averaged. Training needs JAX (`blstm_training`); this, which is what a saved model
needs, NumPy alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from dragoman.learn.chain import TokenVectors
from dragoman.stats.arrays import Floats

__all__ = ["Blstm"]

_AT_ONCE = 4096  # tokens whose features' vectors are in memory together


@dataclass(frozen=True, eq=False)
class Blstm:
    """The weights of the nets, each array with the nets first; E wide vectors, H units a direction, L labels.

    Gates stand in the order input, forget, candidate, output.
    """

    vectors: Floats  # (nets, features, E)
    inputs: Floats  # (nets, 2, E, 4 H): what a token says to the gates, forwards and backwards
    states: Floats  # (nets, 2, H, 4 H): what the state before says
    biases: Floats  # (nets, 2, 4 H)
    outputs: Floats  # (nets, 2 H, L)
    offsets: Floats  # (nets, L)

    @property
    def n_nets(self) -> int:
        """How many nets are averaged."""
        return len(self.vectors)

    @property
    def n_features(self) -> int:
        """How many features a token may have."""
        return int(self.vectors.shape[1])

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return int(self.offsets.shape[1])

    def net(self, number: int) -> Blstm:
        """One of the nets."""
        return Blstm(*(getattr(self, field.name)[number : number + 1] for field in fields(self)))

    def fits(self) -> bool:
        """Whether the arrays belong together."""
        nets, features, width = self.vectors.shape
        units, labels = self.states.shape[2], self.offsets.shape[-1]
        return (
            self.inputs.shape == (nets, 2, width, 4 * units)
            and self.states.shape == (nets, 2, units, 4 * units)
            and self.biases.shape == (nets, 2, 4 * units)
            and self.outputs.shape == (nets, 2 * units, labels)
            and self.offsets.shape == (nets, labels)
            and min(nets, features, labels) > 0
        )

    def probabilities(self, tokens: TokenVectors, *, n_threads: int = 1) -> Floats:  # noqa: ARG002 - as chains are asked
        """P(label | sentence) of every token: the mean over the nets."""
        p = np.zeros((int(tokens.sentences[-1]), self.n_labels))
        for number in range(self.n_nets):
            scores = self._scores(tokens, number)
            raised = np.exp(scores - scores.max(axis=1, keepdims=True)) if len(scores) else scores
            p += raised / raised.sum(axis=1, keepdims=True)
        return p / self.n_nets

    def gains(self) -> Floats:
        """By how much a feature alone moves each label's log-odds, in a sentence of one word: (features, labels).

        The mean over the nets of what a word with the constant and this feature has more than one with the constant
        alone. What a feature does in company a net does not tell by a number.
        """
        gains = np.zeros((self.n_features, self.n_labels))
        for number in range(self.n_nets):
            own = self.vectors[number]
            sums = own + own[0]
            sums[0] = own[0]
            alone = np.ones(len(sums), dtype=np.int64)
            logs = _log_odds(self._labelled(sums, alone, number))
            gains += logs - logs[0]
        return gains / self.n_nets

    def _scores(self, tokens: TokenVectors, number: int) -> Floats:
        lengths = np.diff(tokens.sentences)
        return self._labelled(_sums(self.vectors[number], tokens), lengths, number)

    def _labelled(self, sums: Floats, lengths: NDArray[np.int64], number: int) -> Floats:
        """Scores of the labels of tokens, sentence after sentence."""
        if not len(sums):
            return np.zeros((0, self.n_labels))
        there, back = (
            _states(sums @ self.inputs[number, way] + self.biases[number, way], self.states[number, way], lengths, way)
            for way in (0, 1)
        )
        both = np.concatenate([there, back], axis=1)
        return np.asarray(both @ self.outputs[number] + self.offsets[number])


def _sums(vectors: Floats, tokens: TokenVectors) -> Floats:
    """The sum of the features' vectors of each token."""
    sums = np.zeros((len(tokens.tokens) - 1, vectors.shape[1]))
    for start in range(0, len(sums), _AT_ONCE):
        bounds = tokens.tokens[start : start + _AT_ONCE + 1]
        inside = slice(int(bounds[0]), int(bounds[-1]))
        weighed = vectors[tokens.ids[inside]] * tokens.values[inside, np.newaxis]
        owner = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        full = np.flatnonzero(np.diff(bounds))
        if len(owner):
            sums[start + full] = np.add.reduceat(weighed, np.searchsorted(owner, full), axis=0)
    return sums


def _states(gates: Floats, recurrent: Floats, lengths: NDArray[np.int64], way: int) -> Floats:
    """The states of all sentences, a step of all of them at once; way 1 reads from the end."""
    units = recurrent.shape[0]
    first = np.cumsum(lengths) - lengths
    order = np.argsort(-lengths, kind="stable")  # the longest first, so that those still going on are the first rows
    state, memory = np.zeros((len(lengths), units)), np.zeros((len(lengths), units))
    states = np.zeros((len(gates), units))
    for step in range(int(lengths.max(initial=0))):
        n = int((lengths > step).sum())
        chosen = order[:n]
        places = first[chosen] + (step if way == 0 else lengths[chosen] - 1 - step)
        moved = gates[places] + state[:n] @ recurrent
        enter, keep, candidate, leave = np.split(moved, 4, axis=1)
        memory[:n] = _sigmoid(keep) * memory[:n] + _sigmoid(enter) * np.tanh(candidate)
        state[:n] = _sigmoid(leave) * np.tanh(memory[:n])
        states[places] = state[:n]
    return states


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * x)))


def _log_odds(scores: Floats) -> Floats:
    """Of each label against all others."""
    top = scores.max(axis=1, keepdims=True)
    p = np.exp(scores - top)
    p = np.clip(p / p.sum(axis=1, keepdims=True), 1e-12, 1 - 1e-12)
    return np.asarray(np.log(p) - np.log1p(-p))
