"""Recurrent nets that label tokens: the definition word by word, what they learn that chains cannot, and faults."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from dragoman.errors import NotAvailable
from dragoman.learn.blstm import Blstm
from dragoman.learn.blstm_training import fit_blstm
from dragoman.learn.chain import TokenVectors, fit_crf


def drawn_nets(n_nets: int, n_features: int, units: int, n_labels: int) -> Blstm:
    draw = np.random.default_rng(7)
    return Blstm(
        draw.normal(size=(n_nets, n_features, units)),
        draw.normal(size=(n_nets, 2, units, 4 * units)),
        draw.normal(size=(n_nets, 2, units, 4 * units)),
        draw.normal(size=(n_nets, 2, 4 * units)),
        draw.normal(size=(n_nets, 2 * units, n_labels)),
        draw.normal(size=(n_nets, n_labels)),
    )


def tokens_of(sentences: list[list[list[int]]], n_features: int) -> TokenVectors:
    """From the features of each token of each sentence."""
    flat = [token for sentence in sentences for token in sentence]
    ids = [each for token in flat for each in token]
    return TokenVectors(
        np.cumsum([0, *map(len, sentences)], dtype=np.int64),
        np.cumsum([0, *map(len, flat)], dtype=np.int64),
        np.array(ids, dtype=np.int32),
        np.linspace(0.5, 1.5, len(ids), dtype=np.float32),
        n_features,
    )


def naive(nets: Blstm, tokens: TokenVectors) -> list[list[float]]:
    """The definition: a token, a gate, a net at a time."""

    def sigmoid(x: float) -> float:
        return float(1 / (1 + np.exp(-x)))

    rows = []
    for first, last in zip(tokens.sentences[:-1], tokens.sentences[1:], strict=True):
        p = np.zeros((last - first, nets.n_labels))
        for net in range(nets.n_nets):
            units = nets.states.shape[2]
            states = np.zeros((last - first, 2 * units))
            for way, order in ((0, range(first, last)), (1, range(last - 1, first - 1, -1))):
                state, memory = np.zeros(units), np.zeros(units)
                for token in order:
                    own = slice(int(tokens.tokens[token]), int(tokens.tokens[token + 1]))
                    x = sum(
                        (v * nets.vectors[net, i] for i, v in zip(tokens.ids[own], tokens.values[own], strict=True)),
                        start=np.zeros(nets.vectors.shape[2]),
                    )
                    gates = x @ nets.inputs[net, way] + state @ nets.states[net, way] + nets.biases[net, way]
                    for unit in range(units):
                        enter, keep, new, leave = (float(gates[gate * units + unit]) for gate in range(4))
                        memory[unit] = sigmoid(keep) * memory[unit] + sigmoid(enter) * np.tanh(new)
                        gates[unit] = sigmoid(leave) * np.tanh(memory[unit])
                    state = gates[:units].copy()
                    states[token - first, way * units : (way + 1) * units] = state
            scores = states @ nets.outputs[net] + nets.offsets[net]
            raised = np.exp(scores)
            p += raised / raised.sum(axis=1, keepdims=True) / nets.n_nets
        rows += p.tolist()
    return rows


def test_nets_are_what_they_are_defined_as() -> None:
    nets = drawn_nets(2, 6, 3, 3)
    tokens = tokens_of([[[0, 2], [1]], [], [[5, 3, 0]], [[4], [], [2, 2], [1]]], 6)
    np.testing.assert_allclose(nets.probabilities(tokens), naive(nets, tokens), atol=1e-12)
    assert nets.fits()
    assert nets.net(1).fits()
    assert not Blstm(nets.vectors, nets.inputs, nets.states, nets.biases, nets.outputs[:, :1], nets.offsets).fits()
    assert nets.probabilities(tokens_of([], 6)).shape == (0, 3)


def test_what_a_feature_does_alone_is_the_difference_to_the_constant_alone() -> None:
    nets = drawn_nets(1, 4, 2, 2)
    alone = nets.probabilities(tokens_of([[[0]]], 4))
    both = TokenVectors(np.array([0, 1]), np.array([0, 2]), np.array([0, 3], np.int32), np.ones(2, np.float32), 4)
    at_half = TokenVectors(np.array([0, 1]), np.array([0, 1]), np.array([0], np.int32), np.ones(1, np.float32), 4)
    odds = [np.log(p / (1 - p))[0] for p in (nets.probabilities(both), nets.probabilities(at_half))]
    np.testing.assert_allclose(nets.gains()[3], odds[0] - odds[1], atol=1e-9)
    assert alone.shape == (1, 2)
    assert nets.gains()[0].tolist() == [0, 0]


def first_word_decides(n: int, seed: int) -> tuple[TokenVectors, NDArray[np.int32]]:
    """Sentences whose first word says which of two labels the others have: too far away for a chain of pairs."""
    draw = np.random.default_rng(seed)
    table, labels, offsets = [], [], [0]
    for _ in range(n):
        words = draw.integers(1, 7, draw.integers(3, 9))
        table += words.tolist()
        labels += [int(words[0] % 2) ^ int(word > 3) for word in words]
        offsets.append(len(table))
    columns = np.array([[0, word] for word in table], dtype=np.int32)
    return TokenVectors.of_table(columns, np.array(offsets), 7), np.array(labels, dtype=np.int32)


def test_nets_learn_what_the_first_word_says_of_the_last() -> None:
    pytest.importorskip("jax", reason="training needs JAX")
    train, gold = first_word_decides(256, 1)
    test, truth = first_word_decides(100, 2)
    nets = fit_blstm(train, gold, 2, n_nets=2, units=8, epochs=20, rate=0.04, dropout=0.0, seed=3)
    right = [(labeller.probabilities(test).argmax(axis=1) == truth).mean() for labeller in (nets, nets.net(0))]
    assert min(right) > 0.95
    chain = fit_crf(train, gold, 2, rate=0.1, epochs=30)
    assert (chain.probabilities(test).argmax(axis=1) == truth).mean() < 0.8
    again = fit_blstm(train, gold, 2, n_nets=2, units=8, epochs=1, dropout=0.0, seed=3)
    other = fit_blstm(train, gold, 2, n_nets=2, units=8, epochs=1, dropout=0.0, seed=3)
    assert np.array_equal(again.vectors, other.vectors)
    assert not np.array_equal(again.vectors[0], again.vectors[1])


def test_without_jax_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    train, gold = first_word_decides(4, 1)
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(NotAvailable, match=r"needs the package jax.*dragoman\[neural\]"):
        fit_blstm(train, gold, 2)
