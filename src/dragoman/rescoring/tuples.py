"""How probable source and candidate are together, as a sequence of tuples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.rescoring.cutting import ModelFeature, cut_sources, cut_texts
from dragoman.rescoring.lists import CandidateLists
from dragoman.smt.tuple_model import TupleModel
from dragoman.stats.arrays import Floats

__all__ = ["TupleScore"]

_NOTHING = -10.0  # log-probability, base 10, of each word of a pair one side of which has none
_LONGEST = 1000  # words of a side, beyond which it is cut off


@dataclass(frozen=True)
class TupleScore(ModelFeature):
    """The logarithm, base 10, of the joint probability of source and candidate by an n-gram model of tuples."""

    name: ClassVar[str] = "tuple"

    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """The pair is aligned by the model's own aligner and unfolded."""
        model = TupleModel.load(self.model)
        sources, targets = (
            [line.split()[:_LONGEST] for line in cut(lists, self.cut, n_threads=n_threads)]
            for cut in (cut_sources, cut_texts)
        )
        values = np.array([_NOTHING * (len(s) + len(t)) for s, t in zip(sources, targets, strict=True)])
        full = [place for place, both in enumerate(zip(sources, targets, strict=True)) if all(both)]
        if full:
            left, right = ([" ".join(side[place]) for place in full] for side in (sources, targets))
            values[full] = model.score(left, right, n_threads=n_threads)
        return values.reshape(-1, 1)
