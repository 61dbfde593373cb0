"""Scores that reviewers give segments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "scores",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("segment_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("made", sa.String(27), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_scores_project_id")),
        sa.ForeignKeyConstraint(["segment_id"], ["segments.id"], name=op.f("fk_scores_segment_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_scores_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scores")),
        sa.UniqueConstraint("segment_id", "user_id", name=op.f("uq_scores_segment_id_user_id")),
    )
    op.create_index(op.f("ix_scores_project_id"), "scores", ["project_id"])
