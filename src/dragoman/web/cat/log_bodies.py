"""Bodies of the record of what people did."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field, FiniteFloat, JsonValue, StringConstraints

from dragoman.web.bodies import Instant, Key
from dragoman.web.cat.bodies import Number, StrictBody

__all__ = [
    "EventsBody",
    "GazeBody",
    "KeptBody",
    "LoggedBody",
    "ReplayBody",
]

Kind = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]


class LoggedBody(StrictBody):
    """Something that happened in the editor: of what kind, in which segment, when by the client's clock."""

    key: Key
    kind: Kind
    segment: Number | None = None
    at: Instant
    data: dict[str, Any] = Field(default={})


class GazeBody(StrictBody):
    """Where somebody looked: `[milliseconds from at, x, y]`, in pixels of the browser's window."""

    key: Key
    segment: Number | None = None
    at: Instant
    samples: Annotated[
        list[Annotated[list[FiniteFloat], Field(min_length=3, max_length=3)]], Field(min_length=1, max_length=10_000)
    ]
    device: Annotated[str, StringConstraints(max_length=80, pattern=r"^[^\x00]*$")] = ""


class EventsBody(StrictBody):
    """Events of the editor."""

    events: Annotated[list[LoggedBody], Field(max_length=1000)]


class KeptBody(BaseModel):
    """How many events were kept; none of somebody who has not agreed."""

    kept: int
    consented: bool


class ReplayBody(BaseModel):
    """What happened, of how many events."""

    total: int
    frames: list[dict[str, JsonValue]]
