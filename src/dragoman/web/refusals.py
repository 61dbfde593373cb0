"""What the server refuses besides the store, and the HTTP status of every error."""

from __future__ import annotations

from dragoman.engines.endpoint import ServiceError
from dragoman.errors import DataError, DragomanError, NotAvailable, UnknownName
from dragoman.report import Sentence
from dragoman.store.refusals import Conflict, NotAllowed, NotFound, NotSignedIn, Refusal, TooMany

__all__ = [
    "Busy",
    "CutOff",
    "EngineAway",
    "Misdirected",
    "NoCharset",
    "TooLarge",
    "TooLong",
    "TooMuchMemory",
    "TooSlow",
    "sentence_of",
    "status_of",
]


class CutOff(Refusal):
    """The connection ended in the middle of the body."""


class TooSlow(Refusal):
    """The body did not arrive in time."""


class NoCharset(Refusal):
    """The body is declared to be in an encoding that texts are not in."""


class TooLarge(Refusal):
    """The body is larger than the server takes."""


class Misdirected(Refusal):
    """The request is for a server of another name."""


class Busy(TooMany):
    """The server is at its limit just now, whoever asks."""


class TooLong(Refusal):
    """The work takes longer than the server gives it."""


class TooMuchMemory(Refusal):
    """The work takes more memory than the server gives it."""


class EngineAway(Busy):
    """An engine of others did not answer in time, or failed so often that it is left alone for a while."""


# The first that an error is an instance of. Errors that are no refusals are the caller's data.
_STATUSES: dict[type[DragomanError], int] = {
    NotSignedIn: 401,
    NotAllowed: 403,
    NotFound: 404,
    TooSlow: 408,
    Conflict: 409,
    TooLarge: 413,
    NoCharset: 415,
    Misdirected: 421,
    TooLong: 422,
    TooMuchMemory: 422,
    Busy: 503,
    TooMany: 429,
    ServiceError: 502,
    Refusal: 400,
    UnknownName: 404,
    NotAvailable: 501,
    DataError: 422,
}


def status_of(error: DragomanError) -> int:
    """The HTTP status of an error."""
    return next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 400)


def sentence_of(error: Exception) -> str:
    """What an error says, as a sentence that can be said in another language where it is one."""
    message = error.args[0] if len(error.args) == 1 else None
    return message if isinstance(message, Sentence) else str(error)
