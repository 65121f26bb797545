"""The tables. ``docs/data-model.md`` says which entity and field of the design each of them is.

``LargeBinary`` columns hold sealed values (see ``crypto``) unless the comment beside them says otherwise; everything
else is in clear and therefore an id, a number, a time, a kind, or a name that stands in a script.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from heartrule.store.columns import Moment

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMES)
keys_metadata = MetaData(naming_convention=NAMES)


def _session() -> Column[str]:
    return Column("session", String, ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True)


persons = Table(
    "persons",
    metadata,
    Column("id", String, primary_key=True),
    Column("subject_digest", LargeBinary, unique=True),  # keyed digest, to find a person by subject
    Column("subject", LargeBinary),
    Column("created_at", Moment, nullable=False),
    Column("erasing", Boolean, nullable=False),
)

sources = Table(
    "sources",
    metadata,
    Column("sha256", String, primary_key=True),
    Column("text", LargeBinary, nullable=False),  # in clear: scripts are not personal
)

bundles = Table(
    "bundles",
    metadata,
    Column("hash", String, primary_key=True),
    Column("created_at", Moment, nullable=False),
)

bundle_sources = Table(
    "bundle_sources",
    metadata,
    Column("bundle", String, ForeignKey("bundles.hash", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("project", String, nullable=False),
    Column("path", String, nullable=False),
    Column("sha256", String, ForeignKey("sources.sha256"), nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", String, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("project", String, nullable=False),
    Column("script", String, nullable=False),
    Column("bundle", String, ForeignKey("bundles.hash"), nullable=False),
    Column("locale", String, nullable=False),
    Column("status", String, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("position", Text, nullable=False),  # JSON of script ids and numbers
    Column("created_at", Moment, nullable=False),
    Column("last_active_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("wake_at", Moment),
    Column("parent", String, ForeignKey("sessions.id", ondelete="SET NULL")),
    Column("metadata", LargeBinary, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("latched", Integer),  # last inbox number of the turn under way, once words of it have been shown
    Column("human", String),  # id of the counsellor who holds it: staff, not a person of the store
    Column("human_name", String),
    Column("human_since", Moment),
    Column("crisis_since", Moment),  # since when it stands in a technique of the project ``safety``
    Index("ix_sessions_person", "person", "created_at"),
    Index("ix_sessions_last_active_at", "last_active_at"),
)
Index(
    "ix_sessions_human_since",
    sessions.c.human_since,
    sqlite_where=sessions.c.human_since.is_not(None),
    postgresql_where=sessions.c.human_since.is_not(None),
)
Index(
    "ix_sessions_crisis_since",
    sessions.c.crisis_since,
    sqlite_where=sessions.c.crisis_since.is_not(None),
    postgresql_where=sessions.c.crisis_since.is_not(None),
)
Index(
    "ix_sessions_wake_at",
    sessions.c.wake_at,
    sqlite_where=sessions.c.wake_at.is_not(None),
    postgresql_where=sessions.c.wake_at.is_not(None),
)
Index(
    "ix_sessions_parent",
    sessions.c.parent,
    sqlite_where=sessions.c.parent.is_not(None),
    postgresql_where=sessions.c.parent.is_not(None),
)

leases = Table(
    "leases",
    metadata,
    _session(),
    Column("owner", String),
    Column("epoch", BigInteger, nullable=False),
    Column("until", Moment),
    sqlite_with_rowid=False,
)

inbox = Table(
    "inbox",
    metadata,
    _session(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("key_digest", LargeBinary, nullable=False),  # keyed digest of the idempotency key
    Column("body_digest", LargeBinary, nullable=False),  # keyed digest of everything the sender said
    Column("kind", String, nullable=False),
    Column("after", Integer),
    Column("received_at", Moment, nullable=False),
    Column("turn", Integer),
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("session", "key_digest"),
    sqlite_with_rowid=False,
)
Index(
    "ix_inbox_waiting",
    inbox.c.session,
    inbox.c.number,
    sqlite_where=inbox.c.turn.is_(None),
    postgresql_where=inbox.c.turn.is_(None),
)

turns = Table(
    "turns",
    metadata,
    _session(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("first_message", Integer),
    Column("last_message", Integer),
    Column("outcome", LargeBinary, nullable=False),
    Column("rounds", Integer),  # this and what follows: see ``tallies``; null in turns of older versions
    Column("seconds", Double),
    Column("perceptions", Integer),
    Column("perceived", Integer),
    Column("speculative", Integer),
    Column("redone", Integer),
    Column("fused", Integer),
    Column("unfused", Integer),
    sqlite_with_rowid=False,
)

messages = Table(
    "messages",
    metadata,
    _session(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("sender", String, nullable=False),
    Column("content_type", String, nullable=False),
    Column("action", String),
    Column("at", Moment, nullable=False),
    Column("withheld", Boolean, nullable=False),
    Column("inbox", Integer),
    Column("text", LargeBinary, nullable=False),
    Column("metadata", LargeBinary),
    sqlite_with_rowid=False,
)

variables = Table(
    "variables",
    metadata,
    Column("owner", String, primary_key=True),  # a session's id; for globals ``person/project``
    Column("scope", String, primary_key=True),
    Column("scope_key", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("person", String, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("type", String, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("updated_by", String, nullable=False),
    Column("strategy", String, nullable=False),
    Column("value", LargeBinary, nullable=False),
    Column("evidence", LargeBinary),
    Index("ix_variables_person", "person"),
    sqlite_with_rowid=False,
)

memories = Table(
    "memories",
    metadata,
    Column("id", String, primary_key=True),
    Column("person", String, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("project", String, nullable=False),
    Column("session", String, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("cell", String, nullable=False),  # its type; for one that is remembered for short the key of its topic
    Column("type", String, nullable=False),
    Column("action", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Index("ix_memories_person", "person", "project"),
    Index("ix_memories_session", "session"),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    _session(),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("action", String),
    Column("data", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

calls = Table(
    "calls",
    metadata,
    _session(),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("key", String, primary_key=True),
    Column("prompt_digest", LargeBinary, primary_key=True),  # keyed digest of the prompt's hash
    Column("template", String, nullable=False),
    Column("status", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("attempts", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

attempts = Table(
    "attempts",
    metadata,
    _session(),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("key", String, nullable=False),
    Column("template", String, nullable=False),
    Column("role", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("provider", String),
    Column("model", String),
    Column("retry", Integer, nullable=False),
    Column("fallback", Boolean, nullable=False),
    Column("outcome", String, nullable=False),
    Column("cause", String, nullable=False),
    Column("tokens_in", Integer),
    Column("cached", Integer),
    Column("tokens_out", Integer),
    Column("reasoning", Integer),
    Column("cost", BigInteger),
    Column("currency", String),
    Column("seconds", Double, nullable=False),
    Column("first_token", Double),
    Column("finish", String),
    sqlite_with_rowid=False,
)

snapshots = Table(
    "snapshots",
    metadata,
    _session(),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("format", Integer, nullable=False),
    Column("action", String),
    Column("message", Integer, nullable=False),
    Column("at", Moment, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("variables", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

escalations = Table(
    "escalations",
    metadata,
    Column("id", String, primary_key=True),
    # Neither refers to a row: what was escalated is on record when session and person are gone.
    Column("session", String, nullable=False),
    Column("person", String, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("to", String, nullable=False),
    Column("cause", String, nullable=False),
    Column("level", String),
    Column("status", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("last_error", String),  # a kind of fault, never a quotation
    Column("delivered_at", Moment),
    Column("acknowledged_by", String),
    Column("acknowledged_at", Moment),
    Column("note", LargeBinary),
    Index("ix_escalations_person", "person"),
    Index("ix_escalations_session", "session", "turn"),
    Index("ix_escalations_at", "at"),
)
Index(
    "ix_escalations_waiting",
    escalations.c.at,
    sqlite_where=escalations.c.acknowledged_at.is_(None),
    postgresql_where=escalations.c.acknowledged_at.is_(None),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("due_at", Moment, nullable=False),
    Column("done", Text, nullable=False),  # JSON: names of the steps that need not be taken again
    Column("owner", String),
    Column("until", Moment),
    Index("ix_outbox_due_at", "due_at"),
)

contacts = Table(
    "contacts",
    metadata,
    Column("person", String, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    Column("channel", String, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("who", String, nullable=False),
    Column("role", String, nullable=False),
    Column("session", String, nullable=False),  # no reference: who looked is on record when the session is gone
    Column("what", String, nullable=False),
    Column("at", Moment, nullable=False),
    Index("ix_audit_session", "session"),
    Index("ix_audit_at", "at"),
)

reports = Table(
    "reports",
    metadata,
    _session(),
    Column("message", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("reason", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("text", LargeBinary),
    sqlite_with_rowid=False,
)

reviews = Table(
    "reviews",
    metadata,
    _session(),
    Column("message", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("cause", String, nullable=False),
    Column("verdict", String, nullable=False),
    Column("category", String),
    Column("who", String, nullable=False),  # staff, not a person of the store
    Column("name", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("note", LargeBinary),
    sqlite_with_rowid=False,
)

drafts = Table(
    "drafts",
    metadata,
    _session(),
    Column("form", String, primary_key=True),  # the key of its showing
    Column("who", String, nullable=False),  # staff, not a person of the store
    Column("at", Moment, nullable=False),
    Column("answers", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

data_keys = Table(
    "data_keys",
    keys_metadata,
    Column("id", String, primary_key=True),
    Column("person", String, nullable=False, unique=True),
    Column("master", String, nullable=False, index=True),
    Column("created_at", Moment, nullable=False),
    Column("wrapped", LargeBinary, nullable=False),
)

masters = Table(
    "masters",
    keys_metadata,
    Column("single", Integer, primary_key=True, autoincrement=False),
    Column("current", String, nullable=False),
)
