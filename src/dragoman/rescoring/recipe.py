"""What is chosen when lists are rescored."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.rescoring.base import RESCORING_FEATURES
from dragoman.rescoring.tuning import fixed_list_tuner

__all__ = ["MODES", "Rescoring"]

# Which weights are tuned (Ganitkevitch et al., WMT 2012, on PRO): those of dense features; all; those of sparse ones,
# the dense as they are; those of dense ones and one number for all that sparse ones say.
MODES = ("dense", "joint", "sparse", "scale")


@dataclass(frozen=True)
class Rescoring(Recipe):
    """How lists are rescored: with which features, and how their weights are found."""

    features: tuple[str, ...] = option((), text="features to add, NAME:OPTIONS", of=RESCORING_FEATURES)
    agreement: tuple[str, ...] = option((), text="metrics by which candidates agree with all lists, as features")
    own: str = option("all", choices=("all", "score"), text="of the lists' own numbers: all, or engines' scores alone")
    tuners: tuple[str, ...] = option(("mira",), text="find the weights, one after the other: pro, then mert")
    metric: str = option("bleu", text="what is made better")
    mode: str = option("joint", choices=MODES, text="which weights: dense ones, all, sparse alone, dense and a scale")
    sparse_scale: float = option(1.0, low=0, text="in the mode sparse, what tuned weights are multiplied by")

    def check(self) -> Rescoring:
        """The recipe if features and tuners are there."""
        super().check()
        if not self.tuners:
            raise DataError("Rescoring needs a tuner, such as mira.")
        for spec in self.tuners:
            fixed_list_tuner(spec).check()
        for spec in self.features:
            RESCORING_FEATURES.make(spec).check()
        return self
