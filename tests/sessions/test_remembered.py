"""What a process remembers of its sessions is what the database holds, or it is not used."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from tests.sessions.material import (
    ANSWERS,
    SMALL,
    Gate,
    Place,
    answer,
    change,
    run,
    say,
    script_file,
    seen,
    texts,
    value,
)

from heartrule.engine.session.io import HISTORY, Message
from heartrule.engine.session.state import State
from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import NoSuchSession, Sessions, state_cache
from heartrule.sessions.state_cache import CHARACTERS, SESSIONS, StateCache, TurnStart
from heartrule.store.records import Entry, LoadedSession, Mark
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import START, MovedClock, hold
from heartrule.testing.visitor import Visitor

GLOBALS = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    declare:
      - {var: 称呼, type: text, scope: global, define: 怎么称呼}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 称呼
            id: name
            actions:
              - {type: ask, id: name, content: 怎么称呼你？, output: [{get: 称呼}]}
              - {type: ask, id: more, content: "{称呼}，最近怎样？", output: [{get: 近况}]}
              - {type: ask, id: again, content: "好的，{称呼}。还有吗？", output: [{get: 余下}]}
"""


class Seen:
    """Which loads found the session where it was remembered."""

    def __init__(self, sessions: Sessions) -> None:
        self.unchanged: list[bool] = []
        self._accept = sessions.store.accept_and_load
        sessions.store.accept_and_load = self._noting  # type: ignore[method-assign]

    async def _noting(self, *given: Any) -> Any:
        accepted, loaded = await self._accept(*given)
        if loaded is not None:
            self.unchanged.append(loaded.unchanged)
        return accepted, loaded


def kept(sessions: Sessions, session: str) -> tuple[Mark, TurnStart]:
    found = sessions._runner.state_cache._kept[session]
    return found.mark, found.session_state


async def agrees(sessions: Sessions, session: str) -> None:
    """What is remembered is what another process would load."""
    loaded = await sessions.store.load(session, HISTORY)
    mark, session_state = kept(sessions, session)
    assert mark == Mark(loaded.epoch, loaded.session.seq)
    fresh = TurnStart.of(loaded)
    assert session_state.state.model_dump(mode="json") == fresh.state.model_dump(mode="json")
    assert session_state.own == fresh.own
    assert session_state.history == fresh.history


