"""PostgreSQL is copied and restored by its own programs."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from tests.store.postgres import Server, programs

from heartrule.store import Store, backup
from heartrule.store.backup import BackupError

NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


@pytest.fixture
def databases(server: Server, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    installed = programs()
    assert installed is not None
    monkeypatch.setenv("PATH", f"{installed / 'bin'}{os.pathsep}{os.environ['PATH']}")
    with psycopg.connect(host=str(server.folder), user="postgres", dbname="postgres", autocommit=True) as connection:
        for name in ("kept", "empty"):
            connection.execute(f"DROP DATABASE IF EXISTS {name}")
            connection.execute(f"CREATE DATABASE {name}")
    return tuple(f"postgresql://postgres@/{name}?host={server.folder}" for name in ("kept", "empty"))  # type: ignore[return-value]


def test_it_comes_back_in_an_empty_database(databases: tuple[str, str], tmp_path: Path) -> None:
    kept, empty = databases
    home = tmp_path / "data"
    with Store.open(kept, folder=home) as store:
        person = asyncio.run(store.new_person("somebody"))
    made = backup.take(home, tmp_path / "copies", NOW, database=kept)
    assert made.name == "heartrule-20261124T120000Z.dump"
    assert made.stat().st_mode & 0o777 == 0o600
    backup.restore(made, home, database=empty)
    with Store.open(empty, folder=home) as store:
        assert asyncio.run(store.person_of_subject("somebody")) == person
    with pytest.raises(BackupError, match="backup_in_use"):
        backup.restore(made, home, database=kept)


def test_without_its_programs_it_says_which(
    databases: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="pg_dump"):
        backup.take(tmp_path / "data", tmp_path / "copies", NOW, database=databases[0])
    assert list((tmp_path / "copies").iterdir()) == []


def test_a_server_that_is_not_there_is_a_failure(databases: tuple[str, str], tmp_path: Path) -> None:
    away = databases[0].replace("/kept", "/nowhere")
    with pytest.raises(BackupError, match="backup_failed"):
        backup.take(tmp_path / "data", tmp_path / "copies", NOW, database=away)
