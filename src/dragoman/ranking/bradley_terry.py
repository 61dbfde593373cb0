"""Bradley–Terry: the chance to win is the logistic function of a difference of abilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.options import option
from dragoman.ranking.abilities import fit_abilities
from dragoman.ranking.base import CountMethod, Floats

__all__ = ["BradleyTerry"]


@dataclass(frozen=True)
class BradleyTerry(CountMethod):
    """Abilities of which p(i beats j) = 1 / (1 + e^(θ_j − θ_i)) is most likely (Bradley & Terry 1952).

    A tie counts as half a win for each, or not at all. A wide normal prior keeps the ability of a system that never
    lost finite. Abilities are centred at 0.
    """

    name: ClassVar[str] = "bradley-terry"
    label: ClassVar[str] = "Bradley–Terry"

    ties: str = option("half", choices=("half", "ignore"), text="half a win for each, or ignore them")
    prior_sd: float = option(10.0, low=1e-3, text="standard deviation of abilities before any judgement")

    def from_counts(self, wins: Floats, ties: Floats, *, seed: int = 1, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """The abilities."""
        won = wins + ties / 2 if self.ties == "half" else wins
        games = won + np.swapaxes(won, -1, -2)

        def slopes(differences: Floats) -> tuple[Floats, Floats]:
            p = 1 / (1 + np.exp(-np.clip(differences, -700, 700)))
            return won - games * p, -games * p * (1 - p)

        return fit_abilities(slopes, wins.shape[:-1], self.prior_sd**2)
