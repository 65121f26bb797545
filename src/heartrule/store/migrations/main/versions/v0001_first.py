"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _bundles()
    _persons()
    _sources()
    _bundle_sources()
    _scripts()
    _sessions()
    _variables()
    _calls()
    _events()
    _inbox()
    _leases()
    _messages()
    _snapshots()
    _turns()


def _bundles() -> None:
    op.create_table(
        "bundles",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_bundles")),
    )


def _persons() -> None:
    op.create_table(
        "persons",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("subject_digest", sa.LargeBinary(), nullable=True),
        sa.Column("subject", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("erasing", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_persons")),
        sa.UniqueConstraint("subject_digest", name=op.f("uq_persons_subject_digest")),
    )


def _sources() -> None:
    op.create_table(
        "sources",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_sources")),
    )


def _bundle_sources() -> None:
    op.create_table(
        "bundle_sources",
        sa.Column("bundle", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["bundle"], ["bundles.hash"], name=op.f("fk_bundle_sources_bundle"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["sha256"], ["sources.sha256"], name=op.f("fk_bundle_sources_sha256")),
        sa.PrimaryKeyConstraint("bundle", "number", name=op.f("pk_bundle_sources")),
    )


def _scripts() -> None:
    op.create_table(
        "scripts",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("metadata", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["sha256"], ["sources.sha256"], name=op.f("fk_scripts_sha256")),
        sa.PrimaryKeyConstraint("id", "version", name=op.f("pk_scripts")),
    )


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("script", sa.String(), nullable=False),
        sa.Column("bundle", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_active_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("wake_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("parent", sa.String(), nullable=True),
        sa.Column("metadata", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["bundle"], ["bundles.hash"], name=op.f("fk_sessions_bundle")),
        sa.ForeignKeyConstraint(["parent"], ["sessions.id"], name=op.f("fk_sessions_parent"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name=op.f("fk_sessions_person"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index(
        "ix_sessions_parent",
        "sessions",
        ["parent"],
        unique=False,
        sqlite_where=sa.text("parent IS NOT NULL"),
        postgresql_where=sa.text("parent IS NOT NULL"),
    )
    op.create_index("ix_sessions_person", "sessions", ["person", "created_at"], unique=False)
    op.create_index(
        "ix_sessions_wake_at",
        "sessions",
        ["wake_at"],
        unique=False,
        sqlite_where=sa.text("wake_at IS NOT NULL"),
        postgresql_where=sa.text("wake_at IS NOT NULL"),
    )


def _variables() -> None:
    op.create_table(
        "variables",
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("scope_key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_by", sa.String(), nullable=False),
        sa.Column("strategy", sa.String(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("evidence", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name=op.f("fk_variables_person"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("owner", "scope", "scope_key", "name", name=op.f("pk_variables")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_variables_person", "variables", ["person"], unique=False)


def _calls() -> None:
    op.create_table(
        "calls",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("prompt_digest", sa.LargeBinary(), nullable=False),
        sa.Column("template", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("attempts", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_calls_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "turn", "key", "prompt_digest", name=op.f("pk_calls")),
        sqlite_with_rowid=False,
    )


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=True),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_events_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "turn", "number", name=op.f("pk_events")),
        sqlite_with_rowid=False,
    )


def _inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key_digest", sa.LargeBinary(), nullable=False),
        sa.Column("body_digest", sa.LargeBinary(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_inbox_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "number", name=op.f("pk_inbox")),
        sa.UniqueConstraint("session", "key_digest", name=op.f("uq_inbox_session_key_digest")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_inbox_waiting",
        "inbox",
        ["session", "number"],
        unique=False,
        sqlite_where=sa.text("turn IS NULL"),
        postgresql_where=sa.text("turn IS NULL"),
    )


def _leases() -> None:
    op.create_table(
        "leases",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_leases_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", name=op.f("pk_leases")),
        sqlite_with_rowid=False,
    )


def _messages() -> None:
    op.create_table(
        "messages",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("withheld", sa.Boolean(), nullable=False),
        sa.Column("inbox", sa.Integer(), nullable=True),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("metadata", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_messages_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "number", name=op.f("pk_messages")),
        sqlite_with_rowid=False,
    )


def _snapshots() -> None:
    op.create_table(
        "snapshots",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("format", sa.Integer(), nullable=False),
        sa.Column("action", sa.String(), nullable=True),
        sa.Column("message", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("variables", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_snapshots_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "turn", name=op.f("pk_snapshots")),
        sqlite_with_rowid=False,
    )


def _turns() -> None:
    op.create_table(
        "turns",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("first_message", sa.Integer(), nullable=True),
        sa.Column("last_message", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_turns_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "seq", name=op.f("pk_turns")),
        sqlite_with_rowid=False,
    )
