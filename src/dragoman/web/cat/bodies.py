"""What goes in and out of the workbench's interface."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from dragoman.web.bodies import Instant, Key, Language, Line, Text

__all__ = [
    "ChangeBody",
    "ChangesBody",
    "CheckBody",
    "CommentBody",
    "ConsentBody",
    "EventsBody",
    "FileNumber",
    "FindingsBody",
    "GlossaryBody",
    "IgnoringBody",
    "IssueBody",
    "JobBody",
    "KeptBody",
    "LearntBody",
    "MemoryBody",
    "MemoryChoice",
    "MergeBody",
    "NumberBody",
    "OutcomesBody",
    "PretranslatedBody",
    "PretranslationBody",
    "ProjectBody",
    "ProjectChangeBody",
    "ProjectNumber",
    "ProjectSettings",
    "ProjectShown",
    "ReplaceBody",
    "ReplacedBody",
    "ReplayBody",
    "ResolutionBody",
    "RestoreBody",
    "RollbackBody",
    "SegmentBody",
    "SegmentNumber",
    "SegmentsBody",
    "SplitBody",
    "SpreadBody",
    "SuggestionsBody",
    "VersionsBody",
]

_WORDS = r"^[^\x00]*\w[^\x00]*$"  # with a letter or a digit, so that there is something to look for
Number = Annotated[int, Field(ge=1, lt=2**31)]
Count = Annotated[int, Field(ge=0, lt=2**31)]
# Pydantic lets no lone surrogate through.
Target = Annotated[str, StringConstraints(max_length=100_000, pattern=r"^[^\x00]*$")]
Kind = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]
ProjectName = Annotated[
    str, StringConstraints(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")
]
State = Literal["new", "draft", "translated", "approved", "rejected"]

ProjectNumber = Annotated[int, Path(ge=1, lt=2**31, description="the project's number")]
SegmentNumber = Annotated[int, Path(ge=1, lt=2**31, description="the segment's number, not its place")]
FileNumber = Annotated[int, Path(ge=1, lt=2**31, description="the file's number")]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class MemoryChoice(_Body):
    """A memory that a project looks into."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
    penalty: Annotated[float, Field(ge=0, le=100)] = 0  # points taken off its matches
    writes: bool = False  # confirmed segments go there


class ProjectSettings(_Body):
    """What may be set of a project."""

    mt_score: Annotated[int, Field(ge=0, le=100)] = 85  # where machine translation stands among matches, in per cent
    threshold: Annotated[int, Field(ge=0, le=100)] = 50  # of matches that are shown
    n_suggestions: Annotated[int, Field(ge=1, le=10)] = 3
    learns: bool = True  # whether its engine learns from confirmed segments, if it can
    repetitions: Literal["off", "empty", "draft"] = "off"  # which segments like a confirmed one get its translation


class TermBody(_Body):
    """A term with its translation."""

    source: Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=_WORDS)]
    target: Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=_WORDS)]
    status: Literal["preferred", "admitted", "forbidden"] = "preferred"
    note: Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")] = ""


class GlossaryBody(_Body):
    """The terms of a project."""

    terms: Annotated[list[TermBody], Field(max_length=20_000)]


class ProjectBody(_Body):
    """A new project."""

    name: ProjectName
    source_lang: Language
    target_lang: Language
    engine: Annotated[str, StringConstraints(max_length=80, pattern=r"^[^\x00]*$")] | None = None
    memories: Annotated[list[MemoryChoice], Field(max_length=50)] = []
    settings: ProjectSettings = ProjectSettings()


class ProjectChangeBody(_Body):
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
    memories: list[MemoryChoice]
    settings: ProjectSettings
    role: str
    jobs: list[dict[str, JsonValue]]
    consented: bool
    n_learnt: int
    progress: dict[str, dict[str, int]]  # segments and words by state
    files: list[dict[str, JsonValue]]


class NumberBody(BaseModel):
    """The number of what was made."""

    id: int


class JobBody(_Body):
    """Segments for somebody, by their places; all of them if not said."""

    user: Line
    role: Literal["translator", "reviewer"] = "translator"
    first: Number = 1
    last: Number | None = None


class SpreadBody(_Body):
    """People among whom all segments are cut."""

    users: Annotated[list[Line], Field(min_length=1, max_length=1000)]
    role: Literal["translator", "reviewer"] = "translator"


class ConsentBody(_Body):
    """Whether events of one's own may be kept."""

    given: bool


class SegmentBody(BaseModel):
    """A segment. Codes are `[text, kind, pair, shown]`, the k-th stands in the texts as the character U+E000 + k."""

    id: int
    place: int
    file: str
    unit: str
    source: str
    codes: list[list[str]]
    words: int
    note: str
    max_length: int | None
    target: str | None
    state: State
    origin: dict[str, JsonValue] | None
    revision: int
    changed_by: str | None
    locked_by: str | None


class SegmentsBody(BaseModel):
    """Some segments, of how many."""

    total: int
    segments: list[SegmentBody]


