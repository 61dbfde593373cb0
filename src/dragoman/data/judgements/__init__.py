"""What people said about translations: kinds of judgement, their files, and the readers of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.data.judgements.base import Field, JudgementFile, Judgements, Row, Schema, Value
    from dragoman.data.judgements.direct_assessment import DIRECT_ASSESSMENT
    from dragoman.data.judgements.kinds import JUDGEMENT_KINDS, JudgementKind
    from dragoman.data.judgements.ranking import ranking_schema, read_ranking, screens
    from dragoman.data.judgements.reading import read_judgements
else:
    offer(__name__)

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
