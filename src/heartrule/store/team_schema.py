"""The tables of several people who write one project: with whom it is shared, what they say beside it, who is there.
What they say is sealed with the key of the store; ids, places in scripts and times are in clear."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from heartrule.store.columns import Moment
from heartrule.store.schema import metadata


def _project() -> Column[str]:
    return Column("project", String, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)


project_sharing = Table(
    "project_sharing",
    metadata,
    _project(),
    Column("who", String, primary_key=True),  # of the staff, or ``group:`` and a group
    Column("level", String, nullable=False),
    sqlite_with_rowid=False,
)

project_origins = Table(
    "project_origins",
    metadata,
    _project(),
    Column("origin", String, nullable=False),  # of no row of ``projects``: it may lie in a folder, or be gone
    Column("name", String, nullable=False),
    sqlite_with_rowid=False,
)

groups = Table(
    "groups",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("members", Text, nullable=False),  # JSON: ids of the staff
)

threads = Table(
    "threads",
    metadata,
    Column("id", String, primary_key=True),
    Column("project", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("touched_at", Moment, nullable=False),
    Column("resolved", Boolean, nullable=False),
    Column("version", Integer, nullable=False),  # where it stood last
    Column("file", String, nullable=False),
    Column("path", Text, nullable=False),  # JSON
    Column("unsaved", String, ForeignKey("sources.sha256")),  # the text of that file, where no version has it
    Column("looked", Integer, nullable=False),  # the version in which it was looked for last
    Index("ix_threads_project", "project", "created_at"),
)

comments = Table(
    "comments",
    metadata,
    Column("thread", String, ForeignKey("threads.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("author", String, nullable=False),
    Column("author_name", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("content", LargeBinary, nullable=False),  # sealed with the key of the store, as mentions are not
    Column("mentions", Text, nullable=False),  # JSON: ids of the staff
    sqlite_with_rowid=False,
)

digests = Table(
    "digests",
    metadata,
    Column("who", String, primary_key=True),
    Column("thread", String, ForeignKey("threads.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

digest_addresses = Table(
    "digest_addresses",
    metadata,
    Column("who", String, primary_key=True),
    Column("content", LargeBinary, nullable=False),  # sealed with the key of the store
    sqlite_with_rowid=False,
)

project_presences = Table(
    "project_presences",
    metadata,
    Column("tab", String, primary_key=True),
    Column("project", String, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("who", String, nullable=False),
    Column("name", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("place", Text, nullable=False),  # JSON
    Index("ix_project_presences_project", "project"),
    sqlite_with_rowid=False,
)
