"""What goes in and out of the interface, for checking and for its description (OpenAPI)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from dragoman.report.result import Result
from dragoman.web.models.shelf import MOST_CHARACTERS

__all__ = [
    "AccountBody",
    "AdjudicationBody",
    "AnswersBody",
    "AnswersSaved",
    "ArchiveBody",
    "CampaignName",
    "ChangeBody",
    "Done",
    "ErrorBody",
    "ExclusionBody",
    "Health",
    "InviteBody",
    "ItemName",
    "ItemShown",
    "JoinBody",
    "Language",
    "Languages",
    "LanguagesBody",
    "LoginBody",
    "ManifestBody",
    "MediaName",
    "MemberBody",
    "PasswordBody",
    "ResetBody",
    "ResultBody",
    "RoleBody",
    "ServicesBody",
    "SessionBody",
    "StateBody",
    "TokenBody",
    "UserName",
    "Work",
    "body_of",
]

# No control characters: PostgreSQL has no NUL in text, and nobody's name or title has a line feed.
_LINE = r"^[^\x00-\x1f\x7f]*$"
_TEXT = r"^[^\x00]*$"
Line = Annotated[str, StringConstraints(max_length=200, pattern=_LINE)]
Text = Annotated[str, StringConstraints(max_length=100_000, pattern=_TEXT)]
# A text is one segment: a line feed in it would be two, and the answer could not be told apart.
Segment = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS, pattern=r"^[^\x00\n\r]*$")]
Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]
Language = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{2,35}$")]
Languages = Annotated[list[Language], Field(max_length=50)]
Role = Literal["admin", "manager", "annotator", "viewer"]
State = Literal["open", "paused", "closed"]
Secret = Annotated[str, StringConstraints(max_length=200)]


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("in UTC, this is before the year 1 or after 9999") from None


Instant = Annotated[datetime, AfterValidator(_in_utc)]
Parameter = Annotated[str, StringConstraints(max_length=200, pattern=_LINE)]

CampaignName = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$", description="the campaign's name")]
ItemName = Annotated[str, Path(pattern=r"^[A-Za-z0-9._:-]{1,200}$", description="the item's name")]
MediaName = Annotated[str, Path(pattern=r"^[A-Za-z0-9._-]{1,80}$", description="the file's name in what is shown")]
UserName = Annotated[str, Path(pattern=r"^[^\x00-\x20/]{1,80}$", description="the account's name")]
Offset = Annotated[int, Query(ge=0, le=10**9)]
Limit = Annotated[int, Query(ge=1, le=10_000)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ErrorBody(BaseModel):
    """What went wrong."""

    status: int
    kind: str
    message: str


class ResultBody(BaseModel):
    """A result as the command line's --json prints it, too."""

    kind: str
    rows: list[dict[str, JsonValue]]
    meta: dict[str, JsonValue]


def body_of(result: Result) -> ResultBody:
    """A result as it is sent."""
    return ResultBody(**result.to_dict())


class Done(BaseModel):
    """It was done."""

    done: Literal[True] = True


class Health(BaseModel):
    """Whether the server and its database work."""

    status: str
    version: str
    database: str


class LoginBody(_Body):
    """Name and password."""

    name: Annotated[str, StringConstraints(max_length=200)]
    password: Secret


class SessionBody(BaseModel):
    """Who is signed in; the token goes into the header X-CSRF-Token of all requests that change something."""

    name: str
    role: str
    languages: list[str]
    csrf: str


class PasswordBody(_Body):
    """A change of one's own password."""

    old: Secret
    new: Secret
    keep_tokens: bool = False  # the tokens for programs, which end otherwise


class ResetBody(_Body):
    """A new password."""

    password: Secret


class TokenBody(BaseModel):
    """A token for programs: what it is for, what it may do, and for how many days."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=_LINE)]
    scopes: Annotated[
        list[Literal["translate", "score", "quality", "cat", "submit"]], Field(min_length=1, max_length=10)
    ]
    days: Annotated[int, Field(ge=1, le=366)] = 90
    per_minute: Annotated[int, Field(ge=1, le=10**6)] | None = None  # requests; null: as many as the account may make


class JoinBody(_Body):
    """Coming by an invitation: name and password of the new account, or the crowd platform's parameters."""

    name: Line = ""
    password: Secret = ""
    parameters: Annotated[dict[Parameter, Parameter], Field(max_length=20)] = {}


class Progress(BaseModel):
    """How many items are answered, of how many."""

    done: int
    total: int


class WorkItem(BaseModel):
    """An item on the list of somebody's work."""

    item: str
    task: str
    position: int
    done: bool


