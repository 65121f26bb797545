"""Words that are shown while they are written: saved first, never withdrawn, and one transcript whatever happens."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.sessions.material import Place, run, say, seen
from tests.sessions.speaking import ASKED, END, FOUND, GO_ON, HEARD, Mouth, Turn, held, texts, under_way

from heartrule.llm.provider import Heard, Reply, Request


def test_each_sentence_is_shown_as_it_comes_and_the_message_holds_them_all(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是")
        await turn.shown(HEARD)
        turn.mouth.go_on("从什么")
        await turn.quiet()
        turn.mouth.end("时候开始的？")
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD + ASKED]

    held(work, talk)


def test_nothing_is_shown_before_the_judgement_of_risk_is_there(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是")
        await turn.quiet()
        turn.mouth.judge.set()
        await turn.shown(HEARD)
        turn.mouth.end(ASKED[1:])
        await turn.taking

    held(work, talk, lambda: Mouth(calm=False))


def test_words_for_someone_in_danger_are_not_shown_at_all(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        found = [{"id": 1, "verdict": "yes", "confidence": 0.9, "evidence": "很难受"}]
        turn.mouth.found = {"verdicts": found}
        turn.mouth.reply(GO_ON, HEARD + "是")
        turn.mouth.judge.set()
        outcome = await turn.taking
        assert HEARD not in "".join(texts(outcome.messages))
        assert len(outcome.messages) > 1

    held(work, talk, lambda: Mouth(calm=False))


def test_a_sentence_is_saved_before_it_is_shown(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是")
        await turn.shown(HEARD)
        (call,) = [c for c in await turn.sessions.store.calls(turn.session) if c.status == "speaking"]
        assert call.data == {"head": dict(GO_ON), "shown": HEARD}
        assert (await turn.sessions.session(turn.session)).latched == 2
        turn.mouth.end(ASKED[1:])
        await turn.taking
        assert {c.status for c in await turn.sessions.store.calls(turn.session)} == {"answered"}
        assert (await turn.sessions.session(turn.session)).latched is None

    held(work, talk)


def test_a_last_word_is_shown_up_to_its_question(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(END, HEARD + "你还好吗？我在。嗯")
        await turn.shown(HEARD)
        await turn.quiet()
        turn.mouth.end("。")
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD, "今天先到这里。"]

    held(work, talk)


# words that come meanwhile


def test_further_words_join_until_something_is_shown(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.say('{"EXIT": "NO", ')
        turn.mouth.asked.clear()
        joining = asyncio.create_task(turn.sessions.take(turn.session, say("b", "睡不着", seen(turn.asked))))
        await turn.mouth.asked.wait()
        turn.mouth.reply(GO_ON, HEARD)
        turn.mouth.end()
        first, second = await asyncio.gather(turn.taking, joining)
        assert first == second
        assert texts(first.messages)[:2] == ["很难受", "睡不着"]

    held(work, talk)


def test_words_that_come_once_something_was_shown_are_the_next_turn_s(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是")
        await turn.shown(HEARD)
        turn.mouth.asked.clear()
        late = asyncio.create_task(turn.sessions.take(turn.session, say("b", "睡不着", seen(turn.asked))))
        await asyncio.sleep(0.05)
        turn.mouth.end(ASKED[1:])
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD + ASKED]
        turn.mouth.say('{"understood": true, "values": {}}')
        turn.mouth.say("")
        turn.mouth._pieces.put_nowait(None)
        second = await late
        assert second.turn == outcome.turn + 1
        assert texts(second.messages)[0] == "睡不着"
        assert (await turn.transcript())[1:4] == ["很难受", HEARD + ASKED, "睡不着"]

    held(work, talk)


# what goes wrong


def test_a_reply_that_breaks_off_is_finished_by_another_call(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        turn.mouth.asked.clear()
        turn.mouth.cut()
        await turn.mouth.asked.wait()
        assert turn.mouth.requests[-1].messages[-2].text.endswith(HEARD)
        assert HEARD in turn.mouth.requests[-1].messages[-1].text
        turn.mouth.say('{"content": "' + ASKED + '"}')
        turn.mouth._pieces.put_nowait(None)
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD + ASKED]

    held(work, talk)


def test_a_reply_that_nobody_can_finish_stands_and_the_script_asks(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        for _ in range(4):
            turn.mouth.cut()
        outcome = await turn.taking
        (_, reply) = texts(outcome.messages)
        assert reply.startswith(HEARD)
        assert reply.endswith("？")

    held(work, talk)


def test_a_reply_that_breaks_off_before_it_is_shown_is_made_anew(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(END, "好")
        await turn.quiet()
        turn.mouth.asked.clear()
        turn.mouth.cut()
        await turn.mouth.asked.wait()
        turn.mouth.reply(GO_ON, HEARD)
        turn.mouth.end(ASKED)
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD + ASKED]

    held(work, talk)


def test_what_was_shown_before_a_crash_stands_and_is_continued(talk: Place) -> None:
    async def work() -> None:
        async with under_way(talk) as turn:
            turn.mouth.reply(GO_ON, HEARD + "是")
            await turn.shown(HEARD)
            session, asked = turn.session, turn.asked
        again = Mouth()
        async with talk.open(again.model()) as sessions:
            extra = asyncio.create_task(sessions.take(session, say("b", "睡不着", seen(asked))))
            await again.asked.wait()
            again.say('{"content": "' + ASKED + '"}')
            again._pieces.put_nowait(None)
            again.say('{"understood": true, "values": {}}')
            again._pieces.put_nowait(None)
            await extra
            said = texts(await sessions.store.messages(session))
            assert said[1:4] == ["很难受", HEARD + ASKED, "睡不着"]

    run(work())


# stopping


def test_a_reply_that_is_stopped_ends_at_the_sentence_that_was_shown(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        assert await turn.sessions.stop(turn.session)
        outcome = await turn.taking
        (said, reply) = texts(outcome.messages)
        assert said == "很难受"
        assert reply.startswith(HEARD)
        assert "是从" not in reply

    held(work, talk)


def test_a_reply_that_is_stopped_before_it_began_is_the_script_s_own(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        assert await turn.sessions.stop(turn.session)
        outcome = await turn.taking
        assert texts(outcome.messages)[0] == "很难受"
        assert outcome.messages[-1].text == "今天先到这里。"
        assert len(turn.mouth.requests) == 1

    held(work, talk)


def test_stopping_does_not_keep_safety_from_judging(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.found = {"verdicts": [{"id": 1, "verdict": "yes", "confidence": 1.0, "evidence": "很难受"}]}
        assert await turn.sessions.stop(turn.session)
        await asyncio.sleep(0.05)
        assert not turn.taking.done()
        turn.mouth.judge.set()
        outcome = await turn.taking
        calls: dict[str, Any] = {c.template: c for c in await turn.sessions.store.calls(turn.session)}
        assert calls["risk"].status == "answered"
        noticed = [why.data["verdict"] for why in await turn.sessions.why(turn.session) if why.kind == "awareness"]
        assert "yes" in noticed
        assert "今天先到这里。" not in texts(outcome.messages)

    held(work, talk, lambda: Mouth(calm=False))


def test_stopping_when_nothing_is_under_way_says_so(talk: Place) -> None:
    async def work() -> None:
        async with talk.open(Mouth().model()) as sessions:
            session, _ = await talk.begun(sessions)
            assert not await sessions.stop(session)

    run(work())


def test_where_nobody_looks_on_the_whole_reply_is_waited_for(talk: Place) -> None:
    class Deaf(Mouth):
        async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
            assert heard is None
            return await super().complete(request, heard)

    async def work() -> None:
        mouth = Deaf()
        async with talk.open(mouth.model()) as sessions:
            session, asked = await talk.begun(sessions)
            mouth.reply(GO_ON, HEARD)
            mouth.end(ASKED)
            outcome = await sessions.take(session, say("a", "很难受", seen(asked)))
            assert texts(outcome.messages) == ["很难受", HEARD + ASKED]

    run(work())


# what was acted upon is what is shown


def test_a_reply_begun_anew_while_the_judgement_is_awaited_counts_as_it_is_then(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(END, "好")
        await asyncio.sleep(0.02)
        turn.mouth.asked.clear()
        turn.mouth.cut()
        await turn.mouth.asked.wait()
        turn.mouth.judge.set()
        await asyncio.sleep(0.05)
        turn.mouth.reply(GO_ON, HEARD)
        turn.mouth.end(ASKED)
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD + ASKED]
        assert not [v for v in await turn.sessions.store.variables(turn.session) if v.name == "近况"]

    held(work, talk, lambda: Mouth(calm=False))


@pytest.mark.parametrize("what", ["stop", "cut"])
def test_words_that_are_being_saved_stand(talk: Place, what: str) -> None:
    async def work(turn: Turn) -> None:
        store, saving = turn.sessions.store, turn.sessions.store.save_calls

        async def slow(*given: Any, **more: Any) -> None:
            if what == "stop":
                await turn.sessions.stop(turn.session)
            else:
                for _ in range(4):
                    turn.mouth.cut()
            await asyncio.sleep(0.1)
            await saving(*given, **more)

        store.save_calls = slow  # type: ignore[method-assign]
        turn.mouth.reply(GO_ON, HEARD + "是")
        await turn.shown(HEARD)
        outcome = await turn.taking
        assert outcome.messages[-1].text.startswith(HEARD)

    held(work, talk)


def test_a_reply_that_is_being_continued_can_be_stopped(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        turn.mouth.asked.clear()
        turn.mouth.cut()
        await turn.mouth.asked.wait()
        assert await turn.sessions.stop(turn.session)
        async with asyncio.timeout(2):
            outcome = await turn.taking
        assert outcome.messages[-1].text.startswith(HEARD)

    held(work, talk)


def test_what_was_shown_stands_where_there_is_no_model_any_more(talk: Place) -> None:
    async def work() -> None:
        async with under_way(talk) as turn:
            turn.mouth.reply(GO_ON, HEARD + "是")
            await turn.shown(HEARD)
            session = turn.session
        async with talk.open() as sessions:
            await sessions.sweep()
            said = texts(await sessions.store.messages(session))
            assert said[2].startswith(HEARD)

    run(work())


def test_blanks_before_the_first_word_change_nothing(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, "\n" + HEARD + "是")
        await turn.shown(HEARD)
        turn.mouth.end(ASKED[1:])
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD + ASKED]

    held(work, talk)


def test_what_comes_behind_the_words_is_not_lost_on_who_looks_on(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        late = {key: value for key, value in END.items() if key != "values"}
        turn.mouth.reply(late, HEARD)
        turn.mouth.say('", "values": ' + json.dumps(FOUND, ensure_ascii=False) + "}")
        turn.mouth._pieces.put_nowait(None)
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD, "今天先到这里。"]

    held(work, talk)


def test_words_under_another_name_are_checked_too(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        for _ in range(4):
            words = {"咨询师": "我建议你把药停掉。"}
            turn.mouth.say(json.dumps({**GO_ON, "response": words}, ensure_ascii=False))
            turn.mouth._pieces.put_nowait(None)
        outcome = await turn.taking
        assert "停掉" not in "".join(texts(outcome.messages))

    held(work, talk)
