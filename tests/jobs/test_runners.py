"""What a dispatcher may rely on, whoever runs the attempts; and what it may rely on beyond that on DBOS."""

from __future__ import annotations

import asyncio
import gc
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from tests.jobs.material import run
from tests.store.postgres import Server, programs

from heartrule.jobs import durable as durable_jobs
from heartrule.jobs.attempts import Undurable
from heartrule.jobs.durable import FILE, Durable, Plain, Taken
from heartrule.jobs.work import DONE, Attempt, Jobs

FIRST = Attempt("test", "session/1-1", 1)


class Recorded:
    """A ``Work`` of three steps. ``hold_at``: the step that never ends; ``fails``: what steps come to; ``breaks``: the
    step that raises."""

    kind = "test"

    def __init__(self, hold_at: str = "", fails: Mapping[str, str] | None = None, breaks: str = "") -> None:
        self.hold_at, self.fails, self.breaks = hold_at, fails or {}, breaks
        self.taken: list[str] = []
        self.settled: list[tuple[Attempt, dict[str, str]]] = []
        self.held: list[Attempt] = []
        self.faults: list[BaseException] = []
        self.over: set[str] = set()
        self.reached = asyncio.Event()

    async def hold(self, attempt: Attempt) -> bool:
        self.held.append(attempt)
        return attempt.id not in self.over

    async def steps(self, attempt: Attempt) -> Sequence[str]:
        return ["one", "two", "three"]

    async def take(self, attempt: Attempt, step: str) -> str:
        self.taken.append(step)
        if step == self.breaks:
            raise ValueError("words that nobody may read")
        if step == self.hold_at:
            self.reached.set()
            await asyncio.sleep(60)
        return self.fails.get(step, DONE)

    async def settle(self, attempt: Attempt, outcomes: Mapping[str, str]) -> None:
        self.settled.append((attempt, dict(outcomes)))
        self.reached.set()

    async def until_reached(self) -> None:
        async with asyncio.timeout(20):
            await self.reached.wait()


Opener = Callable[[Recorded], object]


@pytest.fixture(scope="session")
def server() -> object:
    installed = programs()
    if installed is None:
        pytest.skip("no PostgreSQL on this platform")
    started = Server(installed)
    yield started
    started.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    if request.param == "sqlite":
        return tmp_path
    started: Server = request.getfixturevalue("server")
    return started.new_database()


@asynccontextmanager
async def durable(where: Path | str, work: Recorded, executor: str = "n:1", patience: float = 5) -> AsyncIterator[Jobs]:
    jobs = await Durable.open(where, executor, {work.kind: work}, work.hold, work.faults.append)
    try:
        yield jobs
    finally:
        await jobs.stop(patience)


@asynccontextmanager
async def undurable(
    where: Path | str, work: Recorded, executor: str = "n:1", patience: float = 5
) -> AsyncIterator[Jobs]:
    jobs = Undurable({work.kind: work}, work.hold, work.faults.append)
    try:
        yield jobs
    finally:
        await jobs.stop(patience)


@pytest.fixture(params=["undurable", "durable"])
def opened(request: pytest.FixtureRequest) -> Callable[..., object]:
    return durable if request.param == "durable" else undurable


# Whoever runs them


def test_an_attempt_takes_its_steps_in_order_and_is_settled(opened: Callable[..., object], tmp_path: Path) -> None:
    async def talk() -> None:
        work = Recorded(fails={"two": "status 500"})
        async with opened(tmp_path, work) as jobs:  # type: ignore[attr-defined]
            assert await jobs.start(FIRST)
            await work.until_reached()
        assert work.taken == ["one", "two", "three"]
        assert work.settled == [(FIRST, {"one": DONE, "two": "status 500", "three": DONE})]
        assert work.held == [FIRST]
        assert work.faults == []
        assert jobs.at_work == 0

    run(talk())


def test_one_that_is_under_way_is_not_begun_again(opened: Callable[..., object], tmp_path: Path) -> None:
    async def talk() -> None:
        work = Recorded(hold_at="two")
        async with opened(tmp_path, work, patience=0.05) as jobs:  # type: ignore[attr-defined]
            for _ in range(3):
                assert await jobs.start(FIRST)
            await work.until_reached()
            assert await jobs.start(FIRST)
            assert jobs.at_work == 1
        assert work.taken == ["one", "two"]
        assert work.settled == []
        assert work.faults == [], "to stop is no fault"

    run(talk())


def test_one_that_is_settled_already_is_left_alone(opened: Callable[..., object], tmp_path: Path) -> None:
    async def talk() -> None:
        work = Recorded()
        work.over.add(FIRST.id)
        async with opened(tmp_path, work) as jobs:  # type: ignore[attr-defined]
            assert await jobs.start(FIRST)
        assert (work.taken, work.settled) == ([], [])

    run(talk())


def test_what_is_under_way_may_come_to_its_end(opened: Callable[..., object], tmp_path: Path) -> None:
    async def talk() -> None:
        work = Recorded()
        async with opened(tmp_path, work) as jobs:  # type: ignore[attr-defined]
            await jobs.start(FIRST)
        assert len(work.settled) == 1

    run(talk())


