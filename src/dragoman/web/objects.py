"""Policies of routes that name an object: a project, a memory, an account, a token. Each says what must be right to it.

A route whose address names one takes its policy from here, and gets from it what it named, with the rights of whoever
asks; `check_policies` lets no app start in which a route names an object and its policy does not look at it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import sqlalchemy as sa
from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from dragoman.errors import DataError
from dragoman.store.people import accounts, managers
from dragoman.store.people.accounts import ROLES, User
from dragoman.store.people.services import services_of
from dragoman.store.people.sessions import Session
from dragoman.store.people.tokens import check_token
from dragoman.store.refusals import NotAllowed
from dragoman.store.translating import jobs, memories
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.memories import Memory
from dragoman.web.bodies import UserName
from dragoman.web.cat.bodies import ProjectNumber as ProjectPath
from dragoman.web.cat.bodies import TokenNumber
from dragoman.web.guard import Allow

if TYPE_CHECKING:
    from dragoman.store.database import Store

__all__ = [
    "AccountKeeper",
    "AccountReader",
    "AccountRuler",
    "LanguageGranter",
    "MemoryChanger",
    "MemoryUser",
    "ProjectManager",
    "ProjectManagerPage",
    "ProjectPage",
    "ProjectReader",
    "ProjectSaver",
    "ProjectTyping",
    "ProjectWorker",
    "ProjectWorkerPage",
    "TokenOwner",
    "check_account",
    "named_by",
]


class AllowProject(Allow):
    """Whoever has this right to the project in the path: to see it, to work in it, or to manage it."""

    names = frozenset({"project"})

    def __init__(self, right: str, *, counts: bool = True, scope: str | None = None, suffix: str = "") -> None:
        super().__init__(f"project {right}{suffix}", ROLES, counts=counts, scope=scope)
        self.right = right

    async def __call__(self, request: Request, project: ProjectPath) -> Access:  # type: ignore[override]
        """What whoever asks may do in the project."""
        session = await self.signed_in(request)
        return await run_in_threadpool(self._access, request.app.state.store, project, session.user)

    def _access(self, store: Store, project: int, user: User) -> Access:
        with store.read() as connection:
            access = jobs.access_of(connection, project, user)
        if self.right == "manage":
            access.check_manages()
        elif self.right == "work":
            access.check_works()
        return access


class AllowMemory(Allow):
    """Whoever has this right to the memory in the query: to look things up in it, or to change or have the whole.

    The route states `memory: MemoryName` itself, for its description.
    """

    names = frozenset({"memory"})

    def __init__(self, right: str) -> None:
        super().__init__(f"memory {right}", ROLES, scope="cat")
        self.right = right

    async def __call__(self, request: Request) -> tuple[Memory, Session]:  # type: ignore[override]
        """The memory, and who asks."""
        session = await self.signed_in(request)
        name = request.query_params.get("memory", "")
        if not name or not name.isprintable():
            raise DataError("memory: name one in the query, as ?memory=NAME.")
        return await run_in_threadpool(self._memory, request.app.state.store, name, session.user), session

    def _memory(self, store: Store, name: str, user: User) -> Memory:
        with store.read() as connection:
            at_work = jobs.memories_at_work(connection, user)
            found = memories.find_memory(connection, name, user, at_work=at_work)
        if self.right == "change" and not found.may_change(user):
            raise NotAllowed(f"The memory {name} is others'; its owner can import into it and have the whole of it.")
        return found


class AllowAccount(Allow):
    """Whoever has this right to the account in the path."""

    names = frozenset({"user"})

    def __init__(self, right: str, roles: tuple[str, ...], check: Callable[[sa.Connection, User, str], None]) -> None:
        super().__init__(f"account {right}", roles)
        self._check = check

    async def __call__(self, request: Request, user: UserName) -> Session:  # type: ignore[override]
        """Who asks."""
        session = await self.signed_in(request)
        await run_in_threadpool(self._look, request.app.state.store, session.user, user)
        return session

    def _look(self, store: Store, asking: User, name: str) -> None:
        with store.read() as connection:
            self._check(connection, asking, name)


class AllowToken(Allow):
    """Whose token it is whose number is in the path."""

    names = frozenset({"token"})

    async def __call__(self, request: Request, number: TokenNumber) -> Session:  # type: ignore[override]
        """Who asks."""
        session = await self.signed_in(request)
        await run_in_threadpool(self._look, request.app.state.store, session.user, number)
        return session

    def _look(self, store: Store, user: User, number: int) -> None:
        with store.read() as connection:
            check_token(connection, user, number)


def _see(connection: sa.Connection, asking: User, name: str) -> None:  # noqa: ARG001
    accounts.find_user(connection, name)


def _grant(connection: sa.Connection, asking: User, name: str) -> None:
    """Refuse a limited manager who would act on an account that has to do with what is others'."""
    accounts.find_user(connection, name)
    if asking.limited:
        managers.check_people(connection, name, asking)


