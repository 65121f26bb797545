"""The two statements that SQLite and PostgreSQL spell alike and SQLAlchemy keeps apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Insert, Table
from sqlalchemy.dialects import postgresql, sqlite


def _insert(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)


@cache
def _missing(dialect: str, table: Table) -> Insert:
    return _insert(dialect, table).on_conflict_do_nothing()


@cache
def _upsert(dialect: str, table: Table, columns: tuple[str, ...], unless: tuple[str, str] | None) -> Insert:
    statement = _insert(dialect, table)
    keys = list(table.primary_key.columns)
    new: dict[str, Any] = {name: statement.excluded[name] for name in columns}
    where = None if unless is None else table.c[unless[0]] != unless[1]
    return statement.on_conflict_do_update(index_elements=keys, set_=new, where=where)


def insert_missing(connection: Connection, table: Table) -> Insert:
    """Insert the rows that are not there yet."""
    return _missing(connection.dialect.name, table)


def upsert(
    connection: Connection, table: Table, columns: Sequence[str], unless: tuple[str, str] | None = None
) -> Insert:
    """Insert, or set ``columns`` of the row with the same primary key; not if its column has that value
    (``unless``)."""
    return _upsert(connection.dialect.name, table, tuple(columns), unless)
