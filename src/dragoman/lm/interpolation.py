"""Weights with which several language models, made one (`Interpolation`), make a text most probable."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from dragoman.errors import DataError
from dragoman.lm.mixture import mixture_weights
from dragoman.lm.model import Interpolation, LanguageModel

__all__ = ["learn_weights"]


def learn_weights(
    models: Sequence[LanguageModel], lines: Sequence[str], *, method: str = "linear", n_threads: int = 1
) -> tuple[float, ...]:
    """The weights that make a tokenised text most probable.

    Linear ones by expectation maximisation. Log-linear ones by steps along one weight at a time, halved from 0.25 down
    to 0.02: the likelihood is concave in them. Each step builds the combined model, which takes time with large ones.
    """
    if method == "linear":
        return mixture_weights(models, lines, n_threads=n_threads).weights
    if not models or not lines:
        raise DataError("Weights are learnt from at least one model and one sentence.")

    def likelihood(weights: Sequence[float]) -> float:
        whole = Interpolation(weights=tuple(weights), method=method).combine(models)
        return float(whole.score(lines, n_threads=n_threads).sum())

    weights = [1 / len(models)] * len(models)
    best = likelihood(weights)
    step = 0.25
    while step > 0.02:
        before = best
        for i, sign in product(range(len(weights)), (1, -1)):
            trial = [max(0.0, each + sign * step) if k == i else each for k, each in enumerate(weights)]
            value = likelihood(trial)
            if value > best:
                best, weights = value, trial
        if best == before:
            step /= 2
    return tuple(weights)
