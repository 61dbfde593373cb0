"""The pages of accounts: everybody's for managers and admins, and one's own."""

from __future__ import annotations

from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from dragoman.errors import DragomanError
from dragoman.store import audit
from dragoman.store.people import accounts, invites, managers, services, sessions
from dragoman.store.people.crowd import PLATFORMS
from dragoman.store.people.passwords import hash_password
from dragoman.store.people.services import SERVICES
from dragoman.store.people.sessions import Session
from dragoman.store.refusals import NotAllowed
from dragoman.web.accounts.people_api import account_of, check_new, check_reach
from dragoman.web.accounts.session_api import keep_session
from dragoman.web.bodies import UserName
from dragoman.web.campaigns.managing_pages import Line, Number, back
from dragoman.web.guard import Admin, Manager, Oneself, SignedIn, actor_of
from dragoman.web.objects import AccountKeeper, AccountReader, AccountRuler, LanguageGranter
from dragoman.web.refusals import status_of
from dragoman.web.rendering import show

__all__ = ["ROUTER"]

ROUTER = APIRouter(include_in_schema=False)

Secret = Annotated[str, Form(max_length=200)]
Role = Annotated[str, Form(max_length=12)]


@ROUTER.get("/people")
@ROUTER.get("/people.json")
def accounts_page(request: Request, who: Manager) -> Response:
    """All accounts, and the form for a new one."""
    return _accounts(request, who)


def _accounts(
    request: Request, who: Session, *, message: str = "", made: invites.Invite | None = None, status: int = 200
) -> Response:
    is_admin = who.user.role == "admin"
    with request.app.state.store.read() as connection:
        house = [each for each in invites.list_invites(connection).invites if each.campaign is None]
        return show(
            request,
            "campaigns/accounts.html",
            accounts.list_users(connection),
            status=status,
            message=message,
            made=made,
            roles=accounts.ROLES if is_admin else ("annotator",),
            invites=invites.InviteList(tuple(house)) if is_admin else None,
        )


@ROUTER.post("/people")
def add_account(
    request: Request, who: Manager, name: Line, password: Secret, languages: Line = "", role: Role = "annotator"
) -> Response:
    """Make an account; managers make annotators."""
    try:
        check_reach(who, role)
        hashed = hash_password(password)
        with request.app.state.store.write() as connection:
            check_new(who, connection, name.strip())
            accounts.add_user(
                connection,
                name.strip(),
                role,
                hashed,
                actor=actor_of(request, who),
                languages=languages.replace(",", " ").split(),
            )
    except DragomanError as error:
        return _accounts(request, who, message=str(error), status=status_of(error))
    return back("/people")


@ROUTER.post("/people/invites")
def invite(request: Request, who: Admin, role: Role, hours: Annotated[float, Form(gt=0, le=8784)] = 168) -> Response:
    """Make a link for one person who shall be manager, viewer or admin; it is shown once."""
    store = request.app.state.store
    try:
        with store.write() as connection:
            invitation = invites.make_invite(
                connection,
                secret=store.secret,
                address=request.app.state.address(request),
                role=role,
                hours=hours,
                max_uses=1,
                actor=actor_of(request, who),
            )
    except DragomanError as error:
        return _accounts(request, who, message=str(error), status=status_of(error))
    return _accounts(request, who, made=invitation)


@ROUTER.post("/people/invites/{number}/withdraw")
def withdraw_invite(request: Request, number: Number, who: Admin) -> Response:
    """Withdraw an invitation to the house."""
    with request.app.state.store.write() as connection:
        invites.revoke(connection, number, actor=actor_of(request, who))
    return back("/people")


@ROUTER.get("/people/{user}")
@ROUTER.get("/people/{user}.json")
def account_page(request: Request, user: UserName, who: AccountReader) -> Response:
    """One account: role, password, languages, closing, campaigns, and what was done to it."""
    return _account(request, user, who)


def _account(request: Request, name: str, who: Session, *, message: str = "", status: int = 200) -> Response:
    with request.app.state.store.read() as connection:
        account = account_of(who, connection, name)
        is_near = _reaches(connection, who, name)
        log = audit.list_audit(connection, subject=f"user {name}") if is_near else audit.AuditLog(())
        return show(
            request,
            "campaigns/account.html",
            account,
            status=status,
            message=message,
            roles=accounts.ROLES,
            log=log,
            services=SERVICES,
            may_change=is_near and (who.user.role == "admin" or account.role == "annotator"),
            is_worker=account.platform in PLATFORMS,
        )


