"""Translation memories and their units."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "memories",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("source_lang", sa.String(35), nullable=False),
        sa.Column("target_lang", sa.String(35), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("created", sa.String(27), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_memories_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memories")),
        sa.UniqueConstraint("name", name=op.f("uq_memories_name")),
    )
    op.create_table(
        "memory_units",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("memory_id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=True),
        sa.Column("next", sa.Text(), nullable=True),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("origin", sa.String(200), nullable=False),
        sa.Column("key", sa.String(100), nullable=True),
        sa.Column("created", sa.String(27), nullable=False),
        sa.Column("deleted", sa.String(27), nullable=True),
        sa.Column("deletion", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_memory_units_memory_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_memory_units_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memory_units")),
    )
    op.create_index("ix_memory_units_memory_id_id", "memory_units", ["memory_id", "id"])
    for column in ("key", "deletion"):
        where = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            f"ix_memory_units_memory_id_{column}",
            "memory_units",
            ["memory_id", column],
            sqlite_where=where,
            postgresql_where=where,
        )
