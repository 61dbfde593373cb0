"""Who did what when: a table that is only appended to. It holds no passwords, tokens or answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import tables
from dragoman.store.columns import now

__all__ = ["COMMAND_LINE", "Act", "Actor", "AuditLog", "list_audit", "record"]

# C0, C1, DEL and the embeddings, overrides and isolates of the bidirectional algorithm
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Actor:
    """Who acts, and in which request."""

    name: str
    request: str | None = None


COMMAND_LINE = Actor("(command line)")  # no account can have this name


@dataclass(frozen=True)
class AuditLog(Result):
    """The latest entries, newest first."""

    kind: ClassVar[str] = "audit"

    entries: tuple[tuple[str, str, str, str, str, str | None], ...]  # at, who, action, subject, details, request

    def tables(self) -> list[Table]:
        """One row per entry."""
        columns = [Column(name) for name in ("at", "who", "action", "subject", "details", "request")]
        return [Table.of("Audit log", columns, self.entries)]


@dataclass(frozen=True)
class Act(Result):
    """Something that was done from the command line, to be said back."""

    kind: ClassVar[str] = "act"

    action: str
    subject: str
    details: str = ""

    def tables(self) -> list[Table]:
        """One row."""
        row = (self.action, self.subject, self.details)
        return [Table.of("Done", [Column("action"), Column("subject"), Column("details")], [row])]


def record(connection: sa.Connection, actor: Actor, action: str, subject: str, **details: Any) -> None:
    """Append an entry, in the transaction of what it tells of."""
    connection.execute(
        sa.insert(tables.audit).values(
            at=now(), who=actor.name, action=action, subject=subject, details=details, request=actor.request
        )
    )


def list_audit(connection: sa.Connection, *, limit: int = 200, subject: str | None = None) -> AuditLog:
    """The latest entries, perhaps of one subject (`campaign NAME`, `user NAME`)."""
    query = sa.select(tables.audit).order_by(tables.audit.c.id.desc()).limit(limit)
    if subject is not None:
        query = query.where(tables.audit.c.subject == subject)
    entries = [
        (
            row.at.isoformat(timespec="seconds"),
            row.who,
            row.action,
            row.subject,
            ", ".join(f"{name}={_visible(str(value))}" for name, value in row.details.items()),
            row.request,
        )
        for row in connection.execute(query)
    ]
    return AuditLog(tuple(entries))


def _visible(text: str) -> str:
    """The text with control characters and turns of direction spelt out: an entry shows what stands in it, in order."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
