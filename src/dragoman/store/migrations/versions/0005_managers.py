"""Who manages which campaign."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_USERS = sa.table("users", *map(sa.column, ("id", "name", "role")))
_CAMPAIGNS = sa.table("campaigns", *map(sa.column, ("id", "name")))
_AUDIT = sa.table("audit", *map(sa.column, ("at", "who", "action", "subject")))
_MANAGERS = sa.table("managers", *map(sa.column, ("campaign_id", "user_id", "since")))


def upgrade() -> None:
    """Make the table; the audit log says which manager made a campaign."""
    op.create_table(
        "managers",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("since", sa.String(27), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_managers_campaign_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_managers_user_id")),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", name=op.f("pk_managers")),
    )
    makers = (
        sa.select(_CAMPAIGNS.c.id, _USERS.c.id, sa.func.min(_AUDIT.c.at))
        .join_from(_AUDIT, _CAMPAIGNS, _AUDIT.c.subject == sa.literal("campaign ") + _CAMPAIGNS.c.name)
        .join(_USERS, _USERS.c.name == _AUDIT.c.who)
        .where(_USERS.c.role == "manager", _AUDIT.c.action.in_(("campaign created", "campaign restored")))
        .group_by(_CAMPAIGNS.c.id, _USERS.c.id)
    )
    op.get_bind().execute(sa.insert(_MANAGERS).from_select(["campaign_id", "user_id", "since"], makers))
