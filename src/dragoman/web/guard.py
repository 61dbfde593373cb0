"""Who may do what. Every route takes one of these policies; the app refuses to start with a route that has none."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, cast
from urllib.parse import urlsplit

import sqlalchemy as sa
from fastapi import Depends, Request, WebSocketException
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from dragoman.store import throttle
from dragoman.store.audit import Actor
from dragoman.store.people.accounts import ROLES, User
from dragoman.store.people.local import find_local, local_user
from dragoman.store.people.managers import check_manages
from dragoman.store.people.services import check_service
from dragoman.store.people.sessions import COOKIE, Session, check_opened, find_session, user_of_session
from dragoman.store.people.tokens import find_token
from dragoman.store.refusals import NotAllowed, NotSignedIn, TooMany
from dragoman.store.signing import digest
from dragoman.web.answering import AWAY, NO_PROJECT, is_program
from dragoman.web.logs import LOGGER
from dragoman.web.refusals import Misdirected

if TYPE_CHECKING:
    from fastapi import WebSocket
    from starlette.types import Message

    from dragoman.store.database import Store
    from dragoman.store.translating.jobs import Access
    from dragoman.web.settings import Settings

__all__ = [
    "FOREIGN",
    "GUEST_COOKIE",
    "LATER",
    "NOBODY",
    "Admin",
    "Allow",
    "Anyone",
    "AtWorkbench",
    "AtWorkbenchOften",
    "Entering",
    "Estimating",
    "Live",
    "Manager",
    "Member",
    "MemberSaving",
    "Oneself",
    "QualityPage",
    "Saving",
    "ScorePage",
    "Scoring",
    "SignedIn",
    "Submitting",
    "Teaching",
    "TranslatePage",
    "Translating",
    "Unasked",
    "Viewer",
    "Watching",
    "WorkbenchManager",
    "actor_of",
    "address_of",
    "count_search",
    "count_service",
    "guest_csrf",
    "limit_of",
    "policy_of",
    "program_key",
    "still_here",
]

GUEST_COOKIE = "dragoman_guest"
_WINDOW = 60  # seconds in which changes are counted
_TOO_MANY = "Too many requests; wait a minute."
_SAFE = ("GET", "HEAD", "OPTIONS")
LATER, NOBODY, FOREIGN = 1013, 4401, 4403  # with which sockets are closed: database away, not signed in, other site


class Allow:
    """A policy: the roles that may use a route, as a dependency of FastAPI's.

    Requests that change something must come from our own pages: by the token of the session in the header
    X-CSRF-Token or the form's csrf_token. `counts` says whether such requests are counted against the limit here; a
    route that counts in its own transaction, or has limits of its own, says no. Where there is a `scope`, programs come
    with a token instead of a cookie. `names` are the kinds of objects of the address that the policy looks at. Who came
    by the link of a crowd platform, which proves nothing, is let in `by_link` alone.
    """

    names: ClassVar[frozenset[str]] = frozenset()

    def __init__(
        self,
        name: str,
        roles: tuple[str, ...],
        *,
        guests: bool = False,
        counts: bool = True,
        scope: str | None = None,
        service: str | None = None,
        by_link: bool = False,
    ) -> None:
        self.name = name
        self.roles = roles
        self.guests = guests  # people who are not signed in
        self.counts = counts
        self.scope = scope
        self.service = service  # of the server's models, which not everybody may ask
        self.by_link = by_link

    def lets_guests(self, settings: Settings) -> bool:  # noqa: ARG002
        """Whether people who are not signed in may use the route on this server."""
        return self.guests

    def __repr__(self) -> str:
        return f"Allow({self.name})"

    async def __call__(self, request: Request) -> Session | None:
        """The session of whoever asks, if they may; None for a guest."""
        return await self.let_in(request)

    async def let_in(self, request: Request) -> Session | None:
        """Look at whoever asks: role, origin, form, limits."""
        store: Store = request.app.state.store
        settings: Settings = request.app.state.settings
        secret = await program_key(request, anywhere=self.scope != "cat") if self.scope else None
        token = request.cookies.get(COOKIE)
        session = None
        if self.scope is not None and secret is not None:
            session = await run_in_threadpool(find_token, store, secret, self.scope)
            if session is None:
                raise NotSignedIn("This token is nobody's, or it is over or withdrawn; make a new one.")
            session = replace(session, user=settings.bounded(session.user))
        else:
            session = await run_in_threadpool(_session, store, token, settings)
        request.state.user = None if session is None else session.user
        request.state.user_name = None if session is None else session.user.name
        request.state.by_link = session is not None and session.campaigns is not None
        request.state.csrf = guest_csrf(request) if session is None else session.csrf
        _check_host(request)
        if request.method not in _SAFE and secret is None:
            _check_origin(request)
        is_open = self.lets_guests(settings)
        if session is None and not is_open:
            raise NotSignedIn(_entrance(request, self.scope))
        if session is not None and session.user.role not in (ROLES if is_open else self.roles):
            raise NotAllowed(f"This needs the role {' or '.join(self.roles)}; yours is {session.user.role}.")
        if session is not None and session.campaigns is not None and not (is_open or self.by_link):
            raise NotAllowed("You came by the link of a crowd platform, which opens its study and nothing else.")
        if self.service is not None and session is not None:
            check_service(session.user, self.service)
        if isinstance(self, AllowCampaign) and session is not None:
            await run_in_threadpool(_check_campaign, request, session)
        if isinstance(self, AllowMember) and session is not None and session.campaigns is not None:
            await run_in_threadpool(_check_link, request, session.campaigns)
        if request.method not in _SAFE or self.service is not None or secret is not None:
            try:
                if secret is None and request.method not in _SAFE:
                    # A token is no cookie: no page of others can make a browser send it.
                    await _check_csrf(request, session)
                limits = self._limits(request, session)
                if limits:
                    await run_in_threadpool(_count, request, limits)
                elif not self.guests:  # counted with what is saved
                    request.state.limits = _limit_headers(
                        {"changes": request.app.state.settings.requests_per_minute}, {}
                    )
            except Exception:
                await request.close()  # the files of a form that nobody will read
                raise
        return session

    async def signed_in(self, request: Request) -> Session:
        """The session of whoever is let in where no guests are."""
        session = await self.let_in(request)
        if session is None:
            raise NotSignedIn(_entrance(request, self.scope))
        return session

    def _limits(self, request: Request, session: Session | None) -> dict[str, int]:
        """How often in a minute the request may come, by what it is counted for."""
        settings: Settings = request.app.state.settings
        limits: dict[str, int] = {}
        if session is None:
            key = f"changes-from {address_of(request)}"[:120]
        else:
            key = f"changes {session.user.id}"
            if session.per_minute is not None:
                limits[f"token {session.key}"] = session.per_minute
            if self.service is not None:
                limits[f"service {session.user.id}"] = settings.limits_by_role[session.user.role]
        if self.counts and request.method not in _SAFE:
            limits[key] = settings.requests_per_minute
        return limits


class AllowCampaign(Allow):
    """These roles; limited managers to the campaigns that they made or were given."""

    names = frozenset({"campaign"})


class AllowMember(Allow):
    """Whoever takes part in the campaign: the store asks for that together with the work."""

    names = frozenset({"campaign"})


class AllowUnasked(Allow):
    """Everybody, and nobody is asked who they are: the answer needs neither the database nor a thread."""

    async def __call__(self, request: Request) -> None:
        """Nobody."""
        _check_host(request)


class AllowWatching(Allow):
    """Admins; everybody where the server was started so (`--public-metrics`)."""

    def lets_guests(self, settings: Settings) -> bool:
        """As it was set."""
        return settings.public_metrics


class AllowLive(Allow):
    """Signed in, at a socket. A browser opens sockets to anywhere, cookies and all, so the origin must be our own.

    What somebody may do there is looked at with every call, and whenever there is something to hear.
    """

    names = frozenset({"project"})

    async def __call__(self, connection: HTTPConnection) -> Session:
        """The session of whoever opens the socket; it is closed to all others."""
        store: Store = connection.app.state.store
        settings: Settings = connection.app.state.settings
        # Accepted first: what is closed before has no code, for the browser hears of a failed request alone.
        await cast("WebSocket", connection).accept()
        try:
            _check_host(connection)
            _check_origin(connection)
            session = await run_in_threadpool(_session, store, connection.cookies.get(COOKIE), settings)
        except (Misdirected, NotAllowed) as error:
            raise WebSocketException(FOREIGN, str(error)[:120]) from None
        except AWAY as error:
            LOGGER.error("database: %s", getattr(error, "orig", error))
            raise WebSocketException(LATER, "The database cannot be reached; come back later.") from None
        if session is None:
            raise WebSocketException(NOBODY, "Sign in first; the session may have ended.")
        if session.campaigns is not None:
            raise WebSocketException(NO_PROJECT, "The link of a crowd platform opens no project.")
        return session


def _entrance(request: Request, scope: str | None) -> str:
    """How to get in: for people by signing in, for programs by a token where one opens the route."""
    if not is_program(request):
        return "Sign in first; the session may have ended."
    if scope is None:
        return "Sign in with POST /api/v1/session, and send its cookie; tokens do not open this."
    return f"Send a token of the scope {scope} as the header Authorization: Bearer TOKEN; /account/tokens makes them."


def _session(store: Store, token: str | None, settings: Settings) -> Session | None:
    """The session of a cookie; without one, that of whoever is at this machine where it alone is served."""
    session = find_session(store, token, hours=settings.session_hours) if token else None
    session = find_local(store) if session is None and settings.local else session
    return None if session is None else replace(session, user=settings.bounded(session.user))


def still_here(connection: sa.Connection, asking: HTTPConnection) -> User:
    """Who is signed in at a socket by now; raises if nobody is any more."""
    settings: Settings = asking.app.state.settings
    token = asking.cookies.get(COOKIE)
    user = user_of_session(connection, token) if token else None
    user = local_user(connection) if user is None and settings.local else user
    if user is None:
        raise NotSignedIn("Sign in again; the session has ended.")
    return settings.bounded(user)


async def program_key(request: Request, *, anywhere: bool = True) -> str | None:
    """The token of a program: a header or, `anywhere` that services have it, the query's `key`, a field `api_key`."""
    scheme, _, word = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() in ("bearer", "deepl-auth-key"):
        return word.strip()
    if anywhere and "key" in request.query_params:
        return request.query_params["key"]
    return request.headers.get("x-api-key") or (await _field(request, "api_key") if anywhere else None)


