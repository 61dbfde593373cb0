"""Quality estimation: how good a translation is, told without a reference."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.qe.evaluation import QEEvaluation
    from dragoman.qe.files import QEData, read_qe, write_qe
    from dragoman.qe.gold import EffortGold, effort_gold, post_edit_gold
    from dragoman.qe.measures import evaluate
    from dragoman.qe.tasks import TASKS

_HOME = {
    "TASKS": "tasks",
    "EffortGold": "gold",
    "QEData": "files",
    "QEEvaluation": "evaluation",
    "effort_gold": "gold",
    "evaluate": "measures",
    "post_edit_gold": "gold",
    "read_qe": "files",
    "write_qe": "files",
}

__all__ = [
    "TASKS",
    "EffortGold",
    "QEData",
    "QEEvaluation",
    "effort_gold",
    "evaluate",
    "post_edit_gold",
    "read_qe",
    "write_qe",
]


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.qe.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.qe' has no attribute {name!r}")
