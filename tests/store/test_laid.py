"""A database that was laid out from what the migrations ran is one that was migrated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import inspect, text
from tests.store import laid

from heartrule.store import migrate
from heartrule.store.engines import Engines, open_engines, sqlite_url

_ADDRESS = re.compile(r" at 0x\w+")
BOTH: tuple[migrate.Which, ...] = ("main", "keys")


@pytest.fixture
def two(request: pytest.FixtureRequest, tmp_path: Path, where: str) -> Iterator[tuple[Engines, Engines]]:
    """Two empty databases of a kind."""
    urls = (sqlite_url(tmp_path / "one.db"), sqlite_url(tmp_path / "other.db"))
    if "://" in where:
        urls = (where, request.getfixturevalue("server").new_database())  # type: ignore[assignment]
    made = tuple(open_engines(url) for url in urls)
    yield made[0], made[1]
    for engines in made:
        engines.dispose()


def described(engines: Engines) -> dict[str, object]:
    """All that a database says of its tables, and what stands in them."""
    with engines.reader.begin() as connection:
        seen = inspect(connection)
        found: dict[str, object] = {}
        for table in sorted(seen.get_table_names()):
            columns = [{**each, "type": str(each["type"])} for each in seen.get_columns(table)]
            found[table] = (
                columns,
                seen.get_pk_constraint(table),
                seen.get_foreign_keys(table),
                sorted(map(str, seen.get_unique_constraints(table))),
                sorted(map(str, seen.get_check_constraints(table))),
                sorted(_ADDRESS.sub("", str(index)) for index in seen.get_indexes(table)),
                [tuple(row) for row in connection.execute(text(f"SELECT * FROM {table}"))],
            )
        if engines.sqlite:
            found["sql"] = [tuple(row) for row in connection.execute(text("SELECT name, sql FROM sqlite_master"))]
        return found


@pytest.mark.parametrize("which", BOTH)
def test_it_is_the_same_database(
    two: tuple[Engines, Engines], which: migrate.Which, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    real = laid.REAL
    monkeypatch.setattr(laid, "REAL", lambda *given: (ran.append("real"), real(*given)))
    monkeypatch.setattr(laid, "_known", {})
    for engines in two:
        migrate.migrate(engines, which)
    assert ran == ["real"]
    found = described(two[1])
    assert set(migrate.METADATA[which].tables) < set(found)
    assert found == described(two[0])
