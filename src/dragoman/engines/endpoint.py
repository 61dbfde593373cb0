"""An address that is asked over HTTP in JSON: tried again where that helps, not more often than it allows.

Keys are read from the environment, by the name of a variable: they are in no specification, log or error.
"""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar

from dragoman.cache import ContentFolder
from dragoman.errors import DataError, DragomanError
from dragoman.files import home_folder

__all__ = ["Endpoint", "Refusal", "ServiceError", "answer_folder"]

T = TypeVar("T")

_MOST_BYTES = 64 << 20  # of an answer
_LONGEST_WAIT = 60.0  # seconds, whatever a service asks for
_AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504))


def answer_folder(cache: str) -> ContentFolder | None:
    """Where answers are kept: in a folder, in Dragoman's (`yes`), or nowhere (`no`)."""
    if cache in ("", "no"):
        return None
    return ContentFolder(home_folder() / "answers" if cache == "yes" else cache)


class ServiceError(DragomanError):
    """A service failed at some segments: it cannot be reached, refuses, or answers with something else."""

    def __init__(self, service: str, task: str, first: int, last: int, reason: str, *, away: bool = False) -> None:
        self.service, self.task, self.reason = service, task, reason
        self.away = away  # it cannot be reached or has too much to do: whatever else is sent fares no better
        self.first, self.last = first, last  # places of the segments, from 0
        which = f"segment {first + 1}" if first == last else f"segments {first + 1} to {last + 1}"
        super().__init__(f"{service} did not {task} {which}{reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), away=self.away), (self.service, self.task, self.first, self.last, self.reason)

    def at(self, places: Sequence[int]) -> Self:
        """The same error in a larger text, where the segments have these places."""
        return type(self)(self.service, self.task, places[self.first], places[self.last], self.reason, away=self.away)


class Refusal(Exception):
    """Why a request came to nothing, and after how many seconds it may be made again; None: it is no use.

    `tries` were made. What was answered, but is not what was asked for, is a `lie`: a smaller question may help.
    """

    def __init__(self, reason: str, wait: float | None = None, *, lie: bool = False, tries: int = 1) -> None:
        super().__init__(reason)
        self.wait, self.lie, self.tries = wait, lie, tries

    def error(self, service: str, task: str, first: int, last: int) -> ServiceError:
        """The error that says so to people."""
        tries = f" after {self.tries} tries" if self.tries > 1 else ""
        away = self.wait is not None and not self.lie
        return ServiceError(service, task, first, last, f"{tries}: {self}.", away=away)


@dataclass(frozen=True)
class Endpoint:
    """Where a service is, and how patient one is with it."""

    name: str
    url: str
    key: str = ""  # name of an environment variable
    timeout: float = 30.0  # seconds
    retries: int = 4
    rate: float = 0.0  # requests a minute at most; 0: as many as there are

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise DataError(f"The address of {self.name} is http:// or https://, got {self.url!r}.")
        if self.key and self.key not in os.environ:
            raise DataError(
                f"The environment variable {self.key}, which is to hold the key of {self.name}, is not set."
            )

    def __str__(self) -> str:
        return f"{self.name} at {self.url}"

    @property
    def secret(self) -> str:
        """The key itself; empty if there is none."""
        return os.environ.get(self.key, "") if self.key else ""

    def ask(
        self,
        path: str,
        body: Mapping[str, Any],
        headers: Mapping[str, str],
        read: Callable[[Any], T],
        *,
        insist: bool = False,
    ) -> T:
        """What `read` makes of the answer to a question; the last try's `Refusal` is raised.

        `read` raises a `Refusal` for an answer that is not what was asked for, or whatever a wrong shape leads to; who
        may answer otherwise the next time is asked again (`insist`).
        """
        for number in range(self.retries + 1):
            try:
                return self._once(path, body, headers, read)
            except Refusal as refusal:
                wait = 0.0 if refusal.lie and insist else refusal.wait
                if wait is None or number == self.retries:
                    refusal.tries = number + 1
                    raise
                time.sleep(min(max(wait, 0.5 * 2**number), _LONGEST_WAIT))
        raise AssertionError("a last try returns or raises")

    def _once(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str], read: Callable[[Any], T]) -> T:
        content = self._content(path, body, headers)
        try:
            return read(json.loads(content))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            shown = self._hidden(repr(content[:80]))
            raise Refusal(f"its answer is not what was asked for: {shown}", lie=True) from None

    def _content(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> bytes:
        _TURNS.wait(self.url, self.rate)
        all_headers = {"Content-Type": "application/json", "User-Agent": "dragoman", **headers}
        address = self.url.rstrip("/") + path
        question = urllib.request.Request(address, json.dumps(body).encode(), all_headers)  # noqa: S310, it is http(s)
        try:
            with _OPENER.open(question, timeout=self.timeout) as answer:
                return self._read(answer)
        except urllib.error.HTTPError as error:
            wait = _seconds(error.headers.get("Retry-After")) if error.code in _AGAIN else None
            raise Refusal(self._hidden(f"it answers {error.code} {error.reason}{_told(error)}"), wait) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            raise Refusal(self._hidden(f"it cannot be reached ({reason})"), 0.0) from None
        except ValueError as error:  # a key or an address that no header and no request can hold
            raise Refusal(f"it cannot be asked ({type(error).__name__}: look at the address and the key)") from None

    def _read(self, answer: http.client.HTTPResponse) -> bytes:
        """An answer, which must not take for ever, a few bytes at a time."""
        end, content = time.monotonic() + self.timeout, bytearray()
        while part := answer.read1(1 << 16):
            content += part
            if len(content) > _MOST_BYTES:
                raise Refusal(f"its answer is larger than {_MOST_BYTES >> 20} MiB")
            if time.monotonic() > end:
                raise Refusal(f"its answer took longer than {self.timeout:g} seconds", 0.0)
        return bytes(content)

    def _hidden(self, text: str) -> str:
        """A text in which a service may have said the key again, without it."""
        return text.replace(self.secret, "…") if self.secret else text


class _Stay(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: another address would be told the key."""

    def redirect_request(self, *_: Any) -> None:
        """No request."""


_OPENER = urllib.request.build_opener(_Stay)


class _Turns:
    """When an address may be asked next, for all engines and threads of the process."""

    def __init__(self) -> None:
        self._next: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait(self, url: str, rate: float) -> None:
        """Sleep until it is one's turn at an address that takes `rate` requests a minute."""
        if rate <= 0:
            return
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next.get(url, now))
            self._next[url] = turn + 60 / rate
        if turn > now:
            time.sleep(turn - now)


_TURNS = _Turns()


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isascii() and text.isdigit() else 0.0


def _told(error: urllib.error.HTTPError) -> str:
    """What a service says of an error, if it is short and text."""
    try:
        content = json.loads(error.read(10_000))
        said = content.get("error") or content.get("message")
        said = said.get("message") if isinstance(said, dict) else said
    except (ValueError, AttributeError, OSError, RecursionError):
        return ""
    return f": {said[:200]}" if isinstance(said, str) else ""
