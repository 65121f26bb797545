"""Indexes for what is looked at all day long, and no table of scripts: nothing ever wrote to it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_sessions_last_active_at", "sessions", ["last_active_at"])
    op.create_index("ix_escalations_session", "escalations", ["session", "turn"])
    waiting = sa.text("acknowledged_at IS NULL")
    op.create_index("ix_escalations_waiting", "escalations", ["at"], sqlite_where=waiting, postgresql_where=waiting)
    op.drop_table("scripts")
