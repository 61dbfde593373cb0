"""The contract of rescoring features: lists of candidates in, a row of numbers for each candidate out.

A feature of your own derives from `RescoringFeature`. Name it in an entry point of the group
`dragoman.rescoring_feature`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.options import Recipe
from dragoman.registry import Registry
from dragoman.report import Progress
from dragoman.rescoring.lists import CandidateLists
from dragoman.stats.arrays import Floats

__all__ = ["RESCORING_FEATURES", "RescoringFeature", "add_features"]

RESCORING_FEATURES: Registry[RescoringFeature] = Registry(
    "rescoring feature",
    {
        "fluency": "dragoman.rescoring.fluency:Fluency",
        "heads-lm": "dragoman.rescoring.heads:HeadsLanguageModel",
        "ibm1": "dragoman.rescoring.words:Ibm1",
        "length": "dragoman.rescoring.words:Length",
        "lm": "dragoman.rescoring.words:LanguageModelScore",
        "net": "dragoman.rescoring.nets:Net",
        "neural": "dragoman.rescoring.forced:Neural",
        "tuple": "dragoman.rescoring.tuples:TupleScore",
    },
)


@dataclass(frozen=True)
class RescoringFeature(Recipe, ABC):
    """What is known of a candidate when the search is over. Options are the fields; larger values need not be better.

    Sources and candidates are text as the lists have it; a feature that works on tokens cuts it itself.
    """

    name: ClassVar[str]

    @property
    def columns(self) -> tuple[str, ...]:
        """What its numbers are called: its own name, or that with an ending for each."""
        return (self.name,)

    @abstractmethod
    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """A row for each candidate of the lists, in their order, and in each a finite number for each column.

        A candidate's numbers depend on its source and its text (`lists.pairs`), not on the other candidates.
        """


def add_features(
    lists: CandidateLists, specs: Sequence[str], *, n_threads: int = 1, progress: Progress | None = None
) -> CandidateLists:
    """The lists with the features that specifications name: `lm:model.arpa`, `neural:FOLDER`.

    A feature whose name the lists have already, or that is asked for twice, has its turn behind its name: `lm`, `lm-2`.
    """
    features = [RESCORING_FEATURES.make(spec) for spec in specs]
    for each in features:
        each.check()
    for done, feature in enumerate(features):
        if progress:
            progress(done, len(features), f"rescoring feature {feature.name}")
        values = feature.scores(lists, n_threads=n_threads)
        _check(feature, values, lists)
        lists = lists.with_columns(_columns(feature, lists.names), values)
    return lists


def _columns(feature: RescoringFeature, taken: Sequence[str]) -> list[str]:
    """The names of a feature's columns, none of which is taken."""
    for turn in count(1):
        name = feature.name if turn == 1 else f"{feature.name}-{turn}"
        columns = [name + column.removeprefix(feature.name) for column in feature.columns]
        if not {*columns} & {*taken}:
            break
    return columns


def _check(feature: RescoringFeature, values: Floats, lists: CandidateLists) -> None:
    if values.shape != (len(lists.texts), len(feature.columns)):
        raise DataError(
            f"The rescoring feature {feature.name!r} gave numbers of shape {values.shape} for {len(lists.texts)} "
            f"candidates and {len(feature.columns)} columns."
        )
    broken = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(broken):
        segment = int(lists.segments[broken[0]])
        raise DataError(
            f"The rescoring feature {feature.name!r} is no finite number for a candidate of segment {segment}, counted "
            f"from 0: {lists.texts[broken[0]][:60]!r}."
        )
