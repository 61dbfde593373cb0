"""How much each feature moves a prediction: parts that add up to it."""

from __future__ import annotations

import numpy as np

from dragoman.learn.predictors import Linear, Predictor
from dragoman.learn.preparation import Preparation
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["contributions"]


def contributions(
    predictor: Predictor, preparation: Preparation, x: Floats, usual: Floats, *, seed: int, n_orders: int
) -> tuple[Floats, float, str]:
    """How much each raw feature moves the standardised prediction away from that of a usual sentence.

    Exact where the model is a weighted sum of scaled features. Otherwise Shapley values by drawn orders (Štrumbelj &
    Kononenko 2014), each order taken forwards and backwards: features change from usual to actual one after the other,
    so every order's steps, and hence their mean, add up to the whole change.
    """
    used = np.flatnonzero(preparation.used)
    base = float(predictor.predict(preparation.apply(usual[np.newaxis]))[0])
    parts = np.zeros(x.shape)
    if isinstance(predictor, Linear):
        weights = predictor.weights if preparation.components is None else preparation.components @ predictor.weights
        parts[:, used] = (preparation.scaled(x) - preparation.scaled(usual[np.newaxis])) * weights
        return parts, base, "Exact: the model is a weighted sum."
    for number in range(n_orders):
        order = used[Stream(seed, f"explanation {number}").permutation(len(used))]
        for direction in (order, order[::-1]):
            state = np.tile(usual, (len(x), 1))
            before = np.full(len(x), base)
            for feature in direction:
                state[:, feature] = x[:, feature]
                after = predictor.predict(preparation.apply(state))
                parts[:, feature] += after - before
                before = after
    return parts / (2 * n_orders), base, f"Shapley values from {2 * n_orders} orders of the features."
