"""The sweep waits for nobody, and takes what the dead have left."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from datetime import timedelta

from tests.sessions.material import Gate, Place, run, say, seen, texts

from heartrule.sessions.owners import Owner


async def at_hours(place: Place, sessions: object, session: str, after: int) -> None:
    """Bring a session to the question that has a timeout of ten minutes."""
    await sessions.take(session, say("k", "还行", after))  # type: ignore[attr-defined]


def test_a_session_that_another_process_works_on_is_passed_over(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as one, place.open() as two:
            session, outcome = await place.begun(one)
            await at_hours(place, one, session, seen(outcome))
            other, outcome = await place.begun(two)
            await at_hours(place, two, other, seen(outcome))
            gate.close()
            place.clock.pass_(minutes=11)
            record = await one.session(session)
            taking = asyncio.create_task(one.take(session, say("h", "8", record.seq)))
            await gate.asked.wait()
            began = time.monotonic()
            assert await two.sweep() == 1
            assert time.monotonic() - began < 5
            assert not taking.done()
            assert (await two.view(other)).position["action"]["id"] == "go"
            gate.opened.set()
            await taking

    run(work())


def test_a_session_that_this_process_works_on_is_passed_over(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            outcome = await sessions.take(session, say("k", "还行", seen(outcome)))
            place.clock.pass_(minutes=11)
            gate.close()
            taking = asyncio.create_task(sessions.take(session, say("h", "8", seen(outcome))))
            await gate.asked.wait()
            assert await sessions.sweep() == 0
            assert not taking.done()
            assert [item.entry.kind for item in await sessions.store.inbox(session)] == ["start", "message", "message"]
            gate.opened.set()
            assert (await taking).position["action"]["id"] == "go"

    run(work())


def test_an_input_that_waits_behind_a_living_process_is_left_to_it(place: Place) -> None:
    async def work() -> None:
        owner = Owner(place.folder / "data")
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            now = place.clock.now()
            await sessions.store.accept(session, say("k", "在吗", seen(outcome)), now)
            epoch = await sessions.store.claim(session, owner.id, now, now + timedelta(minutes=9))
            assert await sessions.sweep() == 0
            assert await sessions.store.holder(session) == (owner.id, epoch)
            owner.close()
            assert await sessions.sweep() == 1
            assert texts((await sessions.view(session)).messages) == ["在吗"]
            assert await sessions.store.holder(session) is None

    run(work())


def test_what_a_killed_process_held_is_taken_up_by_the_next_sweep(place: Place) -> None:
    """Not when its leases run out."""

    async def prepared() -> tuple[str, int]:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            return session, seen(outcome)

    session, after = run(prepared())
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:

            async def die() -> None:
                gate = Gate()
                async with place.open(gate.model()) as sessions:
                    gate.close()
                    taking = asyncio.create_task(sessions.take(session, say("k", "睡不着", after)))
                    await gate.asked.wait()
                    os.write(writing, b"!")
                    await taking

            asyncio.run(die())
        finally:
            os._exit(1)
    os.read(reading, 1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

    async def work() -> None:
        async with place.open() as sessions:
            assert await sessions.store.holder(session) is not None
            assert await sessions.sweep() == 1
            assert texts((await sessions.view(session)).messages) == ["睡不着"]
            assert await sessions.sweep() == 0

    run(work())


def test_leases_of_other_machines_are_let_run_out(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            now = place.clock.now()
            await sessions.store.accept(session, say("k", "在吗", seen(outcome)), now)
            await sessions.store.claim(session, "elsewhere:x", now, now + timedelta(seconds=40))
            assert await sessions.sweep() == 0
            place.clock.pass_(seconds=41)
            assert await sessions.sweep() == 1

    run(work())
