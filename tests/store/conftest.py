from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.store.postgres import Server, programs

from heartrule.store import Store

Opener = Callable[[], Store]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    installed = programs()
    if installed is None:
        pytest.skip("no PostgreSQL on this platform")
    started = Server(installed)
    yield started
    started.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be opened: a folder, or the URL of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path)
    started: Server = request.getfixturevalue("server")
    return started.new_database()


@pytest.fixture
def opener(where: str, tmp_path: Path) -> Iterator[Opener]:
    """Opens the same store as often as it is called, as another process would."""
    opened: list[Store] = []

    def open_() -> Store:
        store = Store.open(where, folder=tmp_path, synchronous="OFF")
        opened.append(store)
        return store

    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def store(opener: Opener) -> Store:
    return opener()
