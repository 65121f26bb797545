"""What was acted upon is what is shown, and what was shown stands: where replies are begun anew, gone on with or
resumed after a crash, and where something graver is heard beside them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from tests.sessions.material import Place, run, say, script_file, seen
from tests.sessions.speaking import (
    ASKED,
    END,
    FOUND,
    GO_ON,
    HEARD,
    TALK,
    Listener,
    Mouth,
    Turn,
    held,
    texts,
    told,
    under_way,
)

from heartrule.llm.budget import Budget
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Price, Prices
from heartrule.llm.provider import Cut, Heard, Reply, Request
from heartrule.sessions import Sessions
from heartrule.store.records import Entry

LISTENED = TALK.replace("    phases:", "    declare:\n      - {var: %s, listen: {mode: passive}}\n    phases:", 1)
RISKY = LISTENED % "念头, type: boolean, risk: true, define: 有没有不想活的念头"
READ = (LISTENED % "睡眠, type: text, define: 睡得怎样").replace("content: 了解近况", 'content: "了解近况，结合{睡眠}"')
NEXT = """
              - type: ai_ask
                id: sleep
                content: 了解睡眠
                fallback: 睡得怎么样？
                max_rounds: 3
                output: [{get: 睡眠, define: 睡眠}]
              - {type: say, id: bye"""
FUSED = (LISTENED % "家人, type: text, define: 提到的家人").replace("\n              - {type: say, id: bye", NEXT, 1)
BOTH = "听着很累。那睡得怎么样？"


def placed(place: Place, content: str) -> Place:
    script_file(place.folder, content)
    return place


async def goes_on(mouth: Mouth, content: str) -> None:
    """The rest of a reply that had broken off."""
    mouth.say('{"content": "' + content + '"}')
    mouth._pieces.put_nowait(None)


def templates(calls: Sequence[Any]) -> list[tuple[str, str]]:
    return [(call.key, call.status) for call in calls]


# something graver than the reply


def test_nothing_is_shown_where_the_words_make_a_variable_of_risk_a_yes(place: Place) -> None:
    """It is listened for beside the reply, whatever was asked; the reply itself saw nothing in the words."""

    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是")
        async with asyncio.timeout(2):
            outcome = await turn.taking
        released = [news for news in await news_of(turn) if news.kind == "released"]
        assert not released, "words were shown that the crisis technique takes the place of"
        assert HEARD not in "".join(texts(outcome.messages))
        assert outcome.position["topic"]["id"] != "lately"

    held(work, placed(place, RISKY), lambda: Gentle(told("念头", True, "很难受")))


class Gentle(Listener):
    """Opens the talk about wishes by itself."""

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        if (request.schema or {}).get("properties", {}).keys() == {"promises", "asks", "content"}:
            return Reply(json.dumps({"asks": "wish_dead", "content": "这阵子，有没有希望自己不用醒来？"}))
        return await super().complete(request, heard)


async def news_of(turn: Turn) -> list[Any]:
    """All that who looks on was told by the end of the turn."""
    found = []
    async with asyncio.timeout(5):
        while not found or found[-1].kind not in ("turn", "committed"):
            found.append(await anext(turn.watch))
    return found


# begun anew


def test_a_reply_begun_anew_while_something_is_perceived_again_counts_as_it_is_then(place: Place) -> None:
    """The first one would have ended this question and opened the next; the second one asks on."""

    async def work(turn: Turn) -> None:
        mouth = turn.mouth
        assert isinstance(mouth, Listener)
        await mouth.perceiving.get()
        mouth.reply(END, "听")
        await asyncio.sleep(0.05)
        mouth.perceive.set()
        mouth.perceive.clear()
        mouth.perceive = gate = asyncio.Event()
        await mouth.perceiving.get()
        mouth.asked.clear()
        mouth.cut()
        await mouth.asked.wait()
        mouth.reply(GO_ON, HEARD + "是")
        await asyncio.sleep(0.05)
        gate.set()
        await turn.shown(HEARD)
        mouth.end(ASKED[1:])
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD + ASKED]
        assert outcome.position["action"]["id"] == "open"
        assert not [v for v in await turn.sessions.store.variables(turn.session) if v.name == "近况"]

    def mouth() -> Mouth:
        made = Listener(told("家人", "妈妈", "没有说过这句"))
        made.perceive.clear()
        return made

    held(work, placed(place, FUSED), mouth)


def test_a_reply_that_ends_this_and_opens_the_next_is_shown_while_it_is_written(place: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(END, BOTH[:6])
        await turn.shown(BOTH[:5])
        turn.mouth.end(BOTH[6:])
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", BOTH]
        assert outcome.position["action"]["id"] == "sleep"

    held(work, placed(place, FUSED), Listener)


# resumed after a crash


async def resumed(place: Place, model: Model, session: str) -> Sessions:
    async with place.open(model) as sessions:
        await sessions.sweep()
        return sessions


def test_what_failed_before_a_crash_is_not_asked_again(place: Place) -> None:
    """The turn has acted upon its not being there: an answer that came now would decide what was shown anew."""

    async def work() -> None:
        async with under_way(placed(place, READ), Listener(*[Cut()] * 4)) as turn:
            turn.mouth.reply(GO_ON, HEARD + "是")
            await turn.shown(HEARD)
            assert ("3 perceive", "failed") in templates(await turn.sessions.store.calls(turn.session))
            session = turn.session
        again = Listener(told("睡眠", "很难受", "很难受"))
        async with place.open(again.model()) as sessions:
            sweeping = asyncio.create_task(sessions.sweep())
            await again.asked.wait()
            await goes_on(again, ASKED)
            await sweeping
            assert texts(await sessions.store.messages(session))[2] == HEARD + ASKED
            assert again.perceiving.empty()
            assert not [v for v in await sessions.store.variables(session) if v.name == "睡眠"]

    run(work())


def test_what_was_dropped_before_a_crash_is_not_asked_again(place: Place) -> None:
    """The first reply was given up because something it rests on was perceived; its head alone is on record."""

    async def work() -> None:
        mouth = Listener(told("睡眠", "很难受", "很难受"))
        mouth.perceive.clear()
        async with under_way(placed(place, READ), mouth) as turn:
            mouth.reply(END, "好")
            await asyncio.sleep(0.05)
            mouth.asked.clear()
            mouth.perceive.set()
            await mouth.asked.wait()
            mouth.reply(GO_ON, HEARD + "是")
            await turn.shown(HEARD)
            statuses = {status for _, status in templates(await turn.sessions.store.calls(turn.session))}
            assert statuses == {"answered", "dropped", "speaking"}
            session = turn.session
        again = Listener()
        async with place.open(again.model()) as sessions:
            sweeping = asyncio.create_task(sessions.sweep())
            await again.asked.wait()
            await goes_on(again, ASKED)
            await sweeping
            assert texts(await sessions.store.messages(session))[2] == HEARD + ASKED
            assert len(again.requests) == 1
            assert HEARD in again.requests[0].messages[-1].text

    run(work())


def test_a_resumed_reply_for_which_there_is_no_money_stands_as_far_as_it_was_shown(talk: Place) -> None:
    async def work() -> None:
        async with under_way(talk) as turn:
            turn.mouth.reply(GO_ON, HEARD + "是")
            await turn.shown(HEARD)
            session = turn.session
        poor = Model(
            [Mouth()],
            Policy(waits=(0.01,) * 3, jitter=0.0),
            prices=Prices({"mouth": Price("CNY", Decimal(2), Decimal(3))}),
            budget=Budget(max_cost=1, currency="CNY"),
        )
        async with talk.open(poor) as sessions:
            await sessions.sweep()
            assert texts(await sessions.store.messages(session))[2].startswith(HEARD)
            causes = {each.cause for each in await sessions.store.attempts(session) if each.template == "ai_ask"}
            assert "given_up" in causes

    run(work())


# gone on with


@pytest.mark.parametrize("broken", ["---\nid: [\n---\n# user\n接着说。", "# user\n" + "长" * 70_000])
def test_words_stand_where_a_project_s_template_for_going_on_is_broken(place: Place, broken: str) -> None:
    home = place.folder / "home"
    (home / "prompts" / "warm").mkdir(parents=True)
    (home / "project.yaml").write_text(PROJECT, encoding="utf-8")
    (home / "prompts" / "warm" / "go_on.zh-CN.md").write_text(broken, encoding="utf-8")
    place.script = str(script_file(home))
    script_file(home, TALK)

    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        turn.mouth.cut()
        outcome = await turn.taking
        (_, reply) = texts(outcome.messages)
        assert reply.startswith(HEARD)
        assert len(turn.mouth.requests) == 1
        causes = [each.cause for each in await turn.sessions.store.attempts(turn.session)]
        assert "template" in causes

    held(work, place)


PROJECT = "id: home\nname: 家\ndomain: 谈\nlocale: zh-CN\ntemplate_scheme: warm\n"


def test_what_goes_on_does_not_run_into_the_line_before_it(talk: Place) -> None:
    """The line had been shown up to its end, without the break behind it; a last word is said up to its question."""

    async def work(turn: Turn) -> None:
        turn.mouth.reply(END, HEARD + "好的，\n我")
        await turn.shown(HEARD + "好的，")
        turn.mouth.asked.clear()
        turn.mouth.cut()
        await turn.mouth.asked.wait()
        await goes_on(turn.mouth, ASKED)
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", HEARD + "好的，", "今天先到这里。"]

    held(work, talk)


def test_what_goes_on_from_a_question_asks_no_second_one(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        first = HEARD + "睡得好吗？"
        turn.mouth.reply(GO_ON, first + "是从")
        await turn.shown(first)
        turn.mouth.asked.clear()
        turn.mouth.cut()
        await turn.mouth.asked.wait()
        await goes_on(turn.mouth, ASKED + "我在。")
        outcome = await turn.taking
        assert texts(outcome.messages) == ["很难受", first]

    held(work, talk)


# words beside a choice


CHOICE = """              - type: user_option
                id: go
                var: 还谈
                choices: [{value: 谈, label: 接着谈}, {value: 停, label: 今天到这里}]
              - type: ai_ask
                id: more
                content: 了解更多
                fallback: 再多说一点好吗？
                max_rounds: 2
                output: [{get: 更多, define: 更多}]
              - {type: say, id: bye"""


def test_words_that_come_while_a_choice_is_answered_are_the_next_turn_s(place: Place) -> None:
    """They were sent after seeing the same message, but a choice is no answer that more words could belong to."""
    script_file(place.folder, TALK.replace("              - {type: say, id: bye", CHOICE, 1))

    async def work() -> None:
        mouth = Mouth()
        async with place.open(mouth.model()) as sessions:
            session, asked = await place.begun(sessions)
            mouth.reply(END, "好。")
            mouth.end()
            offered = await sessions.take(session, say("a", "很难受", seen(asked)))
            assert offered.position["action"]["id"] == "go"
            mouth.requests.clear()
            mouth.asked.clear()
            after = seen(offered)
            choosing = asyncio.create_task(sessions.take(session, Entry("b", "choice", choice="谈", after=after)))
            await mouth.asked.wait()
            late = asyncio.create_task(sessions.take(session, say("c", "睡不着", after)))
            await asyncio.sleep(0.1)
            assert len(mouth.requests) == 1, "the turn was begun again for words that cannot join it"
            mouth.say('{"content": "那睡得怎么样？"}')
            mouth._pieces.put_nowait(None)
            chosen = await choosing
            assert texts(chosen.messages)[-1] == "那睡得怎么样？"
            second = await late
            assert (second.turn, texts(second.messages)[0]) == (chosen.turn + 1, "睡不着")

    run(work())


def test_the_scripts_of_this_page_are_what_they_are_taken_for(tmp_path: Path) -> None:
    for content in (RISKY, READ, FUSED):
        assert content != TALK
        assert "%s" not in content
    assert FOUND["近况"]["value"] in "很难受"
