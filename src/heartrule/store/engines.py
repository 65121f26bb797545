"""Connections to one database, set up the way the store relies on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from sqlite3 import OperationalError as SqliteError
from typing import Any, Literal

from sqlalchemy import URL, Engine, PoolProxiedConnection, create_engine, event, make_url

from heartrule.store.records import NoDriver, StoreError

Synchronous = Literal["FULL", "NORMAL", "OFF"]
BUSY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Engines:
    """``writer`` takes the write lock when a transaction begins; ``reader`` sees one unmoving state throughout.
    ``awaits_disk``: each commit to SQLite waits until it is on the disk."""

    writer: Engine
    reader: Engine
    awaits_disk: bool = False

    @property
    def sqlite(self) -> bool:
        return self.writer.dialect.name == "sqlite"

    def scrub(self, *tables: str) -> None:
        """Leave nothing of deleted rows in the database's files, as far as they are ours to clean."""
        connection = self.writer.raw_connection()
        try:
            if self.sqlite:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
                return
            with connection.driver_connection.cursor() as cursor:  # type: ignore[union-attr]
                connection.driver_connection.autocommit = True  # type: ignore[union-attr]
                for table in tables:
                    cursor.execute(f"VACUUM {table}")
                connection.driver_connection.autocommit = False  # type: ignore[union-attr]
        finally:
            connection.close()

    def dispose(self) -> None:
        self.reader.dispose()
        self.writer.dispose()


def sqlite_url(path: Path) -> URL:
    return URL.create("sqlite", database=str(path))


def open_engines(url: str | URL, *, synchronous: Synchronous = "FULL", size: int = 4) -> Engines:
    parsed = make_url(url)
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        return _sqlite(parsed, synchronous, size)
    if backend == "postgresql":
        return _postgresql(parsed, size)
    raise StoreError(f"HeartRule keeps its data in SQLite or PostgreSQL, not in {backend}")


def _sqlite(url: URL, synchronous: Synchronous, size: int) -> Engines:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise StoreError("the SQLite database must be a file")
    make_private(Path(url.database))

    def engine(begin: str) -> Engine:
        made = create_engine(
            url,
            hide_parameters=True,
            pool_size=size,
            max_overflow=0,
            connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS, "cached_statements": 256},
        )
        event.listen(made, "connect", _set_up(synchronous))
        # Not by an event: an engine that has one looks for listeners at every statement.
        made.dialect.do_begin = _begin(begin)  # type: ignore[method-assign, assignment]
        return made

    # A reading transaction is deferred: it sees the state of its first read and takes no lock that a writer waits for.
    return Engines(engine("BEGIN IMMEDIATE"), engine("BEGIN"), awaits_disk=synchronous == "FULL")


def make_private(path: Path) -> None:
    """The file (and with it SQLite's own files beside it) is for this user only."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _set_up(synchronous: Synchronous) -> Callable[[SqliteConnection, Any], None]:
    def connect(connection: SqliteConnection, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
        write_ahead(connection)
        for pragma in (
            f"synchronous={synchronous}",
            "foreign_keys=ON",
            "secure_delete=ON",
            "temp_store=MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")

    return connect


def write_ahead(connection: SqliteConnection) -> None:
    """The change to WAL does not wait for other connections by itself."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            if connection.execute("PRAGMA journal_mode=WAL").fetchone() == ("wal",):
                return
        except SqliteError:
            if time.monotonic() > deadline:
                raise
        if time.monotonic() > deadline:
            raise StoreError("this file system cannot hold an SQLite database in WAL mode")
        time.sleep(0.02)


def _begin(statement: str) -> Callable[[PoolProxiedConnection], None]:
    def begin(connection: PoolProxiedConnection) -> None:
        assert isinstance(connection.driver_connection, SqliteConnection)
        connection.driver_connection.execute(statement)

    return begin


def _postgresql(url: URL, size: int) -> Engines:
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if find_spec("psycopg") is None and url.drivername == "postgresql+psycopg":
        raise NoDriver
    writer = create_engine(url, hide_parameters=True, pool_size=size, max_overflow=0, pool_pre_ping=True)
    return Engines(writer, writer.execution_options(isolation_level="REPEATABLE READ"))
