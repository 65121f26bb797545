"""The data keys and the master key they are wrapped under."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _data_keys()
    _masters()


def _data_keys() -> None:
    op.create_table(
        "data_keys",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("master", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_keys")),
        sa.UniqueConstraint("person", name=op.f("uq_data_keys_person")),
    )
    op.create_index(op.f("ix_data_keys_master"), "data_keys", ["master"], unique=False)


def _masters() -> None:
    op.create_table(
        "masters",
        sa.Column("single", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("current", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("single", name=op.f("pk_masters")),
    )
