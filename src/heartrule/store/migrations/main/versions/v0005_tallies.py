"""What is counted of a turn when it is committed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("rounds", sa.Integer(), nullable=True))
    op.add_column("turns", sa.Column("seconds", sa.Double(), nullable=True))
    for name in ("perceptions", "perceived", "speculative", "redone", "fused", "unfused"):
        op.add_column("turns", sa.Column(name, sa.Integer(), nullable=True))
