"""Where a turn worked out again is not what was written down, it is said where, and nothing of what was said."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.sessions.material import Place, answer, change, rehappen, resay, run
from tests.sessions.test_replay import again, counselled

from heartrule.prompts import library
from heartrule.sessions import CannotRestore, Sessions
from heartrule.sessions.replay_check import Differs, NotKept
from heartrule.sessions.replay_inputs import Grounds, program
from heartrule.store import turns
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import place as spot
from heartrule.store.database import Tx
from heartrule.store.records import EventRecord
from heartrule.store.sessions import hold


async def held(place: Place, sessions: Sessions) -> str:
    session, outcome = await place.begun(sessions)
    await answer(sessions, session, outcome)
    return session


async def reground(sessions: Sessions, session: str, turn: int, become: Any) -> None:
    """Put other grounds under a turn, properly sealed."""

    def work(tx: Tx) -> None:
        box = hold(tx, session).box
        where = spot("turns", "outcome", session, turn)
        row = tx.conn.execute(turns._one, {"session": session, "seq": turn}).one()
        outcome = decode(box.open(row.outcome, where))
        outcome["grounds"] = become(outcome["grounds"])
        if outcome["grounds"] is None:
            del outcome["grounds"]
        table = turns.turns_table
        statement = table.update().where(table.c.session == session, table.c.seq == turn)
        tx.conn.execute(statement.values(outcome=box.seal(encode(outcome), where)))

    await sessions.store._db.write(work)


def other_action(event: EventRecord) -> EventRecord:
    return replace(event, action="other") if event.kind == "variable" else event


def no_variable(event: EventRecord) -> EventRecord | None:
    return None if event.kind == "variable" else event


SEALED: dict[str, Callable[[Sessions, str], Awaitable[None]]] = {
    "a message's action": lambda sessions, session: resay(
        sessions, session, 2, lambda one: replace(one, action="other")
    ),
    "an event's action": lambda sessions, session: rehappen(sessions, session, 2, other_action),
    "an event": lambda sessions, session: rehappen(sessions, session, 2, no_variable),
}


@pytest.mark.parametrize(
    ("statement", "part", "path"),
    [
        ("a message's action", "messages", "messages[1].action"),
        ("DELETE FROM messages WHERE turn = 2 AND reply", "messages", "messages"),
        ("an event's action", "events", "action"),
        ("an event", "events", "events"),
        ("DELETE FROM calls WHERE turn = 2", "calls", "risk"),
        ("UPDATE inbox SET received_at = '2026-11-20 09:10:00+00:00' WHERE turn = 3", "", ""),
    ],
)
def test_a_record_that_was_changed(place: Place, statement: str, part: str, path: str) -> None:
    async def work() -> None:
        async with place.open(counselled()) as sessions:
            session = await held(place, sessions)
            if statement in SEALED:
                await SEALED[statement](sessions, session)
            else:
                change(sessions, statement)
            if not part:  # when a turn was worked out is written with the turn itself
                assert len(await again(sessions, session)) == 5
                return
            with pytest.raises(Differs) as caught:
                await again(sessions, session)
            found = caught.value
            assert (found.turn, found.part) == (2, part)
            assert path in found.path
            assert f"turn 2: {part} differ at {found.path}" == str(found)
            assert "提不起劲" not in repr(found)

    run(work())


@pytest.mark.parametrize("part", ["state", "written"])
def test_a_digest_that_is_another(place: Place, part: str) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session = await held(place, sessions)
            await reground(sessions, session, 3, lambda grounds: {**grounds, part: "0" * 32})
            with pytest.raises(Differs, match="turn 3"):
                await again(sessions, session)
            assert len(await again(sessions, session, last=2)) == 2

    run(work())


def test_another_program_is_named(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session = await held(place, sessions)
            await reground(sessions, session, 3, lambda grounds: {**grounds, "program": "0.0.1+0", "state": ""})
            with pytest.raises(Differs) as caught:
                await again(sessions, session)
            assert f"worked out by 0.0.1+0, now by {program()}" in str(caught.value)
            assert (caught.value.by, caught.value.now) == ("0.0.1+0", program())

    run(work())


@pytest.mark.parametrize("become", [lambda _: None, lambda _: {}, lambda grounds: {**grounds, "active_at": "?"}])
def test_a_turn_of_a_version_that_kept_less(place: Place, become: Any) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session = await held(place, sessions)
            await reground(sessions, session, 2, become)
            with pytest.raises(NotKept) as caught:
                await again(sessions, session)
            assert caught.value.turn == 2

    run(work())


def test_a_bundle_that_is_gone(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session = await held(place, sessions)
            await reground(sessions, session, 1, lambda grounds: {**grounds, "safety": "0" * 64})
            with pytest.raises(CannotRestore):
                await again(sessions, session)

    run(work())


def test_a_prompt_reworded_since_is_not_taken_for_the_one_that_was_sent(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers are the same, and so is the turn."""

    async def work() -> None:
        async with place.open(counselled()) as sessions:
            session = await held(place, sessions)
            shipped = library._shipped

            def reworded(locale: str, name: str, suffix: str) -> str:
                return shipped(locale, name, suffix) + ("\nAnd be kind." if (name, suffix) == ("ask", "md") else "")

            monkeypatch.setattr(library, "_shipped", reworded)
            asked = [one for each in await again(sessions, session) for one in each.asked]
            assert {one.task.template for one in asked if not one.exact} == {"ask"}
            assert any(one.exact for one in asked)

    run(work())


def test_grounds_survive_being_written_down(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session = await held(place, sessions)
            for turn in range(1, 6):
                record = await sessions.store.turn(session, turn)
                assert record is not None
                assert record.grounds is not None
                assert Grounds.of(record.grounds).data() == record.grounds
                assert "grounds" not in record.outcome

    run(work())
