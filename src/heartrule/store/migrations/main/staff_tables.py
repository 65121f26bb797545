"""The tables of what staff sign in by, as the first schema has them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def staff_tables() -> None:
    op.create_table(
        "challenges",
        sa.Column("handle_digest", sa.LargeBinary(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("handle_digest", name=op.f("pk_challenges")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_challenges_until", "challenges", ["until"], unique=False)
    op.create_table(
        "service_tokens",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("token_digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_service_tokens_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_service_tokens")),
        sa.UniqueConstraint("token_digest", name=op.f("uq_service_tokens_token_digest")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_service_tokens_account", "service_tokens", ["account"], unique=False)
    op.create_table(
        "push_subscriptions",
        sa.Column("endpoint_digest", sa.LargeBinary(), nullable=False),
        sa.Column("sign_in", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_push_subscriptions_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["sign_in"], ["sign_ins.id"], name=op.f("fk_push_subscriptions_sign_in"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("endpoint_digest", name=op.f("pk_push_subscriptions")),
        sa.UniqueConstraint("sign_in", name=op.f("uq_push_subscriptions_sign_in")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_push_subscriptions_account", "push_subscriptions", ["account"], unique=False)
