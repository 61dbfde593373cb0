"""Translations that files propose for their segments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column; segments of files that came before have none."""
    op.add_column("segments", sa.Column("alternatives", sa.Text(), nullable=False, server_default="[]"))
