"""What a campaign was planned from, and rankings that are published."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make both tables; campaigns from before have no material."""
    op.create_table(
        "materials",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("test_set", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_materials_campaign_id")),
        sa.PrimaryKeyConstraint("campaign_id", name=op.f("pk_materials")),
    )
    op.create_table(
        "publications",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("made", sa.String(27), nullable=False),
        sa.Column("withdrawn", sa.String(27), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], name=op.f("fk_publications_campaign_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publications")),
        sa.UniqueConstraint("token", name=op.f("uq_publications_token")),
    )
    op.create_index(op.f("ix_publications_campaign_id"), "publications", ["campaign_id"], unique=False)
