"""How probable a neural engine finds candidates, by whomever they are."""

from __future__ import annotations

from collections.abc import Sequence
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

_NOTHING = -10.0  # log-probability of each piece of a side whose other side has none
_DIGITS = 4  # the sums of a batch depend in their last bits on who else is in it


@dataclass(frozen=True)
class Neural(RescoringFeature):
    """The log-probability of a candidate by a neural engine (forced decoding), as a sum and as a mean over its pieces.

    With it a net judges what other engines found, and candidates of several engines can be compared. `reverse` asks an
    engine of the other direction how probable the source is given the candidate (the noisy channel), as a sum alone.
    """

    name: ClassVar[str] = "neural"

    model: str = option("", positional=True, text="the engine's folder")
    reverse: bool = option(
        False, choices=(False, True), text="the engine translates back: the source is what is scored"
    )

    def check(self) -> Neural:
        """Raise where no engine is named."""
        if not self.model:
            raise DataError("The rescoring feature 'neural' needs an engine: neural:FOLDER.")
        super().check()
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """The sum and the mean."""
        return ("neural.reverse",) if self.reverse else ("neural", "neural.mean")

    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """Natural logarithms; the end of the sentence counts as a piece."""
        engine = NeuralEngine.load(self.model)
        pieces = engine.pieces.encode(lists.sources, n_threads=n_threads)
        sources = [pieces[i] for i in lists.segments.tolist()]
        targets = engine.pieces.encode(lists.texts, n_threads=n_threads)
        if self.reverse:
            return self._logs(engine, targets, sources, n_threads)[:, :1]
        return self._logs(engine, sources, targets, n_threads)

    @staticmethod
    def _logs(
        engine: NeuralEngine, sources: Sequence[list[str]], targets: Sequence[list[str]], n_threads: int
    ) -> Floats:
        """Sum and mean of the log-probabilities of each target's pieces and its end."""
        full = [place for place, both in enumerate(zip(sources, targets, strict=True)) if all(both)]
        lengths = np.array([max(map(len, both)) for both in zip(sources, targets, strict=True)], dtype=np.float64)
        values = np.stack([_NOTHING * lengths, np.full(len(lengths), _NOTHING)], axis=1)
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
