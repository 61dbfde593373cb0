"""Several language models as one: a weighted sum of their probabilities, with weights learnt from a text (EM)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.lm.model import LanguageModel
from dragoman.lm.weights import check_weights

__all__ = ["Mixture", "mixture_weights"]


@dataclass(frozen=True)
class Mixture:
    """p(word | past) = Σ weight_i · p_i(word | past), word by word (linear interpolation).

    Words that one model knows and another does not share the other's p(<unk>) evenly with `<unk>` itself, so that the
    probabilities of all words of all models add up to one.
    """

    models: tuple[LanguageModel, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        check_weights(self.weights, len(self.models), total=1.0)

    def score(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """log10 of the probability of each line, as a whole sentence unless `bos` or `eos` says otherwise."""
        p, offsets = _probabilities(self.models, lines, bos=bos, eos=eos, n_threads=n_threads)
        sums = np.concatenate([[0.0], np.cumsum(np.log10(p @ np.asarray(self.weights)))])
        return np.diff(sums[offsets])


def mixture_weights(
    models: Sequence[LanguageModel],
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
    p, _ = _probabilities(models, lines, bos=True, eos=True, n_threads=n_threads)
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


def _probabilities(
    models: Sequence[LanguageModel], lines: Sequence[str], *, bos: bool, eos: bool, n_threads: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Of every token under every model, and the offsets of the lines."""
    scored = [model.score_tokens(lines, bos=bos, eos=eos, n_threads=n_threads) for model in models]
    vocabularies = [set(model.words()) for model in models]
    n_words = len(set().union(*vocabularies))
    columns = []
    for each, vocabulary in zip(scored, vocabularies, strict=True):
        p = 10.0 ** each.log_p.astype(np.float64)
        p[each.unknown] /= n_words - len(vocabulary) + 1
        columns.append(p)
    return np.stack(columns, axis=1), scored[0].offsets
