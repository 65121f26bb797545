"""The tables of what is published: releases, the votes on them, the proofs that they passed, what is served, and what
happened. All of it is in clear: scripts are not personal."""

from __future__ import annotations

from sqlalchemy import Column, Double, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from heartrule.store.columns import Moment
from heartrule.store.schema import metadata

releases = Table(  # of no row of ``projects``: what is served stays when its project goes
    "releases",
    metadata,
    Column("id", String, primary_key=True),
    Column("project", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("slug", String, nullable=False),
    Column("name", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("bundle", String, ForeignKey("bundles.hash"), nullable=False),
    Column("state", String, nullable=False),
    Column("author", String, nullable=False),  # staff, not a person of the store
    Column("author_name", String, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("notes", Text, nullable=False),
    Column("publisher_name", String, nullable=False),
    Column("published_at", Moment),
    Column("key", String, nullable=False),  # which signed it, and what it signed
    Column("signature", String, nullable=False),
    UniqueConstraint("project", "number"),
    Index("ix_releases_slug", "slug"),
)

release_votes = Table(
    "release_votes",
    metadata,
    Column("release", String, ForeignKey("releases.id", ondelete="CASCADE"), primary_key=True),
    Column("who", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("verdict", String, nullable=False),
    Column("note", Text, nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

release_proofs = Table(
    "release_proofs",
    metadata,
    Column("project", String, primary_key=True),
    Column("digest", String, primary_key=True),  # of all texts that it holds for
    Column("kind", String, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("result", Text, nullable=False),  # JSON
    sqlite_with_rowid=False,
)

release_rules = Table(
    "release_rules",
    metadata,
    Column("project", String, primary_key=True),
    Column("coverage", Integer, nullable=False),
    Column("reviewers", Integer, nullable=False),
    sqlite_with_rowid=False,
)

served = Table(
    "served",
    metadata,
    Column("slug", String, primary_key=True),
    Column("project", String, nullable=False),
    Column("release", String, ForeignKey("releases.id")),
    Column("former", String, ForeignKey("releases.id")),
    Column("candidate", String, ForeignKey("releases.id")),
    Column("share", Double, nullable=False),
    Column("limits", Text, nullable=False),  # JSON: where the candidate halts by itself
    Column("revision", Integer, nullable=False),
    sqlite_with_rowid=False,
)

release_log = Table(
    "release_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("slug", String, nullable=False),
    Column("release", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("who", String, nullable=False),
    Column("name", String, nullable=False),
    Column("what", String, nullable=False),
    Column("detail", Text, nullable=False),  # JSON: numbers and names of the script
    Index("ix_release_log_slug", "slug", "id"),
)
