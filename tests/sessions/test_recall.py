"""What a person takes back: nothing of it is left anywhere, and the session stands where it stood before."""

from __future__ import annotations

import asyncio
from dataclasses import fields, is_dataclass
from datetime import timedelta
from typing import Any

import pytest
from tests.sessions.material import SMALL, Place, answer, run, say, seen, texts
from tests.sessions.monitored import Watcher, prepared

from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Closed, Sessions
from heartrule.sessions.counsellor_actions import Counsellor, CounsellorActions
from heartrule.sessions.undo import NothingToRecall
from heartrule.store import Store
from heartrule.store.records import Entry, KeyReused
from heartrule.testing.counsellor import counsel

LIMIT = timedelta(minutes=2)
WORDS = "其实是因为我离婚了这件事"


async def everything(sessions: Sessions, session: str) -> str:
    """All that the store holds of a session, opened."""
    store, record = sessions.store, await sessions.session(session)
    loaded = await store.load(session, 1000)
    found: list[Any] = [record, loaded.state, loaded.variables, await store.messages(session)]
    found += [await store.inbox(session), await store.events(session), await store.calls(session)]
    for number in range(record.seq + 1):
        found += [await store.turn(session, number), await store.snapshot(session, number)]
    for each in await store.escalations.newest(1000):
        found += [each, await store.escalations.note(each.id)] if each.session == session else []
    return repr([unfolded(each) for each in found])


def unfolded(found: Any) -> Any:
    """With what no ``repr`` shows."""
    if isinstance(found, list | tuple):
        return [unfolded(each) for each in found]
    if isinstance(found, dict):
        return {name: unfolded(each) for name, each in found.items()}
    return unfolded(vars_of(found)) if is_dataclass(found) else found


def vars_of(found: Any) -> dict[str, Any]:
    return {each.name: getattr(found, each.name) for each in fields(found)}


async def standing(sessions: Sessions, session: str) -> Any:
    """Where it stands, without what only counts."""
    loaded = await sessions.store.load(session, 0)
    state = dict(loaded.state)
    for name in ("seq", "messages", "keys", "writes", "clock", "heard"):
        state.pop(name, None)
    view = await sessions.view(session)
    return state, sorted((v.scope, v.scope_key, v.name, repr(v.value)) for v in loaded.variables), view.request


def counselled() -> Model:
    return Model([ScriptedProvider(counsel)])


ASKING = """
sessions:
  - session: 问
    id: small
    locale: zh-CN
    declare:
      - {var: 原因, type: text, define: 难受的原因}
      - {var: 几分, type: integer, range: [0, 10], define: 难受几分}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: say, id: hello, content: 你好。}
              - {type: ai_ask, id: why, question: 是为什么呢？, content: 问原因, output: [{get: 原因}]}
              - {type: ai_ask, id: much, question: 有几分难受？, content: 问几分, output: [{get: 几分}]}
              - {type: ask, id: last, content: 还有吗？, output: [{get: 余下}]}
"""


@pytest.mark.parametrize("spoken", [False, True], ids=["script", "model"])
def test_the_last_answer_is_taken_back_with_all_that_came_of_it(place: Place, spoken: bool) -> None:
    async def work() -> None:
        place.script = _file(place, ASKING)
        async with place.open(counselled() if spoken else Model()) as sessions:
            session, begun = await place.begun(sessions)
            before = await standing(sessions, session)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            assert WORDS in await everything(sessions, session)
            taken = await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            assert WORDS not in await everything(sessions, session)
            assert await standing(sessions, session) == before
            assert taken.messages == ()
            rows = await sessions.store.messages(session)
            assert [row.text for row in rows if row.turn == said.turn] == [""] * len(said.messages)
            again = await sessions.take(session, say("said-0002", "因为工作", seen(begun)))
            view = await sessions.view(session)
            assert {v.name: v.value for v in view.variables}["原因"] == "因为工作"
            assert again.request.kind == "message"

    run(work())


