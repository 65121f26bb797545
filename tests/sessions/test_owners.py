"""Two processes on one data folder: one writer a session, waiting for who lives, taking over from who has died."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from datetime import timedelta
from pathlib import Path

import pytest
from tests.sessions.material import Gate, Place, answer, run, say, seen, texts, value

from heartrule.sessions.owners import Owner


def test_a_living_owner_is_not_dead_and_a_closed_one_is(tmp_path: Path) -> None:
    one, other = Owner(tmp_path), Owner(tmp_path)
    assert one.id != other.id
    assert one.id.partition(":")[0] == other.id.partition(":")[0]
    assert not one.is_dead(other.id)
    assert not one.is_dead(one.id)
    other.close()
    assert one.is_dead(other.id)
    one.close()
    assert [path.name for path in (tmp_path / "owners").iterdir()] == ["node"]


@pytest.mark.parametrize("other", ["", ":", "elsewhere:x", "x", "../../etc/passwd"])
def test_owners_of_other_folders_are_never_called_dead(tmp_path: Path, other: str) -> None:
    owner = Owner(tmp_path)
    assert not owner.is_dead(other)
    owner.close()


def test_a_killed_process_is_dead_at_once(tmp_path: Path) -> None:
    owner = Owner(tmp_path)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, Owner(tmp_path).id.encode())
        time.sleep(60)
        os._exit(0)
    name = os.read(reading, 200).decode()
    assert not owner.is_dead(name)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert owner.is_dead(name)
    assert not (tmp_path / "owners" / name.partition(":")[2]).exists()
    owner.close()


def test_many_owners_at_once_agree_on_the_folders_name(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(16) as pool:
        owners = list(pool.map(lambda _: Owner(tmp_path), range(16)))
    assert len({owner.id.partition(":")[0] for owner in owners}) == 1
    for owner in owners:
        owner.close()


def test_a_burst_split_over_two_processes_is_one_answer(place: Place) -> None:
    """The second process accepts while the first asks its model: the first one's commit is refused, and made again."""

    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as one, place.open(Gate().model()) as two:
            session, outcome = await place.begun(one)
            gate.close()
            first = asyncio.create_task(one.take(session, say("a", "我", seen(outcome))))
            await gate.asked.wait()
            second = asyncio.create_task(two.take(session, say("b", "今天很难受", seen(outcome))))
            await asyncio.sleep(0.1)
            gate.opened.set()
            turns = await asyncio.gather(first, second)
            assert turns[0] == turns[1]
            assert texts(turns[0].messages) == ["我", "今天很难受"]
            assert await value(one, session, "心情") == "我 今天很难受"

    run(work())


def test_who_waits_for_another_process_goes_on_as_soon_as_it_is_done(place: Place) -> None:
    """Another turn's words, in another process: not a lease's length later."""

    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as one, place.open() as two:
            session, outcome = await place.begun(one)
            gate.close()
            first = asyncio.create_task(one.take(session, say("a", "难受", seen(outcome))))
            await gate.asked.wait()
            second = asyncio.create_task(two.take(session, say("b", "你好", 1)))
            await asyncio.sleep(0.1)
            assert not second.done()
            began = time.monotonic()
            gate.opened.set()
            assert (await first).turn == 2
            assert (await second).turn == 3
            assert time.monotonic() - began < 10
            assert await one.store.holder(session) is None

    run(work())


def test_many_processes_send_everything(place: Place) -> None:
    async def work() -> None:
        async with place.open() as one, place.open() as two, place.open() as three:
            session, outcome = await place.begun(one)
            for number in range(4):
                key, after = f"k{number}", seen(outcome)
                words = f"第 {number} 句"
                turns = await asyncio.gather(*(s.take(session, say(key, words, after)) for s in (one, two, three)))
                assert turns[0] == turns[1] == turns[2]
                outcome = turns[0]
            assert texts((await two.view(session)).messages) == [f"第 {number} 句" for number in range(4)]

    run(work())


def killed_while_asking(place: Place, session: str, words: str, after: int) -> None:
    """A process that takes an input and is killed while its model is asked."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:

            async def work() -> None:
                gate = Gate()
                async with place.open(gate.model()) as sessions:
                    gate.close()
                    taking = asyncio.create_task(sessions.take(session, say("k", words, after)))
                    await gate.asked.wait()
                    os.write(writing, b"!")
                    await taking

            asyncio.run(work())
        finally:
            os._exit(1)
    os.read(reading, 1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def prepared(place: Place) -> tuple[str, int]:
    async def work() -> tuple[str, int]:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            return session, seen(outcome)

    found: tuple[str, int] = run(work())
    return found


def test_a_killed_process_is_not_waited_for(place: Place) -> None:
    session, after = prepared(place)
    killed_while_asking(place, session, "睡不着", after)

    async def work() -> None:
        async with place.open() as sessions:
            assert await sessions.store.holder(session) is not None
            began = time.monotonic()
            outcome = await sessions.take(session, say("k", "睡不着", after))
            assert time.monotonic() - began < 3
            assert texts(outcome.messages) == ["睡不着"]
            assert (await answer(sessions, session, outcome, first=1)).execution_status == "completed"

    run(work())


def test_what_a_killed_process_left_waiting_is_answered_by_the_sweep(place: Place) -> None:
    session, after = prepared(place)
    killed_while_asking(place, session, "睡不着", after)

    async def work() -> None:
        async with place.open() as sessions:
            place.clock.pass_(minutes=5)  # leases of processes on other machines have to run out
            assert await sessions.sweep() == 1
            assert texts((await sessions.view(session)).messages) == ["睡不着"]
            assert await sessions.sweep() == 0

    run(work())


def test_a_lease_of_another_machine_is_waited_for_until_it_runs_out(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            now = place.clock.now()
            await sessions.store.claim(session, "elsewhere:x", now, now + timedelta(seconds=40))
            taking = asyncio.create_task(sessions.take(session, say("k", "累", seen(outcome))))
            await asyncio.sleep(0.2)
            assert not taking.done()
            place.clock.pass_(seconds=41)
            assert (await taking).turn == 2

    run(work())


def test_an_answer_is_bought_once(place: Place) -> None:
    """Killed between the model's answer and the commit: the next process finds the answer and asks nothing."""

    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            entry = say("k", "累", seen(outcome))

            async def die(*_: object) -> int:
                raise asyncio.CancelledError

            sessions.store.commit = die  # type: ignore[method-assign]
            with pytest.raises(asyncio.CancelledError):
                await sessions.take(session, entry)
            paid = list(gate.answered)
            assert paid
        again = Gate()
        place.clock.pass_(minutes=3)
        async with place.open(again.model()) as sessions:
            outcome = await sessions.take(session, entry)
            assert again.answered == []
            calls = [call for call in await sessions.store.calls(session) if call.turn == 2]
            assert sorted(call.prompt_hash for call in calls) == sorted(paid)
            assert texts(outcome.messages) == ["累"]

    run(work())
