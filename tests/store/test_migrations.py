"""From nothing, or from an older form, to the form this code knows."""

from __future__ import annotations

import asyncio
import importlib.resources
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect
from tests.store import laid, worlds
from tests.store.child import ROOT
from tests.store.conftest import Opener

from heartrule.store import Store, migrate
from heartrule.store.engines import Engines, open_engines, sqlite_url
from heartrule.store.migrate import HEADS, METADATA, VERSION_TABLES, NewerDatabase, Which
from heartrule.store.records import StoreError

BOTH: tuple[Which, ...] = ("main", "keys")
HEAD = HEADS["main"]
NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "next"
down_revision = "{head}"


def upgrade() -> None:
    op.create_table("more", sa.Column("id", sa.Integer, primary_key=True))
    {then}
"""


@pytest.fixture(autouse=True)
def _really(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "_upgrade", laid.REAL)


@pytest.fixture
def engines(where: str, tmp_path: Path) -> Iterator[Engines]:
    made = open_engines(where if "://" in where else sqlite_url(tmp_path / "any.db"))
    yield made
    made.dispose()


def tables(engines: Engines) -> set[str]:
    with engines.reader.begin() as connection:
        return set(inspect(connection).get_table_names())


def version(engines: Engines, which: Which) -> str | None:
    with engines.reader.begin() as connection:
        return migrate.version(connection, which)


@pytest.mark.parametrize("which", BOTH)
def test_migrated_is_what_the_code_describes(engines: Engines, which: Which) -> None:
    assert version(engines, which) is None
    migrate.migrate(engines, which)
    with engines.reader.connect() as connection:
        options = {"compare_type": True, "version_table": VERSION_TABLES[which]}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, METADATA[which]) == []
    assert tables(engines) == {*METADATA[which].tables, VERSION_TABLES[which]}
    assert version(engines, which) == HEADS[which]


@pytest.mark.parametrize("which", BOTH)
def test_migrating_again_does_nothing(engines: Engines, which: Which) -> None:
    for _ in range(3):
        migrate.migrate(engines, which)
    assert version(engines, which) == HEADS[which]


@pytest.mark.parametrize("which", BOTH)
def test_the_code_knows_its_newest_migration(which: Which) -> None:
    directory = ScriptDirectory(str(migrate.FOLDER / which))
    assert directory.get_heads() == [HEADS[which]]


def test_small_tables_are_kept_in_the_order_of_their_key(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store, store._db.engines.reader.connect() as connection:
        made = dict(connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all())
    for name in ("messages", "events", "inbox", "leases", "turns", "variables", "calls", "attempts", "snapshots"):
        assert "WITHOUT ROWID" in made[name], name


def test_sqlite_is_set_up_for_safety(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for engine in (store._db.engines.writer, store._db.engines.reader, store._key_engines.writer):
            with engine.connect() as connection:
                found = {
                    name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                    for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
                }
            assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}


def test_what_the_engines_never_show(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for engine in (store._db.engines.writer, store._db.engines.reader, store._key_engines.writer):
            assert engine.hide_parameters
            assert not engine.echo


@pytest.mark.parametrize("which", BOTH)
def test_newer_data_is_refused_in_plain_words(engines: Engines, which: Which) -> None:
    migrate.migrate(engines, which)
    with engines.writer.begin() as connection:
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLES[which]} SET version_num = '9999'")
    before = tables(engines)
    with pytest.raises(NewerDatabase, match=r"^this data was written by a newer HeartRule; install"):
        migrate.migrate(engines, which)
    assert tables(engines) == before
    assert version(engines, which) == "9999"


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The migrations with one more, of which the code knows."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(migrate, "FOLDER", folder)
    monkeypatch.setitem(migrate.HEADS, "main", "next")
    return folder / "main" / "versions" / "next.py"


def test_older_data_is_brought_on_and_kept(
    where: str, tmp_path: Path, opener: Opener, request: pytest.FixtureRequest
) -> None:
    first = opener()
    asyncio.run(worlds.session(first))
    asyncio.run(worlds.talk(first, "s1", 1, "早先说的话"))
    path: Path = request.getfixturevalue("next_version")
    path.write_text(NEXT.format(head=HEAD, then=""))
    second = opener()
    assert version(second._db.engines, "main") == "next"
    assert "more" in tables(second._db.engines)
    assert worlds.texts(asyncio.run(second.messages("s1")))[0] == "早先说的话"
    migrate.HEADS["main"] = HEAD
    shutil.rmtree(path.parents[2])
    shutil.copytree(ROOT / "src/heartrule/store/migrations", path.parents[2])
    with pytest.raises(NewerDatabase):
        opener()


def test_a_migration_that_fails_leaves_the_old_state(opener: Opener, request: pytest.FixtureRequest) -> None:
    store = opener()
    asyncio.run(worlds.session(store))
    before = tables(store._db.engines)
    path: Path = request.getfixturevalue("next_version")
    path.write_text(NEXT.format(head=HEAD, then='op.execute("DELETE FROM sessions"); raise RuntimeError("no further")'))
    with pytest.raises(RuntimeError, match="no further"):
        opener()
    assert tables(store._db.engines) == before
    assert version(store._db.engines, "main") == HEAD
    assert asyncio.run(store.session("s1")) is not None
    path.write_text(NEXT.format(head=HEAD, then=""))
    opener()
    assert "more" in tables(store._db.engines)


def test_a_start_with_nothing_to_migrate_is_quick(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    code = (
        "import sys; from heartrule.store import Store\n"
        "Store.open(sys.argv[1]).close()\n"
        "assert 'alembic' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)


def test_a_database_we_do_not_know_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="SQLite or PostgreSQL"):
        Store.open("mysql://nowhere/db", folder=tmp_path)
    for url in ("sqlite://", "sqlite:///:memory:", "sqlite:///file:x?uri=true"):
        with pytest.raises(StoreError, match="must be a file"):
            Store.open(url, folder=tmp_path)


def test_the_migrations_are_packed_with_the_code(tmp_path: Path) -> None:
    folder = importlib.resources.files("heartrule.store") / "migrations"
    names = {f"{which}/{name}" for which in BOTH for name in ("env.py", "versions/v0001_first.py")}
    for name in names:
        assert folder.joinpath(name).is_file()
    hatchling = pytest.importorskip("hatchling.builders.wheel")
    built = hatchling.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(next(iter(built))) as wheel:
        packed = set(wheel.namelist())
    assert {f"heartrule/store/migrations/{name}" for name in names} <= packed
