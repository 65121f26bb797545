"""What a turn adds does not grow with the conversation, and backups bring everything back."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import func, select
from tests.store import worlds
from tests.store.child import ROOT
from tests.store.worlds import event, message, say, variable

from heartrule.store import Store
from heartrule.store.engines import BUSY_SECONDS, open_engines, sqlite_url
from heartrule.store.records import Commit
from heartrule.store.schema import keys_metadata, metadata

LONG = "我最近总是睡不着，躺下以后脑子里一直在想工作上的事情，越想越清醒。"


def ordinary(seq: int, epoch: int, number: int) -> Commit:
    return worlds.turn(
        "s1",
        seq,
        epoch,
        seen=number,
        consumed=[number],
        state={**worlds.STATE, "seq": seq, "memory": LONG * 20},
        messages=[
            message(seq * 2 - 1, seq, LONG, sender="person", inbox=number),
            message(seq * 2, seq, LONG),
        ],
        events=[event(seq, n, said=LONG) for n in range(1, 9)],
        variables=[variable(name, LONG) for name in ("mood", "sleep")],
        outcome={"messages": [seq * 2 - 1, seq * 2]},
        release=True,
    )


async def talk(store: Store, first: int, last: int) -> None:
    for seq in range(first, last + 1):
        loaded = await worlds.start(store, "s1", say(f"k{seq}", LONG), seq)
        await store.commit(ordinary(seq, loaded.epoch, seq))


def kept(store: Store) -> int:
    """Bytes of all sealed and other values."""
    total = 0
    with store._db.engines.reader.begin() as connection:
        for table in metadata.sorted_tables:
            for column in table.columns:
                total += connection.execute(select(func.sum(func.length(column)))).scalar() or 0
    return total


def test_a_turn_adds_the_same_at_the_beginning_and_much_later(tmp_path: Path) -> None:
    with Store.open(tmp_path, synchronous="OFF") as store:
        asyncio.run(worlds.session(store))
        sizes = []
        for first in range(1, 202, 40):
            before = kept(store)
            asyncio.run(talk(store, first, first + 39))
            sizes.append(kept(store) - before)
    assert max(sizes[1:]) < min(sizes[1:]) * 1.05
    assert max(sizes) < min(sizes) * 1.2


def test_the_write_ahead_log_does_not_grow_without_end(tmp_path: Path) -> None:
    with Store.open(tmp_path, synchronous="OFF") as store:
        asyncio.run(worlds.session(store))
        asyncio.run(talk(store, 1, 150))
        assert (tmp_path / "heartrule.db-wal").stat().st_size < 8_000_000


def test_a_copy_made_while_it_runs_brings_everything_back(tmp_path: Path) -> None:
    live, restored = tmp_path / "live", tmp_path / "restored"
    with Store.open(live, synchronous="OFF") as store:
        asyncio.run(worlds.session(store))
        asyncio.run(talk(store, 1, 3))
        restored.mkdir()
        for name in ("heartrule.db", "keys.db"):
            with sqlite3.connect(live / name) as source, sqlite3.connect(restored / name) as target:
                source.backup(target)
            source.close()
            target.close()
        (restored / "master.key").write_bytes((live / "master.key").read_bytes())
        (restored / "master.key").chmod(0o600)
        asyncio.run(talk(store, 4, 5))
    with Store.open(restored) as store:
        assert len(asyncio.run(store.messages("s1"))) == 6
        asyncio.run(talk(store, 4, 4))


def test_damage_is_noticed_and_not_read_as_something_else(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        asyncio.run(worlds.session(store))
        asyncio.run(talk(store, 1, 1))
    connection = sqlite3.connect(tmp_path / "heartrule.db")
    with connection:
        (value,) = connection.execute("SELECT text FROM messages WHERE number = 1").fetchone()
        changed = value[:-1] + bytes([value[-1] ^ 1])
        connection.execute("UPDATE messages SET text = ? WHERE number = 1", (changed,))
    connection.close()
    with Store.open(tmp_path) as store:
        with pytest.raises(Exception, match="was changed"):
            asyncio.run(store.messages("s1"))
        assert len(asyncio.run(store.messages("s1", after=1))) == 1


def test_waiting_for_another_process_is_bounded() -> None:
    assert 5 <= BUSY_SECONDS <= 60


def test_a_plain_postgresql_url_uses_our_driver() -> None:
    engines = open_engines("postgresql://somewhere/db")
    assert engines.writer.dialect.driver == "psycopg"
    assert not engines.sqlite
    engines.dispose()


def test_an_existing_file_keeps_its_content(tmp_path: Path) -> None:
    path = tmp_path / "any.db"
    for _ in range(2):
        engines = open_engines(sqlite_url(path))
        with engines.writer.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS kept (id INTEGER)")
            connection.exec_driver_sql("INSERT INTO kept VALUES (1)")
        engines.dispose()
    with sqlite3.connect(path) as plain:
        assert plain.execute("SELECT count(*) FROM kept").fetchone() == (2,)
    plain.close()


def test_every_table_and_every_entity_of_the_design_is_in_the_documentation() -> None:
    text = (ROOT / "docs" / "data-model.md").read_text(encoding="utf-8")
    for described in (metadata, keys_metadata):
        for table in described.tables:
            assert table in text, table
    entities = {
        "Session": "session_id user_id script_id status current_position created_at last_active_at ended_at metadata",
        "Message": "message_id session_id sender content content_type timestamp action_id metadata",
        "VariableState": "session_id variable_name variable_value scope updated_at updated_by",
        "Snapshot": "snapshot_id session_id action_id snapshot_type variables messages llm_calls timestamp",
        "Script": "script_id script_type script_name script_content version status author created_at published_at",
    }
    for entity, fields in entities.items():
        section = text.split(f"### {entity}\n")[1].split("\n### ")[0]
        for name in fields.split():
            assert name in section, f"{entity}.{name}"
