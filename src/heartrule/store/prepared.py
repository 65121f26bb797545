"""Statements of every turn, said to SQLite's driver: looking up, binding and reading through SQLAlchemy cost many times
what such a statement does. SQLAlchemy still makes their text and knows the types, once for each."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping, Sequence
from functools import lru_cache
from sqlite3 import Connection as SqliteConnection
from sqlite3 import Cursor
from sqlite3 import Error as SqliteError
from typing import Any

from sqlalchemy import Connection, Insert, Select, Update
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

Statement = Select[Any] | Insert | Update
Values = Mapping[str, Any]
_DIALECT = sqlite.dialect()


class Prepared:
    """One statement, with values for these ``names``. Errors are those that SQLAlchemy raises."""

    def __init__(self, statement: Statement, names: tuple[str, ...]) -> None:
        made = statement.compile(dialect=_DIALECT, column_keys=names if isinstance(statement, Insert) else None)
        self._text = str(made)
        bound = [made.binds[name] for name in made.positiontup or ()]
        self._bound = [(each.key, each.type.dialect_impl(_DIALECT).bind_processor(_DIALECT)) for each in bound]
        self._fixed = {each.key: each.value for each in bound if not each.required}
        columns = statement.selected_columns if isinstance(statement, Select) else ()
        self._read = [each.type.dialect_impl(_DIALECT).result_processor(_DIALECT, None) for each in columns]
        self._row: Any = namedtuple("Row", [each.key for each in columns], rename=True)  # type: ignore[misc]

    def run(self, connection: SqliteConnection, rows: Sequence[Values]) -> Cursor:
        bound = [self._values(row) for row in rows]
        try:
            if len(bound) == 1:
                return connection.execute(self._text, bound[0])
            return connection.executemany(self._text, bound)
        except SqliteError as error:
            raise DBAPIError.instance(self._text, None, error, SqliteError, hide_parameters=True) from error

    def _values(self, row: Values) -> list[Any]:
        row = {**self._fixed, **row}
        return [row[name] if process is None else process(row[name]) for name, process in self._bound]

    def found(self, connection: SqliteConnection, values: Values) -> list[Any]:
        return [
            self._row(
                *[part if process is None else process(part) for part, process in zip(row, self._read, strict=True)]
            )
            for row in self.run(connection, [values]).fetchall()
        ]


_prepared = lru_cache(maxsize=256)(Prepared)


def write(connection: Connection, statement: Statement, rows: Sequence[Values]) -> int:
    """How many rows it touched. ``rows`` have the same names, and there is one at least."""
    driver = connection.connection.driver_connection
    if isinstance(driver, SqliteConnection):
        return _prepared(statement, tuple(rows[0])).run(driver, rows).rowcount
    return connection.execute(statement, list(rows) if len(rows) > 1 else rows[0]).rowcount


def read(connection: Connection, statement: Statement, values: Values) -> Sequence[Any]:
    """The rows, with a name for each column."""
    driver = connection.connection.driver_connection
    if isinstance(driver, SqliteConnection):
        return _prepared(statement, tuple(values)).found(driver, values)
    return connection.execute(statement, values).all()