class Work(BaseModel):
    """Somebody's work in a campaign."""

    campaign: str
    title: str
    state: State
    protocol: str
    screen: str
    ask: dict[str, JsonValue]
    instructions: str
    languages: dict[str, str | None]
    progress: Progress
    items: list[WorkItem]
    code: str | None
    return_url: str | None


class ItemShown(BaseModel):
    """An item with one's own answers; with `item` null there is nothing left to do."""

    model_config = ConfigDict(extra="allow")

    item: str | None
    task: str | None = None
    position: int | None = None
    n_items: int | None = None
    shown: dict[str, JsonValue] | None = None
    answer: dict[str, JsonValue] | None = None
    revision: int | None = None
    history: list[dict[str, JsonValue]] | None = None
    code: str | None = None
    return_url: str | None = None


class EventBody(_Body):
    """An answer with the key that the client made for it."""

    key: Key
    item: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,200}$")]
    answer: dict[str, Any]
    active_seconds: Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)] | None = None
    started: Instant | None = None
    ended: Instant | None = None


class AnswersBody(_Body):
    """Answers to save."""

    events: Annotated[list[EventBody], Field(max_length=500)]


class AnswerSaved(BaseModel):
    """An answer that is saved, now or when it was sent first."""

    key: str
    item: str
    revision: int


class AnswerRefused(BaseModel):
    """An answer that was not saved, and why."""

    key: str
    item: str
    message: str


class AnswersSaved(BaseModel):
    """What became of the answers."""

    saved: list[AnswerSaved]
    refused: list[AnswerRefused]
    progress: Progress


class ManifestBody(_Body):
    """A new campaign: the manifest's text, and each file that it names: texts as they are, media in base 64."""

    manifest: Annotated[str, StringConstraints(max_length=1_000_000)]
    files: Annotated[dict[str, str], Field(max_length=1000)] = {}
    media: Annotated[dict[str, str], Field(max_length=10_000)] = {}
    title: Line | None = None
    instructions: Text | None = None
    lease_minutes: Annotated[int, Field(ge=1, le=525_600)] = 1440
    code: Annotated[str, StringConstraints(max_length=80, pattern=_LINE)] = ""
    return_url: Annotated[str, StringConstraints(max_length=2000, pattern=r"^https?://[^\x00-\x20]+$")] | None = None
    qualified: bool = False
    dynamic: bool = False


class ArchiveBody(_Body):
    """The archive of a campaign in base 64, the name it shall have if not its own, and whose account is whose.

    Whom `people` does not name gets a new account: a name in an archive proves nothing.
    """

    archive: str
    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")] | None = None
    people: Annotated[dict[str, str], Field(max_length=10_000)] = Field(default_factory=dict)


class ChangeBody(_Body):
    """What of a campaign can be changed; what is not given stays."""

    title: Line | None = None
    instructions: Text | None = None
    lease_minutes: Annotated[int, Field(ge=1, le=525_600)] | None = None
    code: Annotated[str, StringConstraints(max_length=80, pattern=_LINE)] | None = None
    return_url: Annotated[str, StringConstraints(max_length=2000, pattern=r"^https?://[^\x00-\x20]+$")] | None = None
    qualified: bool | None = None
    decisions: bool | None = None


class StateBody(_Body):
    """The state that a campaign shall have."""

    state: State


class InviteBody(_Body):
    """An invitation to make."""

    role: Role = "annotator"
    platform: Literal["prolific", "mturk", "toloka", "other"] | None = None
    hours: Annotated[float, Field(gt=0, le=8784, allow_inf_nan=False)] = 336
    max_uses: Annotated[int, Field(ge=1, le=10**6)] | None = None
    max_tasks: Annotated[int, Field(ge=1, le=10**6)] | None = None
    languages: Languages = []


class MemberBody(_Body):
    """An account that shall take part."""

    name: Line
    max_tasks: Annotated[int, Field(ge=1, le=10**6)] | None = None


class ExclusionBody(_Body):
    """Why somebody is left out, and whether their tasks go to others."""

    reason: Annotated[str, StringConstraints(max_length=2000, pattern=_TEXT)] = ""
    renew: bool = False


class AdjudicationBody(_Body):
    """A decision on an item."""

    key: Key
    item: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,200}$")]
    answer: dict[str, Any]
    note: Annotated[str, StringConstraints(max_length=10_000, pattern=_TEXT)] = ""


class AccountBody(_Body):
    """A new account."""

    name: Line
    role: Role
    password: Secret
    languages: Languages = []


class RoleBody(_Body):
    """A role to give."""

    role: Role


class ServicesBody(_Body):
    """What an account may ask of the server's models; null: what its role may."""

    services: Annotated[list[Literal["translate", "score", "quality"]], Field(max_length=3)] | None


class LanguagesBody(_Body):
    """The languages in which somebody may judge."""

    languages: Languages
