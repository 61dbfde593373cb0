"""Rankings by direct assessment: means of the scores people gave, as they are or standardised per annotator."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.ranking.assessments import Assessments
from dragoman.ranking.base import AssessmentMethod, Floats, Progress, Scores
from dragoman.ranking.resampling import Unit, check_unit, grouped
from dragoman.rng import Stream

__all__ = ["MeanAssessment", "StandardisedAssessment"]


@dataclass(frozen=True)
class _Mean(AssessmentMethod):
    """The frame of means of assessments."""

    by_segment: bool = option(
        True, choices=(False, True), text="average repeated assessments of one output first: segments weigh alike"
    )

    @abstractmethod
    def marks(self, judgements: Assessments) -> Floats:
        """The numbers to average, one per assessment."""

    def notes(self, judgements: Assessments) -> tuple[str, ...]:  # noqa: ARG002 - for subclasses
        """What a reader must know."""
        return ()

    def scores(self, judgements: Assessments, *, seed: int = 1, n_threads: int = 1) -> Scores:  # noqa: ARG002
        """Means by system."""
        weights = np.ones(len(judgements))
        return Scores(self._means(judgements, self.marks(judgements), weights), self.notes(judgements))

    def replicates(
        self,
        judgements: Assessments,
        *,
        n: int,
        unit: Unit,
        seed: int = 1,
        n_threads: int = 1,  # noqa: ARG002 - a sum per replicate, quick as it is
        progress: Progress | None = None,
    ) -> Floats:
        """Means of bootstrap samples. Standardised scores stay as they are: an annotator's scale is not in doubt."""
        check_unit(unit)
        # One assessment is one screen.
        keys = {"segment": judgements.segment, "annotator": judgements.annotator}.get(unit)
        order, starts = grouped(keys, len(judgements))
        n_units = len(starts) - 1
        member = np.empty(len(judgements), dtype=np.intp)
        member[order] = np.repeat(np.arange(n_units), np.diff(starts))
        marks = self.marks(judgements)
        stream = Stream(seed, f"rank bootstrap by {unit}")
        means = np.empty((n, len(judgements.systems)))
        for replicate in range(n):
            drawn = (stream.uniform(n_units, start=replicate * n_units) * n_units).astype(np.intp)
            weights = np.bincount(drawn, minlength=n_units)[member].astype(np.float64)
            means[replicate] = self._means(judgements, marks, weights)
            if progress is not None and (replicate + 1) % 100 == 0:
                progress(replicate + 1, n)
        return means

    def _means(self, judgements: Assessments, marks: Floats, weights: Floats) -> Floats:
        n = len(judgements.systems)
        if not self.by_segment:
            return _ratio(
                np.bincount(judgements.system, weights * marks, n), np.bincount(judgements.system, weights, n)
            )
        n_segments = int(judgements.segment.max()) + 1
        cell = judgements.system.astype(np.int64) * n_segments + judgements.segment
        seen = np.bincount(cell, weights, n * n_segments).reshape(n, n_segments)
        total = np.bincount(cell, weights * marks, n * n_segments).reshape(n, n_segments)
        # A segment drawn twice weighs twice; two assessments of one output in one draw weigh as one.
        once = np.bincount(cell, minlength=n * n_segments).reshape(n, n_segments)
        share = seen / np.maximum(once, 1)
        return _ratio((np.nan_to_num(_ratio(total, seen)) * share).sum(axis=1), share.sum(axis=1))


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    quotient = np.full(part.shape, np.nan)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient


@dataclass(frozen=True)
class MeanAssessment(_Mean):
    """The mean of the scores that annotators gave to a system's outputs, as they gave them.

    Annotators who are strict or generous throughout shift the systems they happened to judge; da-z takes that out.
    """

    name: ClassVar[str] = "da-mean"
    label: ClassVar[str] = "mean direct assessment"
    decision_unit: ClassVar[float] = 100.0

    def marks(self, judgements: Assessments) -> Floats:
        """The scores."""
        return judgements.score


@dataclass(frozen=True)
class StandardisedAssessment(_Mean):
    """The mean of scores standardised per annotator: z = (score − mean) / standard deviation (Graham et al. 2013).

    An annotator who gave all outputs one score said nothing about them: z is 0 there.
    """

    name: ClassVar[str] = "da-z"
    label: ClassVar[str] = "standardised direct assessment"

    def marks(self, judgements: Assessments) -> Floats:
        """The z of every assessment, by the annotator's own mean and standard deviation (n − 1)."""
        who, n = judgements.annotator, len(judgements.annotators)
        count = np.bincount(who, minlength=n)
        mean = np.bincount(who, judgements.score, n) / np.maximum(count, 1)
        gap = judgements.score - mean[who]
        sd = np.sqrt(np.bincount(who, gap * gap, n) / np.maximum(count - 1, 1))
        # Equal scores leave a rest of rounding, not of judgement.
        flat = sd <= 1e-9 * np.maximum(1.0, np.abs(mean))
        return np.where(flat[who], 0.0, gap / np.where(flat, 1.0, sd)[who])

    def notes(self, judgements: Assessments) -> tuple[str, ...]:
        """How many annotators gave one score only."""
        marks = self.marks(judgements)
        silent = np.bincount(judgements.annotator, marks != 0, len(judgements.annotators)) == 0
        if not silent.any():
            return ()
        return (f"{int(silent.sum())} of {len(silent)} annotators gave one and the same score; their z is 0.",)
