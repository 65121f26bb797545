"""A counsellor takes a session over, writes and hands back: in whatever state it is, whoever else comes, on record."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from tests.sessions.material import Gate, Place, answer, run, say, seen, texts
from tests.sessions.speaking import GO_ON, HEARD, Turn, held
from tests.sessions.test_replay import again

from heartrule.sessions import Closed, NoSuchSession, Sessions
from heartrule.sessions.counsellor_actions import Counsellor, CounsellorActions, NotTaken, Taken
from heartrule.store.records import Entry, KeyReused

WANG = Counsellor("c-1", "王老师", "counsellor")
LI = Counsellor("c-2", "李老师", "counsellor")


async def deeds(sessions: Sessions, session: str) -> list[tuple[str, str]]:
    """Oldest first."""
    found = await sessions.store.audit.newest(session=session)
    return [(each.who, each.what) for each in reversed(found)]


def senders(messages: Sequence[Any]) -> list[str]:
    return [message.sender for message in messages]


async def finish(sessions: Sessions, session: str) -> None:
    outcome = await sessions.take(session, say("go on", "提不起劲"))
    outcome = await answer(sessions, session, outcome, first=1)
    assert outcome.execution_status == "completed"


def test_cleared_at_hand_back_is_on_record_and_replayed_exactly(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.take(session, say("a-1", "我不想活了", seen(outcome)))
            wang = CounsellorActions(sessions, WANG)
            await wang.take_over(session, "t-1")
            back = await wang.hand_back(session, "h-1", closed=True)
            assert back.position["topic"]["id"] == "lately"
            assert await deeds(sessions, session) == [("c-1", "takeover"), ("c-1", "cleared")]
            assert [each.turn async for each in sessions.replay(session)] == [1, 2, 3, 4]

    run(work())


def test_what_waits_for_the_person_survives_a_restart_and_is_replayed_exactly(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.take(session, say("a-1", "我不想活了", seen(outcome)))
            wang = CounsellorActions(sessions, WANG)
            await wang.take_over(session, "t-1")
            back = await wang.hand_back(session, "h-1", closed=True, then="wait", text="明天三点见。")
            assert senders(back.messages) == ["human", "system"]
        async with place.open() as other:
            heard = await other.take(session, say("p-1", "没人在乎我"))
            assert senders(heard.messages) == ["person", "ai", "ai"]
            assert heard.messages[-1].text.endswith("最近心情怎样？")
            await CounsellorActions(other, WANG).take_over(session, "t-2")
            ended = await CounsellorActions(other, WANG).hand_back(session, "h-2", then="end", text="先到这里。")
            assert ended.messages[0].text == "先到这里。"
            assert (await other.session(session)).status == "ended"
            assert await deeds(other, session) == [
                ("c-1", "takeover"),
                ("c-1", "cleared"),
                ("c-1", "takeover"),
                ("c-1", "ended"),
            ]
            assert len(await again(other, session)) == (await other.session(session)).seq

    run(work())


def test_from_takeover_to_hand_back_and_replayed_exactly(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            wang = CounsellorActions(sessions, WANG)
            taken = await wang.take_over(session, "t-1")
            assert taken.human is not None
            assert (taken.human.id, taken.human.name) == ("c-1", "王老师")
            assert (taken.request.kind, senders(taken.messages)) == ("message", ["system"])
            written = await wang.speak(session, "w-1", "你好，我在。")
            (message,) = written.messages
            assert (message.sender, message.text, message.metadata) == ("human", "你好，我在。", {"name": "王老师"})
            heard = await sessions.take(session, say("p-1", "我睡不着"))
            assert senders(heard.messages) == ["person"]
            record = await sessions.session(session)
            assert record.human is not None
            assert record.human.name == "王老师"
            back = await wang.hand_back(session, "h-1")
            assert senders(back.messages) == ["system", "ai"]
            assert back.messages[-1].text.endswith("最近心情怎样？")
            assert back.human is None
            assert (await sessions.session(session)).human is None
            await finish(sessions, session)
            assert await deeds(sessions, session) == [("c-1", "takeover"), ("c-1", "write"), ("c-1", "hand_back")]
            assert len(await again(sessions, session)) == (await sessions.session(session)).seq
        async with place.open() as other:
            await again(other, session)

    run(work())


def test_it_goes_on_in_another_process(place: Place) -> None:
    async def work() -> None:
        async with place.open() as one, place.open() as other:
            session, _ = await place.begun(one)
            await CounsellorActions(one, WANG).take_over(session, "t-1")
            heard = await other.take(session, say("p-1", "有人吗"))
            assert senders(heard.messages) == ["person"]
            await CounsellorActions(other, WANG).speak(session, "w-1", "有，我在。")
            await CounsellorActions(one, WANG).hand_back(session, "h-1")
            await finish(other, session)

    run(work())


def test_a_reply_that_is_being_shown_ends_where_it_is_and_stands(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        taken = await CounsellorActions(turn.sessions, WANG).take_over(turn.session, "t-1")
        answered = await turn.taking
        assert taken.turn == answered.turn + 1
        assert answered.messages[-1].text.startswith(HEARD)
        assert "是从" not in answered.messages[-1].text
        assert senders(taken.messages) == ["system"]
        assert taken.human is not None

    held(work, talk)


def test_a_reply_of_which_nothing_was_shown_is_given_up_and_the_human_answers(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        taken = await CounsellorActions(turn.sessions, WANG).take_over(turn.session, "t-1")
        kept = await turn.taking
        assert kept.turn == taken.turn + 1
        assert [(m.sender, m.text) for m in kept.messages] == [("person", "很难受")]
        assert kept.human is not None
        assert len(turn.mouth.requests) == 1
        await again(turn.sessions, turn.session)

    held(work, talk)


def test_what_is_said_while_a_human_holds_it_asks_no_model(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, _ = await place.begun(sessions)
            asked = len(gate.requests)
            wang = CounsellorActions(sessions, WANG)
            await wang.take_over(session, "t-1")
            await sessions.take(session, say("p-1", "我不想活了"))
            await wang.speak(session, "w-1", "我在这里。")
            await wang.hand_back(session, "h-1")
            assert len(gate.requests) == asked
            seen_ = [why.data for why in await sessions.why(session) if why.kind == "awareness"]
            explicit = [data for data in seen_ if data["verdict"] == "yes" and data["priority"] == "P0"]
            assert explicit
            assert all(data["handled"] for data in explicit)

    run(work())


def test_the_second_counsellor_is_told_who_holds_it(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            await CounsellorActions(sessions, WANG).take_over(session, "t-1")
            li = CounsellorActions(sessions, LI)
            for deed in (li.take_over(session, "t-2"), li.speak(session, "w-2", "…"), li.hand_back(session, "h-2")):
                with pytest.raises(Taken) as refused:
                    await deed
                assert refused.value.holder.name == "王老师"
            assert await deeds(sessions, session) == [("c-1", "takeover")]
            relieved = await li.take_over(session, "t-3", instead="c-1")
            assert relieved.human is not None
            assert relieved.human.id == "c-2"
            with pytest.raises(Taken):
                await CounsellorActions(sessions, WANG).speak(session, "w-1", "还是我")

    run(work())


def test_of_two_at_once_one_has_it_and_the_other_is_told(place: Place) -> None:
    async def work() -> None:
        async with place.open() as one, place.open() as other:
            session, _ = await place.begun(one)
            both = (
                CounsellorActions(one, WANG).take_over(session, "t-1"),
                CounsellorActions(other, LI).take_over(session, "t-2"),
            )
            found = await asyncio.gather(*both, return_exceptions=True)
            assert sorted(type(each).__name__ for each in found) == ["Outcome", "Taken"]
            holder = (await one.session(session)).human
            assert holder is not None
            refused = next(each for each in found if isinstance(each, Taken))
            assert refused.holder.id == holder.id

    run(work())


def test_nobody_speaks_in_a_session_that_was_not_taken_over(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            wang = CounsellorActions(sessions, WANG)
            for deed in (wang.speak(session, "w-1", "你好"), wang.hand_back(session, "h-1")):
                with pytest.raises(NotTaken):
                    await deed
            assert len(await sessions.store.messages(session)) == 2
            assert await deeds(sessions, session) == []

    run(work())


def test_a_paused_session_is_resumed_and_timers_begin_anew(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, asked = await place.begun(sessions)
            await sessions.take(session, say("p-1", "提不起劲", seen(asked)))
            assert (await sessions.session(session)).wake_at is not None
            await sessions.pause(session, "pause")
            place.clock.pass_(hours=3)
            wang = CounsellorActions(sessions, WANG)
            await wang.take_over(session, "t-1")
            record = await sessions.session(session)
            assert (record.status, record.wake_at) == ("active", None)
            await sessions.pause(session, "pause again")
            await wang.speak(session, "w-1", "慢慢来。")
            assert (await sessions.session(session)).status == "paused"
            await sessions.take(session, Entry("resume", "resume"))
            await wang.hand_back(session, "h-1")
            record = await sessions.session(session)
            assert record.wake_at == place.clock.now() + timedelta(minutes=10)
            await again(sessions, session)

    run(work())


def test_one_that_is_over_is_refused(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            wang = CounsellorActions(sessions, WANG)
            ended, _ = await place.begun(sessions)
            await wang.take_over(ended, "t-0")
            await sessions.end(ended)
            assert (await sessions.session(ended)).human is None
            old, _ = await place.begun(sessions)
            place.clock.pass_(hours=25)
            for session in (ended, old):
                with pytest.raises(Closed):
                    await wang.take_over(session, "t-1")
            with pytest.raises(NoSuchSession):
                await wang.take_over("nothing", "t-1")
            assert await deeds(sessions, old) == []

    run(work())


def test_one_that_has_not_begun_begins_and_is_taken_over(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            taken = await CounsellorActions(sessions, WANG).take_over(record.id, "t-1")
            assert taken.turn == 2
            assert senders(await sessions.store.messages(record.id)) == ["ai", "ai", "system"]

    run(work())


def test_the_same_key_is_the_same_deed_and_stands_once_on_record(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            wang = CounsellorActions(sessions, WANG)
            first = await wang.take_over(session, "t-1")
            assert await wang.take_over(session, "t-1") == first
            said = await wang.speak(session, "w-1", "你好")
            assert await wang.speak(session, "w-1", "你好") == said
            with pytest.raises(KeyReused):
                await wang.speak(session, "w-1", "别的")
            assert await deeds(sessions, session) == [("c-1", "takeover"), ("c-1", "write")]

    run(work())


def test_a_deed_that_was_accepted_before_a_crash_is_done_by_whoever_sweeps(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            taking = sessions.take
            sessions.take = _fails  # type: ignore[method-assign]
            with pytest.raises(ConnectionResetError):
                await CounsellorActions(sessions, WANG).take_over(session, "t-1")
            sessions.take = taking  # type: ignore[method-assign]
            assert (await sessions.session(session)).human is None
            await sessions.sweep()
            assert (await sessions.session(session)).human is not None
            assert await deeds(sessions, session) == [("c-1", "takeover")]

    run(work())


async def _fails(*_: Any) -> Any:
    raise ConnectionResetError


def test_looking_is_on_record_and_stays_when_the_person_is_erased(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            wang = CounsellorActions(sessions, WANG)
            await wang.read(session)
            await wang.take_over(session, "t-1")
            await wang.speak(session, "w-1", "绝密的一句话")
            await sessions.store.erase_person((await sessions.session(session)).person)
            assert await deeds(sessions, session) == [("c-1", "read"), ("c-1", "takeover"), ("c-1", "write")]
            kept = repr(await sessions.store.audit.newest())
            assert "绝密" not in kept
            with pytest.raises(NoSuchSession):
                await wang.speak(session, "w-2", "还在吗")

    run(work())


def test_words_that_came_together_with_the_takeover_are_kept(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, asked = await place.begun(sessions)
            wang = CounsellorActions(sessions, WANG)
            said = [sessions.take(session, say(f"p-{n}", f"第{n}句", seen(asked))) for n in range(4)]
            await asyncio.gather(*said, wang.take_over(session, "t-1"))
            await wang.hand_back(session, "h-1")
            messages = await sessions.store.messages(session)
            assert sorted(texts(messages)) == [f"第{n}句" for n in range(4)]
            assert [message.number for message in messages] == list(range(1, len(messages) + 1))
            await again(sessions, session)

    run(work())
