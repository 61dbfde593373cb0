"""Linear chains against all labellings, one by one."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from dragoman.errors import DataError
from dragoman.learn.chain import Chain, TokenVectors, fit_crf, fit_perceptron

K = 2


def score(chain: Chain, table: np.ndarray, labels: tuple[int, ...]) -> float:
    total = chain.transitions[-1, labels[0]]
    total += sum(chain.transitions[a, b] for a, b in pairwise(labels))
    return float(total + sum(chain.emissions[row, label].sum() for row, label in zip(table, labels, strict=True)))


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, Chain, int]:
    k = draw(st.integers(1, 3))
    lengths = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    seed = draw(st.integers(0, 1000))
    chance = np.random.default_rng(seed)
    sentences = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    table = chance.integers(0, 5, (sentences[-1], 2)).astype(np.int32)
    return sentences, table, Chain(chance.normal(size=(5, k)), chance.normal(size=(k + 1, k))), k


@given(problems(), st.sampled_from([1, 2, 7]))
def test_probabilities_and_margins_are_those_of_all_labellings(
    problem: tuple[np.ndarray, np.ndarray, Chain, int], n_threads: int
) -> None:
    sentences, table, chain, k = problem
    vectors = TokenVectors.of_table(table, sentences, 5)
    p, best = chain.probabilities(vectors, n_threads=n_threads), chain.margins(vectors, n_threads=n_threads)
    for begin, end in pairwise(sentences):
        if begin == end:
            continue
        every = list(product(range(k), repeat=int(end - begin)))
        scores = np.array([score(chain, table[begin:end], labels) for labels in every])
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        for t in range(end - begin):
            for y in range(k):
                with_y = np.array([labels[t] == y for labels in every])
                assert p[begin + t, y] == pytest.approx(shares[with_y].sum(), abs=1e-9)
                assert best[begin + t, y] == pytest.approx(scores[with_y].max(), abs=1e-9)


def sample(n_sentences: int = 40, noise: float = 1.0) -> tuple[TokenVectors, np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(3)
    sentences = np.concatenate([[0], np.cumsum(chance.integers(1, 6, n_sentences))]).astype(np.int64)
    table = chance.integers(0, 8, (sentences[-1], 2)).astype(np.int32)
    truth = chance.normal(size=(8, K))
    labels = (truth[table].sum(axis=1) + noise * chance.normal(size=(len(table), K))).argmax(axis=1).astype(np.int32)
    return TokenVectors.of_table(table, sentences, 8), labels, table, sentences


def test_a_crf_comes_near_the_optimum_that_an_optimiser_finds() -> None:
    vectors, labels, table, sentences = sample()
    penalty = 0.02

    def loss(weights: np.ndarray) -> float:
        chain = Chain(weights[: 8 * K].reshape(8, K), weights[8 * K :].reshape(K + 1, K))
        total = 0.0
        for begin, end in pairwise(sentences):
            every = np.array([score(chain, table[begin:end], y) for y in product(range(K), repeat=int(end - begin))])
            total += every.max() + np.log(np.exp(every - every.max()).sum())
            total -= score(chain, table[begin:end], tuple(labels[begin:end]))
        return total / len(vectors) + penalty / 2 * float(weights @ weights)

    optimum = minimize(loss, np.zeros(8 * K + (K + 1) * K), method="L-BFGS-B").fun
    found = fit_crf(vectors, labels, K, epochs=100, rate=1.0, penalty=penalty)
    assert loss(np.concatenate([found.emissions.ravel(), found.transitions.ravel()])) < optimum * 1.005


@pytest.mark.parametrize("fit", [fit_crf, fit_perceptron])
def test_what_can_be_told_apart_is_learnt_and_the_same_for_one_seed(fit: object) -> None:
    vectors, labels, _, _ = sample(noise=0.0)
    chain = fit(vectors, labels, K, epochs=60, seed=2)  # type: ignore[operator]
    again = fit(vectors, labels, K, epochs=60, seed=2)  # type: ignore[operator]
    assert np.array_equal(chain.emissions, again.emissions)
    assert (chain.margins(vectors).argmax(axis=1) == labels).mean() > 0.97


def test_sentences_can_be_taken_out() -> None:
    vectors, _, _, sentences = sample()
    chain = Chain(np.random.default_rng(1).normal(size=(8, K)), np.zeros((K + 1, K)))
    whole = chain.probabilities(vectors)
    some = chain.probabilities(vectors.take([5, 2]))
    expected = [whole[sentences[s] : sentences[s + 1]] for s in (5, 2)]
    np.testing.assert_array_equal(some, np.concatenate(expected))


def test_what_does_not_fit_is_refused() -> None:
    vectors, labels, _, _ = sample()
    with pytest.raises(DataError, match="There is no label 1"):
        fit_crf(vectors, labels, 1)
    with pytest.raises(DataError, match="one label for each token"):
        fit_crf(vectors, labels[:-1], K)
    with pytest.raises(DataError, match="There is no feature"):
        Chain(np.zeros((3, K)), np.zeros((K + 1, K))).probabilities(vectors)
