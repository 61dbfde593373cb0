"""What happens around every request: a number, a log line, a count, headers, and limits on bodies."""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from datetime import UTC, datetime
from email.message import Message as Head
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request

from dragoman.store.refusals import Refusal
from dragoman.utf8 import text_encoding
from dragoman.web.answering import error_answer
from dragoman.web.logs import LOGGER, clean_path
from dragoman.web.refusals import CutOff, NoCharset, TooLarge, TooSlow, status_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from dragoman.web.counters import Measures

__all__ = ["Around", "BodyLimits"]

_MOST_DIGITS = 20
_NUMBER = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Pages bring their own. Whatever else somebody opens (a file that was uploaded, say) does nothing by itself.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Around:
    """Numbers, logs and counts requests, and puts the headers of safety on answers."""

    def __init__(self, app: ASGIApp, measures: Measures) -> None:
        self.app = app
        self.measures = measures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        number = given if _NUMBER.fullmatch(given) else uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = number
        scope["state"]["begun"] = datetime.now(UTC)  # before the body, which may take its time
        begun, status = time.perf_counter(), 500

        async def labelled(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = number
                for name, value in (_HEADERS | scope["state"].get("limits", {})).items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
                if scope.get("scheme") == "https":
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
            await send(message)

        try:
            await self.app(scope, receive, labelled)
        finally:
            seconds = time.perf_counter() - begun
            route = getattr(scope.get("route"), "path", "(none)")
            self.measures.request(scope["method"], route, status, seconds)
            fields: dict[str, Any] = {
                "request": number,
                "method": scope["method"],
                "path": clean_path(scope["path"]),
                "status": status,
                "milliseconds": round(1000 * seconds, 1),
                "user": scope["state"].get("user_name"),
            }
            LOGGER.info("request", extra={"fields": fields})


def _check_charset(content_type: str) -> None:
    """Refuse forms in several parts whose letters no text is in; Starlette decodes names and values by any codec."""
    head = Head()
    head["Content-Type"] = content_type
    if head.get_content_type() != "multipart/form-data":
        return
    given = [
        str(value) for name, value in head.get_params([]) if name.lower() == "charset"
    ]  # of several, any may count
    for named in filter(None, given):
        if text_encoding(named) is None:
            raise NoCharset(
                f"The form is declared to be in {named[:40]!r}, which is no character set. Send it in UTF-8."
            )


class BodyLimits:
    """Refuses bodies that are too large, come too slowly or are in no character set.

    A body is whole before anything is made of it.
    """

    def __init__(self, app: ASGIApp, max_body: int, body_seconds: float) -> None:
        self.app = app
        self.max_body = max_body
        self.body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        if not ("content-length" in headers or "transfer-encoding" in headers):
            await self.app(scope, receive, send)
            return
        try:
            _check_charset(headers.get("content-type", ""))
            body: bytes | None = await self._body(headers.get("content-length", "0"), receive)
        except Refusal as refusal:
            answer = error_answer(Request(scope), status_of(refusal), type(refusal).__name__, str(refusal))
            answer.headers["Connection"] = "close"
            await answer(scope, receive, send)
            return

        async def replay() -> Message:
            nonlocal body
            if body is None:
                return await receive()  # waits for the client to leave, which may take as long as it likes
            message: Message = {"type": "http.request", "body": body, "more_body": False}
            body = None
            return message

        await self.app(scope, replay, send)

    async def _body(self, declared: str, receive: Receive) -> bytes:
        # A number of thousands of digits is none to Python.
        if not declared.isdecimal() or len(declared) > _MOST_DIGITS or int(declared) > self.max_body:
            raise TooLarge(f"The body has more than {self.max_body:,} bytes, which is the most this server takes.")
        parts, size = [], 0
        over = time.monotonic() + self.body_seconds
        while True:
            try:
                message = await asyncio.wait_for(receive(), max(0.001, over - time.monotonic()))
            except TimeoutError:
                raise TooSlow(f"The body did not arrive within {self.body_seconds:g} seconds.") from None
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self.max_body:
                raise TooLarge(f"The body has more than {self.max_body:,} bytes, which is the most this server takes.")
            if message["type"] == "http.disconnect":
                # Half a body may look like a whole one, a form above all; nothing must be made of it.
                raise CutOff("The connection ended before the body was whole; nothing was done.")
            if not message.get("more_body", False):
                return b"".join(parts)
