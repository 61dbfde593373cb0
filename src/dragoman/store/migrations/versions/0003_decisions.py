"""Whether the decisions of a campaign count."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the mark; in campaigns from before decisions change nothing, as was said then."""
    op.add_column("campaigns", sa.Column("decisions", sa.Boolean(), nullable=False, server_default=sa.false()))
