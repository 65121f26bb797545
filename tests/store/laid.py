"""The migrations of an empty database run once in a process, for the next ones what they ran is run again: every test
that opens a store has one of its own, and most of what that costs is alembic's reading of the same files."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, event

from heartrule.store import migrate

_Statement = tuple[str, Any]
REAL = migrate._upgrade
_known: dict[tuple[object, ...], list[_Statement]] = {}


def upgrade(connection: Connection, which: migrate.Which, found: str | None) -> None:
    """What ``migrate._upgrade`` does; on an empty database by the statements it was seen to run on the first."""
    key = (connection.dialect.name, which, migrate.HEADS[which], migrate.FOLDER)
    if found is not None:
        REAL(connection, which, found)
    elif key in _known:
        for statement, parameters in _known[key]:
            connection.exec_driver_sql(statement, parameters or None)
    else:
        _known[key] = _seen(connection, which)


def _seen(connection: Connection, which: migrate.Which) -> list[_Statement]:
    ran: list[_Statement] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *more: Any) -> None:
        if not statement.lstrip().upper().startswith(("SELECT", "PRAGMA")):
            ran.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    try:
        REAL(connection, which, None)
    finally:
        event.remove(connection, "before_cursor_execute", note)
    return ran