async def _field(request: Request, name: str) -> str | None:
    """A field of the body, be it a form or JSON; None where it is none of them."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    value: Any = None
    if kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
        body = await request.body()  # kept, for whoever reads it in another way

        async def again() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async with Request(request.scope, again).form(max_fields=1000) as form:  # files in it are closed
            value = form.get(name)
    elif kind == "application/json":
        try:
            body = await request.json()
        except (ValueError, RecursionError):
            return None
        value = body.get(name) if isinstance(body, dict) else None
    return value if isinstance(value, str) and value else None


def limit_of(session: Session) -> User | None:
    """The manager who acts on campaigns of theirs alone, and on who takes part in those; None for everybody else."""
    return session.user if session.user.limited else None


def _check_campaign(request: Request, session: Session) -> None:
    """Refuse a campaign of others, by the `name` in the path; what no campaign can be called is refused later."""
    manager, name = limit_of(session), request.path_params.get("name", "")
    if manager is not None and name and name.isprintable():
        with request.app.state.store.peek() as connection:
            check_manages(connection, name, manager)


def _check_link(request: Request, opened: Collection[int]) -> None:
    """Refuse a campaign, by the `name` in the path, that no link of the session opened."""
    name = request.path_params["name"]
    with request.app.state.store.peek() as connection:
        check_opened(connection, name if name.isprintable() else "", opened)


def _check_host(request: HTTPConnection) -> None:
    """Refuse a request for a name that is not this server's: a page at that name is somebody else's."""
    host = request.headers.get("host")
    if host and not request.app.state.settings.is_called(host):
        raise Misdirected(
            f"This server is not called {host[:200]!r}. If it is, start it with --url and its public address, or with "
            "--name and this name."
        )


def _check_origin(request: HTTPConnection) -> None:
    """Refuse what another site's page sends, by the word of the browser."""
    origin = request.headers.get("origin")
    foreign = request.headers.get("sec-fetch-site") == "cross-site"
    if origin is not None and origin != "null":
        # A proxy may hand on another Host than the one that people type.
        own = {request.headers.get("host"), urlsplit(request.app.state.settings.url).netloc or None}
        foreign = foreign or urlsplit(origin).netloc not in own
    if foreign or origin == "null":
        raise NotAllowed("This request comes from another site's page; use the pages of this server.")


