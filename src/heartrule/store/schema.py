"""The tables. ``docs/data-model.md`` says which entity and field of the design each of them is.

``LargeBinary`` columns hold sealed values (see ``crypto``); those that end in ``_digest`` hold keyed digests, to find
rows by what is sealed in them; exceptions have a comment. All else is in clear and therefore an id, a number, a time or
a session's script. No column in clear, and no row's being there, tells answers or danger (``docs/data-model.md``).
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
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
    Column("remembers", Boolean),  # whether sessions may know of earlier ones; null: not answered
    Column("chosen_at", Moment),
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
    Column("created_at", Moment, nullable=False),
    Column("last_active_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("wake_at", Moment),
    Column("parent", String, ForeignKey("sessions.id", ondelete="SET NULL")),
    Column("trial", String),  # the project of the workbench that it tries: in no list of production
    Column("release", String),  # which it was begun with, or has been moved to
    Column("direction", String),  # of several that its strategies are compared by
    Column("moved", Integer),  # the last turn that it was held in another text
    Column("latched", Integer),  # last inbox number of the turn under way, once words of it have been shown
    Column("standing_digest", LargeBinary, nullable=False),  # whether it is in a crisis, or a human's: see ``standing``
    Column("about", LargeBinary, nullable=False),  # position, who of the staff holds it, since when it is in a crisis
    Column("metadata", LargeBinary, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Index("ix_sessions_person", "person", "created_at"),
    Index("ix_sessions_last_active_at", "last_active_at"),
)
Index(
    "ix_sessions_wake_at",
    sessions.c.wake_at,
    sqlite_where=sessions.c.wake_at.is_not(None),
    postgresql_where=sessions.c.wake_at.is_not(None),
)
Index(
    "ix_sessions_release",
    sessions.c.release,
    sqlite_where=sessions.c.release.is_not(None),
    postgresql_where=sessions.c.release.is_not(None),
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
    Column("bytes", BigInteger, nullable=False),  # of all inputs so far, as they are kept: sealed and padded
    sqlite_with_rowid=False,
)

inbox = Table(
    "inbox",
    metadata,
    _session(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("key_digest", LargeBinary, nullable=False),  # keyed digest of the idempotency key
    Column("body_digest", LargeBinary, nullable=False),  # keyed digest of everything the sender said
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
    Column("rounds", Integer),  # this and what follows: see ``tallies``
    Column("seconds", Double),
    Column("perceptions", Integer),
    Column("perceived", Integer),
    Column("speculative", Integer),
    Column("redone", Integer),
    Column("fused", Integer),
    Column("unfused", Integer),
    Column("completed", Integer),
    Column("satisfaction", Double),
    sqlite_with_rowid=False,
)

messages = Table(
    "messages",
    metadata,
    _session(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("reply", Boolean, nullable=False),  # words of the program that have not been taken back
    Column("at", Moment, nullable=False),
    Column("about", LargeBinary, nullable=False),  # who said it, in which action, what is shown beside it
    Column("text", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

variables = Table(
    "variables",
    metadata,
    Column("owner", String, primary_key=True),  # a session's id; for globals ``person/project``
    Column("name_digest", LargeBinary, primary_key=True),  # of scope, scope key and name
    Column("scope_digest", LargeBinary, nullable=False),  # of scope and scope key
    Column("person", String, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("about", LargeBinary, nullable=False),  # scope, name, type, when and by what it was written
    Column("value", LargeBinary, nullable=False),
    Column("evidence", LargeBinary, nullable=False),  # also where there is none
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
    Column("cell_digest", LargeBinary, nullable=False),
    Column("lasting", Boolean, nullable=False),  # whether other sessions see it
    Column("at", Moment, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Index("ix_memories_person", "person", "project"),
    Index("ix_memories_session", "session"),
    sqlite_with_rowid=False,
)

recollections = Table(
    "recollections",
    metadata,
    _session(),
    Column("number", Integer, primary_key=True, autoincrement=False),  # 0: what the person has put right or forgotten
    Column("person", String, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("project", String, nullable=False),
    Column("version", String, nullable=False),  # another whenever it is written
    Column("terms", LargeBinary, nullable=False),  # what they are found by
    Column("contents", LargeBinary, nullable=False),
    Column("meaning", LargeBinary),  # vectors of meaning, where an embeddings model is configured
    Column("embedder", String),  # which one made them
    # Whole: whether what is held open is still so is asked before each search, and opens no row.
    Index("ix_recollections_person", "person", "project", "session", "number", "version"),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    _session(),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("course", LargeBinary, nullable=False),  # which way it took, apart: places of the script only
    Column("data", LargeBinary, nullable=False),  # all else that happened in the turn
    sqlite_with_rowid=False,
)

calls = Table(
    "calls",
    metadata,
    _session(),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("call_digest", LargeBinary, primary_key=True),  # of which task it was, and the prompt's hash
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
    Column("key", LargeBinary, nullable=False),
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
    Column("message", Integer, nullable=False),
    Column("at", Moment, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("variables", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

escalations = Table(
    "escalations",
    metadata,
    Column("id", String, primary_key=True),  # keyed digest of its id, in hex: also of the outbox row that delivers it
    # Neither refers to a row: what was escalated is on record when session and person are gone.
    Column("session_digest", LargeBinary, nullable=False),
    Column("person_digest", LargeBinary, nullable=False),
    Column("day", Moment, nullable=False),  # its time would name the turn that it came of
    Column("status", String, nullable=False),
    Column("content", LargeBinary, nullable=False),  # sealed with the key of the store, as it outlives the person
    Column("note", LargeBinary),
    Index("ix_escalations_person", "person_digest"),
    Index("ix_escalations_session", "session_digest"),
    Index("ix_escalations_day", "day"),
    sqlite_with_rowid=False,
)
Index(
    "ix_escalations_waiting",
    escalations.c.day,
    sqlite_where=escalations.c.status != "acknowledged",
    postgresql_where=escalations.c.status != "acknowledged",
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
    Column("confirmed", Boolean, nullable=False),  # by whoever reads what is sent there
    Column("request_digest", LargeBinary, nullable=False, unique=True),  # of what they confirm it with
    Column("content", LargeBinary, nullable=False),
)

requests = Table(
    "requests",
    metadata,
    # Of the address, and of the person: who asked whom cannot be read here, and outlives both.
    Column("address_digest", LargeBinary, primary_key=True),
    Column("person_digest", LargeBinary, primary_key=True),
    Column("at", Moment, nullable=False),
    Index("ix_requests_person", "person_digest"),
    sqlite_with_rowid=False,
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_digest", LargeBinary, nullable=False),  # who looked is on record when the session is gone
    Column("content", LargeBinary, nullable=False),  # sealed with the key of the store
    Index("ix_audit_session", "session_digest"),
)

presences = Table(
    "presences",
    metadata,
    Column("who", String, primary_key=True),  # staff, not a person of the store
    Column("projects", Text, nullable=False),  # ids, one a line; "*": all
    Column("until", Moment, nullable=False),
    Column("seen_at", Moment, nullable=False),  # their last sign of life, on duty or not
    Column("name", String, nullable=False),
    sqlite_with_rowid=False,
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", String, primary_key=True),
    Column("name_digest", LargeBinary, nullable=False, unique=True),  # keyed digest of the name they sign in with
    Column("subject_digest", LargeBinary, unique=True),  # of who they are to the provider that they sign in with
    Column("disabled", Boolean, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("content", LargeBinary, nullable=False),  # names, roles, all that they sign in by
    sqlite_with_rowid=False,
)

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", String, primary_key=True),
    Column("account", String, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("token_digest", LargeBinary, nullable=False, unique=True),  # keyed digest of what the cookie holds
    Column("created_at", Moment, nullable=False),
    Column("seen_at", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("content", LargeBinary, nullable=False),  # which browser
    Index("ix_sign_ins_account", "account"),
    sqlite_with_rowid=False,
)

devices = Table(
    "devices",
    metadata,
    Column("token_digest", LargeBinary, primary_key=True),  # of a browser that somebody has signed in with
    Column("account", String, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("at", Moment, nullable=False),
    Index("ix_devices_account", "account"),
    sqlite_with_rowid=False,
)

links = Table(
    "links",
    metadata,
    Column("token_digest", LargeBinary, primary_key=True),
    Column("kind", String, nullable=False),
    Column("account", String, ForeignKey("accounts.id", ondelete="CASCADE")),  # none: of the first administrator
    Column("until", Moment, nullable=False),
    sqlite_with_rowid=False,
)

guesses = Table(
    "guesses",
    metadata,
    Column("who_digest", LargeBinary, primary_key=True),  # of the name that was tried, and from where
    Column("failures", Integer, nullable=False),
    Column("until", Moment, nullable=False),  # not tried again before
    Column("forget_at", Moment, nullable=False),
    Index("ix_guesses_forget_at", "forget_at"),
    sqlite_with_rowid=False,
)

canned = Table(
    "canned",
    metadata,
    Column("id", String, primary_key=True),
    Column("content", LargeBinary, nullable=False),  # sealed with the key of the store: whose, title, words
    sqlite_with_rowid=False,
)

rota = Table(
    "rota",
    metadata,
    Column("id", String, primary_key=True),
    Column("content", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# Neither of these refers to a row: that a session has one would tell that somebody was needed there.
cards = Table(
    "cards",
    metadata,
    Column("session_digest", LargeBinary, primary_key=True),
    Column("person_digest", LargeBinary, nullable=False),
    Column("day", Moment, nullable=False),  # of its last change
    Column("about", LargeBinary, nullable=False),  # sealed with the key of the store: whose it is, who has read how far
    Column("words", LargeBinary, nullable=False),  # tags, and what is said with it
    Index("ix_cards_person", "person_digest"),
    Index("ix_cards_day", "day"),
    sqlite_with_rowid=False,
)

notes = Table(
    "notes",
    metadata,
    Column("id", String, primary_key=True),
    Column("session_digest", LargeBinary, nullable=False),
    Column("person_digest", LargeBinary, nullable=False),
    Column("content", LargeBinary, nullable=False),  # who wrote what, and when
    Index("ix_notes_session", "session_digest"),
    Index("ix_notes_person", "person_digest"),
    sqlite_with_rowid=False,
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
    Column("form_digest", LargeBinary, primary_key=True),  # of the key of its showing
    Column("at", Moment, nullable=False),
    Column("answers", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

projects = Table(  # of the workbench; all of them in clear: scripts are not personal
    "projects",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("owner", String, nullable=False),  # staff, not a person of the store
    Column("version", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("layout", Text, nullable=False),  # JSON: where somebody put what is drawn
    Index("ix_projects_owner", "owner"),
)

project_versions = Table(
    "project_versions",
    metadata,
    Column("project", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("author", String, nullable=False),
    Column("author_name", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("note", Text, nullable=False),
    Column("changed", Text, nullable=False),  # JSON: paths
    sqlite_with_rowid=False,
)

project_files = Table(
    "project_files",
    metadata,
    Column("project", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("path", String, primary_key=True),
    Column("sha256", String, ForeignKey("sources.sha256"), nullable=False),
    ForeignKeyConstraint(
        ["project", "number"], ["project_versions.project", "project_versions.number"], ondelete="CASCADE"
    ),
    sqlite_with_rowid=False,
)

project_drafts = Table(
    "project_drafts",
    metadata,
    Column("project", String, primary_key=True),  # also one of a folder, which is no row
    Column("author", String, primary_key=True),
    Column("tab", String, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("base", Integer, nullable=False),
    Column("texts", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

project_runs = Table(
    "project_runs",
    metadata,
    Column("project", String, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("result", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

debug_sessions = Table(
    "debug_sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("who", String, nullable=False),  # staff, not a person of the store
    Column("script", String, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("head", LargeBinary, nullable=False),  # sealed with the key of the store: nobody real is in it
    Index("ix_debug_sessions_who", "who", "updated_at"),
    sqlite_with_rowid=False,
)

debug_moves = Table(
    "debug_moves",
    metadata,
    Column("session", String, ForeignKey("debug_sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),  # as the head
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
