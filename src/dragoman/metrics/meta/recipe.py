"""How metrics are held against people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from dragoman.errors import DataError
from dragoman.metrics.meta.inputs import SYSTEM_SCORES, MetaLevel
from dragoman.metrics.meta.segment import DARR_THRESHOLD, GROUPS
from dragoman.options import Recipe, option
from dragoman.stats.arrays import check_level

__all__ = ["MetaRecipe"]


@dataclass(frozen=True)
class MetaRecipe(Recipe):
    """Measures of agreement, tests between metrics, and which metrics are errors.

    More is better for people. A metric in `lower_is_better`, or one of this package that is an error rate, has its
    scores negated, unless `higher_is_better` says otherwise; `absolute` negates whichever correlates negatively, as WMT
    did by absolute values.
    """

    level: MetaLevel | None = option(
        None, choices=("sys", "seg"), text="systems or segments; told by the files if not given"
    )
    by: str | None = option(None, text="measure that orders and tests: pearson, spearman, kendall, accuracy, …")
    variant: str | None = option(None, text="segment-level τ of WMT, wmt10 to wmt20; wmt14 if not given")
    group: str = option(
        "none",
        choices=GROUPS,
        text="correlations of direct assessments over all translations, or as means over segments or systems",
    )
    method: str = option("expected-wins", choices=tuple(SYSTEM_SCORES), text="how rankings become scores of systems")
    lower_is_better: tuple[str, ...] = option((), text="an error metric")
    higher_is_better: tuple[str, ...] = option((), text="no error metric, in spite of its name")
    absolute: bool = option(False, text="negate metrics that correlate negatively, whatever they are")
    threshold: float = option(DARR_THRESHOLD, text="with a variant, direct assessments so many points apart are a pair")
    correction: str = option(
        "none", choices=("none", "holm", "bh"), text="correction for the number of pairs of metrics"
    )
    df: str = option(
        "n-3",
        choices=("n-3", "n-2"),
        text="degrees of freedom of Williams' test; n-2 gives the numbers of R before 2015",
    )
    alpha: float = option(0.05, text="level of the tests and clusters")
    confidence: float = option(0.95, text="coverage of intervals")
    trials: int = option(1000, low=1, text="draws of tests and intervals")
    seed: int = option(12345, low=0, text="seed of all draws")

    def check(self) -> Self:
        """Return the recipe if every option keeps its rule."""
        check_level(self.alpha, "alpha")
        check_level(self.confidence, "confidence")
        contrary = sorted(set(self.lower_is_better) & set(self.higher_is_better))
        if contrary:
            raise DataError(f"{', '.join(contrary)} cannot be better both ways.")
        return super().check()
