"""Bodies of projects: what is set of them, their terms, who works on what."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue, StringConstraints

from dragoman.web.bodies import Language, Line
from dragoman.web.cat.bodies import Number, StrictBody

__all__ = [
    "ConsentBody",
    "GlossaryBody",
    "JobBody",
    "LearntBody",
    "MemoryBody",
    "MemoryChoice",
    "ProjectBody",
    "ProjectChangeBody",
    "ProjectSettings",
    "ProjectShown",
    "RollbackBody",
    "SpreadBody",
]

_WORDS = r"^[^\x00]*\w[^\x00]*$"  # with a letter or a digit, so that there is something to look for
ProjectName = Annotated[
    str, StringConstraints(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")
]


class MemoryChoice(StrictBody):
    """A memory that a project looks into."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
    penalty: Annotated[float, Field(ge=0, le=100)] = 0  # points taken off its matches
    writes: bool = False  # confirmed segments go there


class ProjectSettings(StrictBody):
    """What may be set of a project."""

    mt_score: Annotated[int, Field(ge=0, le=100)] = 85  # where machine translation stands among matches, in per cent
    threshold: Annotated[int, Field(ge=0, le=100)] = 50  # of matches that are shown
    n_suggestions: Annotated[int, Field(ge=1, le=10)] = 3
    learns: bool = True  # whether its engine learns from confirmed segments, if it can
    repetitions: Literal["off", "empty", "draft"] = "off"  # which segments like a confirmed one get its translation


class TermBody(StrictBody):
    """A term with its translation."""

    source: Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=_WORDS)]
    target: Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=_WORDS)]
    status: Literal["preferred", "admitted", "forbidden"] = "preferred"
    note: Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")] = ""


class GlossaryBody(StrictBody):
    """The terms of a project."""

    terms: Annotated[list[TermBody], Field(max_length=20_000)]


class ProjectBody(StrictBody):
    """A new project."""

    name: ProjectName
    source_lang: Language
    target_lang: Language
    engine: Annotated[str, StringConstraints(max_length=80, pattern=r"^[^\x00]*$")] | None = None
    memories: list[MemoryChoice] = Field(default=[], max_length=50)
    settings: ProjectSettings = ProjectSettings()


class ProjectChangeBody(StrictBody):
    """What shall be different in a project; what is not said stays."""

    name: ProjectName | None = None
    engine: Annotated[str, StringConstraints(max_length=80, pattern=r"^[^\x00]*$")] | None = None
    memories: Annotated[list[MemoryChoice], Field(max_length=50)] | None = None
    settings: ProjectSettings | None = None


class ProjectShown(BaseModel):
    """A project, and what one may do in it."""

    id: int
    name: str
    source_lang: str
    target_lang: str
    source_dir: str
    target_dir: str
    engine: str | None
    engine_learns: bool  # whether what is confirmed teaches it
    engine_remark: str | None  # why it does not, though this server lets engines learn
    engine_is_old: bool  # the server has another engine of this name since the project's copy was made
    memories: list[MemoryChoice]
    settings: ProjectSettings
    role: str
    jobs: list[dict[str, JsonValue]]
    consented: bool
    n_learnt: int
    progress: dict[str, dict[str, int]]  # segments and words by state
    files: list[dict[str, JsonValue]]


class JobBody(StrictBody):
    """Segments for somebody, by their places; all of them if not said."""

    user: Line
    role: Literal["translator", "reviewer"] = "translator"
    first: Number = 1
    last: Number | None = None


class SpreadBody(StrictBody):
    """People among whom all segments are cut."""

    users: Annotated[list[Line], Field(min_length=1, max_length=1000)]
    role: Literal["translator", "reviewer"] = "translator"


class ConsentBody(StrictBody):
    """Whether events of one's own may be kept."""

    given: bool


class RollbackBody(StrictBody):
    """How many of the last pairs an engine shall forget."""

    pairs: Number


class LearntBody(BaseModel):
    """How many pairs of a project its engine knows."""

    n_learnt: int


class MemoryBody(StrictBody):
    """A new memory."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
    source_lang: Language
    target_lang: Language
    shared: bool = False
