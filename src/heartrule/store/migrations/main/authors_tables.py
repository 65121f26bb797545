"""The tables of releases, of debug sessions and of people who write together, as the first schema has them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def release_tables() -> None:
    _releases()
    _gates()
    _served()


def _releases() -> None:
    op.create_table(
        "releases",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("bundle", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("author_name", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("publisher_name", sa.String(), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["bundle"], ["bundles.hash"], name=op.f("fk_releases_bundle")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_releases")),
        sa.UniqueConstraint("project", "number", name=op.f("uq_releases_project_number")),
    )
    op.create_index("ix_releases_slug", "releases", ["slug"], unique=False)


def _gates() -> None:
    op.create_table(
        "release_votes",
        sa.Column("release", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["release"], ["releases.id"], name=op.f("fk_release_votes_release"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("release", "who", name=op.f("pk_release_votes")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "release_proofs",
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("project", "digest", "kind", name=op.f("pk_release_proofs")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "release_rules",
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("coverage", sa.Integer(), nullable=False),
        sa.Column("reviewers", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("project", name=op.f("pk_release_rules")),
        sqlite_with_rowid=False,
    )


def _served() -> None:
    op.create_table(
        "served",
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("release", sa.String(), nullable=True),
        sa.Column("former", sa.String(), nullable=True),
        sa.Column("candidate", sa.String(), nullable=True),
        sa.Column("share", sa.Double(), nullable=False),
        sa.Column("limits", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["release"], ["releases.id"], name=op.f("fk_served_release")),
        sa.ForeignKeyConstraint(["former"], ["releases.id"], name=op.f("fk_served_former")),
        sa.ForeignKeyConstraint(["candidate"], ["releases.id"], name=op.f("fk_served_candidate")),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_served")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "release_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("release", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_release_log")),
    )
    op.create_index("ix_release_log_slug", "release_log", ["slug", "id"], unique=False)


def debug_tables() -> None:
    op.create_table(
        "debug_sessions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("script", sa.String(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_debug_sessions")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_debug_sessions_who"), "debug_sessions", ["who", "updated_at"])
    op.create_table(
        "debug_moves",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"], ["debug_sessions.id"], name=op.f("fk_debug_moves_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session", "number", name=op.f("pk_debug_moves")),
        sqlite_with_rowid=False,
    )


def team_tables() -> None:
    _sharing()
    _comments()
    _digests()
    _presences()


def _sharing() -> None:
    op.create_table(
        "project_sharing",
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("level", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project"], ["projects.id"], name=op.f("fk_project_sharing_project"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project", "who", name=op.f("pk_project_sharing")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "project_origins",
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project"], ["projects.id"], name=op.f("fk_project_origins_project"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project", name=op.f("pk_project_origins")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "groups",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("members", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_groups")),
    )


def _comments() -> None:
    op.create_table(
        "threads",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("touched_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resolved", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("file", sa.String(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("unsaved", sa.String(), nullable=True),
        sa.Column("looked", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["project"], ["projects.id"], name=op.f("fk_threads_project"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["unsaved"], ["sources.sha256"], name=op.f("fk_threads_unsaved")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_threads")),
    )
    op.create_index("ix_threads_project", "threads", ["project", "created_at"], unique=False)
    op.create_table(
        "comments",
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("author_name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("mentions", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["thread"], ["threads.id"], name=op.f("fk_comments_thread"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("thread", "number", name=op.f("pk_comments")),
        sqlite_with_rowid=False,
    )


def _digests() -> None:
    op.create_table(
        "digests",
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["thread"], ["threads.id"], name=op.f("fk_digests_thread"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("who", "thread", "number", name=op.f("pk_digests")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "digest_addresses",
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("who", name=op.f("pk_digest_addresses")),
        sqlite_with_rowid=False,
    )


def _presences() -> None:
    op.create_table(
        "project_presences",
        sa.Column("tab", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project"], ["projects.id"], name=op.f("fk_project_presences_project"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tab", name=op.f("pk_project_presences")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_project_presences_project", "project_presences", ["project"], unique=False)
