"""Replies that persons reported, what counsellors said of replies, and forms that counsellors have begun to fill."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from heartrule.store.columns import Moment

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _of_session(
        "reports",
        sa.Column("message", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=True),
    )
    _of_session(
        "reviews",
        sa.Column("message", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=True),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("note", sa.LargeBinary(), nullable=True),
    )
    _of_session(
        "drafts",
        sa.Column("form", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("answers", sa.LargeBinary(), nullable=False),
    )


def _of_session(table: str, *columns: sa.Column[object]) -> None:
    """By the session and the first of ``columns``; gone with the session."""
    named = op.f(f"fk_{table}_session")
    session = sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=named, ondelete="CASCADE")
    key = sa.PrimaryKeyConstraint("session", columns[0].name, name=op.f(f"pk_{table}"))
    op.create_table(
        table, sa.Column("session", sa.String(), nullable=False), *columns, session, key, sqlite_with_rowid=False
    )