def check_account(connection: sa.Connection, asking: User, name: str) -> None:
    """Refuse a manager for whom an account is out of reach: no annotator's, tied to others', of more services."""
    found = accounts.find_user(connection, name)
    if asking.role != "admin":
        if found.role != "annotator":
            raise NotAllowed(f"Only an admin can do this to an account with the role {found.role}.")
        more = sorted(set(found.services or ()) - set(services_of(asking)))
        if more:  # a password opens them, too
            raise NotAllowed(f"{name} has services that you do not have ({', '.join(more)}); ask an admin.")
    _grant(connection, asking, name)


_MANAGERS = ("admin", "manager")

ProjectReader = Annotated[Access, Depends(AllowProject("see", scope="cat"))]
ProjectTyping = Annotated[Access, Depends(AllowProject("see", scope="cat", counts=False, suffix=", often"))]
ProjectWorker = Annotated[Access, Depends(AllowProject("work", scope="cat"))]
ProjectSaver = Annotated[Access, Depends(AllowProject("work", scope="cat", counts=False, suffix=", saving"))]
ProjectManager = Annotated[Access, Depends(AllowProject("manage", scope="cat"))]
ProjectPage = Annotated[Access, Depends(AllowProject("see", suffix=", page"))]
ProjectWorkerPage = Annotated[Access, Depends(AllowProject("work", suffix=", page"))]
ProjectManagerPage = Annotated[Access, Depends(AllowProject("manage", suffix=", page"))]
MemoryUser = Annotated[tuple[Memory, Session], Depends(AllowMemory("use"))]
MemoryChanger = Annotated[tuple[Memory, Session], Depends(AllowMemory("change"))]
AccountReader = Annotated[Session, Depends(AllowAccount("see", _MANAGERS, _see))]
LanguageGranter = Annotated[Session, Depends(AllowAccount("grant", _MANAGERS, _grant))]
AccountKeeper = Annotated[Session, Depends(AllowAccount("keep", _MANAGERS, check_account))]
AccountRuler = Annotated[Session, Depends(AllowAccount("rule", ("admin",), _see))]
TokenOwner = Annotated[Session, Depends(AllowToken("token owner", ROLES))]

# What an address names, by a part of its path; `None`: by a field of the query of this name.
_NAMED = {
    "campaign": "/campaigns/{name}",
    "project": "{project}",
    "token": "/tokens/{number}",
    "user": ("/users/{user}", "/people/{user}"),
    "memory": None,
}


def named_by(route: Any) -> set[str]:
    """The kinds of objects that the address of a route names."""
    found = {
        kind
        for kind, parts in _NAMED.items()
        if any(part in route.path for part in ((parts,) if isinstance(parts, str) else parts or ()))
    }
    waiting = [route.dependant]
    for dependant in waiting:
        waiting += dependant.dependencies
        found |= {field.alias for field in dependant.query_params} & {
            kind for kind, parts in _NAMED.items() if parts is None
        }
    return found
