"""The worker threads: sharing commits, failing alone, closing."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError, OperationalError
from tests.store import worlds
from tests.store.worlds import NOW, later, say

from heartrule.store import Store, engines
from heartrule.store.database import TOGETHER, Tx
from heartrule.store.records import Gone, NoDriver, StoreError


class Commits:
    """Counts the commits of a SQLite store's writer."""

    def __init__(self, store: Store) -> None:
        self.count = 0
        event.listen(store._db.engines.writer, "commit", self._counted)

    def _counted(self, connection: object) -> None:
        self.count += 1


@pytest.fixture
def local(tmp_path: Path) -> Store:
    store = Store.open(tmp_path, synchronous="OFF")
    asyncio.run(worlds.session(store))
    return store


def test_an_ordinary_turn_costs_two_commits(local: Store) -> None:
    commits = Commits(local)

    async def run() -> None:
        loaded = await worlds.start(local, "s1", say("k"))
        await local.commit(worlds.turn("s1", 1, loaded.epoch, consumed=[1], release=True))

    asyncio.run(run())
    local.close()
    assert commits.count == 2


def test_what_waits_at_once_shares_a_commit(local: Store) -> None:
    commits = Commits(local)
    gate = threading.Event()

    async def run() -> None:
        blocked = asyncio.ensure_future(local._db.write(lambda tx: gate.wait(10)))
        await asyncio.sleep(0.05)
        waiting = [asyncio.ensure_future(local.accept("s1", say(f"k{n}"), NOW)) for n in range(TOGETHER)]
        await asyncio.sleep(0.05)
        gate.set()
        await asyncio.gather(blocked, *waiting)

    asyncio.run(run())
    local.close()
    assert commits.count == 2


def test_only_what_can_be_had_again_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    """And it does where it shares a commit with what cannot."""
    gate = threading.Event()

    def waits(tx: Tx) -> bool:
        return tx.conn.exec_driver_sql("PRAGMA synchronous").scalar() == 2

    async def run(store: Store) -> None:
        assert await store._db.write(waits)
        assert not await store._db.note(waits)
        assert await store._db.write(waits)
        blocked = asyncio.ensure_future(store._db.write(lambda tx: gate.wait(10)))
        await asyncio.sleep(0.05)
        shared = [asyncio.ensure_future(each(waits)) for each in (store._db.note, store._db.write, store._db.note)]
        await asyncio.sleep(0.05)
        gate.set()
        await blocked
        assert await asyncio.gather(*shared) == [True, True, True]

    with Store.open(tmp_path) as store:
        asyncio.run(run(store))


def test_what_never_waits_for_the_disk_does_not_for_anything(local: Store) -> None:
    def said(tx: Tx) -> object:
        return tx.conn.exec_driver_sql("PRAGMA synchronous").scalar()

    async def run() -> None:
        assert [await local._db.note(said), await local._db.write(said)] == [0, 0]

    asyncio.run(run())
    local.close()


def test_a_commit_that_fails_does_not_block_the_next(local: Store) -> None:
    """SQLite leaves the transaction open when its end fails, here over a reference that is checked only then."""

    def dangling(tx: Tx) -> None:
        tx.conn.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        tx.conn.exec_driver_sql("INSERT INTO leases (session, epoch) VALUES ('nowhere', 0)")

    async def run() -> None:
        for number in range(3):
            with pytest.raises(IntegrityError):
                await local._db.write(dangling)
            await local.accept("s1", say(f"k{number}"), NOW)
        assert len(await local.inbox("s1")) == 3

    asyncio.run(run())
    local.close()


def test_a_failing_shared_commit_is_made_again_one_by_one(local: Store) -> None:
    gate = threading.Event()
    begun: list[int] = []
    failures = [0]

    def fail(connection: object) -> None:
        if len(begun) == 3 and not failures[0]:
            failures[0] += 1
            raise OperationalError("COMMIT", {}, Exception("disk full"))

    def work(tx: Tx, number: int) -> int:
        begun.append(number)
        tx.conn.execute(text("UPDATE sessions SET seq = seq + 1"))
        return number

    async def run() -> None:
        blocked = asyncio.ensure_future(local._db.write(lambda tx: gate.wait(10)))
        await asyncio.sleep(0.05)
        waiting = [asyncio.ensure_future(local._db.write(work, n)) for n in range(3)]
        await asyncio.sleep(0.05)
        event.listen(local._db.engines.writer, "commit", fail)
        gate.set()
        await blocked
        assert await asyncio.gather(*waiting) == [0, 1, 2]
        found = await local.session("s1")
        assert found is not None
        assert found.seq == 3

    asyncio.run(run())
    local.close()
    assert failures == [1]
    assert begun == [0, 1, 2, 0, 1, 2]


def test_a_database_error_of_one_undoes_no_other(local: Store) -> None:
    gate = threading.Event()

    def broken(tx: Tx) -> None:
        tx.conn.execute(text("UPDATE sessions SET seq = 99"))
        tx.conn.execute(text("SELECT nothing FROM nowhere"))

    async def run() -> None:
        blocked = asyncio.ensure_future(local._db.write(lambda tx: gate.wait(10)))
        await asyncio.sleep(0.05)
        before = asyncio.ensure_future(local.accept("s1", say("before"), NOW))
        bad = asyncio.ensure_future(local._db.write(broken))
        after = asyncio.ensure_future(local.accept("s1", say("after"), NOW))
        await asyncio.sleep(0.05)
        gate.set()
        await blocked
        done = await asyncio.gather(before, bad, after, return_exceptions=True)
        assert isinstance(done[1], OperationalError)
        assert [one.entry.key for one in await local.inbox("s1")] == ["before", "after"]
        found = await local.session("s1")
        assert found is not None
        assert found.seq == 0

    asyncio.run(run())
    local.close()


