"""What the server refuses, each with its HTTP status. Other errors of Dragoman's are the caller's data: 400."""

from __future__ import annotations

from typing import ClassVar

from dragoman.errors import DataError, DragomanError, NotAvailable, UnknownName
from dragoman.report import Sentence

__all__ = [
    "Busy", "Conflict", "CutOff", "Misdirected", "NotAllowed", "NotFound", "NotSignedIn", "Refusal", "TooLarge",
    "TooLong", "TooMany", "TooSlow", "sentence_of", "status_of",
]  # fmt: skip


class Refusal(DragomanError):
    """A request that is not granted."""

    status: ClassVar[int] = 400


class NotSignedIn(Refusal):
    """Nobody is signed in, or the session has ended."""

    status = 401


class NotAllowed(Refusal):
    """The person may not do this."""

    status = 403


class NotFound(Refusal, LookupError):
    """There is no such thing, or it is none of the person's business."""

    status = 404


class CutOff(Refusal):
    """The connection ended in the middle of the body."""

    status = 400


class TooSlow(Refusal):
    """The body did not arrive in time."""

    status = 408


class Conflict(Refusal):
    """It cannot be done in this state: a name is taken, a campaign is closed."""

    status = 409


class TooLarge(Refusal):
    """The body is larger than the server takes."""

    status = 413


class Misdirected(Refusal):
    """The request is for a server of another name."""

    status = 421


class TooMany(Refusal):
    """Too many requests or tries; `retry_after` seconds from now there is room again."""

    status = 429

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Busy(TooMany):
    """The server is at its limit just now, whoever asks."""

    status = 503


class TooLong(Refusal):
    """The work takes longer than the server gives it."""

    status = 422


def status_of(error: DragomanError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, Refusal):
        return error.status
    if isinstance(error, UnknownName):
        return 404
    if isinstance(error, NotAvailable):
        return 501
    return 422 if isinstance(error, DataError) else 400


def sentence_of(error: Exception) -> str:
    """What an error says, as a sentence that can be said in another language where it is one."""
    said = error.args[0] if len(error.args) == 1 else None
    return said if isinstance(said, Sentence) else str(error)
