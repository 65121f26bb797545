"""Bringing a database to the form this code knows."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, MetaData, inspect, text

from heartrule.store import release_schema, staff_schema, team_schema  # noqa: F401  their tables belong to the same metadata
from heartrule.store.engines import Engines
from heartrule.store.records import StoreError
from heartrule.store.schema import keys_metadata, metadata

Which = Literal["main", "keys"]

HEADS: dict[Which, str] = {"main": "0001", "keys": "0001"}
VERSION_TABLES: dict[Which, str] = {"main": "heartrule_version", "keys": "heartrule_keys_version"}
METADATA: dict[Which, MetaData] = {"main": metadata, "keys": keys_metadata}

FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x48656172  # any number, the same in every process


class NewerDatabase(StoreError):
    """The data was written by a newer HeartRule."""


def migrate(engines: Engines, which: Which) -> None:
    """All missing migrations in one transaction, under a lock; at once when there are none."""
    with engines.reader.begin() as connection:
        if version(connection, which) == HEADS[which]:
            return
    with engines.writer.begin() as connection:
        if not engines.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        found = version(connection, which)
        if found != HEADS[which]:
            _upgrade(connection, which, found)


def version(connection: Connection, which: Which) -> str | None:
    table = VERSION_TABLES[which]
    if not inspect(connection).has_table(table):
        return None
    found: str | None = connection.execute(text(f"SELECT version_num FROM {table}")).scalar()
    return found


def _upgrade(connection: Connection, which: Which, found: str | None) -> None:
    # Imported here: a start that has nothing to migrate need not pay for it.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(FOLDER / which).replace("%", "%%"))
    if found is not None and found not in {
        script.revision for script in ScriptDirectory.from_config(config).walk_revisions()
    }:
        raise NewerDatabase("this data was written by a newer HeartRule; install that version or a newer one")
    config.attributes.update(connection=connection, metadata=METADATA[which], version_table=VERSION_TABLES[which])
    command.upgrade(config, HEADS[which])
