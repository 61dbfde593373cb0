"""What is made of all answers of a campaign, made anew only when something was said or marked.

Dozens of people finish in the same minute, and a published page is opened by anybody. Each campaign's analysis is made
by one thread at a time; who waited for that takes it if it knows at least what they know.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import sqlalchemy as sa

from dragoman.store import tables
from dragoman.store.judging.campaigns import Campaign
from dragoman.store.judging.deciding import last_decision

__all__ = ["Mark", "mark_of", "remembered"]

T = TypeVar("T")
_MOST = 32  # of each database
_A, _M, _S = tables.assignments.c, tables.members.c, tables.answers.c


@dataclass(frozen=True)
class Mark:
    """What a campaign's answers were when they were looked at."""

    last: int  # the number of the last answer
    n: int
    excluded: tuple[int, ...]
    given_up: int  # tasks
    decision: int | None

    def covers(self, other: Mark) -> bool:
        """Whether this is the same look or a later one; what was marked must be the same."""
        marked = (self.excluded, self.given_up, self.decision) == (other.excluded, other.given_up, other.decision)
        return marked and (self.last > other.last or (self.last, self.n) == (other.last, other.n))


class _Kept:
    """One thing of one campaign, as it was made last."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.made: tuple[Mark, Any] | None = None


_KEPT: WeakKeyDictionary[sa.Engine, OrderedDict[tuple[int, str], _Kept]] = WeakKeyDictionary()
_LOCK = Lock()


def mark_of(connection: sa.Connection, campaign: Campaign) -> Mark:
    """How far a campaign is."""
    n, last = connection.execute(
        sa.select(sa.func.count(), sa.func.max(_S.id)).where(_S.campaign_id == campaign.id)
    ).one()
    out = connection.scalars(
        sa.select(_M.user_id).where(_M.campaign_id == campaign.id, _M.excluded.is_not(None)).order_by(_M.user_id)
    )
    given_up = connection.scalar(
        sa.select(sa.func.count()).where(_A.campaign_id == campaign.id, _A.released.is_not(None))
    )
    return Mark(last or 0, n, tuple(out), given_up or 0, last_decision(connection, campaign))


def remembered(connection: sa.Connection, campaign: Campaign, what: str, make: Callable[[], T]) -> T:
    """What `make` returns, or returned when the campaign was at least as far as this connection sees it."""
    mark = mark_of(connection, campaign)
    kept = _kept(connection.engine, (campaign.id, what))
    with kept.lock:
        if kept.made is None or not kept.made[0].covers(mark):
            kept.made = mark, make()
        found: T = kept.made[1]
    return found


def _kept(engine: sa.Engine, key: tuple[int, str]) -> _Kept:
    with _LOCK:
        everything = _KEPT.setdefault(engine, OrderedDict())
        kept = everything.setdefault(key, _Kept())
        everything.move_to_end(key)
        while len(everything) > _MOST:
            everything.popitem(last=False)
    return kept
