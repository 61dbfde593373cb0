"""Quality estimation: how good a translation is, told without a reference."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.qe.evaluation import QEEvaluation
    from dragoman.qe.features.base import FEATURES
    from dragoman.qe.features.extract import extract_features
    from dragoman.qe.features.table import FeatureTable, read_features
    from dragoman.qe.files import QEData, read_qe, write_qe
    from dragoman.qe.gold import EffortGold, effort_gold, post_edit_gold
    from dragoman.qe.measures import evaluate, length_scores
    from dragoman.qe.report import QEReport, report_model
    from dragoman.qe.resources import Resources
    from dragoman.qe.sentences.learning import learn_scores
    from dragoman.qe.sentences.model import QEModel
    from dragoman.qe.tasks import TASKS
    from dragoman.qe.train import build_training_resources, train_model

_HOME = {
    "TASKS": "tasks",
    "EffortGold": "gold",
    "FEATURES": "features.base",
    "FeatureTable": "features.table",
    "QEData": "files",
    "QEEvaluation": "evaluation",
    "QEModel": "sentences.model",
    "QEReport": "report",
    "Resources": "resources",
    "effort_gold": "gold",
    "extract_features": "features.extract",
    "read_features": "features.table",
    "evaluate": "measures",
    "learn_scores": "sentences.learning",
    "length_scores": "measures",
    "post_edit_gold": "gold",
    "read_qe": "files",
    "report_model": "report",
    "build_training_resources": "train",
    "train_model": "train",
    "write_qe": "files",
}

__all__ = [
    "FEATURES",
    "TASKS",
    "EffortGold",
    "FeatureTable",
    "QEData",
    "QEEvaluation",
    "QEModel",
    "QEReport",
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


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.qe.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.qe' has no attribute {name!r}")
