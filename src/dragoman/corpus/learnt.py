"""The scorers of pairs that we have: do the sides translate each other, and is it language as in the bitext."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.align.base import Aligner
from dragoman.align.ibm import Ibm1
from dragoman.artifact import Artifact
from dragoman.corpus.scorers import PairRecipe
from dragoman.lm import KneserNey, LanguageModel
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["LanguageModels", "Model1"]

_SIDES = ("source", "target")


@dataclass(frozen=True)
class Model1(PairRecipe):
    """Do the sides translate each other: IBM model 1's log-probability per word, the mean of both directions."""

    name: ClassVar[str] = "model1"
    kinds: ClassVar[Mapping[str, type[Artifact]]] = {"ibm1": Aligner}

    def learn(self, sources: Sequence[str], targets: Sequence[str], n_threads: int) -> dict[str, Artifact]:
        """The lexicons of both directions."""
        return {"ibm1": Ibm1().train(sources, targets, n_threads=n_threads)}

    def values(
        self, models: Mapping[str, Any], sources: Sequence[str], targets: Sequence[str], n_threads: int
    ) -> Floats:
        """Natural logarithms per word."""
        alignment = models["ibm1"].align(sources, targets, n_threads=n_threads)
        forward, backward = (
            np.asarray(each, dtype=np.float64) for each in (alignment.log_p_forward, alignment.log_p_backward)
        )
        values: Floats = (forward / _lengths(targets) + backward / _lengths(sources)) / 2
        return values


@dataclass(frozen=True)
class LanguageModels(PairRecipe):
    """Is it language as in the bitext: the log-probability per word of both sides by their own n-gram models."""

    name: ClassVar[str] = "language-models"
    kinds: ClassVar[Mapping[str, type[Artifact]]] = dict.fromkeys(_SIDES, LanguageModel)

    order: int = option(3, low=1, high=9, text="order of the models")

    def learn(self, sources: Sequence[str], targets: Sequence[str], n_threads: int) -> dict[str, Artifact]:
        """A model of each side."""
        return {
            side: KneserNey(order=self.order).train(lines, n_threads=n_threads)
            for side, lines in zip(_SIDES, (sources, targets), strict=True)
        }

    def values(
        self, models: Mapping[str, Any], sources: Sequence[str], targets: Sequence[str], n_threads: int
    ) -> Floats:
        """Logarithms to the base of 10 per word and end of sentence."""
        each = [
            np.asarray(models[side].score(lines, n_threads=n_threads), dtype=np.float64) / (_lengths(lines) + 1)
            for side, lines in zip(_SIDES, (sources, targets), strict=True)
        ]
        values: Floats = (each[0] + each[1]) / 2
        return values


def _lengths(lines: Sequence[str]) -> NDArray[np.int64]:
    return np.array([line.count(" ") + 1 for line in lines], dtype=np.int64)
