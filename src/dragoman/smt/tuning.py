"""How an engine's weights are tuned."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.options import Recipe, option

__all__ = ["Tuning"]


@dataclass(frozen=True)
class Tuning(Recipe):
    """Which tuner, on which metric, how often. Without a tuning set, or with the method `none`, weights stay as set."""

    method: str = option("mira", text="a tuner, perhaps with options (mert:starts=5), or none")
    metric: str = option(
        "bleu:tokeniser=none",
        text="what is made better, on tokens in true case: an additive metric, or a weighted sum (bleu+-1*ter)",
    )
    seeds: tuple[int, ...] = option((1,), text="once for each seed; the best on the tuning set is kept")
    n_best: int = option(100, low=1, text="translations of each sentence that a round looks at")
    pop_limit: int = option(200, low=1, text="hypotheses of each stack while tuning")
    held_out: float = option(0.0, low=0, high=0.9, text="share of the tuning set that only decides what is kept")