async def _check_csrf(request: Request, session: Session | None) -> None:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    given: Any = request.headers.get("x-csrf-token")
    is_form = kind in ("application/x-www-form-urlencoded", "multipart/form-data")
    if given is None and is_form:
        # The pages of the desk send whole files as fields; the body's own limit holds for them, too.
        most = request.app.state.settings.max_body
        given = (await request.form(max_files=200, max_fields=1000, max_part_size=most)).get("csrf_token")
    is_program = given is None and request.app.state.settings.local  # it has no login from which to get a token
    if not is_form and (session is None or is_program):
        # A page of another site cannot send JSON here without asking first (CORS), which is never granted.
        if kind == "application/json":
            return
        raise NotAllowed("Send JSON, with the content type application/json.")
    expected = guest_csrf(request) if session is None else session.csrf
    if given is None and not is_form:
        raise NotAllowed("Send `csrf`, which POST and GET /api/v1/session tell, as the header X-CSRF-Token.")
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), expected.encode()):
        raise NotAllowed("The page is too old, or the request does not come from it; load the page again.")


def guest_csrf(request: Request) -> str:
    """The token of forms for people who are not signed in: it fits the cookie that came with the form."""
    store: Store = request.app.state.store
    cookie = request.cookies.get(GUEST_COOKIE) or getattr(request.state, "new_guest", "")
    return digest(f"{store.secret.decode()}\x00guest\x00{cookie}")


