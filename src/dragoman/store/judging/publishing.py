"""Rankings that everybody may see who has the link: published by a manager, and withdrawn again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import sqlalchemy as sa

from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import now
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.judging.ranking import LiveRanking, live_ranking
from dragoman.store.refusals import NotFound
from dragoman.store.signing import new_token

__all__ = ["Publication", "find_publication", "publish", "published_ranking", "withdraw"]

_P = tables.publications.c
_TOKEN = re.compile(r"[\w-]{20,64}", re.ASCII)


@dataclass(frozen=True)
class Publication(Result):
    """The public page of a campaign's ranking; without a link there is none."""

    kind: ClassVar[str] = "publication"

    campaign: str
    link: str | None
    made: str | None

    def tables(self) -> list[Table]:
        """One row."""
        columns = [Column("campaign"), Column("link"), Column("made")]
        return [Table.of("Published ranking", columns, [(self.campaign, self.link, self.made)])]


def publish(connection: sa.Connection, campaign: str, *, address: str, actor: Actor) -> Publication:
    """Let everybody who has the link see the ranking, as it is and as it will be. Published already: the same link."""
    row = find_campaign(connection, campaign)
    publication = find_publication(connection, campaign, address=address)
    if publication.link is not None:
        return publication
    values = {"campaign_id": row.id, "token": new_token(), "made": now()}
    connection.execute(sa.insert(tables.publications).values(**values))
    audit.record(connection, actor, "ranking published", f"campaign {campaign}")
    return find_publication(connection, campaign, address=address)


def find_publication(connection: sa.Connection, campaign: str, *, address: str) -> Publication:
    """Whether, and where, a campaign's ranking is published."""
    found = find_campaign(connection, campaign)
    row = connection.execute(
        sa.select(tables.publications).where(_P.campaign_id == found.id, _P.withdrawn.is_(None)).order_by(_P.id)
    ).first()
    if row is None:
        return Publication(campaign, None, None)
    return Publication(campaign, f"{address}/published/{row.token}", row.made.isoformat(timespec="seconds"))


def withdraw(connection: sa.Connection, campaign: str, *, actor: Actor) -> None:
    """Take the public page away; its link leads nowhere from now on, also if the ranking is published again."""
    found = find_campaign(connection, campaign)
    done = connection.execute(
        sa.update(tables.publications).where(_P.campaign_id == found.id, _P.withdrawn.is_(None)).values(withdrawn=now())
    )
    if not done.rowcount:
        raise NotFound(f"The ranking of {campaign!r} is not published.")
    audit.record(connection, actor, "ranking withdrawn", f"campaign {campaign}")


def published_ranking(connection: sa.Connection, token: str) -> LiveRanking:
    """The ranking behind a public link, without what names people."""
    query = (
        sa.select(tables.campaigns.c.name)
        .join(tables.publications, _P.campaign_id == tables.campaigns.c.id)
        .where(_P.token == token, _P.withdrawn.is_(None))
    )
    name = connection.scalar(query) if _TOKEN.fullmatch(token) else None
    if name is None:
        raise NotFound("There is no ranking at this address; perhaps it was withdrawn.")
    return live_ranking(connection, name).public()
