"""Finding what is due: at once, when it is due, and when whoever had it in hand has died."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from tests.jobs.material import Place, one, run, settled, told, until
from tests.jobs.receivers import Hook

from heartrule.faults import LOG
from heartrule.jobs.dispatch import LEASE, TOGETHER, Dispatcher
from heartrule.jobs.durable import FILE
from heartrule.jobs.work import Attempt, Jobs
from heartrule.sessions import Sessions, open_sessions
from heartrule.sessions.owners import Owner
from heartrule.store.database import Tx
from heartrule.store.outbox import add


class Noted:
    """``Jobs`` that only note what they are given. ``known``: whether they take it."""

    def __init__(self) -> None:
        self.started: list[Attempt] = []
        self.known, self.busy, self.patience = True, 0, -1.0

    @property
    def at_work(self) -> int:
        return self.busy

    async def start(self, attempt: Attempt) -> bool:
        self.started.append(attempt)
        return self.known

    async def stop(self, patience: float) -> None:
        self.patience = patience


class Desk:
    def __init__(self, sessions: Sessions, place: Place, jobs: Noted, dispatcher: Dispatcher) -> None:
        self.sessions, self.place, self.jobs, self.dispatcher = sessions, place, jobs, dispatcher


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@asynccontextmanager
async def dispatching(place: Place, works: tuple[str, ...] = ("escalation",)) -> AsyncIterator[Desk]:
    async with open_sessions(place.where()) as sessions:
        jobs, opened = Noted(), []

        async def open_jobs() -> Jobs:
            opened.append(1)
            assert len(opened) == 1, "opened twice"
            return jobs

        dispatcher = Dispatcher(
            sessions.store,
            place.clock,
            sessions.owner,
            dict.fromkeys(works),
            open_jobs,
            place.data,
            0.05,  # type: ignore[arg-type]
        )
        yield Desk(sessions, place, jobs, dispatcher)


def test_without_anything_to_do_nothing_is_opened(place: Place) -> None:
    async def talk(url: str) -> None:
        async with place.open(told(url)) as (sessions, _):
            record = await sessions.create(place.script)
            await sessions.start(record.id)
            await asyncio.sleep(0.3)

    with Hook().serving() as hook:
        run(talk(hook.url))
    assert not (place.data / FILE).exists()


def test_what_is_due_is_taken_in_hand_and_begun_once(place: Place) -> None:
    async def talk() -> None:
        async with dispatching(place) as desk:
            await place.called(desk.sessions)
            assert await desk.dispatcher.look() == 1
            assert await desk.dispatcher.look() == 0
            escalation = (await one(desk.sessions)).id
            assert desk.jobs.started == [Attempt("escalation", escalation, 1)]
            row = await desk.sessions.store.outbox.find(escalation)
            assert row is not None
            assert (row.owner, row.until) == (desk.sessions.owner.id, place.clock.now() + LEASE)
            assert desk.dispatcher.tally.counts == {"open": 1}
            await desk.dispatcher.stop(1.5)
            assert desk.jobs.patience == 1.5

    run(talk())


def test_what_a_dead_process_had_in_hand_is_taken_over_at_once(place: Place) -> None:
    async def talk() -> None:
        async with dispatching(place) as desk:
            await place.called(desk.sessions)
            other = Owner(place.data)
            (row,) = await desk.sessions.store.outbox.due(place.clock.now(), 1)
            assert await desk.sessions.store.outbox.claim(row, other.id, place.clock.now() + LEASE)
            assert await desk.dispatcher.look() == 0, "it lives"
            other.close()
            assert await desk.dispatcher.look() == 1

    run(talk())


def test_what_another_node_had_in_hand_is_taken_over_when_its_time_is_over(place: Place) -> None:
    async def talk() -> None:
        async with dispatching(place) as desk:
            await place.called(desk.sessions)
            (row,) = await desk.sessions.store.outbox.due(place.clock.now(), 1)
            assert await desk.sessions.store.outbox.claim(row, "othernode:1", place.clock.now() + LEASE)
            place.clock.time += LEASE - timedelta(seconds=1)
            assert await desk.dispatcher.look() == 0
            place.clock.pass_(seconds=1)
            assert await desk.dispatcher.look() == 1

    run(talk())


def test_an_attempt_that_settled_nothing_is_followed_by_another(place: Place) -> None:
    async def talk() -> None:
        async with dispatching(place) as desk:
            await place.called(desk.sessions)
            desk.jobs.known = False
            await desk.dispatcher.look()
            desk.jobs.known = True
            await desk.dispatcher.look()
            assert [attempt.number for attempt in desk.jobs.started] == [1, 2]

    run(talk())


def test_work_of_a_kind_that_is_not_known_waits_for_who_knows_it(place: Place) -> None:
    async def talk() -> None:
        async with dispatching(place) as desk:

            def more(tx: Tx) -> None:
                add(tx, "later", "summary", place.clock.now())

            await desk.sessions.store._db.write(more)
            assert await desk.dispatcher.look() == 0
            row = await desk.sessions.store.outbox.find("later")
            assert row is not None
            assert row.owner is None

    run(talk())


def test_no_more_is_taken_in_hand_than_can_be_done(place: Place) -> None:
    async def talk() -> None:
        async with dispatching(place) as desk:

            def many(tx: Tx) -> None:
                for number in range(TOGETHER + 5):
                    add(tx, f"row {number}", "escalation", place.clock.now())

            await desk.sessions.store._db.write(many)
            assert await desk.dispatcher.look() == TOGETHER
            desk.jobs.busy = TOGETHER
            assert await desk.dispatcher.look() == 0
            desk.jobs.busy = TOGETHER - 2
            assert await desk.dispatcher.look() == 2

    run(talk())


def test_a_look_that_fails_is_written_down_and_the_next_one_comes(place: Place) -> None:
    async def talk() -> None:
        async with dispatching(place) as desk:
            await place.called(desk.sessions)
            tally = desk.sessions.store.escalations.tally
            faults = deque([RuntimeError("words")])

            async def failing() -> object:
                if faults:
                    raise faults.popleft()
                return await tally()

            desk.sessions.store.escalations.tally = failing  # type: ignore[method-assign, assignment]
            running = asyncio.create_task(desk.dispatcher.run())

            async def begun() -> bool:
                return bool(desk.jobs.started)

            await until(begun)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        written = (place.data / LOG).read_text()
        assert "RuntimeError" in written
        assert "words" not in written

    run(talk())


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
    """DBOS is one a process; the other does without its record of steps."""
    one_, other = Place(tmp_path / "one"), Place(tmp_path / "other")

    async def talk(url: str) -> None:
        async with one_.open(told(url)) as (first, _), other.open(told(url)) as (second, _):
            for sessions, place in ((first, one_), (second, other)):
                await place.called(sessions)
                await settled(sessions)

    with Hook().serving() as hook:
        run(talk(hook.url))
        assert len(set(hook.keys)) == 2
    assert (one_.data / FILE).exists()
    assert not (other.data / FILE).exists()
