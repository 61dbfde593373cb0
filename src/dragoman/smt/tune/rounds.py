"""A round of tuning: weights, and what came of decoding with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.smt.tune.objective import Objective
from dragoman.smt.tune.pool import Decode, Vector

__all__ = ["Round", "best_round", "measure"]


@dataclass(frozen=True)
class Round:
    """The weights at the beginning of a round, and what came of decoding with them."""

    number: int  # from 0, the start
    value: float  # of the metric, on the tuning set
    predicted: float | None  # what the tuner expected of these weights, on the lists it had
    held_out: float | None  # of the metric, on segments that were not tuned on
    length_ratio: float  # words of the output by words of a mean reference
    candidates: float  # in a segment's list, all rounds merged
    new: int  # candidates that no earlier round had
    oracle: float | None  # the metric, were the best candidate of each segment chosen
    change: float  # largest change of a weight since the round before; weights have absolute values that sum to 1
    seconds: float
    weights: tuple[float, ...]


def measure(decode: Decode, objective: Objective, weights: Vector) -> float:
    """The gain of a decoder's best translations."""
    lists = decode(weights)
    best = [lists.texts[first] for first in lists.offsets[:-1]]
    return objective.gain(objective.rows(np.arange(len(objective)), best).sum(axis=0))


def best_round(rounds: Sequence[Round], *, higher_is_better: bool) -> int:
    """The round with the best value, on held-out segments where there are any; the first of equals."""
    sign = 1 if higher_is_better else -1
    values = [sign * (each.value if each.held_out is None else each.held_out) for each in rounds]
    return int(np.argmax(values))