def test_a_fault_of_ours_is_told_of_and_settles_nothing(
    opened: Callable[..., object], tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def talk() -> None:
        work = Recorded(breaks="two")
        async with opened(tmp_path, work) as jobs:  # type: ignore[attr-defined]
            await jobs.start(FIRST)
        assert [type(fault) for fault in work.faults] == [ValueError]
        assert work.settled == []

    run(talk())
    out = capfd.readouterr()
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    for text_ in (out.out, out.err, caplog.text, files.decode("latin-1")):
        assert "nobody may read" not in text_


# On DBOS


def test_what_a_process_that_died_had_begun_goes_on_behind_the_last_step(where: Path | str) -> None:
    async def talk() -> None:
        first = Recorded(hold_at="two")
        async with durable(where, first, "n:1", patience=0.05) as jobs:
            await jobs.start(FIRST)
            await first.until_reached()
        assert first.taken == ["one", "two"]
        second = Recorded()
        async with durable(where, second, "n:2") as jobs:
            assert await jobs.start(FIRST)
            await second.until_reached()
        assert second.taken == ["two", "three"], "a step that was put down is not taken again"
        assert second.settled == [(FIRST, {"one": DONE, "two": DONE, "three": DONE})]

    run(talk())


def test_an_attempt_that_ended_without_being_settled_must_be_followed_by_another(where: Path | str) -> None:
    async def talk() -> None:
        broken = Recorded(breaks="two")
        async with durable(where, broken) as jobs:
            await jobs.start(FIRST)
        work = Recorded()
        async with durable(where, work, "n:2") as jobs:
            assert not await jobs.start(FIRST)
            assert await jobs.start(Attempt("test", FIRST.row, 2))
            await work.until_reached()
        assert [attempt.number for attempt, _ in work.settled] == [2]

    run(talk())


def test_one_that_waits_for_a_place_is_not_begun_twice(tmp_path: Path) -> None:
    async def talk() -> None:
        first = Recorded(hold_at="one")
        async with durable(tmp_path, first, patience=0.05) as jobs:
            await jobs.start(FIRST)
            await first.until_reached()
        with sqlite3.connect(tmp_path / FILE) as connection:
            connection.execute("UPDATE workflow_status SET status = 'DELAYED'")
        connection.close()
        work = Recorded()
        async with durable(tmp_path, work, "n:2") as jobs:
            assert await jobs.start(FIRST)
        assert work.taken == []

    run(talk())


def test_there_is_one_a_process(tmp_path: Path) -> None:
    async def talk() -> None:
        work = Recorded()
        async with durable(tmp_path / "a", work):
            with pytest.raises(Taken):
                await Durable.open(tmp_path / "b", "n:1", {}, work.hold, work.faults.append)
        async with durable(tmp_path / "b", work) as jobs:
            await jobs.start(FIRST)
            await work.until_reached()

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    run(talk())


def test_one_that_cannot_be_opened_leaves_the_place_free(tmp_path: Path) -> None:
    async def talk() -> None:
        work = Recorded()
        with pytest.raises(OSError, match="No such file"):
            await Durable.open(tmp_path / "missing", "n:1", {}, work.hold, work.faults.append)
        async with durable(tmp_path, work) as jobs:
            await jobs.start(FIRST)
            await work.until_reached()

    run(talk())


def test_its_tables_hold_ids_and_outcomes_and_do_not_grow(where: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durable_jobs, "SWEPT", 10)

    async def talk() -> None:
        work = Recorded()
        async with durable(where, work) as jobs:
            for number in range(1, 32):
                work.reached.clear()
                await jobs.start(Attempt("test", "session/1-1", number))
                await work.until_reached()
        assert len(work.settled) == 31

    run(talk())
    kept = f"sqlite:///{where / FILE}" if isinstance(where, Path) else where
    engine = create_engine(kept.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        prefix = "" if isinstance(where, Path) else "dbos."
        rows = connection.execute(text(f"SELECT workflow_uuid FROM {prefix}workflow_status")).all()
    engine.dispose()
    assert 0 < len(rows) < 13
    assert all(row.workflow_uuid.startswith("session/1-1#") for row in rows)


def test_it_writes_ahead_into_a_file_of_its_own_that_nobody_else_reads(tmp_path: Path) -> None:
    async def talk() -> None:
        work = Recorded()
        async with durable(tmp_path, work) as jobs:
            await jobs.start(FIRST)
            await work.until_reached()
            connection = sqlite3.connect(tmp_path / FILE)
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            connection.close()

    run(talk())
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    gc.collect()


def test_what_is_put_down_is_json_without_what_faults_say() -> None:
    plain = Plain()
    assert plain.deserialize(plain.serialize({"args": ("a", 1), "kwargs": {}})) == {"args": ["a", 1], "kwargs": {}}
    assert plain.serialize(ValueError("words")) == '"ValueError"'
    assert plain.name() == "json"
