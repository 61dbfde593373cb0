"""Bodies of segments: seen, saved, filled, cut, searched, checked."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue, StringConstraints

from dragoman.web.bodies import Instant, Key, Line
from dragoman.web.cat.bodies import Count, Number, StrictBody, Target

__all__ = [
    "ChangeBody",
    "ChangesBody",
    "CheckBody",
    "FindingsBody",
    "IgnoringBody",
    "MergeBody",
    "OutcomesBody",
    "PretranslatedBody",
    "PretranslationBody",
    "ReplaceBody",
    "ReplacedBody",
    "RestoreBody",
    "SegmentBody",
    "SegmentsBody",
    "SplitBody",
    "SuggestionsBody",
    "VersionsBody",
]

State = Literal["new", "draft", "translated", "approved", "rejected"]


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


class ChangeBody(StrictBody):
    """What a segment shall be, by somebody who saw its revision. The client makes the key, once for each change."""

    key: Key
    segment: Number
    revision: Count
    target: Target
    state: Literal["draft", "translated", "approved", "rejected"] = "draft"
    origin: dict[str, JsonValue] | None = None  # the suggestion it was made from: kind, name, score, text
    at: Instant | None = None


class ChangesBody(StrictBody):
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


class PretranslationBody(StrictBody):
    """Where to go on filling empty segments, and with what."""

    after: Count = 0  # a place; 0: from the beginning
    least: Annotated[float, Field(ge=0, le=101)] | None = None  # per cent of a match; if not said, the setting mt_score
    use_engine: bool = True


class PretranslatedBody(BaseModel):
    """The segments that were filled, and the place to go on behind; null: that was all."""

    filled: list[FilledBody]
    after: int | None


class SplitBody(StrictBody):
    """Where to cut a segment: before a character of its source, and of its target (its end, if not said)."""

    key: Key
    at: Number
    target_at: Count | None = None


class MergeBody(StrictBody):
    """A segment is joined with the next."""

    key: Key


class RestoreBody(StrictBody):
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


class ReplaceBody(StrictBody):
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


class SuggestionsBody(BaseModel):
    """What may stand in a segment, best first; terms in its source, and phrases of it that memories have."""

    suggestions: list[dict[str, JsonValue]]
    terms: list[dict[str, JsonValue]]
    fragments: list[dict[str, JsonValue]]
    problem: str = ""  # why there is no machine translation
    problem_said: str = ""  # the same in the language of the person


class CheckBody(StrictBody):
    """A target as it stands in the editor."""

    target: Target


class FindingBody(BaseModel):
    """Something that may be wrong: what, how grave, where it shows in source and target, and what would mend it."""

    check: str
    severity: Literal["error", "warning", "note"]
    message: str  # in English: what it is called by whoever ignores it
    said: str  # the same in the language of the page
    source: list[tuple[int, int]]
    target: list[tuple[int, int]]
    edits: list[tuple[tuple[int, int], str]] = []  # of the target, from left to right
    why: str = ""  # the reason of the edits, in English


class FindingsBody(BaseModel):
    """What checks found, errors first."""

    findings: list[FindingBody]


class IgnoringBody(StrictBody):
    """A finding of a check that is right as it is, and why."""

    key: Key
    check: Line
    message: Annotated[str, StringConstraints(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")]
    reason: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=r"^[^\x00]*\S[^\x00]*$")]