class ChangeBody(_Body):
    """What a segment shall be, by somebody who saw its revision. The client makes the key, once for each change."""

    key: Key
    segment: Number
    revision: Count
    target: Target
    state: Literal["draft", "translated", "approved", "rejected"] = "draft"
    origin: dict[str, JsonValue] | None = None  # the suggestion it was made from: kind, name, score, text
    at: Instant | None = None


class ChangesBody(_Body):
    """Changes to save, in their order."""

    changes: Annotated[list[ChangeBody], Field(max_length=500)]


class OutcomeBody(BaseModel):
    """What became of a change. Of one that was refused: how the segment stands now, and why."""

    key: str
    segment: int
    saved: bool
    place: int | None
    revision: int | None
    target: str | None
    state: str | None
    changed_by: str | None
    message: str


class FilledBody(BaseModel):
    """A segment that the program filled as a draft, and where the text comes from."""

    segment: int
    place: int
    words: int
    revision: int
    target: str
    state: str
    origin: dict[str, JsonValue]


class OutcomesBody(BaseModel):
    """What became of each change, in their order, and which segments like those confirmed were filled."""

    outcomes: list[OutcomeBody]
    filled: list[FilledBody] = []


class PretranslationBody(_Body):
    """Where to go on filling empty segments, and with what."""

    after: Count = 0  # a place; 0: from the beginning
    least: Annotated[float, Field(ge=0, le=101)] | None = None  # per cent of a match; if not said, the setting mt_score
    use_engine: bool = True


class PretranslatedBody(BaseModel):
    """The segments that were filled, and the place to go on behind; null: that was all."""

    filled: list[FilledBody]
    after: int | None


class SplitBody(_Body):
    """Where to cut a segment: before a character of its source, and of its target (its end, if not said)."""

    key: Key
    at: Number
    target_at: Count | None = None


class MergeBody(_Body):
    """A segment is joined with the next."""

    key: Key


class RestoreBody(_Body):
    """Which version of a segment shall be its text again, by somebody who saw its revision."""

    key: Key
    number: Number
    revision: Count


class VersionBody(BaseModel):
    """A text that a segment had, or that was refused."""

    number: int
    kind: str
    user: str | None
    at: str
    target: str | None
    state: str | None
    revision: int | None


class VersionsBody(BaseModel):
    """The history of a segment, oldest first."""

    versions: list[VersionBody]


class ReplaceBody(_Body):
    """Text to be replaced in all targets."""

    key: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,50}$")]
    find: Annotated[str, StringConstraints(min_length=1, max_length=1000, pattern=r"^[^\x00]*$")]
    replacement: Annotated[str, StringConstraints(max_length=1000, pattern=r"^[^\x00]*$")]
    match_case: bool = False
    whole_words: bool = False
    dry_run: bool = False


class ReplacementBody(BaseModel):
    """A segment in which text was, or would be, replaced."""

    segment: int
    place: int
    before: str
    after: str
    saved: bool


class ReplacedBody(BaseModel):
    """Where text was replaced."""

    replaced: list[ReplacementBody]


class CommentBody(_Body):
    """Something to say about a segment."""

    key: Key
    text: Annotated[Text, StringConstraints(min_length=1)]


class ResolutionBody(_Body):
    """Whether a comment is dealt with."""

    resolved: bool = True


class IssueBody(_Body):
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


class LoggedBody(_Body):
    """Something that happened in the editor: of what kind, in which segment, when by the client's clock."""

    key: Key
    kind: Kind
    segment: Number | None = None
    at: Instant
    data: dict[str, Any] = {}


class EventsBody(_Body):
    """Events of the editor."""

    events: Annotated[list[LoggedBody], Field(max_length=1000)]


class SuggestionsBody(BaseModel):
    """What may stand in a segment, best first; terms in its source, and phrases of it that memories have."""

    suggestions: list[dict[str, JsonValue]]
    terms: list[dict[str, JsonValue]]
    fragments: list[dict[str, JsonValue]]


class KeptBody(BaseModel):
    """How many events were kept; none of somebody who has not agreed."""

    kept: int
    consented: bool


class ReplayBody(BaseModel):
    """What happened, of how many events."""

    total: int
    frames: list[dict[str, JsonValue]]


class RollbackBody(_Body):
    """How many of the last pairs an engine shall forget."""

    pairs: Number


class LearntBody(BaseModel):
    """How many pairs of a project its engine knows."""

    n_learnt: int


class CheckBody(_Body):
    """A target as it stands in the editor."""

    target: Target


class FindingBody(BaseModel):
    """Something that may be wrong: what, how grave, and where it shows in source and target."""

    check: str
    severity: Literal["error", "warning", "note"]
    message: str
    source: list[tuple[int, int]]
    target: list[tuple[int, int]]


class FindingsBody(BaseModel):
    """What checks found, errors first."""

    findings: list[FindingBody]


class MemoryBody(_Body):
    """A new memory."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
    source_lang: Language
    target_lang: Language
    shared: bool = False


class IgnoringBody(_Body):
    """A finding of a check that is right as it is, and why."""

    key: Key
    check: Line
    message: Annotated[str, StringConstraints(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    reason: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=r"^[^\x00]*\S[^\x00]*$")]
