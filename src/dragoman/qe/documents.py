"""From sentences to documents: scores, and features to learn from where documents are what is judged."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.selection.components import document_numbers
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["DocumentScores", "document_features", "document_scores", "runs_as_documents"]


@dataclass(frozen=True)
class DocumentScores(Result):
    """The score of each document."""

    kind: ClassVar[str] = "qe documents"

    names: tuple[str, ...]
    scores: tuple[float, ...]
    n_sentences: tuple[int, ...]

    @classmethod
    def of(
        cls, scores: ArrayLike | Sequence[float], documents: Sequence[str], *, weights: ArrayLike | None = None
    ) -> DocumentScores:
        """Mean scores of the documents' sentences (see `document_scores`)."""
        by_document = document_scores(scores, documents, weights=weights)
        _, number = document_numbers(documents)
        counts = np.bincount(number, minlength=len(by_document))
        return cls(tuple(map(str, by_document)), tuple(by_document.values()), tuple(counts.tolist()))

    def tables(self) -> list[Table]:
        """A row a document."""
        columns = [Column("document"), Column("score", digits=4), Column("sentences")]
        return [Table.of("Documents", columns, zip(self.names, self.scores, self.n_sentences, strict=True))]

    def meta(self) -> dict[str, Any]:
        """Counts."""
        return {"n_documents": len(self.names), "n_sentences": sum(self.n_sentences)}


def runs_as_documents(n: int, length: int = 10) -> list[int]:
    """Runs of so many sentences as documents, where their bounds are not known (Soricut & Narsale, WMT 2012)."""
    if length < 1:
        raise DataError(f"A document has at least one sentence, got {length}.")
    return [place // length for place in range(n)]


def document_scores(
    scores: ArrayLike | Sequence[float], documents: Sequence[Hashable], *, weights: ArrayLike | None = None
) -> dict[Hashable, float]:
    """The mean score of each document's sentences, weighted by `weights`, such as their lengths.

    HTER weighted by the reference's length is the document's HTER; without weights every sentence counts the same. A
    document whose weights are all 0 has the plain mean.
    """
    values = np.asarray(scores, dtype=np.float64)
    heavy = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    check_parallel({"scores": values, "documents": documents, "weights": heavy})
    if not np.isfinite(values).all() or not np.isfinite(heavy).all() or (heavy < 0).any():
        raise DataError("Scores must be finite, and weights from 0 on.")
    names, number = document_numbers(documents)
    means = _means(values[:, np.newaxis], heavy, number, len(names))[:, 0]
    return dict(zip(names, means.tolist(), strict=True))


def document_features(
    features: FeatureTable, documents: Sequence[Hashable], *, weights: ArrayLike | None = None
) -> FeatureTable:
    """A row a document, in the order of their first sentences: means over its sentences, their spread, their number."""
    heavy = np.ones(len(features)) if weights is None else np.asarray(weights, dtype=np.float64)
    check_parallel({"features": features, "documents": documents, "weights": heavy})
    names, number = document_numbers(documents)
    means = _means(features.values, heavy, number, len(names))
    plain = _means(features.values, np.ones(len(features)), number, len(names))
    squares = _means(np.square(features.values), np.ones(len(features)), number, len(names))
    spreads = np.sqrt(np.maximum(0.0, squares - np.square(plain)))
    counts = np.bincount(number, minlength=len(names)).astype(np.float64)
    columns = [*(f"{name}-mean" for name in features.names), *(f"{name}-spread" for name in features.names)]
    return FeatureTable.of([*columns, "sentences"], np.column_stack([means, spreads, counts]), **features.how)


def _means(values: Floats, weights: Floats, number: ArrayLike, n: int) -> Floats:
    """Weighted means (documents, columns)."""
    place = np.asarray(number, dtype=np.int64)
    total = np.bincount(place, weights=weights, minlength=n)
    heavy = np.where(total[place] > 0, weights, 1.0)
    total = np.bincount(place, weights=heavy, minlength=n)
    sums = np.zeros((n, values.shape[1]))
    np.add.at(sums, place, values * heavy[:, np.newaxis])
    means: Floats = sums / total[:, np.newaxis]
    return means
