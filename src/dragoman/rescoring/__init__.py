"""Rescoring: n-best lists of one engine or several, more features than a search can afford, and a better choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.rescoring.base import RESCORING_FEATURES, RescoringFeature, add_features
    from dragoman.rescoring.lists import CandidateLists, merged_lists, read_lists
    from dragoman.rescoring.model import Rescorer
    from dragoman.rescoring.recipe import Rescoring
    from dragoman.rescoring.result import Rescored
    from dragoman.rescoring.risk import Consensus, Opinion, RiskRecipe
    from dragoman.rescoring.risk_tuning import ConsensusTraining, tune_consensus
    from dragoman.rescoring.training import RescoringTraining, train_rescorer
else:
    offer(__name__)

__all__ = [
    "RESCORING_FEATURES",
    "CandidateLists",
    "Consensus",
    "ConsensusTraining",
    "Opinion",
    "Rescored",
    "Rescorer",
    "Rescoring",
    "RescoringFeature",
    "RescoringTraining",
    "RiskRecipe",
    "add_features",
    "merged_lists",
    "read_lists",
    "train_rescorer",
    "tune_consensus",
]
