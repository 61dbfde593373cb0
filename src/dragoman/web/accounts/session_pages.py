"""Signing in and out, and joining by an invitation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from starlette.responses import RedirectResponse, Response

from dragoman.errors import DragomanError
from dragoman.store.people import invites, sessions
from dragoman.store.people.accounts import User
from dragoman.store.refusals import NotFound
from dragoman.store.signing import new_token
from dragoman.web.accounts.session_api import keep_session
from dragoman.web.guard import GUEST_COOKIE, Anyone, Entering, SignedIn, address_of, guest_csrf
from dragoman.web.refusals import status_of
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)

Token = Annotated[str, Path(pattern=r"^[A-Za-z0-9_.-]{1,400}$")]
Field = Annotated[str, Form(max_length=400)]


def _form(request: Request, template: str, content: Mapping[str, object], status: int = 200) -> Response:
    """A form for people who are perhaps not signed in: its token fits a cookie that comes with it."""
    fresh = None
    if request.state.user is None and GUEST_COOKIE not in request.cookies:
        fresh = new_token()
        request.state.new_guest = fresh
        request.state.csrf = guest_csrf(request)
    answer = show(request, template, content, status=status)
    if fresh:
        secure = request.app.state.settings.is_secure(request.url.scheme)
        answer.set_cookie(GUEST_COOKIE, fresh, httponly=True, samesite="lax", secure=secure)
    return answer


def _first_page(user: User) -> str:
    """Where somebody begins who asked for no page: at the own work, or at everybody's."""
    return "/" if user.role == "annotator" else "/campaigns"


def _inside(path: str) -> str:
    """Where to go after signing in: a path of this server, never another site."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() else "/"


@ROUTER.get("/login")
def login_form(request: Request, who: Anyone, next: str = "/") -> Response:  # noqa: A002 - the form's name for it
    """The form to sign in."""
    if who is not None:
        return RedirectResponse(_inside(next), status_code=303)
    return _form(request, "login.html", {"name": "", "next": _inside(next), "message": ""})


@ROUTER.post("/login")
def log_in(
    request: Request,
    who: Entering,  # noqa: ARG001
    name: Field,
    password: Field,
    next: Field = "/",  # noqa: A002
) -> Response:
    """Sign in, or show the form again with what is wrong."""
    state = request.app.state
    try:
        session = sessions.log_in(
            state.store,
            name,
            password,
            address=address_of(request),
            tries=state.settings.login_tries,
            hours=state.settings.session_hours,
            request=request.state.request_id,
        )
    except DragomanError as error:
        return _form(
            request, "login.html", {"name": name, "next": _inside(next), "message": str(error)}, status_of(error)
        )
    wanted = _inside(next)
    answer = RedirectResponse(_first_page(session.user) if wanted == "/" else wanted, status_code=303)
    keep_session(request, answer, session)
    return answer


@ROUTER.post("/logout")
def log_out(request: Request, who: SignedIn) -> Response:  # noqa: ARG001
    """Sign out."""
    with request.app.state.store.write() as connection:
        sessions.close_session(connection, request.cookies.get(sessions.COOKIE, ""))
    answer = RedirectResponse("/login", status_code=303)
    answer.delete_cookie(sessions.COOKIE, path="/")
    return answer


@ROUTER.get("/join/{token}")
def join_form(request: Request, token: Token, who: Anyone) -> Response:
    """What an invitation is for, with the form to accept it."""
    store = request.app.state.store
    with store.read() as connection:
        invite = invites.open_invite(connection, token, secret=store.secret)
    return _join(request, invite, who, dict(request.query_params))


def _join(
    request: Request,
    invite: invites.Invite,
    who: sessions.Session | None,
    given: dict[str, str],
    message: str = "",
    name: str = "",
    status: int = 200,
) -> Response:
    worker = invites.worker_of(invite, given)
    content = {
        "campaign": invite.campaign,
        "role": invite.role,
        "platform": invite.platform,
        "name": name,
        "message": message,
        "asks_account": who is None and worker is None,
        "parameters": {key: value for key, value in (worker or {}).items() if key not in ("platform", "worker")},
    }
    return _form(request, "join.html", content, status)


@ROUTER.post("/join/{token}")
async def join(request: Request, token: Token, who: Anyone) -> Response:
    """Accept an invitation."""
    from starlette.concurrency import run_in_threadpool

    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    return await run_in_threadpool(_accept, request, token, who, form)


def _accept(request: Request, token: str, who: sessions.Session | None, form: dict[str, str]) -> Response:
    state = request.app.state
    user = None if who is None else who.user
    name = form.get("name", "")[:200]
    try:
        password = invites.hash_for(state.store, token, user, form.get("password", "")[:400])
        if password is not None:
            state.tasks.check_new(name)
        with state.store.write() as connection:
            user, campaign = invites.accept(
                connection,
                token,
                secret=state.store.secret,
                request=request.state.request_id,
                user=user,
                name=name,
                password=password,
                parameters=form,
                bounded=state.settings.own_campaigns,
            )
            session = invites.sign_in(connection, user, campaign, hours=state.settings.session_hours, before=who)
    except NotFound:
        raise
    except DragomanError as error:
        with state.store.read() as connection:
            invite = invites.open_invite(connection, token, secret=state.store.secret)
        return _join(request, invite, who, form, str(error), name, status_of(error))
    answer = RedirectResponse(_first_page(user) if campaign is None else f"/campaigns/{campaign}/work", status_code=303)
    keep_session(request, answer, session)
    return answer
