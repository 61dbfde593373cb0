"""Accounts, for managers and admins. Managers care for annotators; who manages is decided by admins."""

from __future__ import annotations

import sqlalchemy as sa
from fastapi import APIRouter, Request

from dragoman.store import audit
from dragoman.store.people import accounts, invites, managers, services
from dragoman.store.people.passwords import hash_password
from dragoman.store.people.sessions import Session
from dragoman.store.refusals import NotAllowed
from dragoman.web.bodies import (
    AccountBody,
    Done,
    InviteBody,
    LanguagesBody,
    Limit,
    ResetBody,
    ResultBody,
    RoleBody,
    ServicesBody,
    UserName,
    body_of,
)
from dragoman.web.guard import Admin, Manager, actor_of, limit_of
from dragoman.web.objects import AccountKeeper, AccountReader, AccountRuler, LanguageGranter

__all__ = ["ROUTER", "account_of", "check_new", "check_reach"]

ROUTER = APIRouter(prefix="/api/v1", tags=["people"])


def check_reach(who: Session, role: str) -> None:
    """Refuse a manager who would act on an account that is no annotator's."""
    if who.user.role != "admin" and role != "annotator":
        raise NotAllowed(f"Only an admin can do this to an account with the role {role}.")


def check_new(who: Session, connection: sa.Connection, name: str) -> None:
    """Refuse a limited manager a name for which a campaign of others waits: whoever has the account is let in."""
    manager = limit_of(who)
    if manager is not None:
        managers.check_unplanned(connection, name, managers.managed_by(manager))


def account_of(who: Session, connection: sa.Connection, name: str) -> accounts.Account:
    """An account with those of its campaigns that whoever asks may see."""
    manager = limit_of(who)
    return accounts.find_account(connection, name, None if manager is None else managers.managed_by(manager))


@ROUTER.get("/users")
def list_users(request: Request, who: Manager) -> ResultBody:  # noqa: ARG001
    """All accounts."""
    with request.app.state.store.read() as connection:
        return body_of(accounts.list_users(connection))


@ROUTER.post("/users", status_code=201)
def add_user(request: Request, body: AccountBody, who: Manager) -> Done:
    """Make an account; managers make annotators."""
    check_reach(who, body.role)
    password = hash_password(body.password)
    with request.app.state.store.write() as connection:
        check_new(who, connection, body.name)
        accounts.add_user(
            connection, body.name, body.role, password, actor=actor_of(request, who), languages=body.languages
        )
    return Done()


@ROUTER.get("/users/{user}")
def get_user(request: Request, user: UserName, who: AccountReader) -> ResultBody:
    """One account, and the campaigns that it takes part in."""
    with request.app.state.store.read() as connection:
        return body_of(account_of(who, connection, user))


@ROUTER.get("/users/{user}/audit")
def user_audit(request: Request, user: UserName, who: LanguageGranter, limit: Limit = 200) -> ResultBody:  # noqa: ARG001
    """What was done to an account, newest first."""
    with request.app.state.store.read() as connection:
        return body_of(audit.list_audit(connection, limit=limit, subject=f"user {user}"))


@ROUTER.put("/users/{user}/role")
def set_role(request: Request, user: UserName, body: RoleBody, who: AccountRuler) -> Done:
    """Give an account another role."""
    with request.app.state.store.write() as connection:
        accounts.set_role(connection, user, body.role, actor=actor_of(request, who))
    return Done()


@ROUTER.put("/users/{user}/password")
def set_password(request: Request, user: UserName, body: ResetBody, who: AccountKeeper) -> Done:
    """Give somebody a new password; managers do this for annotators. Sessions and tokens of the account end."""
    password = hash_password(body.password)
    with request.app.state.store.write() as connection:
        accounts.set_password(connection, user, password, actor=actor_of(request, who))
    return Done()


@ROUTER.put("/users/{user}/services")
def give_services(request: Request, user: UserName, body: ServicesBody, who: AccountRuler) -> Done:
    """Say what an account may ask of the server's models: these services and no others; null: those of its role."""
    with request.app.state.store.write() as connection:
        services.give_services(connection, user, body.services, actor=actor_of(request, who))
    return Done()


@ROUTER.put("/users/{user}/languages")
def grant_languages(request: Request, user: UserName, body: LanguagesBody, who: LanguageGranter) -> Done:
    """Say in which languages somebody may judge."""
    with request.app.state.store.write() as connection:
        accounts.grant_languages(connection, user, body.languages, actor=actor_of(request, who))
    return Done()


@ROUTER.put("/users/{user}/disabled")
def disable(request: Request, user: UserName, who: AccountRuler) -> Done:
    """Close an account."""
    with request.app.state.store.write() as connection:
        accounts.set_disabled(connection, user, True, actor=actor_of(request, who))
    return Done()


@ROUTER.delete("/users/{user}/disabled")
def enable(request: Request, user: UserName, who: AccountRuler) -> Done:
    """Open a closed account again."""
    with request.app.state.store.write() as connection:
        accounts.set_disabled(connection, user, False, actor=actor_of(request, who))
    return Done()


@ROUTER.get("/invites")
def list_invites(request: Request, who: Admin) -> ResultBody:  # noqa: ARG001
    """All invitations, without their links."""
    with request.app.state.store.read() as connection:
        return body_of(invites.list_invites(connection))


@ROUTER.post("/invites", status_code=201)
def invite(request: Request, body: InviteBody, who: Admin) -> ResultBody:
    """Invite somebody as admin, manager or viewer."""
    store = request.app.state.store
    with store.write() as connection:
        invitation = invites.make_invite(
            connection,
            secret=store.secret,
            address=request.app.state.address(request),
            actor=actor_of(request, who),
            **body.model_dump(),
        )
    return body_of(invitation)


@ROUTER.get("/audit")
def audit_log(request: Request, who: Admin, limit: Limit = 200) -> ResultBody:  # noqa: ARG001
    """Who did what, newest first."""
    with request.app.state.store.read() as connection:
        return body_of(audit.list_audit(connection, limit=limit))
