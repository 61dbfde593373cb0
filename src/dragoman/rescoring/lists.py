"""Candidate translations of a test set, flat, with the features of each: what is rescored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.data.formats.nbest import NBestFormat
from dragoman.data.nbest import Candidate, NBest, NBestLists
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.stats.arrays import Floats

__all__ = ["SCORE", "CandidateLists", "candidate_lists", "merged_lists", "read_lists"]

SCORE = "score"  # the column of the engine's own score


@dataclass(frozen=True, eq=False)
class CandidateLists:
    """Sources and their candidates; those of source i are [offsets[i], offsets[i + 1]), and a list may be empty."""

    sources: tuple[str, ...]
    texts: tuple[str, ...]
    offsets: NDArray[np.int64]
    names: tuple[str, ...] = ()
    features: Floats = None  # type: ignore[assignment]  # (candidates, names); none unless given
    sparse_names: tuple[str, ...] = ()
    sparse: Any = None  # a SciPy matrix (candidates, sparse names), if there are any

    def __post_init__(self) -> None:
        if self.features is None:
            object.__setattr__(self, "features", np.zeros((len(self.texts), 0)))
        if len(self.offsets) != len(self.sources) + 1 or self.offsets[-1] != len(self.texts):
            raise DataError(
                f"Lists for {len(self.sources)} sources have {len(self.offsets) - 1} ranges of {len(self.texts)} texts."
            )
        if self.features.shape != (len(self.texts), len(self.names)):
            raise DataError(
                f"{len(self.texts)} candidates with {len(self.names)} features need as many rows and columns, got "
                f"{self.features.shape}."
            )

    @property
    def segments(self) -> NDArray[np.int64]:
        """The number of each candidate's source, from 0."""
        return np.repeat(np.arange(len(self.sources)), np.diff(self.offsets))

    @cached_property
    def pairs(self) -> tuple[list[str], list[str]]:
        """The source and the text of each candidate."""
        return [self.sources[i] for i in self.segments.tolist()], list(self.texts)

    def column(self, name: str) -> Floats:
        """One feature's values."""
        if name not in self.names:
            raise DataError(f"The lists have no feature {name!r}; they have: {', '.join(self.names) or 'none'}.")
        return self.features[:, self.names.index(name)]

    def with_columns(self, names: Sequence[str], values: Floats) -> CandidateLists:
        """The same candidates with more features, behind those they have."""
        twice = sorted({*names} & {*self.names})
        if twice:
            raise DataError(f"The lists have a feature {twice[0]!r} already; give each feature once.")
        return replace(self, names=(*self.names, *names), features=np.hstack([self.features, values]))

    def chosen(self, names: Sequence[str]) -> CandidateLists:
        """With these features alone, in this order; one that is missing raises."""
        columns = [self.column(name) for name in names]
        features = np.stack(columns, axis=1) if columns else np.zeros((len(self.texts), 0))
        return replace(self, names=tuple(names), features=features)

    def in_order(self, scores: Floats) -> NDArray[np.int64]:
        """The candidates' places, each list's by falling score; of equals the first stays first."""
        return np.lexsort((-scores, self.segments))

    def best(self, scores: Floats) -> list[str]:
        """The text of the highest score for each source, of equals the first; empty where there is no candidate."""
        order = self.in_order(scores)
        firsts = zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True)
        return [self.texts[order[begin]] if begin < end else "" for begin, end in firsts]

    def reordered(self, order: NDArray[np.int64]) -> CandidateLists:
        """The candidates in another order within each list."""
        return replace(
            self,
            texts=tuple(self.texts[i] for i in order.tolist()),
            features=self.features[order],
            sparse=None if self.sparse is None else self.sparse[order],
        )

    def n_best(self, scores: Floats) -> NBestLists:
        """The lists as files have them, by falling score, with their features."""
        return NBestLists(list(self._n_best(scores)))

    def _n_best(self, scores: Floats) -> Iterator[NBest]:
        order = self.in_order(scores)
        for segment, (begin, end) in enumerate(zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True)):
            listed = [self._candidate(i, float(scores[i])) for i in order[begin:end].tolist()]
            if listed:
                yield NBest(segment, tuple(listed))

    def _candidate(self, place: int, score: float) -> Candidate:
        values = dict(zip(self.names, self.features[place].tolist(), strict=True))
        if self.sparse is not None:
            row = self.sparse[place]
            values |= {self.sparse_names[i]: float(v) for i, v in zip(row.indices, row.data, strict=True)}
        return Candidate(self.texts[place], {name: (value,) for name, value in values.items() if name != SCORE}, score)


