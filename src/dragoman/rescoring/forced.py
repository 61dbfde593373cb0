"""How probable a neural engine finds candidates, by whomever they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.neural.engine import NeuralEngine
from dragoman.options import option
from dragoman.rescoring.base import RescoringFeature
from dragoman.rescoring.lists import CandidateLists
from dragoman.stats.arrays import Floats

__all__ = ["Neural"]

_NOTHING = -10.0  # log-probability of each piece of a source for which a candidate has not one
_DIGITS = 4  # the sums of a batch depend in their last bits on who else is in it


@dataclass(frozen=True)
class Neural(RescoringFeature):
    """The log-probability of a candidate by a neural engine (forced decoding), as a sum and as a mean over its pieces.

    With it a net judges what other engines found, and candidates of several engines can be compared.
    """

    name: ClassVar[str] = "neural"

    model: str = option("", positional=True, text="the engine's folder")

    def check(self) -> Neural:
        """Raise where no engine is named."""
        if not self.model:
            raise DataError("The rescoring feature 'neural' needs an engine: neural:FOLDER.")
        super().check()
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """The sum and the mean."""
        return ("neural", "neural.mean")

    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """Natural logarithms; the end of the sentence counts as a piece."""
        engine = NeuralEngine.load(self.model)
        pieces = engine.pieces.encode(lists.sources, n_threads=n_threads)
        sources = [pieces[i] for i in lists.segments.tolist()]
        targets = engine.pieces.encode(lists.texts, n_threads=n_threads)
        full = [place for place, both in enumerate(zip(sources, targets, strict=True)) if all(both)]
        values = np.array([[_NOTHING * len(source), _NOTHING] for source in sources]).reshape(-1, 2)
        if not full:
            return values
        results = engine.translator(n_threads).score_batch(
            [sources[i] for i in full],
            [targets[i] for i in full],
            max_batch_size=4096,
            batch_type="tokens",
            max_input_length=0,
        )
        for place, each in zip(full, results, strict=True):
            values[place] = sum(each.log_probs), sum(each.log_probs) / len(each.log_probs)
        return np.round(values, _DIGITS)
