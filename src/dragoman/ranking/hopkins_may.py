"""Hopkins & May's model: noisy qualities, compared up to a radius within which they tie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.options import option
from dragoman.ranking.abilities import fit_abilities
from dragoman.ranking.base import CountMethod, Floats

__all__ = ["HopkinsMay"]


@dataclass(frozen=True)
class HopkinsMay(CountMethod):
    """Abilities of noisy qualities that tie within a radius (Hopkins & May 2013), with WMT 2014's settings.

    The quality of an output is drawn around its system's ability, and seen by a judge with further noise; the better
    one is preferred when they are more than the radius apart. Summing the noise out leaves an ordered probit on the
    counts, whose maximum is found exactly where the paper samples. Abilities are centred at 0.
    """

    name: ClassVar[str] = "hopkins-may"
    label: ClassVar[str] = "Hopkins–May"

    radius: float = option(0.5, low=0.0, text="differences of quality below it are ties (0: ties are ignored)")
    sd_quality: float = option(0.5, low=0.0, text="of a system's outputs around its ability")
    sd_judging: float = option(1.0, low=1e-6, text="of what a judge sees around the quality")
    sd_ability: float = option(1.0, low=1e-3, text="of abilities before any judgement")

    def from_counts(self, wins: Floats, ties: Floats, *, seed: int = 1, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """The abilities."""
        from scipy.special import log_ndtr

        scale = np.sqrt(2 * (self.sd_quality**2 + self.sd_judging**2))
        radius = self.radius / scale
        lost = np.swapaxes(wins, -1, -2)
        tied = ties if radius > 0 else np.zeros_like(ties)

        def win(x: Floats) -> tuple[Floats, Floats]:
            # φ(x)/Φ(x) by logarithms: both vanish far below 0.
            ratio = np.exp(-0.5 * x * x - 0.5 * np.log(2 * np.pi) - log_ndtr(x))
            return ratio, -ratio * (ratio + x)

        def tie(x: Floats) -> tuple[Floats, Floats]:
            upper, lower = radius - x, -radius - x
            # log(Φ(upper) − Φ(lower)), taken on the side where the two are small: no difference of two near ones.
            low, high = np.where(x > 0, lower, -upper), np.where(x > 0, upper, -lower)
            log_z = log_ndtr(high) + np.log(-np.expm1(np.minimum(log_ndtr(low) - log_ndtr(high), -1e-300)))
            at_upper = np.exp(-0.5 * upper * upper - 0.5 * np.log(2 * np.pi) - log_z)
            at_lower = np.exp(-0.5 * lower * lower - 0.5 * np.log(2 * np.pi) - log_z)
            slope = at_lower - at_upper
            return slope, lower * at_lower - upper * at_upper - slope * slope

        def slopes(differences: Floats) -> tuple[Floats, Floats]:
            x = differences / scale
            won_1, won_2 = win(x - radius)
            lost_1, lost_2 = win(-x - radius)
            first, second = wins * won_1 - lost * lost_1, wins * won_2 + lost * lost_2
            if radius > 0:
                tied_1, tied_2 = tie(x)
                first, second = first + tied * tied_1, second + tied * tied_2
            return first / scale, second / scale**2

        return fit_abilities(slopes, wins.shape[:-1], self.sd_ability**2)
