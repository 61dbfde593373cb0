"""How errors are answered: with status, kind and message, as JSON for programs and as a page for people."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import sqlalchemy as sa
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from dragoman.errors import DragomanError
from dragoman.store.people.sessions import COOKIE
from dragoman.store.refusals import NotSignedIn, TooMany
from dragoman.web.logs import LOGGER
from dragoman.web.refusals import status_of
from dragoman.web.rendering import show

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import HTTPConnection, Request
    from starlette.websockets import WebSocket

__all__ = ["AWAY", "NO_PROJECT", "add_handlers", "error_answer", "is_program", "wants_page"]

# How other services say what is wrong; their clients look for it there.
_DIALECTS: dict[str, Callable[[int, str], dict[str, Any]]] = {
    "/libretranslate/": lambda _, message: {"error": message},
    "/deepl/": lambda _, message: {"message": message},
    "/google/": lambda status, message: {"error": _google(status, message)},
    "/casmacat/": lambda status, message: {"error": _google(status, message)},
}
AWAY = (sa.exc.OperationalError, sa.exc.TimeoutError)  # what the database raises that cannot be reached, or is full
NO_PROJECT = 4404  # closes a socket: such a project is not there, or not for this person
_AGAIN = 5  # seconds after which a client may try again when the database was away


def _google(status: int, message: str) -> dict[str, Any]:
    return {"code": status, "message": message, "errors": [{"message": message}]}


def wants_page(request: HTTPConnection) -> bool:
    """Whether a person looks at the answer: API and `.json` are for programs, and so is what asks for JSON alone."""
    path, accepted = request.url.path, request.headers.get("accept", "")
    return not (
        path.startswith(("/api/", "/v1/", *_DIALECTS))
        or path.endswith(".json")
        or path in ("/health", "/metrics")
        or ("application/json" in accepted and "text/html" not in accepted)
    )


def is_program(request: HTTPConnection) -> bool:
    """Whether a program asks on its own: the scripts of pages ask for JSON, too, but with the cookie of a session."""
    return not wants_page(request) and COOKIE not in request.cookies


def error_answer(request: Request, status: int, kind: str, message: str) -> Response:
    """The answer that says what went wrong."""
    message = message.encode("utf-8", "backslashreplace").decode("utf-8")  # it may quote a lone surrogate of a file's
    content: dict[str, Any] = {"status": status, "kind": kind, "message": message}
    for prefix, shape in _DIALECTS.items():
        if request.url.path.startswith(prefix):
            status = 403 if status == 401 and prefix == "/deepl/" else status  # DeepL has no 401
            return JSONResponse(shape(status, message), status_code=status)
    if wants_page(request):
        return show(request, "error.html", content, status=status)
    return JSONResponse(content, status_code=status)


def add_handlers(app: FastAPI) -> None:
    """Let the app answer errors as the house does."""

    @app.exception_handler(DragomanError)
    def refused(request: Request, error: DragomanError) -> Response:
        if isinstance(error, NotSignedIn) and wants_page(request) and request.method == "GET":
            return RedirectResponse(f"/login?next={quote(request.url.path)}", status_code=303)
        answer = error_answer(request, status_of(error), type(error).__name__, str(error))
        if isinstance(error, NotSignedIn) and not wants_page(request):
            answer.headers["WWW-Authenticate"] = "Bearer"
        if isinstance(error, TooMany):
            answer.headers["Retry-After"] = str(error.retry_after)
        return answer

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> Response:
        return error_answer(request, 422, "DataError", _problems(error.errors()))

    @app.exception_handler(WebSocketRequestValidationError)
    async def no_number(socket: WebSocket, error: WebSocketRequestValidationError) -> None:  # noqa: ARG001
        # FastAPI's own handler gives a list as the reason, which uvicorn cannot send.
        await socket.close(NO_PROJECT)

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        if isinstance(error.__cause__, RecursionError | ValueError):  # FastAPI could make nothing of the body
            return error_answer(request, 422, "DataError", f"The body is no JSON that can be read: {_reason(error)}.")
        kind = {404: "NotFound", 405: "NotAllowed"}.get(error.status_code, "Refusal")
        text = {404: "There is nothing at this address.", 405: f"{request.method} is not possible at this address."}
        answer = error_answer(request, error.status_code, kind, text.get(error.status_code, str(error.detail)))
        for name, value in (error.headers or {}).items():
            answer.headers[name] = value
        return answer

    def away(request: Request, error: Exception) -> Response:
        # Disk full, PostgreSQL restarting, a lock held too long: nothing was confirmed, so nothing is lost.
        LOGGER.error("database: %s", getattr(error, "orig", error), extra={"fields": _number(request)})
        again = "send the request again later" if is_program(request) else "what you entered will be sent again"
        message = f"The database cannot be reached or is full. Nothing was saved; {again}."
        answer = error_answer(request, 503, "Unavailable", message)
        answer.headers["Retry-After"] = str(_AGAIN)
        return answer

    for kind in AWAY:
        app.add_exception_handler(kind, away)

    @app.exception_handler(sa.exc.DataError)
    def unfit(request: Request, error: sa.exc.DataError) -> Response:
        # PostgreSQL refuses NUL and numbers beyond its columns where SQLite takes them or finds nothing.
        LOGGER.warning("value: %s", type(error.orig).__name__, extra={"fields": _number(request)})
        return error_answer(request, 422, "DataError", "The database has no place for one of the values; change it.")

    @app.exception_handler(UnicodeEncodeError)
    def no_character(request: Request, error: UnicodeEncodeError) -> Response:
        # JSON can spell one; a database has no place for them, and neither have files.
        character = error.object[error.start]
        if not "\ud800" <= character <= "\udfff":
            return ours(request, error)
        message = f"A text has a lone surrogate, U+{ord(character):04X}, which is no character; write it anew."
        return error_answer(request, 422, "DataError", message)

    @app.exception_handler(OSError)
    def full(request: Request, error: OSError) -> Response:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            return ours(request, error)
        LOGGER.error("disk: %s", error.strerror, extra={"fields": _number(request)})
        message = "There is no room left on the server's disk. Nothing was saved; tell the organisers."
        answer = error_answer(request, 507, "DiskFull", message)
        answer.headers["Retry-After"] = str(_AGAIN)
        return answer

    @app.exception_handler(Exception)
    def ours(request: Request, error: Exception) -> Response:
        LOGGER.error("fault", exc_info=error, extra={"fields": _number(request)})
        number = getattr(request.state, "request_id", "?")
        message = f"This is our fault. Tell the organisers this number: {number}."
        if is_program(request):
            message = f"The server failed; its log tells why under the number {number}."
        return error_answer(request, 500, "Fault", message)


def _reason(error: HTTPException) -> str:
    """Why a body could not be read, without its values."""
    if isinstance(error.__cause__, RecursionError):
        return "it is nested too deeply"
    if isinstance(error.__cause__, UnicodeDecodeError):
        return "it is not in UTF-8"
    return "a number has too many digits"


def _number(request: Request) -> dict[str, Any]:
    return {"request": getattr(request.state, "request_id", None)}


def _problems(errors: Any) -> str:
    """All that is wrong with a request, without the values: they may be secrets."""
    problems = [f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in errors]
    return "; ".join(problems[:20]) + "."
