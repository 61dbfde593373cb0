"""The kinds of judgement: what each asks, its schema, and how it is told by the columns of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.data.judgements.base import Judgements, Schema
from dragoman.data.judgements.direct_assessment import DIRECT_ASSESSMENT
from dragoman.registry import Registry

__all__ = ["JUDGEMENT_KINDS", "JudgementKind", "schema_shown_by"]


@dataclass(frozen=True)
class JudgementKind:
    """One sort of question that people are asked about translations."""

    name: ClassVar[str]
    schema: ClassVar[Schema]
    shown_by: ClassVar[frozenset[str]]  # columns that no other kind has together

    @classmethod
    def schema_for(cls, columns: Sequence[str]) -> Schema:  # noqa: ARG003 - for subclasses
        """The schema of a table with these columns."""
        return cls.schema

    @classmethod
    def systems(cls, judgements: Judgements) -> set[str]:
        """The systems that were judged."""
        return {str(s) for s in judgements.coded("system")[1] if s is not None} if _has(judgements, "system") else set()

    @classmethod
    def blanks(cls, judgements: Judgements) -> int:
        """How many answers were left out."""
        return sum(1 for score in judgements["score"] if score is None) if _has(judgements, "score") else 0


def _has(judgements: Judgements, name: str) -> bool:
    return name in judgements.columns


@dataclass(frozen=True)
class RelativeRanking(JudgementKind):
    """Several outputs of one segment on a screen, each with a rank, 1 for the best; ties and blanks are allowed."""

    name: ClassVar[str] = "relative-ranking"
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "item", "system1", "rank1"})

    @classmethod
    def schema_for(cls, columns: Sequence[str]) -> Schema:
        """As wide as the table."""
        from dragoman.data.judgements.ranking import ranking_schema

        return ranking_schema(sum(1 for name in columns if re.fullmatch("rank[0-9]+", name)) or 5)

    @classmethod
    def systems(cls, judgements: Judgements) -> set[str]:
        """The systems of all places on the screen."""
        return {str(s) for n in _places(judgements) for s in judgements.coded(f"system{n}")[1] if s is not None}

    @classmethod
    def blanks(cls, judgements: Judgements) -> int:
        """Systems that were shown and not ranked, and empty places."""
        return sum(rank is None for n in _places(judgements) for rank in judgements[f"rank{n}"])


def _places(judgements: Judgements) -> Iterator[int]:
    return (int(f.name[4:]) for f in judgements.schema.fields if re.fullmatch("rank[0-9]+", f.name))


@dataclass(frozen=True)
class DirectAssessment(JudgementKind):
    """One output and a score from 0 to 100; degraded, repeated and reference items tell a careful judge."""

    name: ClassVar[str] = "direct-assessment"
    schema: ClassVar[Schema] = DIRECT_ASSESSMENT
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "item", "segment", "system", "score"})


JUDGEMENT_KINDS: Registry[JudgementKind] = Registry(
    "judgement kind",
    {
        "direct-assessment": "dragoman.data.judgements.kinds:DirectAssessment",
        "relative-ranking": "dragoman.data.judgements.kinds:RelativeRanking",
    },
)


def schema_shown_by(columns: Sequence[str]) -> Schema | None:
    """The schema of the kind whose columns these are: the one with most of its marks, if all columns are its fields."""
    names = set(columns)
    kinds = [JUDGEMENT_KINDS.get(name) for name in JUDGEMENT_KINDS.names()]
    for kind in sorted(kinds, key=lambda kind: -len(kind.shown_by)):
        if kind.shown_by <= names:
            schema = kind.schema_for(columns)
            if names <= {field.name for field in schema.fields}:
                return schema
    return None