def _file(place: Place, content: str) -> str:
    path = place.folder / "asking.yaml"
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_it_can_be_worked_out_again_around_it(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            outcome = await answer(sessions, session, begun)
            assert outcome.execution_status == "completed"
            turns = [each.turn async for each in sessions.replay(session)]
            assert turns == [1, *range(4, outcome.turn + 1)]

    run(work())


def test_the_same_wish_again_is_the_same_turn_and_another_message_is_refused(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            number = said.messages[0].number
            first = await sessions.recall(session, number, "back-0001", LIMIT)
            assert (await sessions.recall(session, number, "back-0001", LIMIT)).turn == first.turn
            with pytest.raises(KeyReused):
                await sessions.recall(session, 1, "back-0001", LIMIT)
            for odd in (number, 1, 0, -1, 999):
                with pytest.raises(NothingToRecall):
                    await sessions.recall(session, odd, f"odd-{odd:05}", LIMIT)
            late = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            assert late.turn == said.turn
            assert WORDS not in await everything(sessions, session)

    run(work())


def test_two_at_once_take_it_back_once(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            number = said.messages[0].number
            wishes = (sessions.recall(session, number, f"back-000{n}", LIMIT) for n in range(3))
            await asyncio.gather(*wishes, return_exceptions=True)
            assert WORDS not in await everything(sessions, session)
            done = await answer(sessions, session, begun)
            assert done.execution_status == "completed"

    run(work())


def test_what_was_said_earlier_loses_its_words_and_nothing_else(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            first = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            await sessions.take(session, say("said-0002", "5 个小时", seen(first)))
            before = await standing(sessions, session)
            await sessions.recall(session, first.messages[0].number, "back-0001", LIMIT)
            rows = {row.number: row.text for row in await sessions.store.messages(session)}
            assert rows[first.messages[0].number] == ""
            assert rows[first.messages[1].number] != ""
            after = await standing(sessions, session)
            assert after[2] == before[2]
            assert "5 个小时" in rows.values()
            assert WORDS not in await everything(sessions, session), "nor in what was taken down word for word"
            values = {each.name: each.value for each in await sessions.store.variables(session)}
            assert (values.get("心情"), values["睡了"]) == (None, 5)
            assert [each.turn async for each in sessions.replay(session)] == [1]

    run(work())


def test_what_was_said_before_is_not_even_opened(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long session is no slower to take something back in than a short one."""
    opened: list[int] = []

    async def work() -> None:
        place.script = _file(place, ASKING)
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            first = await sessions.take(session, say("said-0001", "因为工作", seen(begun)))
            last = await sessions.take(session, say("said-0002", "七分", seen(first)))
            read = Store.messages

            async def noted(store: Store, *given: Any, **more: Any) -> Any:
                found = await read(store, *given, **more)
                opened.extend(each.number for each in found)
                return found

            monkeypatch.setattr(Store, "messages", noted)
            await sessions.recall(session, last.messages[0].number, "back-0001", LIMIT)
            assert min(opened) == last.messages[0].number

    run(work())


def test_while_a_human_holds_it_words_go_and_what_came_of_them_stays(place: Place) -> None:
    """The human has read them, and answers them: the session may not stand where it stood before."""

    async def work() -> None:
        place.script = _file(place, ASKING)
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            reply = (await sessions.store.messages(session))[-1]
            wang = CounsellorActions(sessions, Counsellor("c-1", "王老师", "counsellor"))
            await wang.take_over(session, "t-1")
            taken = await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            assert taken.human is not None
            rows = await sessions.store.messages(session)
            assert [row.text for row in rows if row.turn == said.turn] == ["", reply.text]
            assert WORDS not in await everything(sessions, session)
            back = await wang.hand_back(session, "h-1")
            assert back.position["action"]["id"] == "much"

    run(work())


def test_a_short_word_that_is_taken_back_takes_no_word_of_the_script_with_it(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            first = await sessions.take(session, say("said-0001", "lately", seen(begun)))
            second = await sessions.take(session, say("said-0002", "5", seen(first)))
            for number, each in enumerate((first, second)):
                place.clock.pass_(minutes=3)
                await sessions.recall(session, each.messages[0].number, f"back-000{number}", LIMIT)
            outcome = await answer(sessions, session, second, first=2)
            assert outcome.execution_status == "completed"
            assert texts(await sessions.store.messages(session))[:2] == ["", ""]

    run(work())


def test_what_was_said_too_long_ago_too(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            place.clock.pass_(minutes=3)
            await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            view = await sessions.view(session)
            assert view.request.kind == "message"
            assert [m.text for m in view.messages][-1] == said.messages[-1].text
            assert texts(view.messages) == [""]

    run(work())


def test_of_several_words_of_one_answer_the_others_are_answered(place: Place) -> None:
    async def work() -> None:
        gate_model = counselled()
        place.script = _file(place, ASKING)
        async with place.open(gate_model) as sessions:
            session, begun = await place.begun(sessions)
            both = await asyncio.gather(
                sessions.take(session, say("said-0001", "因为工作", seen(begun))),
                sessions.take(session, say("said-0002", WORDS, seen(begun))),
            )
            assert texts(both[0].messages) == ["因为工作", WORDS]
            number = next(m.number for m in both[0].messages if m.text == WORDS)
            again = await sessions.recall(session, number, "back-0001", LIMIT)
            assert WORDS not in await everything(sessions, session)
            assert texts(again.messages) == ["因为工作"]
            view = await sessions.view(session)
            assert {v.name: v.value for v in view.variables}["原因"] == "因为工作"
            assert [text for text in texts(view.messages) if text] == ["因为工作"]

    run(work())


def test_of_several_words_of_one_answer_one_after_the_other_goes(place: Place) -> None:
    """The second was said again in the turn that took the first back: nothing of it is left either, the session stands
    where it stood before both, and what is left can be worked out and looked at."""
    other = "还有我丢了工作这一件大事情"

    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            before = await standing(sessions, session)
            await sessions.store.accept(session, say("said-0001", WORDS, seen(begun)), place.clock.now())
            both = await sessions.take(session, say("said-0002", other, seen(begun)))
            first = await sessions.recall(session, both.messages[0].number, "back-0001", LIMIT)
            again = next(each for each in first.messages if each.text == other)
            second = await sessions.recall(session, again.number, "back-0002", LIMIT)
            assert (first.rewound, second.rewound) == (True, True)
            held = await everything(sessions, session)
            assert WORDS not in held
            assert other not in held
            assert await standing(sessions, session) == before
            assert [each.turn async for each in sessions.replay(session)] == [1]
            for turn in (2, 3, 4):
                assert await sessions.debugged(session, turn) is not None
            assert (await answer(sessions, session, begun)).execution_status == "completed"
            assert [each.turn async for each in sessions.replay(session)] == [1, 5, 6, 7, 8]

    run(work())


def test_of_one_answer_in_parts_only_the_one_part_goes_later(place: Place) -> None:
    other = "还有我丢了工作这一件大事情"

    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            await sessions.store.accept(session, say("said-0001", WORDS, seen(begun)), place.clock.now())
            both = await sessions.take(session, say("said-0002", other, seen(begun)))
            place.clock.pass_(minutes=3)
            await sessions.recall(session, both.messages[0].number, "back-0001", LIMIT)
            assert WORDS not in await everything(sessions, session)
            assert {each.name: each.value for each in await sessions.store.variables(session)}["心情"] == other

    run(work())


@pytest.mark.parametrize("said", ["2026-11-20T09", "2026-11-20T09:00", "safety/crisis_support", "[{}]{}[{}]{}[]"])
def test_words_that_look_like_the_programs_own_spoil_nothing(place: Place, said: str) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            first = await sessions.take(session, say("said-0001", said, seen(begun)))
            await sessions.take(session, say("said-0002", "5 个小时", seen(first)))
            await sessions.recall(session, first.messages[0].number, "back-0001", LIMIT)
            assert (await sessions.session(session)).status == "active"
            danger = await sessions.take(session, say("said-0003", "我想死"))
            assert danger.position["topic"]["id"].startswith("safety/")

    run(work())


@pytest.mark.parametrize("said", [f"  {WORDS}\n\n然后呢  ", f"{WORDS}（真的）ＡＢＣ！", f"{WORDS}。"])
def test_what_was_tidied_up_before_it_was_kept_is_found_too(place: Place, said: str) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            first = await sessions.take(session, say("said-0001", said, seen(begun)))
            await sessions.take(session, say("said-0002", "5 个小时", seen(first)))
            await sessions.recall(session, first.messages[0].number, "back-0001", LIMIT)
            assert WORDS not in await everything(sessions, session)

    run(work())


def test_what_is_quoted_later_is_forgotten(place: Place) -> None:
    quoting = SMALL.replace("content: 还有什么想说的？", 'content: "你刚才说“{心情}”，还有什么想说的？"')

    async def work() -> None:
        place.script = _file(place, quoting)
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            first = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            second = await sessions.take(session, say("said-0002", "5 个小时", seen(first)))
            third = await sessions.take(session, Entry("said-0003", "choice", choice="谈", after=seen(second)))
            assert WORDS in third.messages[-1].text
            await sessions.recall(session, first.messages[0].number, "back-0001", LIMIT)
            assert WORDS not in await everything(sessions, session)
            assert "还有什么想说的" in (await sessions.view(session)).messages[-1].text

    run(work())


def test_another_session_that_read_it_forgets_it(place: Place) -> None:
    script = ASKING.replace("{var: 原因, type: text,", "{var: 原因, scope: global, type: text,")

    async def work() -> None:
        place.script = _file(place, script)
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            person = (await sessions.session(session)).person
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            other = await sessions.create(place.script, person)
            there = await sessions.start(other.id)
            await sessions.take(other.id, say("there-001", "因为别的事", seen(there)))
            await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            assert WORDS not in await everything(sessions, session)
            assert WORDS not in await everything(sessions, other.id)
            assert (await sessions.take(other.id, say("there-002", "5"))).execution_status == "waiting_input"

    run(work())


def test_the_session_that_it_was_taken_over_from_forgets_it(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            made = await sessions.start_over(session, place.script)
            await sessions.start(made.id)
            number = next(each.number for each in await sessions.store.messages(made.id) if each.text == WORDS)
            await sessions.recall(made.id, number, "back-0001", LIMIT)
            assert WORDS not in await everything(sessions, made.id)
            assert WORDS not in await everything(sessions, session)

    run(work())


def test_what_was_filled_in_after_it_stays(place: Place) -> None:
    from tests.server.test_forms import SCRIPT

    async def work() -> None:
        place.script = _file(place, SCRIPT)
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            assert begun.request.form is not None
            said = await sessions.take(session, say("said-0001", "这个问题是什么意思呢", seen(begun)))
            filled = '{"key": "", "values": {"note": "写了很久的话，很多很多", "q1": 1}}'
            await sessions.take(session, Entry("draft-001", "form_draft", text=filled))
            back = await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            assert back.request.form is not None
            assert back.request.form.values == {"note": "写了很久的话，很多很多", "q1": 1}

    run(work())


def test_advice_about_what_was_taken_back_is_not_kept(place: Place) -> None:
    """It was on its way when the words it quotes were taken back."""
    advice = {
        "intervention_needed": True,
        "intervention_reason": "blocked",
        "feedback_for_action": f"来访者说{WORDS}，慢一点。",
    }

    async def work() -> None:
        watcher = Watcher(answer=advice)
        async with prepared(place).open(watcher.model()) as sessions:
            session, begun = await place.begun(sessions)
            await sessions.settled()
            watcher.opened.clear()
            watcher.begun.clear()
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            await asyncio.wait_for(watcher.begun.wait(), 20)
            number = next(each.number for each in said.messages if each.sender == "person")
            await sessions.recall(session, number, "back-0001", LIMIT)
            watcher.opened.set()
            await sessions.settled()
            assert WORDS not in await everything(sessions, session)

    run(work())


DANGER = "我不想活了，已经买好了药"


def test_a_crisis_is_not_taken_back(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", DANGER, seen(begun)))
            assert said.position["topic"]["id"].startswith("safety/")
            back = await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            held = await everything(sessions, session)
            assert DANGER not in held
            assert "买好了药" not in held
            assert back.position["topic"]["id"].startswith("safety/")
            assert back.messages, "the technique begins anew"
            verdicts = await sessions.store.events(session, ("awareness",), turn=said.turn)
            assert "yes" in [each.data["verdict"] for each in verdicts]
            assert not any(each.data.get("evidence") or each.data.get("reason") for each in verdicts)

    run(work())


def test_it_can_be_taken_back_when_the_session_is_over(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            await sessions.end(session)
            ended = (await sessions.session(session)).ended_at
            place.clock.pass_(hours=2)
            await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            rows = await sessions.store.messages(session)
            assert texts(rows) == [""]
            record = await sessions.session(session)
            assert (record.status, record.ended_at) == ("ended", ended)
            with pytest.raises(Closed):
                await sessions.take(session, say("said-0009", "还有"))

    run(work())


def test_what_came_by_itself_since_goes_with_it(place: Place) -> None:
    """A timeout has struck meanwhile: it was a consequence, too."""

    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            place.clock.pass_(minutes=11)
            assert await sessions.sweep() == 1
            back = await sessions.recall(session, said.messages[0].number, "back-0001", timedelta(minutes=30))
            rows = await sessions.store.messages(session)
            assert [row.text for row in rows if row.turn > 1] == [""] * (len(rows) - len(begun.messages))
            assert back.request.kind == "message"
            assert (await answer(sessions, session, begun)).execution_status == "completed"

    run(work())


def test_one_after_the_other(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            first = await sessions.take(session, say("said-0001", "提不起劲", seen(begun)))
            second = await sessions.take(session, say("said-0002", WORDS, seen(first)))
            await sessions.recall(session, second.messages[0].number, "back-0002", LIMIT)
            await sessions.recall(session, first.messages[0].number, "back-0001", LIMIT)
            held = await everything(sessions, session)
            assert WORDS not in held
            assert "提不起劲" not in held
            assert (await answer(sessions, session, begun)).execution_status == "completed"

    run(work())


def test_what_the_person_is_known_by_is_as_it_was(place: Place) -> None:
    script = ASKING.replace("  - session: 问", "  - session: 问").replace(
        "{var: 原因, type: text,", "{var: 原因, scope: global, type: text,"
    )

    async def work() -> None:
        place.script = _file(place, script)
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            person = (await sessions.session(session)).person
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            other = await sessions.create(place.script, person)
            await sessions.start(other.id)
            assert WORDS not in await everything(sessions, other.id)

    run(work())


def test_it_survives_another_process(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
        async with place.open() as sessions:
            await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
        async with place.open() as sessions:
            assert WORDS not in await everything(sessions, session)
            assert (await answer(sessions, session, begun)).execution_status == "completed"

    run(work())


def test_a_wish_that_a_crash_left_is_carried_out(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            said = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            text = f'{{"message": {said.messages[0].number}, "within": 120.0}}'
            await sessions.store.accept(session, Entry("back-0001", "recall", text=text), place.clock.now())
        async with place.open() as sessions:
            assert await sessions.sweep() == 1
            assert WORDS not in await everything(sessions, session)

    run(work())
