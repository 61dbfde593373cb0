"""What is in an annotator's hands: the campaigns they take part in, and the items of their tasks."""

from __future__ import annotations

import sqlalchemy as sa

from dragoman.store import tables
from dragoman.store.judging.campaigns import Campaign, find_campaign
from dragoman.store.people.accounts import User
from dragoman.store.refusals import NotAllowed, NotFound

__all__ = ["HELD", "HELD_ONE", "HELD_SOME", "OWN", "campaign_of", "progress_of"]

_A = tables.assignments.c
_I = tables.items.c
_S = tables.answers.c
_T = tables.tasks.c

# The statements of every request, built once: building one takes longer than running it.
OWN = (_A.campaign_id == sa.bindparam("campaign")) & (_A.user_id == sa.bindparam("user")) & _A.released.is_(None)
_MEMBER = sa.select(tables.members).where(
    tables.members.c.campaign_id == sa.bindparam("campaign"), tables.members.c.user_id == sa.bindparam("user")
)
_MEMBER_LOCKED = _MEMBER.with_for_update()
HELD = (  # the items in somebody's hands
    sa.select(tables.items, _A.id.label("assignment_id"), _T.name.label("task"))
    .join(tables.assignments, _A.task_id == _I.task_id)
    .join(tables.tasks, _T.id == _I.task_id)
    .where(OWN)
)
HELD_ONE = HELD.where(_I.name == sa.bindparam("item"))
HELD_SOME = HELD.where(_I.name.in_(sa.bindparam("names", expanding=True)))
_PROGRESS = sa.select(
    sa.select(sa.func.count())
    .select_from(tables.answers.join(tables.assignments, _A.id == _S.assignment_id))
    .where(OWN, _S.revision == 1)
    .scalar_subquery(),
    sa.select(sa.func.count())
    .select_from(tables.items.join(tables.assignments, _A.task_id == _I.task_id))
    .where(OWN)
    .scalar_subquery(),
)


def campaign_of(connection: sa.Connection, name: str, user: User, *, lock: bool = False) -> Campaign:
    """The campaign, if the person takes part in it; `lock` puts the person's own writes in order."""
    campaign = find_campaign(connection, name)
    row = connection.execute(_MEMBER_LOCKED if lock else _MEMBER, {"campaign": campaign.id, "user": user.id}).first()
    if row is None:
        # The same words as for a campaign that is not there: who has not been invited learns nothing of it.
        raise NotFound(f"There is no campaign called {name!r}.")
    if row.excluded is not None:
        raise NotAllowed("You take no part in this campaign any more. Ask its organisers if this surprises you.")
    return campaign


def progress_of(connection: sa.Connection, campaign: Campaign, user: User) -> tuple[int, int]:
    """How many of somebody's items are judged, and how many there are."""
    done, total = connection.execute(_PROGRESS, {"campaign": campaign.id, "user": user.id}).one()
    return int(done), int(total)
