"""Generalised linear models: a distribution of the scores, a link from its mean to a weighted sum (McCullagh & Nelder).

HTER is a share: a straight line leaves 0 to 1, and its errors are smallest at the ends. The quasi-binomial model with
a logit link takes both into account (Papke & Wooldridge 1996). Seconds are positive, and their spread grows with their
mean: the gamma distribution with a logarithmic link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError, ModelError
from dragoman.learn.base import Job, Learner
from dragoman.learn.predictors import Predictor
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["FAMILIES", "LINKS", "GeneralisedLinear", "LinkedSum", "deviance", "inverse_link"]

LINKS = ("identity", "log", "logit", "probit", "cloglog")  # in the order that models name them by
FAMILIES = {
    "binomial": ("logit", "probit", "cloglog"),
    "gamma": ("log",),
    "gaussian": ("identity", "log"),
    "poisson": ("log",),
}  # each with the links whose means it can have, the usual one first
_ETA = 30.0  # sums beyond change no mean
_EDGE = 1e-10  # means of shares keep that far from 0 and 1
_STEPS = 50


@dataclass(eq=False)
class LinkedSum(Predictor):
    """The mean of a generalised linear model: g⁻¹(Σ wx + b), from the scale of its scores to standardised ones."""

    form: ClassVar[str] = "linked-sum"

    weights: Floats
    intercept: Floats
    link: NDArray[np.int64]  # place in `LINKS`
    low: Floats  # of the scale that shares are of
    width: Floats
    mean: Floats  # what scores are standardised by
    spread: Floats

    def predict(self, x: Floats) -> Floats:
        """Standardised means."""
        means, _ = inverse_link(LINKS[int(self.link)], x @ self.weights + self.intercept)
        scores: Floats = (self.low + self.width * means - self.mean) / self.spread
        return scores

    def check(self, n_features: int) -> None:
        """The link must be one of those known."""
        if self.link.shape != () or not 0 <= int(self.link) < len(LINKS):
            raise ModelError("A generalised linear model names a link that is not known.")
        super().check(n_features)

    def size(self) -> dict[str, int]:
        """The weights that are not 0."""
        return {"weights": int(np.count_nonzero(self.weights))}


@dataclass(frozen=True)
class GeneralisedLinear(Learner):
    """A generalised linear model, by Fisher scoring with a penalty on squared weights; needs no further package.

    Minimised is D/2n + αv|w|²/2: D the deviance of n sentences, v the weight that scoring gives a sentence at the mean
    score, so that α means the same whatever the family. With `gaussian` and `identity` this is `ridge`.
    """

    name: ClassVar[str] = "glm"
    grid: ClassVar[tuple[str, ...]] = ("alpha",)

    family: str = option(
        "binomial",
        choices=tuple(FAMILIES),
        text="distribution of the scores: shares between two ends, positive with a spread like their mean, any, counts",
    )
    link: str = option("", choices=("", *LINKS), text="from the mean to the sum; empty for the family's usual one")
    low: float = option(0.0, text="binomial: the least score there is")
    high: float = option(1.0, text="binomial: the highest score there is")
    alpha: tuple[float, ...] = option((3.0, 1.0, 0.3, 0.1, 0.01, 0.001), text="penalties to try")

    def __post_init__(self) -> None:
        super().__post_init__()
        known = FAMILIES.get(self.family, LINKS)
        if self.link and self.link not in known:
            raise DataError(f"The link {self.link!r} does not suit {self.family} scores. Known: {', '.join(known)}.")
        if self.low >= self.high:
            raise DataError(f"The scale of scores goes from {self.low:g} to {self.high:g}; low must lie below high.")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:
        """The weights for scores as they are, before they were standardised."""
        shares = self.family == "binomial"
        low, width = (self.low, self.high - self.low) if shares else (0.0, 1.0)
        values = (y * job.spread + job.mean - low) / width
        self._check_scores(values, y * job.spread + job.mean)
        values = np.clip(values, 0.0, 1.0) if shares else values
        link = self.link or FAMILIES[self.family][0]
        weights, intercept = score(x, values, self.family, link, setting["alpha"])
        numbers = (np.array(float(each)) for each in (low, width, job.mean, job.spread))
        return LinkedSum(weights, np.array(intercept), np.array(LINKS.index(link)), *numbers)

    def _check_scores(self, values: Floats, scores: Floats) -> None:
        """Raise where the distribution cannot have a score; standardising leaves a rounding of its own."""
        tiny = 1e-9
        if self.family == "binomial":
            wrong, told = (values < -tiny) | (values > 1 + tiny), f"from {self.low:g} to {self.high:g}"
        elif self.family == "gamma":
            wrong, told = values <= tiny, "above 0"
        elif self.family == "poisson" or (self.link == "log"):
            wrong, told = values < -tiny, "from 0 on"
        else:
            return
        if wrong.any():
            raise DataError(
                f"{int(wrong.sum())} of {len(scores)} scores, such as {scores[wrong][0]:g}, are none "
                f"of a {self.family} model: these lie {told}. Say the ends of the scale (glm:low=1,high=5), or "
                "another family."
            )


def inverse_link(link: str, eta: Floats) -> tuple[Floats, Floats]:
    """The means of sums, and how fast they grow with them."""
    from scipy.special import expit, ndtr

    if link == "identity":
        return eta, np.ones_like(eta)
    eta = np.clip(eta, -_ETA, _ETA)
    if link == "log":
        means = np.exp(eta)
        return means, means
    if link == "logit":
        raw = expit(eta)
        slopes = raw * (1 - raw)
    elif link == "probit":
        raw = ndtr(eta)
        slopes = np.exp(-np.square(eta) / 2) / np.sqrt(2 * np.pi)
    else:
        raw = -np.expm1(-np.exp(eta))
        slopes = np.exp(eta - np.exp(eta))
    return np.clip(raw, _EDGE, 1 - _EDGE), np.maximum(slopes, _EDGE)


def deviance(family: str, y: Floats, mean: Floats) -> float:
    """Twice what the log-likelihood lacks to that of means equal to the scores."""
    from scipy.special import xlogy

    if family == "gaussian":
        return float(np.square(y - mean).sum())
    if family == "binomial":
        return float(2 * (xlogy(y, y / mean) + xlogy(1 - y, (1 - y) / (1 - mean))).sum())
    if family == "gamma":
        return float(2 * ((y - mean) / mean - np.log(y / mean)).sum())
    return float(2 * (xlogy(y, y / mean) - (y - mean)).sum())


def _variance(family: str, mean: Floats) -> Floats:
    if family == "gaussian":
        return np.ones_like(mean)
    powers = {"binomial": mean * (1 - mean), "gamma": np.square(mean), "poisson": mean}
    return powers[family]


def score(x: Floats, y: Floats, family: str, link: str, alpha: float) -> tuple[Floats, float]:
    """Weights and intercept by Fisher scoring; a step that does not help is halved."""
    n, width = len(x), int(x.shape[1])
    design = np.column_stack([np.ones(n), x])
    centre = np.array([_first_sum(link, float(y.mean()))])
    at_mean, slope = inverse_link(link, centre)
    penalty = alpha * float(slope[0] ** 2 / _variance(family, at_mean)[0]) * np.append(0.0, np.ones(width))

    def loss(theta: Floats) -> float:
        means = inverse_link(link, design @ theta)[0]
        return deviance(family, y, means) / (2 * n) + float(penalty @ np.square(theta)) / 2

    theta = np.append(centre, np.zeros(width))
    value = loss(theta)
    for _ in range(_STEPS):
        mean, slopes = inverse_link(link, design @ theta)
        variance = _variance(family, mean)
        gradient = design.T @ ((y - mean) * slopes / variance) / n - penalty * theta
        weighted = design * (np.square(slopes) / variance)[:, np.newaxis]
        step = np.linalg.solve(design.T @ weighted / n + np.diag(penalty), gradient)
        size = 1.0
        while (moved := loss(theta + size * step)) > value and size > 1e-6:
            size /= 2
        if moved > value:
            break
        theta, gained, value = theta + size * step, value - moved, moved
        if gained <= 1e-12 * max(1.0, abs(value)):
            break
    return theta[1:], float(theta[0])


def _first_sum(link: str, mean: float) -> float:
    """The sum whose mean is that of the scores."""
    from scipy.special import logit, ndtri

    if link == "identity":
        return mean
    if link == "log":
        return float(np.log(max(mean, _EDGE)))
    share = min(max(mean, 1e-3), 1 - 1e-3)
    sums = {"logit": logit(share), "probit": ndtri(share), "cloglog": np.log(-np.log1p(-share))}
    return float(sums[link])
