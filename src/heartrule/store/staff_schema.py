"""Tables of what staff sign in by, beside the accounts: what has been begun and not finished, and programs' tokens."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, LargeBinary, String, Table

from heartrule.store.columns import Moment
from heartrule.store.schema import metadata

challenges = Table(
    "challenges",
    metadata,
    Column("handle_digest", LargeBinary, primary_key=True),  # of what the browser brings back
    Column("until", Moment, nullable=False),
    Column("content", LargeBinary, nullable=False),  # what must be answered, and for whom
    Index("ix_challenges_until", "until"),
    sqlite_with_rowid=False,
)

service_tokens = Table(
    "service_tokens",
    metadata,
    Column("id", String, primary_key=True),
    Column("account", String, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("token_digest", LargeBinary, nullable=False, unique=True),
    Column("created_at", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("used_at", Moment),
    Column("content", LargeBinary, nullable=False),  # its name and its scopes
    Index("ix_service_tokens_account", "account"),
    sqlite_with_rowid=False,
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("endpoint_digest", LargeBinary, primary_key=True),
    Column("sign_in", String, ForeignKey("sign_ins.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("account", String, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("content", LargeBinary, nullable=False),  # where the browser is reached
    Index("ix_push_subscriptions_account", "account"),
    sqlite_with_rowid=False,
)
