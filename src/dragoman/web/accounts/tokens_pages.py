"""One's own tokens for programs: made, shown once, withdrawn."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from dragoman.errors import DataError, DragomanError
from dragoman.store.people import tokens
from dragoman.store.people.services import SERVICES, services_of
from dragoman.store.people.sessions import Session
from dragoman.web.campaigns.managing_pages import back
from dragoman.web.cat.bodies import TokenNumber
from dragoman.web.guard import Oneself, actor_of
from dragoman.web.objects import TokenOwner
from dragoman.web.refusals import status_of
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)


@ROUTER.get("/account/tokens")
def tokens_page(request: Request, who: Oneself) -> Response:
    """One's tokens, and the form for a new one."""
    return _page(request, who)


def _page(
    request: Request, who: Session, *, made: tokens.ApiToken | None = None, message: str = "", status: int = 200
) -> Response:
    with request.app.state.store.read() as connection:
        own = tokens.list_tokens(connection, who.user)
    address = request.app.state.address(request)
    offered = [each for each in tokens.SCOPES if each not in SERVICES or each in services_of(who.user)]
    return show(request, "tokens.html", own, status=status, made=made, message=message, scopes=offered, address=address)


@ROUTER.post("/account/tokens")
def make(
    request: Request,
    who: Oneself,
    name: Annotated[str, Form(max_length=80)],
    days: Annotated[int, Form()],
    scopes: Annotated[list[str], Form()] = [],  # noqa: B006 - FastAPI copies it
    per_minute: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Make a token; this answer alone has its secret."""
    limit = int(per_minute) if per_minute.strip().isdecimal() else None
    try:
        if per_minute.strip() and limit is None:
            raise DataError(f"{per_minute!r} is no number of requests a minute.")
        with request.app.state.store.write() as connection:
            made = tokens.make_token(
                connection,
                who.user,
                name=name,
                scopes=scopes,
                days=days,
                per_minute=limit,
                actor=actor_of(request, who),
            )
    except DragomanError as error:
        return _page(request, who, message=str(error), status=status_of(error))
    return _page(request, who, made=made, status=201)


@ROUTER.post("/account/tokens/{number}/withdraw")
def withdraw(request: Request, number: TokenNumber, who: TokenOwner) -> Response:
    """Withdraw a token; from now on it opens nothing."""
    with request.app.state.store.write() as connection:
        tokens.revoke_token(connection, who.user, number, actor=actor_of(request, who))
    return back("/account/tokens")
