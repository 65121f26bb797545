"""How alembic runs our migrations: always on the connection, and in the transaction, that it was given."""

from __future__ import annotations

from alembic import context


def run() -> None:
    given = context.config.attributes
    context.configure(
        connection=given["connection"],
        target_metadata=given["metadata"],
        version_table=given["version_table"],
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()
