"""Services of the server that cost somebody money or much time: who may ask them.

Nobody may by being signed in alone. A role has what the server was started with; an admin can give an account others,
or none. People from crowd platforms have what an admin gives their account, whatever their role has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from dragoman.errors import DataError
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.people.accounts import User, find_user
from dragoman.store.refusals import NotAllowed

__all__ = ["BY_ROLE", "SERVICES", "check_service", "give_services", "services_of"]

SERVICES = ("translate", "score", "quality")  # engines, the desk, estimators of quality
BY_ROLE: Mapping[str, tuple[str, ...]] = {
    "admin": SERVICES,
    "manager": SERVICES,
    "viewer": ("score", "quality"),
    "annotator": (),
}
_CALLED = {"translate": "ask the engines", "score": "use the scoring pages", "quality": "ask the quality estimators"}


def services_of(user: User, by_role: Mapping[str, Sequence[str]] = BY_ROLE) -> tuple[str, ...]:
    """The services that somebody may ask: admins all, others those given to the account, or to their role."""
    if user.role == "admin":
        return SERVICES
    if user.services is not None:
        return user.services
    return () if user.is_worker else tuple(by_role[user.role])


def check_service(user: User, service: str) -> None:
    """Raise if somebody may not ask a service."""
    if service not in services_of(user):
        raise NotAllowed(
            f"You may not {_CALLED[service]} of this server; an admin can give your account the service {service!r}."
        )


def give_services(
    connection: sa.Connection, name: str, services: Sequence[str] | None, *, actor: Actor
) -> tuple[str, ...] | None:
    """Say what an account may ask: these services and no others, or, with None, those of its role."""
    user = find_user(connection, name)
    unknown = sorted(set(services or ()) - set(SERVICES))
    if unknown:
        raise DataError(f"There is no service {unknown[0]!r}. Known: {', '.join(SERVICES)}.")
    given = None if services is None else [each for each in SERVICES if each in services]
    connection.execute(sa.update(tables.users).where(tables.users.c.id == user.id).values(services=given))
    told = "of the role" if given is None else " ".join(given) or "none"
    audit.record(connection, actor, "services given", f"user {name}", services=told)
    return None if given is None else tuple(given)
