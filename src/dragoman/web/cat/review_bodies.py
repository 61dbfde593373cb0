"""Bodies of what people say about segments: comments, errors, scores."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from dragoman.web.bodies import Key, Line, Text
from dragoman.web.cat.bodies import Count, StrictBody

__all__ = [
    "CommentBody",
    "IssueBody",
    "ResolutionBody",
    "ScoreBody",
]


class CommentBody(StrictBody):
    """Something to say about a segment."""

    key: Key
    text: Annotated[Text, StringConstraints(min_length=1)]


class ResolutionBody(StrictBody):
    """Whether a comment is dealt with."""

    resolved: bool = True


class IssueBody(StrictBody):
    """An error, as MQM has it: its place in target or source, or that something is missing; how grave, of what kind."""

    key: Key
    start: Count | None = None
    end: Count | None = None
    source_start: Count | None = None
    source_end: Count | None = None
    is_omission: bool = False
    severity: Line
    category: Line
    note: Annotated[str, StringConstraints(max_length=10_000, pattern=r"^[^\x00]*$")] = ""


class ScoreBody(StrictBody):
    """How good a segment is as it stands, from 0 to 100; null: nothing any more."""

    key: Key
    score: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] | None