def _reaches(connection: sa.Connection, who: Session, name: str) -> bool:
    """Whether a manager may act on an account: it has nothing to do with what is others'."""
    try:
        if who.user.limited:
            managers.check_people(connection, name, who.user)
    except NotAllowed:
        return False
    return True


@ROUTER.post("/people/{user}/services")
async def give_services(request: Request, user: UserName, who: AccountRuler) -> Response:
    """Say what an account may ask of the server's models: what is ticked, or what its role may."""
    async with request.form() as form:
        chosen = [str(each) for each in form.getlist("services")]
        given = None if form.get("by_role") else chosen
    return await run_in_threadpool(_give_services, request, user, who, given)


def _give_services(request: Request, user: str, who: Session, given: list[str] | None) -> Response:
    try:
        with request.app.state.store.write() as connection:
            services.give_services(connection, user, given, actor=actor_of(request, who))
    except DragomanError as error:
        return _account(request, user, who, message=str(error), status=status_of(error))
    return back(f"/people/{user}")


@ROUTER.post("/people/{user}/role")
def set_role(request: Request, user: UserName, who: AccountRuler, role: Role) -> Response:
    """Give an account another role."""
    try:
        with request.app.state.store.write() as connection:
            accounts.set_role(connection, user, role, actor=actor_of(request, who))
    except DragomanError as error:
        return _account(request, user, who, message=str(error), status=status_of(error))
    return back(f"/people/{user}")


@ROUTER.post("/people/{user}/password")
def set_password(request: Request, user: UserName, who: AccountKeeper, password: Secret) -> Response:
    """Give somebody a new password; managers do this for annotators."""
    try:
        hashed = hash_password(password)
        with request.app.state.store.write() as connection:
            accounts.set_password(connection, user, hashed, actor=actor_of(request, who))
    except DragomanError as error:
        return _account(request, user, who, message=str(error), status=status_of(error))
    return back(f"/people/{user}" if user != who.user.name else "/login")


@ROUTER.post("/people/{user}/languages")
def set_languages(request: Request, user: UserName, who: LanguageGranter, languages: Line = "") -> Response:
    """Say in which languages somebody may judge: these and no others."""
    try:
        with request.app.state.store.write() as connection:
            accounts.grant_languages(
                connection, user, languages.replace(",", " ").split(), actor=actor_of(request, who)
            )
    except DragomanError as error:
        return _account(request, user, who, message=str(error), status=status_of(error))
    return back(f"/people/{user}")


@ROUTER.post("/people/{user}/close")
def close(request: Request, user: UserName, who: AccountRuler) -> Response:
    """Close an account; what the person said stays."""
    return _set_closed(request, user, who, True)


@ROUTER.post("/people/{user}/open")
def reopen(request: Request, user: UserName, who: AccountRuler) -> Response:
    """Open a closed account again."""
    return _set_closed(request, user, who, False)


def _set_closed(request: Request, user: str, who: Session, closed: bool) -> Response:
    try:
        with request.app.state.store.write() as connection:
            accounts.set_disabled(connection, user, closed, actor=actor_of(request, who))
    except DragomanError as error:
        return _account(request, user, who, message=str(error), status=status_of(error))
    return back(f"/people/{user}")


@ROUTER.get("/account")
@ROUTER.get("/account.json")
def own_account(request: Request, who: SignedIn) -> Response:
    """One's own account."""
    return _own(request, who)


def _own(request: Request, who: Session, *, message: str = "", done: bool = False, status: int = 200) -> Response:
    with request.app.state.store.read() as connection:
        account = accounts.find_account(connection, who.user.name, sessions.opened_by(who))
    has_password = who.campaigns is None
    return show(request, "account.html", account, status=status, message=message, done=done, has_password=has_password)


@ROUTER.post("/account")
def change_password(request: Request, who: Oneself, old: Secret, new: Secret, keep_tokens: Role = "") -> Response:
    """Change one's own password; all other sessions of the account end, and its tokens unless they are kept."""
    state = request.app.state
    try:
        session = sessions.change_password(
            state.store,
            who.user,
            old,
            new,
            hours=state.settings.session_hours,
            request=request.state.request_id,
            keep_tokens=bool(keep_tokens),
        )
    except DragomanError as error:
        return _own(request, who, message=str(error), status=status_of(error))
    request.state.csrf = session.csrf
    answer = _own(request, session, done=True)
    keep_session(request, answer, session)
    return answer
