"""Words of explicit intent that arrive while something else is being answered: they do not wait for a slow model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.sessions.material import Place, run, say, script_file, seen
from tests.sessions.speaking import ASKED, GO_ON, HEARD, TALK, Mouth, Turn, held, texts, under_way

from heartrule.llm.provider import Heard, Reply, Request
from heartrule.sessions import Outcome
from heartrule.store.records import Entry

GRAVE = "我不想活了"
REVIEWED = TALK.replace("max_rounds: 4", "max_rounds: 4\n                review: true")
AT_ONCE = 2.0
"""Seconds; a call may take 15, a turn 20."""


async def at_once(turn: Turn, *told: tuple[str, int | None]) -> tuple[Outcome, Outcome]:
    """The turn that was under way, and the one that these messages (words, and what their sender had seen) come to."""
    async with asyncio.timeout(AT_ONCE):
        taken = [
            asyncio.create_task(turn.sessions.take(turn.session, say(f"told {number}", words, after)))
            for number, (words, after) in enumerate(told)
        ]
        return await turn.taking, (await asyncio.gather(*taken))[-1]


async def is_heard(turn: Turn, outcome: Outcome) -> None:
    """The crisis technique has answered these words."""
    why = await turn.sessions.why(turn.session)
    noticed = [each.data for each in why if each.kind == "awareness" and each.turn == outcome.turn]
    assert ("yes", "rules") in [(each["verdict"], each["source"]) for each in noticed]
    assert outcome.position["topic"]["id"] != "lately"
    assert len(outcome.messages) > 1


def test_a_shown_reply_that_stalls_makes_way_for_them(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        first, second = await at_once(turn, (GRAVE, seen(turn.asked)))
        assert first.messages[-1].text.startswith(HEARD)
        assert "是从" not in first.messages[-1].text
        assert (second.turn, texts(second.messages)[0]) == (first.turn + 1, GRAVE)
        await is_heard(turn, second)

    held(work, talk)


def test_milder_words_let_it_go_on(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        late = asyncio.create_task(turn.sessions.take(turn.session, say("b", "睡不着", seen(turn.asked))))
        await asyncio.sleep(0.2)
        assert not turn.taking.done()
        turn.mouth.end(ASKED.removeprefix("是从"))
        assert texts((await turn.taking).messages) == ["很难受", HEARD + ASKED]
        late.cancel()

    held(work, talk)


def test_they_are_told_from_several_messages_together(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        after = seen(turn.asked)
        first, second = await at_once(turn, ("我真的不想", after), ("活了", after))
        assert first.messages[-1].text.startswith(HEARD)
        assert texts(second.messages)[:2] == ["我真的不想", "活了"]

    held(work, talk)


@pytest.mark.parametrize("after", [None, 1])
def test_before_anything_was_shown_they_join_whatever_their_sender_had_seen(talk: Place, after: int | None) -> None:
    """``after`` 1: the sender had seen less than whoever is being answered. None: nobody knows what they had seen."""

    async def work(turn: Turn) -> None:
        told = None if after is None else seen(turn.asked) - 1
        first, second = await at_once(turn, (GRAVE, told))
        assert first == second, "they are answered together"
        assert texts(first.messages)[:2] == ["很难受", GRAVE]
        await is_heard(turn, second)

    held(work, talk)


def test_a_judgement_that_stalls_makes_way_too(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        _, second = await at_once(turn, (GRAVE, None))
        await is_heard(turn, second)

    held(work, talk, lambda: Mouth(calm=False))


def test_a_call_that_is_waited_for_again_makes_way(talk: Place) -> None:
    """The reply broke off and its rest stalls."""

    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        turn.mouth.asked.clear()
        turn.mouth.cut()
        await turn.mouth.asked.wait()
        first, second = await at_once(turn, (GRAVE, seen(turn.asked)))
        assert first.messages[-1].text.startswith(HEARD)
        await is_heard(turn, second)

    held(work, talk)


def test_after_a_crash_they_come_before_the_reply_is_gone_on_with(talk: Place) -> None:
    async def work() -> None:
        async with under_way(talk) as turn:
            turn.mouth.reply(GO_ON, HEARD + "是")
            await turn.shown(HEARD)
            session, asked = turn.session, turn.asked
            await turn.sessions.store.accept(session, say("b", GRAVE, seen(asked)), talk.clock.now())
        silent = Mouth()
        async with talk.open(silent.model()) as sessions, asyncio.timeout(AT_ONCE):
            await sessions.sweep()
            said = texts(await sessions.store.messages(session))
            assert said[2].startswith(HEARD)
            assert GRAVE in said
            assert not silent.requests
            verdicts = [why.data["verdict"] for why in await sessions.why(session) if why.kind == "awareness"]
            assert "yes" in verdicts

    run(work())


def test_the_words_stand_in_no_representation(talk: Place) -> None:
    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        conversation = turn.sessions._conversations._open[turn.session]
        conversation.tell(99, None, GRAVE)
        assert GRAVE not in repr(conversation)
        turn.mouth.end()
        await turn.taking

    held(work, talk)


# a reply that is looked through before anybody sees it is not streamed


class Reviewer(Mouth):
    """Reviews are not answered before ``reviewed`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.reviewing, self.reviewed = asyncio.Event(), asyncio.Event()

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        if "ok" in (request.schema or {}).get("properties", {}):
            self.reviewing.set()
            await self.reviewed.wait()
            return Reply('{"ok": true, "reason": ""}')
        return await super().complete(request, heard)


@pytest.fixture
def reviewed(place: Place) -> Place:
    script_file(place.folder, REVIEWED)
    return place


async def until(turn: Turn, what: str) -> None:
    """While the draft is written, or while it is reviewed."""
    if what == "review":
        assert isinstance(turn.mouth, Reviewer)
        turn.mouth.reply(GO_ON, HEARD)
        turn.mouth.end(ASKED)
        await turn.mouth.reviewing.wait()


@pytest.mark.parametrize("what", ["draft", "review"])
def test_a_draft_can_be_stopped(reviewed: Place, what: str) -> None:
    async def work(turn: Turn) -> None:
        await until(turn, what)
        assert await turn.sessions.stop(turn.session)
        async with asyncio.timeout(AT_ONCE):
            outcome = await turn.taking
        assert texts(outcome.messages)[0] == "很难受"
        assert HEARD not in "".join(texts(outcome.messages))
        assert len(outcome.messages) > 1

    held(work, reviewed, Reviewer)


@pytest.mark.parametrize("what", ["draft", "review"])
def test_a_draft_makes_way_for_explicit_words(reviewed: Place, what: str) -> None:
    async def work(turn: Turn) -> None:
        await until(turn, what)
        first, second = await at_once(turn, (GRAVE, None))
        assert HEARD not in "".join(texts(first.messages))
        await is_heard(turn, second)

    held(work, reviewed, Reviewer)


def test_what_is_asked_afterwards_in_the_same_turn_is_stopped_too(talk: Place) -> None:
    """The reply is over; the turn was told to stop while a reply that follows it was being written."""

    async def work(turn: Turn) -> None:
        turn.mouth.reply(GO_ON, HEARD + "是从")
        await turn.shown(HEARD)
        before = len(turn.mouth.requests)
        await at_once(turn, (GRAVE, seen(turn.asked)))
        made: list[Any] = [call.template for call in await turn.sessions.store.calls(turn.session)]
        assert "ai_ask" in made
        assert len(turn.mouth.requests) == before

    held(work, talk)


def test_an_opening_makes_way_as_well(place: Place) -> None:
    """The very first turn has no words of the person to join."""
    script_file(place.folder, TALK.replace("question: 最近怎样？\n                ", ""))

    async def work() -> None:
        mouth = Mouth()
        async with place.open(mouth.model()) as sessions:
            record = await sessions.create(place.script)
            starting = asyncio.create_task(sessions.start(record.id))
            await mouth.asked.wait()
            async with asyncio.timeout(AT_ONCE):
                outcome = await sessions.take(record.id, Entry("a", "message", text=GRAVE, after=0))
                first = await starting
            assert texts(first.messages)
            assert (outcome.turn, texts(outcome.messages)[0]) == (2, GRAVE)

    run(work())
