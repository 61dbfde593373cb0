"""What people said about translations: kinds of judgement, their files, and the readers of them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dragoman.data.judgements.base import Field, JudgementFile, Judgements, Row, Schema, Value
from dragoman.data.judgements.direct_assessment import DIRECT_ASSESSMENT

if TYPE_CHECKING:
    from dragoman.data.judgements.kinds import JUDGEMENT_KINDS, JudgementKind
    from dragoman.data.judgements.ranking import ranking_schema, read_ranking, screens
    from dragoman.data.judgements.reading import read_judgements

# Imported on first use: readers need NumPy.
_LATER = {
    "JUDGEMENT_KINDS": "kinds",
    "JudgementKind": "kinds",
    "ranking_schema": "ranking",
    "read_judgements": "reading",
    "read_ranking": "ranking",
    "screens": "ranking",
}

__all__ = [
    "DIRECT_ASSESSMENT",
    "JUDGEMENT_KINDS",
    "Field",
    "JudgementFile",
    "JudgementKind",
    "Judgements",
    "Row",
    "Schema",
    "Value",
    "ranking_schema",
    "read_judgements",
    "read_ranking",
    "screens",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"dragoman.data.judgements.{_LATER[name]}"), name)
    raise AttributeError(f"module 'dragoman.data.judgements' has no attribute {name!r}")
