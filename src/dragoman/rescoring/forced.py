"""How probable a neural engine finds candidates, by whomever they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.engines import load_engine
from dragoman.errors import DataError
from dragoman.neural.decoded import DecodedEngine
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

    model: str = option("", positional=True, text="the engine, a folder or ctranslate2:FOLDER,…")
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
        engine = load_engine(self.model)
        if not isinstance(engine, DecodedEngine):
            raise DataError(f"{self.model} is no neural engine that can be asked for the probability of a translation.")
        if self.reverse:
            pieces = engine.cut_targets(lists.sources)
            return self._logs(engine, engine.cut(lists.texts), [pieces[i] for i in lists.segments.tolist()], n_threads)[
                :, :1
            ]
        pieces = engine.cut(lists.sources)
        sources = [pieces[i] for i in lists.segments.tolist()]
        return self._logs(engine, sources, engine.cut_targets(lists.texts), n_threads)

    @staticmethod
    def _logs(
        engine: DecodedEngine, sources: Sequence[list[str]], targets: Sequence[list[str]], n_threads: int
    ) -> Floats:
        """Sum and mean of the log-probabilities of each target's pieces and its end."""
        rows = []
        logs = engine.many_log_probabilities(sources, targets, n_threads=n_threads)
        for source, target, each in zip(sources, targets, logs, strict=True):
            lone = _NOTHING * max(len(source), len(target))
            rows.append((sum(each), sum(each) / len(each)) if source and target else (lone, _NOTHING))
        return np.round(np.array(rows, dtype=np.float64).reshape(-1, 2), _DIGITS)
