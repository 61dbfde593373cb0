"""What is refused. The server has more reasons of its own, and gives each its HTTP status (`web.refusals`)."""

from __future__ import annotations

from dragoman.errors import DragomanError

__all__ = ["Conflict", "NotAllowed", "NotFound", "NotSignedIn", "Refusal", "TooMany"]


class Refusal(DragomanError):
    """A request that is not granted."""


class NotSignedIn(Refusal):
    """Nobody is signed in, or the session has ended."""


class NotAllowed(Refusal):
    """The person may not do this."""


class NotFound(Refusal, LookupError):
    """There is no such thing, or it is none of the person's business."""


class Conflict(Refusal):
    """It cannot be done in this state: a name is taken, a campaign is closed."""


class TooMany(Refusal):
    """Too many requests or tries; `retry_after` seconds from now there is room again."""

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
