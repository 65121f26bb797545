"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from heartrule.store.migrations.main.authors_tables import debug_tables, release_tables, team_tables
from heartrule.store.migrations.main.staff_tables import staff_tables

revision = "0001"
down_revision = branch_labels = depends_on = None


def upgrade() -> None:
    _accounts()
    _audit()
    _bundles()
    _canned()
    _cards()
    _escalations()
    _guesses()
    _notes()
    _outbox()
    _persons()
    _requests()
    _sources()
    _bundle_sources()
    release_tables()
    _contacts()
    _devices()
    _links()
    _sessions()
    _sign_ins()
    staff_tables()
    _variables()
    _attempts()
    _calls()
    _drafts()
    _events()
    _inbox()
    _leases()
    _memories()
    _recollections()
    _messages()
    _reports()
    _presences()
    debug_tables()
    _reviews()
    _snapshots()
    _turns()
    _projects()
    team_tables()


def _accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name_digest", sa.LargeBinary(), nullable=False),
        sa.Column("subject_digest", sa.LargeBinary(), nullable=True),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name_digest", name=op.f("uq_accounts_name_digest")),
        sa.UniqueConstraint("subject_digest", name=op.f("uq_accounts_subject_digest")),
        sqlite_with_rowid=False,
    )


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_digest", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_session", "audit", ["session_digest"], unique=False)


def _canned() -> None:
    op.create_table(
        "canned",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_canned")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rota",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rota")),
        sqlite_with_rowid=False,
    )


