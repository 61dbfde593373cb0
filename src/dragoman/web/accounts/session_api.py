"""Signing in and out, joining by an invitation, one's own password."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from dragoman.store.people import accounts, invites, sessions, tokens
from dragoman.store.refusals import NotSignedIn
from dragoman.web.bodies import (
    Done,
    JoinBody,
    LoginBody,
    PasswordBody,
    ResultBody,
    SessionBody,
    TokenBody,
    body_of,
)
from dragoman.web.cat.bodies import TokenNumber
from dragoman.web.guard import Anyone, Entering, Oneself, SignedIn, actor_of, address_of
from dragoman.web.objects import TokenOwner

__all__ = ["ROUTER", "keep_session"]

ROUTER = APIRouter(prefix="/api/v1", tags=["session"])


def keep_session(request: Request, response: Response, session: sessions.Session) -> None:
    """Put a session's token into its cookie."""
    settings = request.app.state.settings
    response.set_cookie(
        sessions.COOKIE,
        session.token,
        max_age=3600 * settings.session_hours,
        httponly=True,
        samesite="lax",
        secure=settings.is_secure(request.url.scheme),
        path="/",
    )


def _body(request: Request, session: sessions.Session) -> SessionBody:
    with request.app.state.store.read() as connection:
        languages = accounts.languages_of(connection, session.user)
    return SessionBody(name=session.user.name, role=session.user.role, languages=languages, csrf=session.csrf)


@ROUTER.get("/session")
def get_session(request: Request, who: Anyone) -> SessionBody:
    """Who is signed in."""
    if who is None:
        raise NotSignedIn("Nobody is signed in.")
    return _body(request, who)


@ROUTER.post("/session")
def log_in(request: Request, response: Response, body: LoginBody, who: Entering) -> SessionBody:  # noqa: ARG001
    """Sign in."""
    state = request.app.state
    session = sessions.log_in(
        state.store,
        body.name,
        body.password,
        address=address_of(request),
        tries=state.settings.login_tries,
        hours=state.settings.session_hours,
        request=request.state.request_id,
    )
    keep_session(request, response, session)
    return _body(request, session)


@ROUTER.delete("/session")
def log_out(request: Request, response: Response, who: SignedIn) -> Done:  # noqa: ARG001
    """Sign out."""
    with request.app.state.store.write() as connection:
        sessions.close_session(connection, request.cookies.get(sessions.COOKIE, ""))
    response.delete_cookie(sessions.COOKIE, path="/")
    return Done()


@ROUTER.post("/password")
def change_password(request: Request, response: Response, body: PasswordBody, who: Oneself) -> SessionBody:
    """Change one's own password; all other sessions of the account end, and its tokens unless they are kept."""
    state = request.app.state
    session = sessions.change_password(
        state.store,
        who.user,
        body.old,
        body.new,
        hours=state.settings.session_hours,
        request=request.state.request_id,
        keep_tokens=body.keep_tokens,
    )
    keep_session(request, response, session)
    return _body(request, session)


@ROUTER.post("/join/{token}")
def join(
    request: Request,
    response: Response,
    token: Annotated[str, Path(pattern=r"^[A-Za-z0-9_.-]{1,400}$", description="the end of the invitation's link")],
    body: JoinBody,
    who: Anyone,
) -> SessionBody:
    """Come by an invitation."""
    state = request.app.state
    user = None if who is None else who.user
    password = invites.hash_for(state.store, token, user, body.password)
    if password is not None:
        state.tasks.check_new(body.name)
    with state.store.write() as connection:
        user, campaign = invites.accept(
            connection,
            token,
            secret=state.store.secret,
            request=request.state.request_id,
            user=user,
            name=body.name,
            password=password,
            parameters=body.parameters,
            bounded=state.settings.own_campaigns,
        )
        hours = state.settings.session_hours
        session = invites.sign_in(connection, user, campaign, hours=hours, before=who)
    keep_session(request, response, session)
    return _body(request, session)


@ROUTER.get("/tokens")
def list_tokens(request: Request, who: Oneself) -> ResultBody:
    """One's own tokens for programs, without what is secret of them."""
    with request.app.state.store.read() as connection:
        return body_of(tokens.list_tokens(connection, who.user))


@ROUTER.post("/tokens", status_code=201)
def make_token(request: Request, body: TokenBody, who: Oneself) -> ResultBody:
    """Make a token with which programs act for oneself; its secret is in this answer alone."""
    with request.app.state.store.write() as connection:
        return body_of(
            tokens.make_token(
                connection,
                who.user,
                name=body.name,
                scopes=body.scopes,
                days=body.days,
                per_minute=body.per_minute,
                actor=actor_of(request, who),
            )
        )


@ROUTER.delete("/tokens/{number}")
def revoke_token(request: Request, number: TokenNumber, who: TokenOwner) -> Done:
    """Withdraw a token; from now on it opens nothing."""
    with request.app.state.store.write() as connection:
        tokens.revoke_token(connection, who.user, number, actor=actor_of(request, who))
    return Done()
