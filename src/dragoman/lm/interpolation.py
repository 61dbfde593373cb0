"""Several language models made one: a back-off model that holds the n-grams of all, to be saved and searched with.

Linear: Σ λ_i p_i. Log-linear: Π p_i^λ_i, normalised after every context (Heafield et al., ACL 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product

from dragoman import _core
from dragoman.errors import DataError
from dragoman.lm.mixture import check_weights, mixture_weights
from dragoman.lm.model import LanguageModel, Storage
from dragoman.options import option

__all__ = ["Interpolation", "learn_weights"]


@dataclass(frozen=True)
class Interpolation(Storage):
    """How to make one model of several."""

    weights: tuple[float, ...] = option((), text="one for each model; none: all alike")
    method: str = option("linear", choices=("linear", "log-linear"), text="sum or product of probabilities")

    def combine(self, models: Sequence[LanguageModel]) -> LanguageModel:
        """One back-off model of these, in memory. Weights of a linear interpolation add up to 1."""
        self.check_storage()
        if not models:
            raise DataError("An interpolation needs at least one model.")
        levels = {model.level for model in models}
        if len(levels) > 1:
            raise DataError(f"Models of {' and '.join(sorted(levels))} level cannot be made one.")
        weights = self.weights or (1 / len(models),) * len(models)
        check_weights(weights, len(models), total=1.0 if self.method == "linear" else None)
        # Pruned before it is quantised.
        storage = Storage().storage() if self.entropy else self.storage()
        core = _core.lm.interpolated(
            [model.core for model in models], list(weights), log_linear=self.method == "log-linear", **storage
        )
        if self.entropy:
            core = core.pruned(self.entropy, **self.storage())
        recipe = replace(self, weights=tuple(weights), level=levels.pop())
        data = {
            f"model {i}": sha256(repr(sorted(model.data.items())).encode()).hexdigest()
            for i, model in enumerate(models, start=1)
        }
        return LanguageModel(core, recipe, data=data)


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
            found = likelihood(trial)
            if found > best:
                best, weights = found, trial
        if best == before:
            step /= 2
    return tuple(weights)