def count_search(store: Store, user: User, limit: int) -> None:
    """Count a search that somebody asks an engine for at a socket: as a request for a service, by all workers."""
    store.together(
        lambda connection: throttle.count(
            connection, _service_key(user), limit=limit, seconds=_WINDOW, message=_TOO_MANY
        )
    )


def _service_key(user: User) -> str:
    return f"service {user.id}"


def _count(request: Request, limits: Mapping[str, int]) -> None:
    """Count a request; the headers of the answer tell its limits."""
    left: dict[str, throttle.Left] = {}
    try:
        with request.app.state.store.write() as connection:
            for key, limit in limits.items():
                try:
                    left[key] = throttle.count(connection, key, limit=limit, seconds=_WINDOW, message=_TOO_MANY)
                except TooMany as refusal:
                    left[key] = throttle.Left(0, refusal.retry_after)
                    raise
    finally:
        request.state.limits = _limit_headers(limits, left)


def _limit_headers(limits: Mapping[str, int], left: Mapping[str, throttle.Left]) -> dict[str, str]:
    """Limits on requests, and what is left of them, as headers (draft-ietf-httpapi-ratelimit-headers)."""
    names = {key: key.partition(" ")[0].removesuffix("-from") for key in limits}
    headers = {"RateLimit-Policy": ", ".join(f'"{names[key]}";q={limit};w={_WINDOW}' for key, limit in limits.items())}
    if left:
        headers["RateLimit"] = ", ".join(f'"{names[key]}";r={n};t={seconds}' for key, (n, seconds) in left.items())
    return headers


def count_service(request: Request, user: User) -> None:
    """Count a request for a service that a route asks besides its own work."""
    limit = request.app.state.settings.limits_by_role[user.role]
    _count(request, {_service_key(user): limit})


def address_of(request: Request) -> str:
    """Where the request comes from."""
    return request.client.host if request.client else "?"


def actor_of(request: Request, who: Session | Access) -> Actor:
    """Who acts, for the audit log."""
    return Actor(who.user.name, request.state.request_id)


