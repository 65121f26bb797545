"""The sessions' door: create, start, take, look, end; keys, persons, what a starter brings, and odd words."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError
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

from heartrule.language.findings import Refused
from heartrule.sessions import CannotRestore, Closed, NoSuchSession
from heartrule.store.records import Entry, Gone, KeyReused


def test_a_session_from_beginning_to_end(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            assert (record.status, record.seq, record.locale) == ("created", 0, "zh-CN")
            outcome = await sessions.start(record.id)
            assert texts(outcome.messages, "ai") == ["你好。", "最近心情怎样？"]
            assert (outcome.turn, outcome.execution_status, outcome.request.kind) == (1, "waiting_input", "message")
            assert outcome.position["action"]["id"] == "mood"
            outcome = await answer(sessions, record.id, outcome)
            assert (outcome.status, outcome.execution_status, outcome.request.kind) == ("ended", "completed", "none")
            view = await sessions.view(record.id)
            assert texts(view.messages) == ["提不起劲", "5 个小时", "接着谈", "没有了"]
            assert [message.number for message in view.messages] == list(range(1, len(view.messages) + 1))
            assert (view.life, view.model, view.request.kind) == ("ended", False, "none")
            assert await value(sessions, record.id, "睡了") == 5

    run(work())


def test_view_before_the_start(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            view = await sessions.view(record.id)
            assert (view.life, view.messages, view.request.kind) == ("created", (), "none")
            assert view.position == {"phase": None, "topic": None, "action": None}
            assert [phase["done"] for phase in view.progress["phases"]] == [False]

    run(work())


def test_progress_says_where_the_session_stands(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            assert outcome.progress["phases"] == [
                {"id": "talk", "name": "谈", "done": False, "current": True, "counted": True}
            ]
            outcome = await answer(sessions, session, outcome)
            assert outcome.progress["phases"] == [
                {"id": "talk", "name": "谈", "done": True, "current": False, "counted": True}
            ]

    run(work())


def test_why_tells_the_latest_decisions(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            why = await sessions.why(session)
            assert {each.kind for each in why} <= {"exit", "awareness", "directive", "judged", "late", "fault"}
            assert [each.turn for each in why] == sorted(each.turn for each in why)
            assert any(each.kind == "awareness" for each in why)
            assert len(await sessions.why(session, limit=1)) == 1

    run(work())


def test_recent_are_the_newest_first(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            one = await sessions.create(place.script)
            place.clock.pass_(minutes=1)
            two = await sessions.create(place.script, person=one.person)
            place.clock.pass_(minutes=1)
            other = await sessions.create(place.script)
            assert [r.id for r in await sessions.recent()] == [other.id, two.id, one.id]
            place.clock.pass_(minutes=1)
            await sessions.start(one.id)
            assert [r.id for r in await sessions.recent(one.person)] == [one.id, two.id]
            assert await sessions.recent("nobody") == []

    run(work())


def test_without_a_person_each_session_gets_one_of_its_own(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            one, two = await sessions.create(place.script), await sessions.create(place.script)
            assert one.person != two.person
            known = await sessions.store.new_person("somebody")
            assert (await sessions.create(place.script, person=known)).person == known
            with pytest.raises(Gone):
                await sessions.create(place.script, person="nobody")

    run(work())


@pytest.mark.parametrize("what", ["take", "start", "view", "session", "why", "end", "start_over"])
def test_a_session_that_is_not_there(place: Place, what: str) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            with pytest.raises(NoSuchSession):
                await (sessions.take("none", say("k", "在吗")) if what == "take" else getattr(sessions, what)("none"))

    run(work())


def test_a_session_whose_person_was_erased_is_gone(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            record = await sessions.session(session)
            await sessions.store.erase_person(record.person)
            with pytest.raises(NoSuchSession):
                await sessions.take(session, say("k", "在吗", seen(outcome)))
            assert await sessions.recent() == []

    run(work())


def test_erased_while_the_model_is_asked(place: Place) -> None:
    async def work() -> None:
        import asyncio

        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            taking = asyncio.create_task(sessions.take(session, say("k", "在吗", seen(outcome))))
            await gate.asked.wait()
            await sessions.store.erase_person((await sessions.session(session)).person)
            gate.opened.set()
            with pytest.raises(NoSuchSession):
                await taking

    run(work())


def test_a_script_that_does_not_load(place: Place) -> None:
    async def work() -> None:
        script_file(place.folder, "sessions:\n  - session: x\n    id: x\n    phasen: []\n")
        async with place.open() as sessions:
            with pytest.raises(Refused) as refused:
                await sessions.create(place.script)
            assert refused.value.findings
            with pytest.raises(Refused):
                await sessions.create("cbt/none_such")
            assert await sessions.recent() == []

    run(work())


# keys


def test_the_same_key_gives_the_same_turn(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            assert await sessions.start(session) == outcome
            entry = say("k", "还行", seen(outcome))
            first = await sessions.take(session, entry)
            second = await sessions.take(session, say("l", "七个小时", seen(first)))
            dumped = await sessions.store.dump(session)
            assert await sessions.take(session, entry) == first
            assert await sessions.start(session) == outcome
            assert await sessions.take(session, say("l", "七个小时", seen(first))) == second
            assert await sessions.store.dump(session) == dumped

    run(work())


@pytest.mark.parametrize(
    "other",
    [
        say("k", "不行", 2),
        say("k", "还行", 1),
        say("k", "还行"),
        Entry("k", "choice", choice="还行", after=2),
        Entry("k", "choice", text="还行", after=2),
        Entry("start", "message", text="还行"),
    ],
    ids=["words", "after", "no-after", "choice", "kind", "the-start's"],
)
def test_the_same_key_with_another_body_changes_nothing(place: Place, other: Entry) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            assert seen(outcome) == 2
            await sessions.take(session, say("k", "还行", 2))
            dumped = await sessions.store.dump(session)
            with pytest.raises(KeyReused):
                await sessions.take(session, other)
            assert await sessions.store.dump(session) == dumped
            assert await sessions.store.holder(session) is None

    run(work())


def test_keys_of_two_sessions_do_not_meet(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            one, _ = await place.begun(sessions)
            two, _ = await place.begun(sessions)
            await sessions.take(one, say("k", "累", 2))
            assert texts((await sessions.take(two, say("k", "烦", 2))).messages) == ["烦"]

    run(work())


def test_a_repeated_key_of_an_ended_session_is_still_answered(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            last = await answer(sessions, session, outcome)
            with pytest.raises(Closed):
                await sessions.take(session, say("new", "还有"))
            kind, words = ANSWERS[-1]
            entry = Entry("answer 3", kind, text=words, after=last.messages[0].number - 1)  # type: ignore[arg-type]
            assert await sessions.take(session, entry) == last
            assert await sessions.start(session) == outcome
            place.clock.pass_(days=3)
            assert await sessions.take(session, entry) == last
            with pytest.raises(KeyReused):
                await sessions.take(session, say("answer 3", "别的"))
            assert "还有" not in texts((await sessions.view(session)).messages)

    run(work())


# starting


def test_what_a_starter_brings_is_there_from_the_first_turn(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            given: dict[str, Any] = {"心情": "低落", "睡了": "6", "来过": "是", "备注": {"渠道": ["网页", 1, None]}}
            session, _ = await place.begun(sessions, variables=given)
            assert await value(sessions, session, "心情") == "低落"
            assert await value(sessions, session, "睡了") in (6, None)  # a declared type: a number or nothing, no text
            assert await value(sessions, session, "来过") in (True, None)
            assert given == {"心情": "低落", "睡了": "6", "来过": "是", "备注": {"渠道": ["网页", 1, None]}}

    run(work())


@pytest.mark.parametrize("bad", ["很多", 99, -1, [1], {"a": 1}, True, 5.5], ids=str)
def test_a_given_value_that_its_type_refuses_is_not_written(place: Place, bad: Any) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions, variables={"睡了": bad, "心情": "好"})
            assert await value(sessions, session, "睡了") is None
            assert await value(sessions, session, "心情") == "好"
            assert any(each.kind == "fault" for each in await sessions.why(session))

    run(work())


def test_what_cannot_be_stored_makes_no_session(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            with pytest.raises(TypeError) as caught:
                await sessions.create(place.script, variables={"秘": {1, 2}})
            assert "秘" not in str(caught.value)
            assert await sessions.recent() == []

    run(work())


def test_words_before_the_start_begin_it(place: Place) -> None:
    """The first question is asked first; words that nobody had asked for answer nothing."""

    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script, variables={"心情": "低落"})
            outcome = await sessions.take(record.id, say("early", "你好在吗", 0))
            view = await sessions.view(record.id)
            assert texts(view.messages, "ai")[:2] == ["你好。", "最近心情怎样？"]
            assert texts(view.messages) == ["你好在吗"]
            assert outcome.turn == 2
            assert view.position["action"]["id"] == "mood"
            assert await value(sessions, record.id, "心情") == "低落"
            assert (await sessions.start(record.id)).turn == 1

    run(work())


def test_the_first_turn_is_when_it_is_started_not_when_it_was_made(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            place.clock.pass_(hours=2)
            outcome = await sessions.start(record.id)
            assert {message.at for message in outcome.messages} == {place.clock.now()}
            assert (await sessions.view(record.id)).life == "active"

    run(work())


# words


ODD = [
    "a\x00b",
    "\ud800半个字",
    "\ud83d\ude00 和 😀",
    "{%crisis_contacts%} {{心情}} ${x} {心情} $& \\1",
    "\u202eRTL \u200f\u200b\ufeff",
    "\r\n\r\n  \t",
    "",
    "睡不着" * 350_000,
]


@pytest.mark.parametrize("words", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("model", [False, True], ids=["script", "model"])
def test_odd_words_come_back_as_they_were(place: Place, words: str, model: bool) -> None:
    async def work() -> None:
        async with place.open(Gate().model() if model else None) as sessions:
            session, outcome = await place.begun(sessions)
            outcome = await sessions.take(session, say("k", words, seen(outcome)))
            assert texts(outcome.messages) == [words]
            assert texts(outcome.messages, "ai")
            assert all("020-" not in said and "12356" not in said for said in texts(outcome.messages, "ai"))
        async with place.open() as sessions:
            view = await sessions.view(session)
            assert words in texts(view.messages)

    run(work())


def test_odd_keys(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            for number, key in enumerate(["\x00", "\ud800", "", "k" * 100_000]):
                turn = await sessions.take(session, say(key, f"第 {number} 句", seen(outcome)))
                assert await sessions.take(session, say(key, f"第 {number} 句", seen(outcome))) == turn

    run(work())


# faults of the database


def test_a_failing_database_says_nothing_and_leaves_nothing_half_done(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            before = await sessions.store.dump(session)
            change(sessions, "CREATE TRIGGER broken BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END")
            entry = say("k", "我的秘密", seen(outcome))
            with pytest.raises(DBAPIError) as caught:
                await sessions.take(session, entry)
            assert "秘密" not in str(caught.value) + repr(caught.value)
            after = await sessions.store.dump(session)
            assert {k: v for k, v in after.items() if k != "inbox"} == {k: v for k, v in before.items() if k != "inbox"}
            assert [item["turn"] for item in after["inbox"]] == [1, None]
            assert await sessions.store.holder(session) is None
            change(sessions, "DROP TRIGGER broken")
            assert await sessions.sweep() == 1  # the database was away, not the session
            assert texts((await sessions.take(session, entry)).messages) == ["我的秘密"]

    run(work())


def test_a_failing_database_at_the_door_takes_nothing(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            change(sessions, "CREATE TRIGGER broken BEFORE INSERT ON inbox BEGIN SELECT RAISE(ABORT, 'no'); END")
            with pytest.raises(DBAPIError):
                await sessions.take(session, say("k", "我的秘密", seen(outcome)))
            assert len(await sessions.store.inbox(session)) == 1
            change(sessions, "DROP TRIGGER broken")
            assert (await sessions.take(session, say("k", "我的秘密", seen(outcome)))).turn == 2

    run(work())


# the script a session is pinned to


def test_a_running_session_keeps_its_own_script(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            script_file(place.folder, SMALL.replace("昨晚睡了几个小时？", "睡得怎样（新）？"))
            outcome = await sessions.take(session, say("k", "累", seen(outcome)))
            assert "昨晚睡了几个小时？" in texts(outcome.messages, "ai")[-1]
            newer, new_outcome = await place.begun(sessions)
            new_outcome = await sessions.take(newer, say("k", "累", seen(new_outcome)))
            assert "睡得怎样（新）？" in texts(new_outcome.messages, "ai")[-1]
        script_file(place.folder, "no yaml: [")
        async with place.open() as sessions:
            assert (await sessions.session(session)).bundle != (await sessions.session(newer)).bundle
            outcome = await answer(sessions, session, outcome, first=1)
            assert outcome.execution_status == "completed"
            with pytest.raises(Refused):
                await sessions.create(place.script)

    run(work())


def test_a_missing_bundle_cannot_be_gone_on_with(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.take(session, say("k", "累", seen(outcome)))
            change(sessions, "DELETE FROM bundle_sources")
        async with place.open() as sessions:
            with pytest.raises(CannotRestore):
                await sessions.view(session)
            with pytest.raises(CannotRestore):
                await sessions.take(session, say("l", "七个小时", 4))
            assert (await sessions.session(session)).status == "interrupted"
            with pytest.raises(CannotRestore):
                await sessions.start_over(session)  # a file outside the library is not found by its id
            over = await sessions.start_over(session, place.script)
            await sessions.start(over.id)
            assert texts((await sessions.view(over.id)).messages) == ["累", "七个小时"]  # also what nobody answered

    run(work())
