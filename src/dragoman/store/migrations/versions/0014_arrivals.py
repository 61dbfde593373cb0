"""In which sessions of a crowd platform its workers came to a campaign."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_PARAMETERS = {"prolific": "SESSION_ID", "mturk": "assignmentId", "toloka": "assignment_id"}
_USERS = sa.table("users", *map(sa.column, ("id", "platform", "crowd")))
_MEMBERS = sa.table("members", *map(sa.column, ("campaign_id", "user_id", "joined")))
_ARRIVALS = sa.table("arrivals", *map(sa.column, ("campaign_id", "user_id", "session", "at")))


def upgrade() -> None:
    """Make the table; of earlier workers the account has the session in which they came to their first campaign."""
    op.create_table(
        "arrivals",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("session", sa.String(100), nullable=False),
        sa.Column("at", sa.String(27), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_arrivals_campaign_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_arrivals_user_id")),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", "session", name=op.f("pk_arrivals")),
    )
    workers = (
        sa.select(_USERS.c.id, _USERS.c.platform, _USERS.c.crowd, _MEMBERS.c.campaign_id, _MEMBERS.c.joined)
        .join_from(_USERS, _MEMBERS, _MEMBERS.c.user_id == _USERS.c.id)
        .where(_USERS.c.crowd.in_(_PARAMETERS))
        .order_by(_MEMBERS.c.joined.desc())
    )
    first = {row.id: row for row in op.get_bind().execute(workers)}
    for user, row in first.items():
        session = json.loads(row.platform).get(_PARAMETERS[row.crowd], "")
        if session.isascii() and session.isprintable() and session and " " not in session and session[0] not in "{$":
            values = {"campaign_id": row.campaign_id, "user_id": user, "session": session[:100], "at": row.joined}
            op.get_bind().execute(sa.insert(_ARRIVALS).values(**values))