_ANYONE = Allow("anyone", ROLES, guests=True)
_UNASKED = AllowUnasked("anyone", ROLES, guests=True)
_ENTERING = Allow("entering", ROLES, guests=True, counts=False)
_SIGNED_IN = Allow("signed in", ROLES, by_link=True)
_ONESELF = Allow("oneself", ROLES)
_TRANSLATING = Allow("translating", ROLES, scope="translate", service="translate", by_link=True)
_TEACHING = Allow("teaching", ("admin", "manager"), scope="translate", service="translate")
_SCORING = Allow("scoring", ROLES, scope="score", service="score", by_link=True)
_ESTIMATING = Allow("estimating", ROLES, scope="quality", service="quality", by_link=True)
_TRANSLATE_PAGE = Allow("translate page", ROLES, service="translate", by_link=True)
_SCORE_PAGE = Allow("score page", ROLES, service="score", by_link=True)
_QUALITY_PAGE = Allow("quality page", ROLES, service="quality", by_link=True)
_WORKBENCH = Allow("workbench", ROLES, scope="cat")
_WORKBENCH_OFTEN = Allow("workbench, often", ROLES, scope="cat", counts=False)
_WORKBENCH_MANAGER = Allow("workbench manager", ("admin", "manager"), scope="cat")
_MEMBER = AllowMember("member", ROLES, by_link=True)
_MEMBER_SAVING = AllowMember("member, saving", ROLES, counts=False, by_link=True)
_SUBMITTING = Allow("submitting", ROLES, scope="submit")
_SAVING = Allow("saving", ROLES, counts=False)
_VIEWER = AllowCampaign("viewer", ("admin", "manager", "viewer"))
_MANAGER = AllowCampaign("manager", ("admin", "manager"))
_ADMIN = Allow("admin", ("admin",))
_WATCHING = AllowWatching("watching", ("admin",))
_LIVE = AllowLive("live", ROLES)

Anyone = Annotated[Session | None, Depends(_ANYONE)]
Unasked = Annotated[None, Depends(_UNASKED)]  # anyone, where nothing depends on who it is
Entering = Annotated[Session | None, Depends(_ENTERING)]  # anyone, where tries are limited by the login itself
SignedIn = Annotated[Session, Depends(_SIGNED_IN)]
Oneself = Annotated[Session, Depends(_ONESELF)]  # signed in, and not by a link that anybody can make up
Translating = Annotated[Session, Depends(_TRANSLATING)]  # signed in, or a program with a token of this scope
Teaching = Annotated[Session, Depends(_TEACHING)]  # what an engine learns, everybody gets who asks it
Scoring = Annotated[Session, Depends(_SCORING)]
Estimating = Annotated[Session, Depends(_ESTIMATING)]
TranslatePage = Annotated[Session, Depends(_TRANSLATE_PAGE)]
ScorePage = Annotated[Session, Depends(_SCORE_PAGE)]
QualityPage = Annotated[Session, Depends(_QUALITY_PAGE)]
AtWorkbench = Annotated[Session, Depends(_WORKBENCH)]  # signed in, or a program, where no project is named
AtWorkbenchOften = Annotated[Session, Depends(_WORKBENCH_OFTEN)]
WorkbenchManager = Annotated[Session, Depends(_WORKBENCH_MANAGER)]
Member = Annotated[Session, Depends(_MEMBER)]  # who takes part in a campaign: the store asks
MemberSaving = Annotated[Session, Depends(_MEMBER_SAVING)]
Submitting = Annotated[Session, Depends(_SUBMITTING)]
Saving = Annotated[Session, Depends(_SAVING)]  # signed in, where changes are counted with what they save
Viewer = Annotated[Session, Depends(_VIEWER)]
Manager = Annotated[Session, Depends(_MANAGER)]
Admin = Annotated[Session, Depends(_ADMIN)]
Watching = Annotated[Session | None, Depends(_WATCHING)]
Live = Annotated[Session, Depends(_LIVE)]  # signed in, at a socket


def policy_of(route: Any) -> Allow | None:
    """The policy of a route of FastAPI's."""
    dependant = getattr(route, "dependant", None)
    found = [each.call for each in getattr(dependant, "dependencies", []) if isinstance(each.call, Allow)]
    return found[0] if found else None
