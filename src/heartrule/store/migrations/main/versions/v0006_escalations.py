"""Who is to be told that a person needs help, what is still to be done outside turns, and whom a person named."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from heartrule.store.columns import Moment

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "escalations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("to", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("level", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("delivered_at", Moment(), nullable=True),
        sa.Column("acknowledged_by", sa.String(), nullable=True),
        sa.Column("acknowledged_at", Moment(), nullable=True),
        sa.Column("note", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_escalations"),
    )
    op.create_index("ix_escalations_person", "escalations", ["person"])
    op.create_index("ix_escalations_at", "escalations", ["at"])
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("due_at", Moment(), nullable=False),
        sa.Column("done", sa.Text(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("until", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    op.create_index("ix_outbox_due_at", "outbox", ["due_at"])
    op.create_table(
        "contacts",
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name="fk_contacts_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", name="pk_contacts"),
    )
