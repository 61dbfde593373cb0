"""Quality estimation: how good a translation is, told without a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.qe.evaluation import QEEvaluation
    from dragoman.qe.features.base import FEATURES
    from dragoman.qe.features.extract import extract_features
    from dragoman.qe.features.table import FeatureTable, read_features
    from dragoman.qe.files import QEData, read_qe, write_qe
    from dragoman.qe.gold import EffortGold, effort_gold, post_edit_gold
    from dragoman.qe.prediction_measures import evaluate, length_scores
    from dragoman.qe.recipes import DecisionRecipe, FeatureRecipe, QERecipe, ReportRecipe, ResourceRecipe
    from dragoman.qe.report import QEReport, report_model
    from dragoman.qe.resources import Resources
    from dragoman.qe.sentences.learning import learn_scores
    from dragoman.qe.sentences.model import QEModel
    from dragoman.qe.tasks import TASKS
    from dragoman.qe.train import build_training_resources, train_model
else:
    offer(__name__)

__all__ = [
    "FEATURES",
    "TASKS",
    "DecisionRecipe",
    "EffortGold",
    "FeatureRecipe",
    "FeatureTable",
    "QEData",
    "QEEvaluation",
    "QEModel",
    "QERecipe",
    "QEReport",
    "ReportRecipe",
    "ResourceRecipe",
    "Resources",
    "build_training_resources",
    "effort_gold",
    "evaluate",
    "extract_features",
    "learn_scores",
    "length_scores",
    "post_edit_gold",
    "read_features",
    "read_qe",
    "report_model",
    "train_model",
    "write_qe",
]
