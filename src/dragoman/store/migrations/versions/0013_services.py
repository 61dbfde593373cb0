"""What accounts may ask of the server's models, and how often tokens may be used."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the columns; who has none given has what the role has."""
    op.add_column("users", sa.Column("services", sa.Text(), nullable=True))
    op.add_column("tokens", sa.Column("per_minute", sa.Integer(), nullable=True))
