"""Which data helps: scores of a pool's lines or pairs, a cut, and curves that tell when to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.corpus.select.base import SELECTION_SCORES, SelectionScore
    from dragoman.corpus.select.curve import Measure, SelectionCurve, measure_curve, perplexity_of
    from dragoman.corpus.select.cutting import Cut
    from dragoman.corpus.select.overlap import Overlap, check_apart, overlap
    from dragoman.corpus.select.scoring import PoolScores, score_pool
    from dragoman.corpus.select.selection import Selection, select
    from dragoman.corpus.select.texts import Texts
else:
    offer(__name__)

__all__ = [
    "SELECTION_SCORES",
    "Cut",
    "Measure",
    "Overlap",
    "PoolScores",
    "Selection",
    "SelectionCurve",
    "SelectionScore",
    "Texts",
    "check_apart",
    "measure_curve",
    "overlap",
    "perplexity_of",
    "score_pool",
    "select",
]
