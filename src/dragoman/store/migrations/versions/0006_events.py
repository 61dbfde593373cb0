"""The event log: streams, and what happened in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "streams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_streams")),
        sa.UniqueConstraint("name", name=op.f("uq_streams_name")),
    )
    op.create_table(
        "events",
        sa.Column("stream_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.String(27), nullable=True),
        sa.Column("received", sa.String(27), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["stream_id"], ["streams.id"], name=op.f("fk_events_stream_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_events_user_id")),
        sa.PrimaryKeyConstraint("stream_id", "number", name=op.f("pk_events")),
        sa.UniqueConstraint("stream_id", "key", name=op.f("uq_events_stream_id_key")),
    )
    op.create_index("ix_events_subject", "events", ["stream_id", "subject", "number"])
