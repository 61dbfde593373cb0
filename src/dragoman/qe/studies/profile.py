"""How far from its right place each sentence stands in a predicted ranking (Moreau & Vogel, WMT 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.qe.tasks import check_scores, score_task
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats
from dragoman.stats.correlation import average_ranks

__all__ = ["EQUAL", "ErrorProfile", "error_profile", "rank_distances"]

EQUAL = "equal"  # the ranking that holds all sentences equal
SHARES = tuple(step / 10 for step in range(1, 11))


@dataclass(frozen=True)
class ErrorProfile(Result):
    """For shares of the sentences, the distance of ranks within which they lie, a part of the number of sentences."""

    kind: ClassVar[str] = "error profile"

    systems: tuple[str, ...]  # the ranking of equals last
    within: tuple[tuple[float, ...], ...]  # (systems, shares)
    means: tuple[float, ...]
    n_sentences: int

    def tables(self) -> list[Table]:
        """A row a share; the means last."""
        columns = [Column("share", "share of sentences"), *(Column(name, digits=3) for name in self.systems)]
        rows: list[tuple[Any, ...]] = [
            (f"{share:.0%}", *(each[place] for each in self.within)) for place, share in enumerate(SHARES)
        ]
        note = (
            f"{self.n_sentences} sentences. Of so many sentences the predicted rank is no farther from the right one "
            f"than this part of all. {EQUAL}: the ranking that holds all sentences equal."
        )
        return [Table.of("Distances of ranks", columns, [*rows, ("mean", *self.means)], note=note)]

    def meta(self) -> dict[str, Any]:
        """The means by system."""
        return {"n_sentences": self.n_sentences, "means": dict(zip(self.systems, self.means, strict=True))}


def rank_distances(gold: Floats, predicted: Floats) -> Floats:
    """|R − R'| / N of each sentence; equal scores share the mean of their ranks."""
    distances: Floats = np.abs(average_ranks(gold) - average_ranks(predicted)) / len(gold)
    return distances


def error_profile(
    gold: ArrayLike | Sequence[float], predicted: Mapping[str, ArrayLike | Sequence[float]], *, task: str = "hter"
) -> ErrorProfile:
    """The profile of each prediction, beside that of a ranking which holds all sentences equal."""
    asked = score_task(task)
    if EQUAL in predicted:
        raise DataError(f"A prediction cannot be called {EQUAL!r}; that name is taken. Name it otherwise.")
    right = check_scores("gold", gold, asked)
    systems = {name: check_scores(name, scores, asked, gold=False) for name, scores in predicted.items()}
    check_parallel({"gold": right, **systems})
    if not len(right):
        raise DataError("There is nothing to profile: no sentences.")
    systems[EQUAL] = np.zeros(len(right))
    places = [int(np.ceil(share * len(right) - 1e-9)) - 1 for share in SHARES]
    distances = {name: np.sort(rank_distances(right, scores)) for name, scores in systems.items()}
    return ErrorProfile(
        tuple(systems),
        tuple(tuple(float(each[place]) for place in places) for each in distances.values()),
        tuple(float(each.mean()) for each in distances.values()),
        len(right),
    )