def _cards() -> None:
    op.create_table(
        "cards",
        sa.Column("session_digest", sa.LargeBinary(), nullable=False),
        sa.Column("person_digest", sa.LargeBinary(), nullable=False),
        sa.Column("day", sa.DateTime(timezone=True), nullable=False),
        sa.Column("about", sa.LargeBinary(), nullable=False),
        sa.Column("words", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("session_digest", name=op.f("pk_cards")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_cards_day", "cards", ["day"], unique=False)
    op.create_index("ix_cards_person", "cards", ["person_digest"], unique=False)


def _devices() -> None:
    op.create_table(
        "devices",
        sa.Column("token_digest", sa.LargeBinary(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_devices_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_digest", name=op.f("pk_devices")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_devices_account", "devices", ["account"], unique=False)


def _guesses() -> None:
    op.create_table(
        "guesses",
        sa.Column("who_digest", sa.LargeBinary(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("forget_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("who_digest", name=op.f("pk_guesses")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_guesses_forget_at", "guesses", ["forget_at"], unique=False)


def _links() -> None:
    op.create_table(
        "links",
        sa.Column("token_digest", sa.LargeBinary(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_links_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_digest", name=op.f("pk_links")),
        sqlite_with_rowid=False,
    )


def _notes() -> None:
    op.create_table(
        "notes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session_digest", sa.LargeBinary(), nullable=False),
        sa.Column("person_digest", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_notes_person", "notes", ["person_digest"], unique=False)
    op.create_index("ix_notes_session", "notes", ["session_digest"], unique=False)


def _sign_ins() -> None:
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("token_digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_sign_ins_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_ins")),
        sa.UniqueConstraint("token_digest", name=op.f("uq_sign_ins_token_digest")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sign_ins_account", "sign_ins", ["account"], unique=False)


def _bundles() -> None:
    op.create_table(
        "bundles",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_bundles")),
    )


def _escalations() -> None:
    op.create_table(
        "escalations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session_digest", sa.LargeBinary(), nullable=False),
        sa.Column("person_digest", sa.LargeBinary(), nullable=False),
        sa.Column("day", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("note", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_escalations")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_escalations_day", "escalations", ["day"], unique=False)
    op.create_index("ix_escalations_person", "escalations", ["person_digest"], unique=False)
    op.create_index("ix_escalations_session", "escalations", ["session_digest"], unique=False)
    op.create_index(
        "ix_escalations_waiting",
        "escalations",
        ["day"],
        unique=False,
        sqlite_where=sa.text("status != 'acknowledged'"),
        postgresql_where=sa.text("status != 'acknowledged'"),
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done", sa.Text(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    op.create_index("ix_outbox_due_at", "outbox", ["due_at"], unique=False)


def _persons() -> None:
    op.create_table(
        "persons",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("subject_digest", sa.LargeBinary(), nullable=True),
        sa.Column("subject", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("erasing", sa.Boolean(), nullable=False),
        sa.Column("remembers", sa.Boolean(), nullable=True),
        sa.Column("chosen_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_persons")),
        sa.UniqueConstraint("subject_digest", name=op.f("uq_persons_subject_digest")),
    )


def _requests() -> None:
    op.create_table(
        "requests",
        sa.Column("address_digest", sa.LargeBinary(), nullable=False),
        sa.Column("person_digest", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("address_digest", "person_digest", name=op.f("pk_requests")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_requests_person", "requests", ["person_digest"], unique=False)


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


def _contacts() -> None:
    op.create_table(
        "contacts",
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("request_digest", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name=op.f("fk_contacts_person"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_contacts")),
        sa.UniqueConstraint("request_digest", name=op.f("uq_contacts_request_digest")),
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
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_active_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("wake_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("parent", sa.String(), nullable=True),
        sa.Column("trial", sa.String(), nullable=True),
        sa.Column("release", sa.String(), nullable=True),
        sa.Column("direction", sa.String(), nullable=True),
        sa.Column("moved", sa.Integer(), nullable=True),
        sa.Column("latched", sa.Integer(), nullable=True),
        sa.Column("standing_digest", sa.LargeBinary(), nullable=False),
        sa.Column("about", sa.LargeBinary(), nullable=False),
        sa.Column("metadata", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["bundle"], ["bundles.hash"], name=op.f("fk_sessions_bundle")),
        sa.ForeignKeyConstraint(["parent"], ["sessions.id"], name=op.f("fk_sessions_parent"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name=op.f("fk_sessions_person"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index("ix_sessions_last_active_at", "sessions", ["last_active_at"], unique=False)
    op.create_index(
        "ix_sessions_parent",
        "sessions",
        ["parent"],
        unique=False,
        sqlite_where=sa.text("parent IS NOT NULL"),
        postgresql_where=sa.text("parent IS NOT NULL"),
    )
    op.create_index(
        "ix_sessions_release",
        "sessions",
        ["release"],
        unique=False,
        sqlite_where=sa.text("release IS NOT NULL"),
        postgresql_where=sa.text("release IS NOT NULL"),
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
        sa.Column("name_digest", sa.LargeBinary(), nullable=False),
        sa.Column("scope_digest", sa.LargeBinary(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("about", sa.LargeBinary(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("evidence", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name=op.f("fk_variables_person"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("owner", "name_digest", name=op.f("pk_variables")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_variables_person", "variables", ["person"], unique=False)


def _attempts() -> None:
    op.create_table(
        "attempts",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("template", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("provider", sa.String(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("retry", sa.Integer(), nullable=False),
        sa.Column("fallback", sa.Boolean(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("tokens_in", sa.Integer(), nullable=True),
        sa.Column("cached", sa.Integer(), nullable=True),
        sa.Column("tokens_out", sa.Integer(), nullable=True),
        sa.Column("reasoning", sa.Integer(), nullable=True),
        sa.Column("cost", sa.BigInteger(), nullable=True),
        sa.Column("currency", sa.String(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("first_token", sa.Double(), nullable=True),
        sa.Column("finish", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_attempts_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "turn", "number", name=op.f("pk_attempts")),
        sqlite_with_rowid=False,
    )


def _calls() -> None:
    op.create_table(
        "calls",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("call_digest", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("attempts", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_calls_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "turn", "call_digest", name=op.f("pk_calls")),
        sqlite_with_rowid=False,
    )


def _drafts() -> None:
    op.create_table(
        "drafts",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("form_digest", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answers", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_drafts_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "form_digest", name=op.f("pk_drafts")),
        sqlite_with_rowid=False,
    )


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("course", sa.LargeBinary(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_events_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "turn", name=op.f("pk_events")),
        sqlite_with_rowid=False,
    )


def _inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key_digest", sa.LargeBinary(), nullable=False),
        sa.Column("body_digest", sa.LargeBinary(), nullable=False),
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
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_leases_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", name=op.f("pk_leases")),
        sqlite_with_rowid=False,
    )


def _memories() -> None:
    op.create_table(
        "memories",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("cell_digest", sa.LargeBinary(), nullable=False),
        sa.Column("lasting", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name=op.f("fk_memories_person"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_memories_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memories")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memories_person", "memories", ["person", "project"], unique=False)
    op.create_index("ix_memories_session", "memories", ["session"], unique=False)


def _recollections() -> None:
    op.create_table(
        "recollections",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("terms", sa.LargeBinary(), nullable=False),
        sa.Column("contents", sa.LargeBinary(), nullable=False),
        sa.Column("meaning", sa.LargeBinary(), nullable=True),
        sa.Column("embedder", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name=op.f("fk_recollections_person"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["session"], ["sessions.id"], name=op.f("fk_recollections_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session", "number", name=op.f("pk_recollections")),
        sqlite_with_rowid=False,
    )
    whole = ["person", "project", "session", "number", "version"]
    op.create_index("ix_recollections_person", "recollections", whole, unique=False)


def _messages() -> None:
    op.create_table(
        "messages",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("reply", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("about", sa.LargeBinary(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_messages_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "number", name=op.f("pk_messages")),
        sqlite_with_rowid=False,
    )


def _reports() -> None:
    op.create_table(
        "reports",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("message", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_reports_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "message", name=op.f("pk_reports")),
        sqlite_with_rowid=False,
    )


def _reviews() -> None:
    op.create_table(
        "reviews",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("message", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=True),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("note", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_reviews_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "message", name=op.f("pk_reviews")),
        sqlite_with_rowid=False,
    )


def _snapshots() -> None:
    op.create_table(
        "snapshots",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("format", sa.Integer(), nullable=False),
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
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("perceptions", sa.Integer(), nullable=True),
        sa.Column("perceived", sa.Integer(), nullable=True),
        sa.Column("speculative", sa.Integer(), nullable=True),
        sa.Column("redone", sa.Integer(), nullable=True),
        sa.Column("fused", sa.Integer(), nullable=True),
        sa.Column("unfused", sa.Integer(), nullable=True),
        sa.Column("completed", sa.Integer(), nullable=True),
        sa.Column("satisfaction", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name=op.f("fk_turns_session"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session", "seq", name=op.f("pk_turns")),
        sqlite_with_rowid=False,
    )


def _presences() -> None:
    op.create_table(
        "presences",
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("projects", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("who", name=op.f("pk_presences")),
        sqlite_with_rowid=False,
    )


def _projects() -> None:
    op.create_table(
        "projects",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("layout", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
    )
    op.create_index("ix_projects_owner", "projects", ["owner"], unique=False)
    op.create_table(
        "project_versions",
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("author_name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("changed", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project"], ["projects.id"], name=op.f("fk_project_versions_project"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project", "number", name=op.f("pk_project_versions")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "project_files",
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project", "number"],
            ["project_versions.project", "project_versions.number"],
            name=op.f("fk_project_files_project_number"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["sha256"], ["sources.sha256"], name=op.f("fk_project_files_sha256")),
        sa.PrimaryKeyConstraint("project", "number", "path", name=op.f("pk_project_files")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "project_drafts",
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("tab", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("texts", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project", "author", "tab", name=op.f("pk_project_drafts")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "project_runs",
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("result", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("project", name=op.f("pk_project_runs")),
        sqlite_with_rowid=False,
    )
