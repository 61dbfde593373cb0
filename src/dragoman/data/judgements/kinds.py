"""The kinds of judgement: what each asks, its schema, and how it is told by the columns of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.data.judgements.base import Judgements, Schema
from dragoman.data.judgements.blind_edits import BLIND_EDITS, REVIEWS
from dragoman.data.judgements.comprehension import COMPREHENSION
from dragoman.data.judgements.crowd import CROWD_VOTES, TRANSLATIONS, VOTES
from dragoman.data.judgements.direct_assessment import DIRECT_ASSESSMENT
from dragoman.data.judgements.ranking import ranking_schema
from dragoman.data.judgements.scales import ADEQUACY_FLUENCY, EFFORT
from dragoman.data.judgements.semantic_frames import FRAMES
from dragoman.data.judgements.spans import ERROR_SPANS
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
    schema: ClassVar[Schema] = ranking_schema(5)
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "item", "system1", "rank1"})

    @classmethod
    def schema_for(cls, columns: Sequence[str]) -> Schema:
        """As wide as the table."""
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


@dataclass(frozen=True)
class AdequacyFluency(JudgementKind):
    """How much of the meaning an output keeps, and how well it reads, each from 1 to 5."""

    name: ClassVar[str] = "adequacy-fluency"
    schema: ClassVar[Schema] = ADEQUACY_FLUENCY
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "item", "segment", "system", "adequacy", "fluency"})

    @classmethod
    def blanks(cls, judgements: Judgements) -> int:
        """Answers of either question that were left out."""
        return sum(each is None for name in ("adequacy", "fluency") for each in judgements[name])


@dataclass(frozen=True)
class PostEditingEffort(JudgementKind):
    """How much of an output would have to be edited, from 1 (all of it) to 5 (nothing), by several weighted judges."""

    name: ClassVar[str] = "post-editing-effort"
    schema: ClassVar[Schema] = EFFORT
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "item", "segment", "system", "effort"})

    @classmethod
    def blanks(cls, judgements: Judgements) -> int:
        """Scores that were left out."""
        return sum(each is None for each in judgements["effort"])


@dataclass(frozen=True)
class ErrorSpans(JudgementKind):
    """Errors marked in an output or its source, with severity and category (MQM), perhaps with a score (ESA)."""

    name: ClassVar[str] = "error-spans"
    schema: ClassVar[Schema] = ERROR_SPANS
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "item", "segment", "system", "severity"})

    @classmethod
    def blanks(cls, judgements: Judgements) -> int:  # noqa: ARG003 - the contract
        """None: an output without an error has a row that says so."""
        return 0


@dataclass(frozen=True)
class SemanticFrames(JudgementKind):
    """Who did what to whom: frames with roles in a reference and in an output, and what corresponds (HMEANT)."""

    name: ClassVar[str] = "semantic-frames"
    schema: ClassVar[Schema] = FRAMES
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "item", "sentence", "version", "frames"})

    @classmethod
    def systems(cls, judgements: Judgements) -> set[str]:
        """The versions of the sentences, the reference among them."""
        return {str(version) for version in judgements.coded("version")[1]}


@dataclass(frozen=True)
class Comprehension(JudgementKind):
    """Questions about an excerpt that somebody heard or read in translation, and whether the answers are right."""

    name: ClassVar[str] = "comprehension"
    schema: ClassVar[Schema] = COMPREHENSION
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "item", "excerpt", "condition"})

    @classmethod
    def systems(cls, judgements: Judgements) -> set[str]:
        """The conditions that were compared."""
        return {str(condition) for condition in judgements.coded("condition")[1]}

    @classmethod
    def blanks(cls, judgements: Judgements) -> int:
        """Answers that nobody has marked yet."""
        marks = zip(judgements["question"], judgements["is_correct"], strict=True)
        return sum(question is not None and mark is None for question, mark in marks)


@dataclass(frozen=True)
class CrowdVoting(JudgementKind):
    """Several translations of a segment by people of a crowd, and how many others thought each the best."""

    name: ClassVar[str] = "crowd-votes"
    schema: ClassVar[Schema] = CROWD_VOTES
    shown_by: ClassVar[frozenset[str]] = frozenset({"item", "segment", "candidate", "text"})


@dataclass(frozen=True)
class CrowdTranslation(JudgementKind):
    """What people of a crowd translate a segment into: one row a person and segment."""

    name: ClassVar[str] = "crowd-translation"
    schema: ClassVar[Schema] = TRANSLATIONS
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "segment", "text"})

    @classmethod
    def blanks(cls, judgements: Judgements) -> int:
        """Translations that were left empty."""
        return sum(each is None for each in judgements["text"])


@dataclass(frozen=True)
class CrowdChoice(JudgementKind):
    """Which of several translations of a segment one person thinks the best."""

    name: ClassVar[str] = "crowd-choice"
    schema: ClassVar[Schema] = VOTES
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "segment", "translator"})

    @classmethod
    def systems(cls, judgements: Judgements) -> set[str]:
        """The translators who were voted for."""
        return {str(translator) for translator in judgements.coded("translator")[1]}


@dataclass(frozen=True)
class BlindEdits(JudgementKind):
    """Outputs corrected by people who saw neither the source nor a reference."""

    name: ClassVar[str] = "blind-edit"
    schema: ClassVar[Schema] = BLIND_EDITS
    shown_by: ClassVar[frozenset[str]] = frozenset({"annotator", "item", "segment", "system", "edit"})

    @classmethod
    def blanks(cls, judgements: Judgements) -> int:
        """Outputs at which the editor gave up."""
        return sum(each is None for each in judgements["edit"])


@dataclass(frozen=True)
class BlindEditReviews(JudgementKind):
    """Such edits, confirmed, polished or corrected by people who saw source and reference."""

    name: ClassVar[str] = "blind-edit-review"
    schema: ClassVar[Schema] = REVIEWS
    shown_by: ClassVar[frozenset[str]] = frozenset({"editor", "reviewer", "system", "segment", "review"})


_HERE = "dragoman.data.judgements.kinds"
JUDGEMENT_KINDS: Registry[JudgementKind] = Registry(
    "judgement kind",
    {
        "adequacy-fluency": f"{_HERE}:AdequacyFluency",
        "blind-edit": f"{_HERE}:BlindEdits",
        "blind-edit-review": f"{_HERE}:BlindEditReviews",
        "comprehension": f"{_HERE}:Comprehension",
        "crowd-choice": f"{_HERE}:CrowdChoice",
        "crowd-translation": f"{_HERE}:CrowdTranslation",
        "crowd-votes": f"{_HERE}:CrowdVoting",
        "direct-assessment": f"{_HERE}:DirectAssessment",
        "error-spans": f"{_HERE}:ErrorSpans",
        "post-editing-effort": f"{_HERE}:PostEditingEffort",
        "relative-ranking": f"{_HERE}:RelativeRanking",
        "semantic-frames": f"{_HERE}:SemanticFrames",
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
