"""Several language models as one: a weighted sum of their probabilities, with weights learnt from a text (EM)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.lm.model import ScoredTokens
from dragoman.lm.weights import check_weights

__all__ = ["Mixture", "WordModel", "mixture_weights"]


class WordModel(Protocol):
    """A model of words: of n-grams, of classes, a net."""

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""

    def words(self) -> list[str]:
        """The vocabulary."""

    def score_tokens(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> ScoredTokens:
        """log10 of the probability of every token."""


@dataclass(frozen=True)
class Mixture:
    """p(word | past) = Σ weight_i · p_i(word | past), word by word (linear interpolation).

    Words that one model knows and another does not share the other's p(<unk>) evenly with `<unk>` itself, so that the
    probabilities of all words of all models add up to one.
    """

    models: tuple[WordModel, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        check_weights(self.weights, len(self.models), total=1.0)

    @property
    def order(self) -> int:
        """The length of the longest n-grams of any model."""
        return max(model.order for model in self.models)

    def score_tokens(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> ScoredTokens:
        """Token by token; unknown is what no model knows, and the longest n-gram that any of them found counts."""
        scored = _scored(self.models, lines, bos=bos, eos=eos, n_threads=n_threads)
        log_p = np.log10(_probabilities(self.models, scored) @ np.asarray(self.weights))
        n_matched = np.maximum.reduce([each.n_matched for each in scored])
        unknown = np.logical_and.reduce([each.unknown for each in scored])
        return ScoredTokens(log_p.astype(np.float32), n_matched, unknown, scored[0].offsets, ends=eos)

    def score(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """log10 of the probability of each line, as a whole sentence unless `bos` or `eos` says otherwise."""
        scored = _scored(self.models, lines, bos=bos, eos=eos, n_threads=n_threads)
        log_p = np.log10(_probabilities(self.models, scored) @ np.asarray(self.weights))
        return np.diff(np.concatenate([[0.0], np.cumsum(log_p)])[scored[0].offsets])


def mixture_weights(
    models: Sequence[WordModel],
    lines: Sequence[str],
    *,
    tolerance: float = 1e-7,
    max_rounds: int = 1000,
    n_threads: int = 1,
) -> Mixture:
    """The mixture that makes a text most probable, by expectation maximisation from equal weights.

    It stops when a round gains less than `tolerance` in log-likelihood per token (natural logarithm).
    """
    if not models:
        raise DataError("A mixture needs at least one model.")
    p = _probabilities(models, _scored(models, lines, bos=True, eos=True, n_threads=n_threads))
    if not len(p):
        raise DataError("There is no sentence to learn the weights of a mixture from.")
    weights = np.full(len(models), 1 / len(models))
    before = -np.inf
    for _ in range(max_rounds):
        shares = p * weights
        totals = shares.sum(axis=1, keepdims=True)
        likelihood = float(np.log(totals).mean())
        if likelihood - before < tolerance:
            break
        before = likelihood
        weights = (shares / totals).mean(axis=0)
    return Mixture(tuple(models), tuple((weights / weights.sum()).tolist()))


def _scored(
    models: Sequence[WordModel], lines: Sequence[str], *, bos: bool, eos: bool, n_threads: int
) -> list[ScoredTokens]:
    return [model.score_tokens(lines, bos=bos, eos=eos, n_threads=n_threads) for model in models]


def _probabilities(models: Sequence[WordModel], scored: Sequence[ScoredTokens]) -> NDArray[np.float64]:
    """Of every token under every model."""
    vocabularies = [set(model.words()) for model in models]
    n_words = len(set().union(*vocabularies))
    columns = []
    for each, vocabulary in zip(scored, vocabularies, strict=True):
        p = 10.0 ** each.log_p.astype(np.float64)
        p[each.unknown] /= n_words - len(vocabulary) + 1
        columns.append(p)
    return np.stack(columns, axis=1)