def test_a_savepoint_that_has_gone_makes_all_of_them_run_again(local: Store) -> None:
    """As SQLite does by itself when the disk is full."""
    gate = threading.Event()
    ran = []

    def undone(tx: Tx) -> str:
        ran.append(1)
        if len(ran) == 1:
            tx.conn.connection.cursor().execute("ROLLBACK")
        return "done"

    async def run() -> None:
        blocked = asyncio.ensure_future(local._db.write(lambda tx: gate.wait(10)))
        await asyncio.sleep(0.05)
        first = asyncio.ensure_future(local.accept("s1", say("k1"), NOW))
        second = asyncio.ensure_future(local._db.write(undone))
        third = asyncio.ensure_future(local.accept("s1", say("k3"), NOW))
        await asyncio.sleep(0.05)
        gate.set()
        await blocked
        assert [(await first).number, await second, (await third).number] == [1, "done", 2]
        assert [each.entry.key for each in await local.inbox("s1")] == ["k1", "k3"]

    asyncio.run(run())
    local.close()
    assert len(ran) == 2


def test_a_refusal_alone_undoes_its_own_work(local: Store) -> None:
    def refuse(tx: Tx) -> None:
        tx.conn.execute(text("UPDATE sessions SET seq = 99"))
        raise Gone("no")

    async def run() -> None:
        with pytest.raises(Gone):
            await local._db.write(refuse)
        found = await local.session("s1")
        assert found is not None
        assert found.seq == 0

    asyncio.run(run())
    local.close()


def test_a_database_locked_by_another_fails_all_that_wait_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0.3)
    store = Store.open(tmp_path, synchronous="OFF")
    other = sqlite3.connect(tmp_path / "heartrule.db", isolation_level=None)

    async def run() -> None:
        await worlds.session(store)
        other.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        done = await asyncio.gather(*(store.accept("s1", say(f"k{n}"), NOW) for n in range(30)), return_exceptions=True)
        assert all(isinstance(one, OperationalError) for one in done)
        assert time.monotonic() - start < 5
        other.execute("ROLLBACK")
        assert (await store.accept("s1", say("k"), NOW)).number == 1

    asyncio.run(run())
    other.close()
    store.close()


def test_readers_do_not_wait_for_the_writer(local: Store) -> None:
    gate = threading.Event()

    async def run() -> None:
        blocked = asyncio.ensure_future(local._db.write(lambda tx: gate.wait(10)))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(5):
            assert await local.session("s1") is not None
        gate.set()
        await blocked

    asyncio.run(run())
    local.close()


def test_a_read_sees_one_state_throughout(store: Store) -> None:
    def twice(tx: Tx) -> list[int]:
        seen = [tx.conn.execute(text("SELECT count(*) FROM inbox")).scalar_one()]
        reading.set()
        assert written.wait(10)
        return [*seen, tx.conn.execute(text("SELECT count(*) FROM inbox")).scalar_one()]

    reading, written = threading.Event(), threading.Event()

    async def run() -> None:
        await worlds.session(store)
        read = asyncio.ensure_future(store._db.read(twice))
        await asyncio.to_thread(reading.wait, 10)
        await store.accept("s1", say("k"), NOW)
        written.set()
        assert await read == [0, 0]

    asyncio.run(run())


def test_cancelled_while_waiting_it_does_not_happen(local: Store) -> None:
    gate = threading.Event()

    async def run() -> None:
        blocked = asyncio.ensure_future(local._db.write(lambda tx: gate.wait(10)))
        await asyncio.sleep(0.05)
        waiting = asyncio.ensure_future(local.accept("s1", say("k"), NOW))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.sleep(0)
        gate.set()
        await blocked
        assert await local.inbox("s1") == ()

    asyncio.run(run())
    local.close()


def test_cancelled_while_running_the_store_goes_on(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        for number in range(20):
            task = asyncio.ensure_future(store.accept("s1", say(f"k{number}"), later(number)))
            await asyncio.sleep(0.001 * (number % 3))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        for number in range(20):
            await store.accept("s1", say(f"k{number}"), later(number))
        assert len(await store.inbox("s1")) == 20

    asyncio.run(run())


def test_closing_finishes_what_was_begun_and_refuses_the_rest(tmp_path: Path) -> None:
    store = Store.open(tmp_path, synchronous="OFF")

    async def run() -> None:
        await worlds.session(store)
        waiting = [asyncio.ensure_future(store.accept("s1", say(f"k{n}"), NOW)) for n in range(50)]
        await asyncio.sleep(0)
        await asyncio.to_thread(store.close)
        assert len(await asyncio.gather(*waiting)) == 50
        with pytest.raises(StoreError, match="closed"):
            await store.accept("s1", say("late"), NOW)

    asyncio.run(run())
    store.close()
    with Store.open(tmp_path) as again:
        assert len(asyncio.run(again.inbox("s1"))) == 50


def test_a_store_serves_one_event_loop_after_another(local: Store) -> None:
    for number in range(3):
        asyncio.run(local.accept("s1", say(f"k{number}"), NOW))
    assert len(asyncio.run(local.inbox("s1"))) == 3
    local.close()


def test_that_the_driver_of_postgresql_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    with pytest.raises(NoDriver) as refused:
        engines.open_engines("postgresql://nobody@localhost/nothing")
    for told in refused.value.told:
        assert "pip install 'heartrule[postgres]'" in told
