"""What is remembered of a person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from heartrule.store.columns import Moment

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "memories",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("cell", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name=op.f("fk_memories_person"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_memories_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memories")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memories_person", "memories", ["person", "project"])
    op.create_index("ix_memories_session", "memories", ["session"])
