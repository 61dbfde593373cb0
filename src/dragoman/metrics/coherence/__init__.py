"""Coherence of texts by their discourse relations (LIN, DICOMER), and responsiveness of summaries (CREMER)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.metrics.coherence.discourse import Argument, Relation, find_relations
    from dragoman.metrics.coherence.matrix import RoleMatrix, role_matrix
    from dragoman.metrics.coherence.model import CoherenceModel, CoherenceRecipe, CoherenceScores
    from dragoman.metrics.coherence.responsiveness import (
        ResponsivenessModel,
        ResponsivenessRecipe,
        ResponsivenessScores,
    )
else:
    offer(__name__)

__all__ = [
    "Argument",
    "CoherenceModel",
    "CoherenceRecipe",
    "CoherenceScores",
    "Relation",
    "ResponsivenessModel",
    "ResponsivenessRecipe",
    "ResponsivenessScores",
    "RoleMatrix",
    "find_relations",
    "role_matrix",
]
