"""Several language models as one: a weighted sum of their probabilities, with weights learnt from a text (EM)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.lm.model import LanguageModel

__all__ = ["Mixture", "mixture_weights"]


@dataclass(frozen=True)
class Mixture:
    """p(word | past) = Σ weight_i · p_i(word | past), word by word (linear interpolation)."""

    models: tuple[LanguageModel, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.models) != len(self.weights) or not self.models:
            raise DataError(
                f"A mixture needs one weight for each model, got {len(self.weights)} for {len(self.models)}."
            )
        if min(self.weights) < 0 or abs(sum(self.weights) - 1) > 1e-6:
            raise DataError(f"The weights of a mixture are positive and add up to 1, got {list(self.weights)}.")

    def score(self, lines: Sequence[str], *, n_threads: int = 1) -> NDArray[np.float64]:
        """log10 of the probability of each line as a whole sentence."""
        p, offsets = _probabilities(self.models, lines, n_threads)
        log_p = np.log10(p @ np.asarray(self.weights))
        return np.add.reduceat(log_p, offsets[:-1]) if len(offsets) > 1 else np.zeros(0)


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
    p, _ = _probabilities(models, lines, n_threads)
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
    models: Sequence[LanguageModel], lines: Sequence[str], n_threads: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Of every token under every model, and the offsets of the lines."""
    scored = [model.score_tokens(lines, n_threads=n_threads) for model in models]
    return np.stack([10.0 ** each.log_p.astype(np.float64) for each in scored], axis=1), scored[0].offsets
