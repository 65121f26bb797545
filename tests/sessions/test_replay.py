"""Turns worked out again from their records come to the same, byte for byte."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from tests.sessions.material import ANSWERS, Gate, Place, answer, run, say, script_file, seen, texts
from tests.sessions.test_ledger import QUICK
from tests.sessions.test_remembered import GLOBALS
from tests.thinning import combined

from heartrule.engine.installed_types import field_models
from heartrule.engine.supervision import background as beside_turns
from heartrule.language.compiling.script import Script
from heartrule.language.projects.library import Library, library_root
from heartrule.llm.model import Model
from heartrule.llm.provider import Request, ServerError
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import NoSuchSession, Sessions
from heartrule.sessions.replay import ReplayedTurn
from heartrule.store.records import Entry
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import hold
from heartrule.testing.visitor import Visitor

SHIPPED = [listed.id for listed in Library([library_root()], field_models()).scripts()]
LONG = os.environ.get("HEARTRULE_INTERRUPTIONS") == "long"


async def again(sessions: Sessions, session: str, first: int = 1, last: int | None = None) -> list[ReplayedTurn]:
    """Raises where it differs."""
    return [each async for each in sessions.replay(session, first, last)]


def counselled() -> Model:
    return Model([ScriptedProvider(counsel)])


def willing(script: Script) -> Visitor:
    """Somebody who picks what stands first, and is safe: they see most of a script."""
    actions = [action for phase in script.session.phases for topic in phase.steps for action in topic.actions]
    return Visitor(script, prefer=("safe", *(str(a.peek("choices")[0].value) for a in actions if a.peek("choices"))))


@pytest.mark.parametrize(("script", "spoken"), combined(SHIPPED, [False, True], long=LONG))
def test_every_shipped_script_in_another_process(place: Place, script: str, spoken: bool) -> None:
    async def work() -> None:
        async with place.open(counselled() if spoken else Model()) as sessions:
            record = await sessions.create(script)
            held = await hold(sessions, record.id, willing(await sessions.script_of(record)), place.clock)
            assert held.completed
            found = await again(sessions, record.id)
        async with place.open() as other:
            assert [each.turn for each in found] == list(range(1, held.outcome.turn + 1))
            elsewhere = await again(other, record.id)
            assert [each.result for each in elsewhere] == [each.result for each in found]
            loaded = await other.store.load(record.id, 0)
            assert elsewhere[-1].result.state.model_dump(mode="json") == loaded.state
            asked = [one for each in elsewhere for one in each.asked]
            calls = await other.store.calls(record.id)
            # What is asked beside a turn comes back as the input of a turn of its own.
            # See engine/supervision/background.py.
            beside = {template for feature in beside_turns.FEATURES for template in feature.templates()}
            own = {(call.turn, call.key) for call in calls if call.template not in beside}
            assert {(one.call.turn, one.call.key) for one in asked} == own
            assert all(one.exact for one in asked)
            assert bool(asked) == spoken

    run(work())


def test_it_begins_at_the_snapshot_before(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create("cbt/first_assessment")
            held = await hold(sessions, record.id, willing(await sessions.script_of(record)), place.clock)
            assert held.outcome.turn > 21
            whole = await again(sessions, record.id)
            read: list[int] = []
            consumed = sessions.store.consumed

            async def noted(session: str, turn: int) -> Any:
                read.append(turn)
                return await consumed(session, turn)

            sessions.store.consumed = noted  # type: ignore[method-assign]
            part = await again(sessions, record.id, 22, 23)
            assert [each.turn for each in part] == [22, 23]
            assert [each.result for each in part] == [each.result for each in whole[21:23]]
            assert read == [21, 22, 23]
            assert await again(sessions, record.id, held.outcome.turn + 1) == []

    run(work())


def test_a_burst_that_broke_a_turn_off(place: Place) -> None:
    """Of what was asked twice, the answer counts that was asked last."""

    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            first = asyncio.create_task(sessions.take(session, say("a", "难受", seen(outcome))))
            await gate.asked.wait()
            second = asyncio.create_task(sessions.take(session, say("b", "睡不着", seen(outcome))))
            await asyncio.sleep(0.05)
            gate.opened.set()
            await asyncio.gather(first, second)
            found = (await again(sessions, session))[1]
            assert [words.text for words in found.given.words] == ["难受", "睡不着"]
            assert found.asked

    run(work())


def test_models_that_failed_and_one_that_was_put_right(place: Place) -> None:
    """A failure is an answer too; a turn that is taken up again has only the last one of each."""
    calls = 0

    def unreliable(request: Request) -> Any:
        nonlocal calls
        calls += 1
        if calls % 5 == 1:
            return ServerError("500")
        return "no JSON" if calls % 5 == 3 else counsel(request)

    async def work() -> None:
        model = Model([ScriptedProvider(unreliable)], QUICK)
        async with place.open(model) as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            found = await again(sessions, session)
            made = [one.call.attempts for each in found for one in each.asked if one.call.status == "answered"]
            assert {attempt["outcome"] for attempts in made for attempt in attempts} == {"ok", "error", "rejected"}

    run(work())


def test_a_turn_that_broke_off_with_an_answer_bought(place: Place) -> None:
    async def work() -> None:
        async with place.open(counselled()) as sessions:
            session, outcome = await place.begun(sessions)
            commit = sessions.store.commit

            async def broken(*_: object) -> int:
                raise OSError("away")

            sessions.store.commit = broken  # type: ignore[method-assign,assignment]
            with pytest.raises(OSError, match="away"):
                await sessions.take(session, say("a", "难受", seen(outcome)))
            sessions.store.commit = commit  # type: ignore[method-assign]
            place.clock.pass_(minutes=2)
            assert await sessions.sweep() == 1
            found = await again(sessions, session)
            assert [each.turn for each in found] == [1, 2]
            assert found[1].asked

    run(work())


def test_the_persons_own_variables_as_they_stood(place: Place) -> None:
    """Another session wrote them between two turns, and again since."""

    async def work() -> None:
        script_file(place.folder, GLOBALS)
        async with place.open() as sessions:
            first = await sessions.create(place.script)
            outcome = await sessions.start(first.id)
            outcome = await sessions.take(first.id, say("a", "小明", seen(outcome)))
            second = await sessions.create(place.script, person=first.person)
            other = await sessions.start(second.id)
            other = await sessions.take(second.id, say("a", "大明", seen(other)))
            outcome = await sessions.take(first.id, say("b", "还行", seen(outcome)))
            assert texts(outcome.messages, "ai")[-1].endswith("好的，大明。还有吗？")
            third = await sessions.create(place.script, person=first.person)
            await sessions.take(third.id, say("a", "老明", seen(await sessions.start(third.id))))
        async with place.open() as sessions:
            outcome = await sessions.take(first.id, say("c", "没有", seen(outcome)))
            for session, turns in ((first.id, 4), (second.id, 2), (third.id, 2)):
                assert len(await again(sessions, session)) == turns
            kept = [each.kept.grounds for each in await again(sessions, first.id)]
            assert [None if each.shared is None else [one.value for one in each.shared] for each in kept] == [
                [],
                None,
                None,
                ["老明"],
            ]
            assert [[one.value for one in each.new] for each in kept] == [[], [], ["大明"], []]

    run(work())


def test_pauses_and_times_that_ran_out(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            outcome = await sessions.take(session, say("a", "难受", seen(outcome)))
            place.clock.pass_(minutes=4)
            await sessions.pause(session)
            place.clock.pass_(minutes=30)
            await sessions.take(session, Entry("back", "resume"))
            place.clock.pass_(minutes=7)
            assert await sessions.sweep() == 1
            await sessions.end(session)
            found = await again(sessions, session)
            assert [each.given.kind for each in found] == ["start", "message", "pause", "resume", "timer", "end"]
            assert found[-1].result.state.ended

    run(work())


def test_words_that_came_late_and_a_session_that_is_over(place: Place) -> None:
    async def work() -> None:
        async with place.open(counselled()) as sessions:
            session, outcome = await place.begun(sessions)
            seen_then = seen(outcome)
            outcome = await sessions.take(session, say("a", "难受", seen_then))
            outcome = await sessions.take(session, say("late", "也睡不着", seen_then))
            await answer(sessions, session, outcome, first=1)
            assert await again(sessions, session)

    run(work())


def test_a_session_that_took_anothers_place(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            old, outcome = await place.begun(sessions)
            await answer(sessions, old, outcome)
            new = await sessions.start_over(old)
            outcome = await sessions.start(new.id)
            await sessions.take(new.id, say("a", "还是难受", seen(outcome)))
            found = await again(sessions, new.id)
            assert len(found[0].world.history) == len(await sessions.store.messages(old))

    run(work())


def test_the_safety_project_as_it_was(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is live: what it says today need not be what it said."""
    root = place.folder / "library"
    shutil.copytree(library_root(), root)
    monkeypatch.setattr("heartrule.sessions.composition_root.library_root", lambda: root)

    async def crisis() -> str:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            outcome = await sessions.take(session, say("a", "我想死", seen(outcome)))
            assert outcome.position["topic"]["id"].startswith("safety/")
            assert "12356" in "".join(texts(outcome.messages, "ai"))
            return session

    async def later(session: str) -> None:
        async with place.open() as sessions:
            record, outcome = await place.begun(sessions)
            outcome = await sessions.take(record, say("a", "我想死", seen(outcome)))
            assert "98765" in "".join(texts(outcome.messages, "ai"))
            found = await again(sessions, session)
            assert "12356" in "".join(message.text for message in found[1].result.messages)
            assert len(await again(sessions, record)) == 2

    session = run(crisis())
    _reword(root / "safety" / "contacts.yaml", "12356", "98765")
    run(later(session))


def _reword(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_session_that_nobody_knows(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            with pytest.raises(NoSuchSession):
                await again(sessions, "none")
            made = await sessions.create(place.script)
            assert await again(sessions, made.id) == []

    run(work())


def test_it_writes_nothing_and_asks_nobody(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            before, asked = await sessions.store.dump(session), len(gate.requests)
            attempts = await sessions.store.attempts(session)
            await again(sessions, session)
            assert await sessions.store.dump(session) == before
            assert await sessions.store.attempts(session) == attempts
            assert len(gate.requests) == asked

    run(work())


def test_what_a_turn_costs(place: Place, record_property: Any) -> None:
    async def work() -> list[float]:
        async with place.open(counselled()) as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            assert len(ANSWERS) + 1 == (await sessions.session(session)).seq
            return [each.seconds for _ in range(5) for each in await again(sessions, session)]

    took = run(work())
    record_property("milliseconds", round(median(took) * 1000, 2))
    assert median(took) < 0.1
