"""The decision between OK and errors: parts of a cross-validation, and the weight of OK that is best there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.qe.confusion import OK, confusion_rows, word_measures
from dragoman.rng import Stream
from dragoman.stats.arrays import Floats

__all__ = ["best_weight", "deal_sentences", "decide"]


def deal_sentences(sources: Sequence[str], n_folds: int, seed: int) -> NDArray[np.int64]:
    """A part for each sentence; sentences of one source are in one part."""
    different = list(dict.fromkeys(sources))
    if len(different) < n_folds:
        raise DataError(f"{len(different)} different sources cannot be dealt into {n_folds} parts. Lower n_folds.")
    order = Stream(seed, "word folds").permutation(len(different))
    part = {different[place]: number % n_folds for number, place in enumerate(order.tolist())}
    return np.array([part[source] for source in sources], dtype=np.int64)


def decide(p: Floats, classes: Sequence[str], ok_weight: float) -> NDArray[np.int64]:
    """The number of each token's label: the most probable once P(OK) is weighed."""
    weighed = p * np.array([ok_weight if label == OK else 1.0 for label in classes])
    return np.asarray(np.argmax(weighed, axis=1), dtype=np.int64) if len(p) else np.zeros(0, dtype=np.int64)


def best_weight(
    p: Floats, labels: Sequence[Sequence[str]], classes: tuple[str, ...], criterion: str
) -> tuple[float, dict[str, float]]:
    """The weight of OK under which held-out decisions are best, and what is measured there."""
    measure = word_measures(classes)[criterion]
    ok = classes.index(OK)
    other = np.delete(p, ok, axis=1).max(axis=1)
    ratio = np.log(np.maximum(other, 1e-20)) - np.log(np.maximum(p[:, ok], 1e-20))
    best, value = 1.0, -np.inf
    # Decisions change where a token's ratio is passed: quantiles of the ratios are all that is worth trying.
    # Errors may be rare (of gaps, one in forty), so the upper end is looked at closely.
    shares = np.concatenate([np.linspace(0.02, 0.9, 60), 1 - np.geomspace(0.1, 0.001, 60)])
    for weight in np.exp(np.unique(np.quantile(ratio, shares))).tolist():
        decided = decide(p, classes, weight)
        reached = float(measure(_counts(decided, labels, classes))[0])
        if reached > value + 1e-12:
            best, value = weight, reached
    decided = decide(p, classes, best)
    rows = _counts(decided, labels, classes)
    return best, {name: float(each(rows)[0]) for name, each in word_measures(classes).items()}


def _counts(numbers: NDArray[np.int64], labels: Sequence[Sequence[str]], classes: tuple[str, ...]) -> Floats:
    flat = [[label for each in labels for label in each]]
    return confusion_rows(flat, [[classes[number] for number in numbers.tolist()]], classes)
