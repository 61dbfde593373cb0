"""How an engine's weights are tuned while it is trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dragoman.options import Recipe, option

if TYPE_CHECKING:
    from dragoman.report import Progress
    from dragoman.smt.engine import Engine
    from dragoman.smt.tune import Tunings

__all__ = ["Tuning"]


@dataclass(frozen=True)
class Tuning(Recipe):
    """Which tuner, on which metric, how often. Without a tuning set, or with the method `none`, weights stay as set."""

    method: str = option("mira", text="a tuner, perhaps with options, or none")
    metric: str = option("bleu:tokeniser=none", text="what is made better: any additive metric, on tokens")
    seeds: tuple[int, ...] = option((1,), text="once for each seed; the best on the tuning set is kept")
    n_best: int = option(100, low=1, text="translations of each sentence that a round looks at")
    pop_limit: int = option(200, low=1, text="hypotheses of each stack while tuning")
    held_out: float = option(0.0, low=0, high=0.9, text="share of the tuning set that only decides what is kept")

    def tune(
        self,
        engine: Engine,
        srcs: Sequence[str],
        refs: Sequence[Sequence[str]],
        *,
        n_threads: int = 1,
        progress: Progress | None = None,
    ) -> Tunings:
        """Tune an engine's weights on raw text and its references."""
        from dragoman.smt.tune import tune_engine  # which imports engines, and they their recipe

        self.check()
        return tune_engine(
            engine,
            srcs,
            list(refs),
            method=self.method,
            metric=self.metric,
            seeds=self.seeds,
            n_best=self.n_best,
            pop_limit=self.pop_limit,
            held_out=self.held_out,
            n_threads=n_threads,
            progress=progress,
        )
