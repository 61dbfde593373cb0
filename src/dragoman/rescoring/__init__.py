"""Rescoring: n-best lists of one engine or several, more features than a search can afford, and a better choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.rescoring.base import RESCORING_FEATURES, RescoringFeature, add_features
    from dragoman.rescoring.lists import CandidateLists, merged_lists, read_lists
else:
    offer(__name__)

__all__ = [
    "RESCORING_FEATURES",
    "CandidateLists",
    "RescoringFeature",
    "add_features",
    "merged_lists",
    "read_lists",
]