def read_lists(path: StrPath, sources: Sequence[str]) -> CandidateLists:
    """The lists of a file in Moses' format. The engine's score is the feature `score`.

    A feature of several values is several: `phrases.1`, `phrases.2`, … One that not every candidate has is sparse.
    """
    return candidate_lists(NBestFormat().read(path), sources, label=str(path))


def candidate_lists(lists: Iterable[NBest], sources: Sequence[str], *, label: str = "The lists") -> CandidateLists:
    """N-best lists as candidates of sources; one that names a segment without a source raises."""
    texts: list[str] = []
    rows: list[dict[str, float]] = []
    sizes = np.zeros(len(sources), dtype=np.int64)
    for nbest in lists:
        if nbest.segment >= len(sources):
            raise DataError(
                f"{label}: there is a candidate of segment {nbest.segment}, counted from 0; there are "
                f"{len(sources)} sources."
            )
        sizes[nbest.segment] = len(nbest.candidates)
        texts += [each.text for each in nbest.candidates]
        rows += [_values(each) for each in nbest.candidates]
    if not texts:
        raise DataError(f"{label}: there is no candidate.")
    counts = Counter(name for row in rows for name in row)
    dense = [name for name, n in counts.items() if n == len(rows)]
    features = np.array([[row[name] for name in dense] for row in rows]).reshape(len(rows), len(dense))
    return CandidateLists(
        tuple(sources), tuple(texts), _offsets(sizes), tuple(dense), features, *_sparse(rows, {*counts} - {*dense})
    )


def _values(candidate: Candidate) -> dict[str, float]:
    values = {} if candidate.score is None else {SCORE: candidate.score}
    for name, numbers in candidate.features.items():
        many = len(numbers) > 1
        values |= {f"{name}.{i}" if many else name: number for i, number in enumerate(numbers, start=1)}
    return values


def _sparse(rows: Sequence[Mapping[str, float]], names: set[str]) -> tuple[tuple[str, ...], Any]:
    if not names:
        return (), None
    from scipy.sparse import csr_matrix

    ordered = tuple(sorted(names))
    numbers = {name: i for i, name in enumerate(ordered)}
    entries = [(r, numbers[name], value) for r, row in enumerate(rows) for name, value in row.items() if name in names]
    r, c, v = zip(*entries, strict=True)
    return ordered, csr_matrix((v, (r, c)), shape=(len(rows), len(ordered)))


def _offsets(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def merged_lists(lists: Mapping[str, CandidateLists]) -> CandidateLists:
    """The lists of several engines as one: a text that several have stands once.

    Features are called after their engine (`neural.score`), and a feature with the engine's name says whether its list
    has the candidate. What an engine's list lacks counts like the worst that it has for this source.
    """
    for name, each in lists.items():
        if each.sources != next(iter(lists.values())).sources:
            raise DataError(f"The lists of {name!r} are of other sources; lists are merged for one test set.")
        if each.sparse is not None:
            raise DataError(f"The lists of {name!r} have sparse features; lists are merged by dense ones alone.")
    sources = next(iter(lists.values())).sources
    names = [column for label, each in lists.items() for column in (label, *(f"{label}.{n}" for n in each.names))]
    texts, blocks, sizes = [], [], []
    for segment in range(len(sources)):
        union, block = _merged(lists.values(), segment)
        texts += union
        blocks.append(block)
        sizes.append(len(union))
    return CandidateLists(
        sources, tuple(texts), _offsets(np.array(sizes, dtype=np.int64)), tuple(names), np.vstack(blocks)
    )


def _merged(lists: Iterable[CandidateLists], segment: int) -> tuple[list[str], Floats]:
    """One source's texts, each once, and their features: for each engine membership, then its own."""
    parts = [(each, slice(*each.offsets[segment : segment + 2].tolist())) for each in lists]
    union = list(dict.fromkeys(text for each, part in parts for text in each.texts[part]))
    columns = []
    for each, part in parts:
        rows = each.features[part]
        places: dict[str, int] = {}
        for place, text in enumerate(each.texts[part]):
            places.setdefault(text, place)
        worst = rows.min(axis=0) if len(rows) else np.zeros(rows.shape[1])
        values = [[1.0, *rows[places[text]]] if text in places else [0.0, *worst] for text in union]
        columns.append(np.array(values).reshape(len(union), 1 + rows.shape[1]))
    return union, np.hstack(columns)