def test_an_ordinary_turn_reads_only_what_others_may_have_changed(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            noted = Seen(sessions)
            session, outcome = await place.begun(sessions)
            await agrees(sessions, session)
            outcome = await answer(sessions, session, outcome)
            assert outcome.execution_status == "completed"
            assert noted.unchanged == [False, True, True, True, True]
            assert await value(sessions, session, "睡了") == 5

    run(work())


@pytest.mark.parametrize("script", ["cbt/abc_intro", "cbt/abc_intro_en", "cbt/first_assessment"])
@pytest.mark.parametrize("modelled", [True, False], ids=["model", "script"])
def test_after_each_turn_of_a_whole_session_it_is_what_the_database_holds(
    place: Place, script: str, modelled: bool
) -> None:
    async def work() -> None:
        model = Model([ScriptedProvider(counsel)]) if modelled else Model()
        clock = MovedClock()
        async with place.open(model, clock=clock) as sessions:
            record = await sessions.create(script)
            take, turns = sessions.take, []

            async def checked(session: str, entry: Entry) -> Any:
                outcome = await take(session, entry)
                await agrees(sessions, session)
                turns.append(outcome.turn)
                return outcome

            sessions.take = checked  # type: ignore[method-assign]
            held = await hold(
                sessions, record.id, Visitor(sessions.script(script), prefer=("safe", "开始", "接着")), clock
            )
            assert held.completed
            assert len(turns) > 5

    asyncio.run(work())


def test_a_session_that_another_process_has_led_on_is_read_anew(place: Place) -> None:
    async def work() -> None:
        async with place.open() as one, place.open() as two:
            noted, others = Seen(one), Seen(two)
            session, outcome = await place.begun(one)
            for number, (kind, words) in enumerate(ANSWERS):
                sessions = (one, two, two, one)[number]
                given = {"text": words} if kind == "message" else {"choice": words}
                entry = Entry(f"k{number}", kind, after=seen(outcome), **given)  # type: ignore[arg-type]
                outcome = await sessions.take(session, entry)
                await agrees(sessions, session)
            assert outcome.execution_status == "completed"
            assert noted.unchanged == [False, True, False]
            assert others.unchanged == [False, True]
            assert texts((await one.view(session)).messages) == ["提不起劲", "5 个小时", "接着谈", "没有了"]

    run(work())


def test_a_lease_that_another_process_had_and_lost_is_enough(place: Place) -> None:
    """It may have bought answers that count."""

    async def work() -> None:
        async with place.open() as sessions:
            noted = Seen(sessions)
            session, outcome = await place.begun(sessions)
            now = place.clock.now()
            epoch = await sessions.store.claim(session, "elsewhere:x", now, now + timedelta(seconds=9))
            assert epoch is not None
            await sessions.store.release(session, "elsewhere:x", epoch)
            await sessions.take(session, say("k", "难受", seen(outcome)))
            assert noted.unchanged == [False, False]

    run(work())


def test_answers_of_a_turn_that_broke_off_here_are_found(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            noted = Seen(sessions)
            session, outcome = await place.begun(sessions)
            commit = sessions.store.commit

            async def fail(_: object) -> int:
                raise OSError("away")

            sessions.store.commit = fail  # type: ignore[method-assign]
            with pytest.raises(OSError, match="away"):
                await sessions.take(session, say("k", "难受", seen(outcome)))
            asked = list(gate.answered)
            assert asked
            sessions.store.commit = commit  # type: ignore[method-assign]
            await sessions.take(session, say("k", "难受", seen(outcome)))
            assert gate.answered == asked
            assert noted.unchanged == [False, True, False]
            await agrees(sessions, session)

    run(work())


def test_words_that_join_a_turn_start_it_from_the_same_place(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            one = asyncio.create_task(sessions.take(session, say("a", "我", seen(outcome))))
            await gate.asked.wait()
            two = asyncio.create_task(sessions.take(session, say("b", "睡不着", seen(outcome))))
            await asyncio.sleep(0.05)
            gate.opened.set()
            assert (await one) == (await two)
            assert texts((await one).messages) == ["我", "睡不着"]
            await agrees(sessions, session)

    run(work())


def test_what_another_session_of_the_person_has_written_is_seen(place: Place) -> None:
    async def work() -> None:
        script_file(place.folder, GLOBALS)
        async with place.open() as sessions:
            noted = Seen(sessions)
            first = await sessions.create(place.script)
            outcome = await sessions.start(first.id)
            outcome = await sessions.take(first.id, say("a", "小明", seen(outcome)))
            assert texts(outcome.messages, "ai")[-1].endswith("小明，最近怎样？")
            second = await sessions.create(place.script, person=first.person)
            other = await sessions.start(second.id)
            await sessions.take(second.id, say("a", "大明", seen(other)))
            outcome = await sessions.take(first.id, say("b", "还行", seen(outcome)))
            assert texts(outcome.messages, "ai")[-1].endswith("好的，大明。还有吗？")
            assert noted.unchanged == [False, True, False, True, True]

    run(work())


def test_a_paused_session_is_gone_on_with_from_memory(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            noted = Seen(sessions)
            session, outcome = await place.begun(sessions)
            await sessions.take(session, say("k", "还行", seen(outcome)))
            _, before = kept(sessions, session)
            due = before.state.running.action.wait.due  # type: ignore[union-attr]
            await sessions.pause(session)
            place.clock.pass_(minutes=20)
            await sessions.take(session, Entry("back", "resume"))
            _, after = kept(sessions, session)
            assert after.state.running.action.wait.due == due + timedelta(minutes=20)  # type: ignore[union-attr]
            assert before.state.running.action.wait.due == due  # type: ignore[union-attr]
            assert noted.unchanged == [False, True, True, True]
            await agrees(sessions, session)

    run(work())


def test_nothing_is_remembered_of_who_has_been_erased(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.store.erase_person((await sessions.session(session)).person)
            with pytest.raises(NoSuchSession):
                await sessions.take(session, say("k", "难受", seen(outcome)))
            assert len(sessions._runner.state_cache) == 0

    run(work())


def test_the_order_of_variables_does_not_depend_on_where_they_come_from(place: Place) -> None:
    """Prompts are rendered from it, and an answer is found again by its prompt."""

    async def work() -> None:
        prompts: list[list[str]] = []
        for remembering in (True, False):
            gate = Gate()
            async with place.open(gate.model()) as sessions:
                session, outcome = await place.begun(sessions)
                for number, (kind, words) in enumerate(ANSWERS):
                    if not remembering:
                        change(sessions, "UPDATE leases SET epoch = epoch + 1")
                    given = {"text": words} if kind == "message" else {"choice": words}
                    entry = Entry(f"k{number}", kind, after=seen(outcome), **given)  # type: ignore[arg-type]
                    outcome = await sessions.take(session, entry)
                prompts.append(gate.answered)
        assert prompts[0] == prompts[1]
        assert len(prompts[0]) > 3

    run(work())


# bounds


def session_state(characters: int = 10) -> TurnStart:
    said = Message(1, "person", "话" * characters, START)
    return TurnStart(State(), {}, (said,))


def test_so_many_sessions_are_remembered_and_no_more() -> None:
    memory = StateCache()
    for number in range(SESSIONS + 3):
        memory.keep(f"s{number}", Mark(1, 1), session_state(), START)
    assert len(memory) == SESSIONS
    assert memory.take("s2") is None
    assert memory.take("s3") is not None
    assert memory.take("s3") is None


def test_what_was_not_used_longest_goes_first() -> None:
    memory = StateCache()
    for number in range(SESSIONS):
        memory.keep(f"s{number}", Mark(1, 1), session_state(), START)
    memory.keep("s0", Mark(2, 2), session_state(), START)
    memory.keep("new", Mark(1, 1), session_state(), START)
    assert memory.take("s1") is None
    assert memory.take("s0") == (Mark(2, 2), session_state())


def test_so_many_characters_are_remembered_and_no_more() -> None:
    memory = StateCache()
    memory.keep("a", Mark(1, 1), session_state(CHARACTERS // 2), START)
    memory.keep("b", Mark(1, 1), session_state(CHARACTERS // 2), START)
    assert len(memory) == 2
    memory.keep("c", Mark(1, 1), session_state(1), START)
    assert memory.take("a") is None
    assert len(memory) == 2
    memory.keep("huge", Mark(1, 1), session_state(CHARACTERS + 1), START)
    assert len(memory) == 0
    memory.keep("d", Mark(1, 1), session_state(CHARACTERS), START)
    assert len(memory) == 1


def test_what_was_said_half_an_hour_ago_is_not_kept() -> None:
    memory = StateCache()
    memory.keep("a", Mark(1, 1), session_state(), START)
    memory.keep("b", Mark(1, 1), session_state(), START + timedelta(minutes=29))
    assert len(memory) == 2
    memory.keep("c", Mark(1, 1), session_state(), START + timedelta(minutes=30))
    assert memory.take("a") is None
    assert memory.take("b") is not None


def test_no_more_messages_are_kept_than_a_turn_is_given(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_cache, "HISTORY", 5)
    assert SMALL.count("type: ask") == 3

    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            for number in range(6):
                outcome = await sessions.take(session, say(f"k{number}", "什么意思", seen(outcome)))
            _, session_state = kept(sessions, session)
            loaded: LoadedSession = await sessions.store.load(session, 5)
            assert session_state.history == TurnStart.of(loaded).history
            assert len(session_state.history) == 5

    run(work())


def test_no_words_show_where_a_memory_is_printed() -> None:
    memory = StateCache()
    memory.keep("a", Mark(1, 1), session_state(), START)
    assert "话" not in repr(memory.take("a"))


def test_an_input_that_was_answered_before_costs_no_memory(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            noted = Seen(sessions)
            session, outcome = await place.begun(sessions)
            one = await sessions.take(session, say("a", "难受", seen(outcome)))
            assert await sessions.take(session, say("a", "难受", seen(outcome))) == one
            await sessions.take(session, say("b", "8", seen(one)))
            assert noted.unchanged == [False, True, True]
            await agrees(sessions, session)

    run(work())
