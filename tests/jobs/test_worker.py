"""Doing what is due: at once, when it is due, step by step, and when whoever had it in hand has died."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.jobs.material import Place, one, run, settled, told, until
from tests.jobs.receivers import Hook
from tests.store.postgres import Server, programs

from heartrule.jobs.job import DONE, Attempt
from heartrule.jobs.worker import AT_ONCE, BROKEN, LEASE, Worker
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.sessions.owners import Owner
from heartrule.store.database import Tx
from heartrule.store.outbox import Again, add

KIND = "test"


class Recorded:
    """A job of three steps. ``hold_at``: the step that never ends; ``fails``: what steps come to; ``breaks``: the step
    that raises."""

    kind = KIND

    def __init__(
        self, sessions: Sessions, *, hold_at: str = "", fails: Mapping[str, str] | None = None, breaks: str = ""
    ) -> None:
        self._outbox, self._clock = sessions.store.outbox, sessions.clock
        self.hold_at, self.fails, self.breaks = hold_at, fails or {}, breaks
        self.taken: list[str] = []
        self.settled: list[tuple[Attempt, dict[str, str]]] = []
        self.reached = asyncio.Event()

    async def steps(self, attempt: Attempt) -> Sequence[str]:
        row = await self._outbox.find(attempt.row)
        assert row is not None
        return [step for step in ("one", "two", "three") if step not in row.done]

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
        done = tuple(step for step, outcome in outcomes.items() if outcome == DONE)
        again = Again(self._clock.now() + timedelta(seconds=5), done) if len(done) < len(outcomes) else None
        await self._outbox.settle(attempt.row, attempt.number, again, lambda _: None)
        self.reached.set()

    async def until_reached(self) -> None:
        async with asyncio.timeout(20):
            await self.reached.wait()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    installed = programs()
    if installed is None:
        pytest.skip("no PostgreSQL on this platform")
    started = Server(installed)
    yield started
    started.stop()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, place: Place) -> Settings:
    if request.param == "sqlite":
        return place.where()
    started: Server = request.getfixturevalue("server")
    return replace(place.where(), database=started.new_database())


class Desk:
    """A process with one worker, whose jobs it is given."""

    def __init__(self, sessions: Sessions, settings: Settings) -> None:
        self.sessions, self.settings = sessions, settings
        self.outbox = sessions.store.outbox

    async def add(self, *rows: str, kind: str = KIND) -> None:
        def work(tx: Tx) -> None:
            for row in rows:
                add(tx, row, kind, self.settings.clock.now())

        await self.sessions.store._db.write(work)

    def worker(self, job: Recorded) -> Worker:
        return Worker(self.sessions.store, self.settings.clock, self.sessions.owner, {KIND: job})

    async def empty(self) -> None:
        async def nothing_left() -> bool:
            return await self.outbox.find("row") is None

        await until(nothing_left)


@asynccontextmanager
async def process(where: Settings) -> AsyncIterator[Desk]:
    async with open_sessions(where) as sessions:
        yield Desk(sessions, where)


def test_an_attempt_takes_its_steps_in_order_and_is_settled_once(where: Settings) -> None:
    async def talk() -> None:
        async with process(where) as desk:
            await desk.add("row")
            job = Recorded(desk.sessions)
            worker = desk.worker(job)
            assert await worker.look() == 1
            assert await worker.look() == 0, "it is in hand"
            await desk.empty()
            await worker.stop(5)
        assert job.taken == ["one", "two", "three"]
        assert job.settled == [(Attempt(KIND, "row", 1), dict.fromkeys(job.taken, DONE))]

    run(talk())


def test_what_a_process_that_died_had_begun_goes_on_behind_its_last_step(where: Settings) -> None:
    async def talk() -> None:
        async with process(where) as desk:
            await desk.add("row")
            first = Recorded(desk.sessions, hold_at="two")
            worker = desk.worker(first)
            await worker.look()
            await first.until_reached()
            await worker.stop(0.05)
        assert (first.taken, first.settled) == (["one", "two"], [])
        async with process(where) as desk:
            second = Recorded(desk.sessions)
            worker = desk.worker(second)
            assert await worker.look() == 1, "its owner is dead"
            await desk.empty()
            await worker.stop(5)
        assert second.taken == ["two", "three"], "a step that was put down is not taken again"
        assert [attempt.number for attempt, _ in second.settled] == [1]

    run(talk())


def test_one_that_was_taken_for_dead_goes_no_further(where: Settings) -> None:
    async def talk() -> None:
        async with process(where) as desk:
            await desk.add("row")
            job = Recorded(desk.sessions)
            taken = job.take

            async def slowly(attempt: Attempt, step: str) -> str:
                row = await desk.outbox.find("row")
                assert row is not None
                assert await desk.outbox.claim(row, "othernode:1", where.clock.now() + LEASE)
                return await taken(attempt, step)

            job.take = slowly  # type: ignore[method-assign]
            worker = desk.worker(job)
            await worker.look()
            await worker.stop(5)
            row = await desk.outbox.find("row")
            assert row is not None
            assert (row.owner, row.done) == ("othernode:1", ())
        assert (job.taken, job.settled) == (["one"], [])

    run(talk())


def test_steps_that_failed_are_taken_again_and_the_others_are_not(where: Settings, place: Place) -> None:
    async def talk() -> None:
        async with process(where) as desk:
            await desk.add("row")
            job = Recorded(desk.sessions, fails={"two": "status 500"})
            worker = desk.worker(job)
            await worker.look()
            await job.until_reached()
            job.fails = {}
            place.clock.pass_(seconds=5)
            await worker.look()
            await desk.empty()
            await worker.stop(5)
        assert job.taken == ["one", "two", "three", "two"]
        assert [attempt.number for attempt, _ in job.settled] == [1, 2]

    run(talk())


def test_a_fault_of_ours_is_told_of_without_what_it_says_and_tried_again_later(
    where: Settings, place: Place, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def talk() -> None:
        async with process(where) as desk:
            await desk.add("row")
            job = Recorded(desk.sessions, breaks="two")
            worker = desk.worker(job)
            await worker.look()
            await worker.stop(5)
            row = await desk.outbox.find("row")
            assert row is not None
            assert (row.attempt, row.owner, row.done) == (2, None, ("one",))
            assert row.due_at == where.clock.now() + BROKEN
            assert await worker.look() == 0
            job.breaks = ""
            place.clock.pass_(seconds=BROKEN.total_seconds())
            await worker.look()
            await desk.empty()
            await worker.stop(5)
        assert job.taken == ["one", "two", "two", "three"]

    run(talk())
    out = capfd.readouterr()
    files = b"".join(path.read_bytes() for path in place.data.rglob("*") if path.is_file())
    for text in (out.out, out.err, caplog.text, files.decode("latin-1")):
        assert "nobody may read" not in text


def test_what_is_under_way_may_come_to_its_end_and_what_takes_longer_is_left(place: Place) -> None:
    async def talk() -> None:
        async with process(place.where()) as desk:
            await desk.add("row")
            job = Recorded(desk.sessions, hold_at="three")
            worker = desk.worker(job)
            await worker.look()
            await worker.stop(0.2)
            row = await desk.outbox.find("row")
            assert row is not None
            assert (row.attempt, row.done, row.owner) == (1, ("one", "two"), desk.sessions.owner.id)

    run(talk())


def test_what_a_living_process_of_this_machine_has_in_hand_is_left_to_it(place: Place) -> None:
    async def talk() -> None:
        async with process(place.where()) as desk:
            await desk.add("row")
            job = Recorded(desk.sessions)
            worker = desk.worker(job)
            other = Owner(place.data)
            (row,) = await desk.outbox.due(place.clock.now(), 1)
            assert await desk.outbox.claim(row, other.id, place.clock.now() + LEASE)
            assert await worker.look() == 0, "it lives"
            other.close()
            assert await worker.look() == 1
            await worker.stop(5)

    run(talk())


def test_what_another_node_had_in_hand_is_taken_over_when_its_time_is_over(where: Settings, place: Place) -> None:
    async def talk() -> None:
        async with process(where) as desk:
            await desk.add("row")
            worker = desk.worker(Recorded(desk.sessions))
            (row,) = await desk.outbox.due(place.clock.now(), 1)
            assert await desk.outbox.claim(row, "othernode:1", place.clock.now() + LEASE)
            place.clock.time += LEASE - timedelta(seconds=1)
            assert await worker.look() == 0
            place.clock.pass_(seconds=1)
            assert await worker.look() == 1
            await worker.stop(5)

    run(talk())


def test_work_of_a_kind_that_is_not_known_waits_for_who_knows_it(place: Place) -> None:
    async def talk() -> None:
        async with process(place.where()) as desk:
            await desk.add("later", kind="summary")
            assert await desk.worker(Recorded(desk.sessions)).look() == 0
            row = await desk.outbox.find("later")
            assert row is not None
            assert row.owner is None

    run(talk())


def test_no_more_is_taken_in_hand_than_can_be_done(place: Place) -> None:
    async def talk() -> None:
        async with process(place.where()) as desk:
            await desk.add(*(f"row {number}" for number in range(AT_ONCE + 5)))
            job = Recorded(desk.sessions, hold_at="one")
            worker = desk.worker(job)
            assert await worker.look() == AT_ONCE
            assert await worker.look() == 0
            await worker.stop(0.05)

    run(talk())


def test_more_than_can_be_done_at_once_is_done_one_after_the_other(place: Place) -> None:
    """What has come to its end makes place at once, not at the next look."""

    async def talk() -> None:
        async with process(place.where()) as desk:
            await desk.add(*(f"row {number}" for number in range(3 * AT_ONCE)))
            job = Recorded(desk.sessions)
            worker = desk.worker(job)
            running = asyncio.create_task(worker.run())

            async def all_done() -> bool:
                return len(job.settled) == 3 * AT_ONCE

            await until(all_done, seconds=4)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await worker.stop(5)

    run(talk())


def test_a_look_that_fails_is_told_of_and_the_next_one_comes(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def talk() -> None:
        async with process(place.where()) as desk:
            await desk.add("row")
            job = Recorded(desk.sessions)
            worker = Worker(desk.sessions.store, place.clock, desk.sessions.owner, {KIND: job}, 0.05)
            tally = desk.sessions.store.escalations.tally
            faults = deque([RuntimeError("words")])

            async def failing() -> object:
                if faults:
                    raise faults.popleft()
                return await tally()

            monkeypatch.setattr(desk.sessions.store.escalations, "tally", failing)
            running = asyncio.create_task(worker.run())
            await desk.empty()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await worker.stop(5)

    run(talk())


def test_what_is_repeated_goes_on_after_a_fault_and_ends_with_its_context(place: Place) -> None:
    async def talk() -> None:
        async with process(place.where()) as desk:
            worker = desk.worker(Recorded(desk.sessions))
            times: list[int] = []

            async def work() -> None:
                times.append(len(times))
                if len(times) == 2:
                    raise RuntimeError("words")

            async def often() -> bool:
                return len(times) > 3

            async with worker.repeating(0.01, work):
                await until(often)
            made = len(times)
            await asyncio.sleep(0.05)
            assert len(times) == made

    run(talk())


# With the sessions


def test_what_one_process_leaves_the_next_one_delivers(place: Place) -> None:
    """It stops while the receiver has not answered."""

    async def leave(url: str) -> None:
        async with place.open(told(url), patience=0.1) as (sessions, _):
            await place.called(sessions)

            async def asked() -> bool:
                return bool(hook.taken)

            await until(asked)
            assert (await one(sessions)).status == "delivering"

    async def deliver(url: str) -> None:
        async with place.open(told(url)) as (sessions, _):
            assert (await settled(sessions)).attempts == 1

    with Hook(answers=deque(["hang"])).serving() as hook:
        run(leave(hook.url))
        run(deliver(hook.url))
        assert len(hook.taken) == 2
        assert len(set(hook.keys)) == 1


def test_two_data_folders_in_one_process_both_deliver(tmp_path: Path) -> None:
    one_, other = Place(tmp_path / "one"), Place(tmp_path / "other")

    async def talk(url: str) -> None:
        async with one_.open(told(url)) as (first, _), other.open(told(url)) as (second, _):
            for sessions, place in ((first, one_), (second, other)):
                await place.called(sessions)
                await settled(sessions)

    with Hook().serving() as hook:
        run(talk(hook.url))
        assert len(set(hook.keys)) == 2
