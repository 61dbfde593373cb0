"""Candidate translations of all rounds of a tuning, merged: what the tuners that work on lists work on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.smt.tune.objective import Objective

__all__ = ["Candidates", "Decode", "Lists", "Pool", "Vector"]

Vector = NDArray[np.float64]


class Lists(Protocol):
    """What a decoder gives: texts and features of paths; those of sentence i are [offsets[i], offsets[i + 1])."""

    @property
    def texts(self) -> list[str]:
        """By path: tokens joined by spaces."""

    @property
    def offsets(self) -> NDArray[np.int64]:
        """By sentence, one more than there are."""

    @property
    def features(self) -> NDArray[np.float64]:
        """(paths, features)."""


class Decode(Protocol):
    """A decoder as tuners see it: the best translations of the tuning set, or of some of its segments."""

    def __call__(self, weights: Vector, segments: NDArray[np.int64] | None = None, /) -> Lists:
        """Lists of candidates under these weights, the model's best first in each."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates of a tuning set, flat: features, a metric's statistics, and where each segment's begin."""

    features: NDArray[np.float64]  # (candidates, features)
    stats: NDArray[np.float64]  # (candidates, statistics)
    offsets: NDArray[np.int64]  # by segment, one more than there are
    sparse: Any = None  # a SciPy matrix (candidates, sparse features), if there are any

    def __len__(self) -> int:
        return len(self.features)

    @property
    def segments(self) -> NDArray[np.int64]:
        """The segment of each candidate."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @property
    def n_sparse(self) -> int:
        """How many sparse features the candidates have."""
        return 0 if self.sparse is None else int(self.sparse.shape[1])

    def scores(self, weights: Vector) -> Vector:
        """The score of each candidate; weights of sparse features stand behind the others."""
        n = self.features.shape[1]
        sums: Vector = self.features @ weights[:n]
        return sums if self.sparse is None else sums + self.sparse @ weights[n:]

    def rows(self, numbers: NDArray[np.int64]) -> Any:
        """All features of some candidates: an array, or a SciPy matrix where there are sparse ones."""
        if self.sparse is None:
            return self.features[numbers]
        from scipy.sparse import csr_matrix, hstack

        return hstack([csr_matrix(self.features[numbers]), self.sparse[numbers]], format="csr")

    def best(self, scores: Vector) -> NDArray[np.int64]:
        """The candidate of each segment with the highest score; of equal ones the first."""
        top = np.maximum.reduceat(scores, self.offsets[:-1])
        places = np.flatnonzero(scores == np.repeat(top, np.diff(self.offsets)))
        chosen: NDArray[np.int64] = places[np.searchsorted(places, self.offsets[:-1])]
        return chosen

    def spread(self) -> Vector:
        """By feature: its standard deviation within segments; 0 where no list has two values of it."""
        sizes = np.diff(self.offsets)
        means = np.add.reduceat(self.features, self.offsets[:-1], axis=0) / sizes[:, np.newaxis]
        apart = self.features - np.repeat(means, sizes, axis=0)
        spread: Vector = np.sqrt((apart**2).mean(axis=0))
        spread[spread < 1e-9 * np.abs(self.features).max(axis=0, initial=1.0)] = 0.0  # rounding of a constant
        return spread


class Pool:
    """Candidates of several rounds; one that comes up again, with the same features, is kept once."""

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self._seen: set[tuple[int, str, bytes]] = set()
        self._rows: dict[tuple[int, str], int] = {}  # where a translation's statistics stand
        self._segments: list[NDArray[np.int64]] = []
        self._features: list[NDArray[np.float64]] = []
        self._places: list[NDArray[np.int64]] = []
        self._stats: list[NDArray[np.float64]] = []
        self._sparse: list[Any] = []

    def add(self, lists: Lists) -> int:
        """Merge a decoder's lists; the number of candidates that are new."""
        features = checked_features(lists, len(self.objective))
        segments = np.repeat(np.arange(len(self.objective)), np.diff(lists.offsets))
        new, places, unscored = [], [], []
        rounded = np.round(features, 9)  # sums of the same numbers in another order are the same candidate
        for path, (segment, text) in enumerate(zip(segments.tolist(), lists.texts, strict=True)):
            key = (segment, text, rounded[path].tobytes())
            if key in self._seen:
                continue
            self._seen.add(key)
            new.append(path)
            if (segment, text) not in self._rows:
                self._rows[segment, text] = len(self._rows)
                unscored.append(path)
            places.append(self._rows[segment, text])
        if unscored:
            self._stats.append(self.objective.rows(segments[unscored], [lists.texts[path] for path in unscored]))
        if new:
            self._segments.append(segments[new])
            self._features.append(features[new])
            self._places.append(np.array(places, dtype=np.int64))
            sparse = sparse_of(lists)
            if sparse is not None:
                self._sparse.append(sparse[new])
        return len(new)

    def candidates(self) -> Candidates:
        """All candidates, by segment, in the order they came up."""
        segments = np.concatenate(self._segments)
        order = np.argsort(segments, kind="stable")
        counts = np.bincount(segments, minlength=len(self.objective))
        return Candidates(
            np.ascontiguousarray(np.concatenate(self._features)[order]),
            np.ascontiguousarray(np.concatenate(self._stats)[np.concatenate(self._places)[order]]),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            self._all_sparse(order),
        )

    def _all_sparse(self, order: NDArray[np.int64]) -> Any:
        if not self._sparse:
            return None
        from scipy.sparse import vstack

        # Every round may name features that no earlier one had; they stand behind the others.
        width = max(part.shape[1] for part in self._sparse)
        for part in self._sparse:
            part.resize((part.shape[0], width))
        return vstack(self._sparse, format="csr")[order]

    def best_stats(self, lists: Lists) -> NDArray[np.float64]:
        """Statistics of the model's best translation of each segment, of lists that have been added."""
        all_stats = np.concatenate(self._stats)
        firsts = lists.offsets[:-1].tolist()
        return all_stats[[self._rows[segment, lists.texts[first]] for segment, first in enumerate(firsts)]]


def sparse_of(lists: Lists) -> Any:
    """The sparse features of a decoder's lists, (paths, features); `None` of a decoder without."""
    return getattr(lists, "sparse_matrix", None)


def checked_features(lists: Lists, n_segments: int) -> NDArray[np.float64]:
    """The features of a decoder's lists, once every segment has a candidate and every number is finite."""
    sizes = np.diff(lists.offsets)
    if len(sizes) != n_segments:
        raise DataError(f"The decoder translated {len(sizes)} segments; the references have {n_segments}.")
    if not (sizes > 0).all():
        raise DataError(f"The decoder gave no candidate for segment {int(np.argmin(sizes)) + 1}.")
    features = np.asarray(lists.features, dtype=np.float64)
    if features.ndim != 2 or len(features) != len(lists.texts):
        raise DataError(
            f"The decoder gave {len(lists.texts)} candidates and features of shape {features.shape}; tuning needs one "
            "row of features for each candidate."
        )
    broken = np.flatnonzero(~np.isfinite(features).all(axis=1))
    if len(broken):
        segment = int(np.searchsorted(lists.offsets, broken[0], side="right"))
        column = int(np.argmin(np.isfinite(features[broken[0]]))) + 1
        raise DataError(f"A candidate of segment {segment} has a feature that is no finite number (column {column}).")
    return features
