"""Counsellors who hold sessions, sessions that stand in a crisis, and who of the staff did what."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from heartrule.store.columns import Moment

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("human", sa.String(), nullable=True))
    op.add_column("sessions", sa.Column("human_name", sa.String(), nullable=True))
    for name in ("human_since", "crisis_since"):
        op.add_column("sessions", sa.Column(name, Moment(), nullable=True))
        there = sa.text(f"{name} IS NOT NULL")
        op.create_index(f"ix_sessions_{name}", "sessions", [name], sqlite_where=there, postgresql_where=there)
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_session", "audit", ["session"])
    op.create_index("ix_audit_at", "audit", ["at"])
