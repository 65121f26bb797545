"""What is remembered of a person from session to session, in the store that holds it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.sessions.material import Place, run, say, script_file, seen
from tests.sessions.test_recall import everything

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Outcome, Sessions
from heartrule.store.recollections import Reminder
from heartrule.store.records import Commit
from heartrule.testing.counsellor import counsel

LIMIT = timedelta(minutes=2)
WORDS = "大概六分吧，因为论文又被退回来了"
SCRIPT = """
sessions:
  - session: 回访
    id: small
    locale: zh-CN
    memory: {write: {enabled: true}, read: {enabled: true}}
    declare:
      - {var: 心情, type: integer, range: [0, 10], define: 今天的心情}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 心情
            id: mood
            actions:
              - {type: ai_ask, id: feel, content: 问心情, question: 今天心情几分？, output: [{get: 心情}],
                 memory: {write: {type: long}}}
              - {type: ask, id: busy, content: 在忙什么？, output: [{get: 近况, define: 最近在忙的事}],
                 memory: {write: {type: short}}}
              - {type: ask, id: more, content: 还有吗？, output: [{get: 余下, define: 别的事}]}
          - topic: 想
            id: think
            actions:
              - {type: ai_ask, id: again, content: 问问心情的来由, output: [{get: 来由, define: 心情的来由}]}
"""


@pytest.fixture
def place(place: Place) -> Place:
    script_file(place.folder, SCRIPT)
    return place


class Heard:
    """A model that answers as ever, and every prompt that it was shown."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def model(self) -> Model:
        async def answer(request: Request) -> dict[str, Any]:
            self.prompts.append("\n".join(each.text for each in request.messages))
            return counsel(request)

        return Model([ScriptedProvider(answer)])

    def told(self, words: str) -> int:
        return sum(words in prompt for prompt in self.prompts)


async def items(sessions: Sessions, session: str) -> list[tuple[str, str]]:
    return [(each.type, each.value["content"]) for each in await sessions.store.memories.seen(session)]


async def first(place: Place, sessions: Sessions, words: str = WORDS) -> tuple[str, Outcome]:
    """A session in which the mood has been told."""
    session, outcome = await place.begun(sessions)
    return session, await sessions.take(session, say("mood-0001", words, seen(outcome)))


async def second(place: Place, sessions: Sessions, before: str) -> tuple[str, Outcome]:
    """Another one of the same person, who wants sessions to know of earlier ones."""
    person = (await sessions.session(before)).person
    assert await sessions.store.recollections.choose(person, True, sessions.clock.now())
    record = await sessions.create(place.script, person=person)
    return record.id, await sessions.start(record.id)


async def on(sessions: Sessions, session: str, outcome: Outcome, *words: str) -> Outcome:
    for number, text in enumerate(words):
        outcome = await sessions.take(session, say(f"on-{outcome.turn}-{number}", text, seen(outcome)))
    return outcome


def test_another_session_in_another_process_is_told(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await first(place, sessions)
            assert await items(sessions, session) == [("long", "今天的心情：6")]
        heard = Heard()
        async with place.open(heard.model()) as sessions:
            other, outcome = await second(place, sessions, session)
            await sessions.take(other, say("mood-0001", "说不上来", seen(outcome)))
            assert heard.told("今天的心情：6（原话“大概六分吧”）") == 1
            assert await items(sessions, other) == [("long", "今天的心情：6")]

    run(work())


def test_another_person_is_not(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            await first(place, sessions)
        heard = Heard()
        async with place.open(heard.model()) as sessions:
            stranger, outcome = await place.begun(sessions)
            await sessions.take(stranger, say("mood-0001", "说不上来", seen(outcome)))
            assert heard.prompts
            assert heard.told("六分吧") == 0
            assert await items(sessions, stranger) == []

    run(work())


def test_for_short_and_for_the_session(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await first(place, sessions)
            outcome = await on(sessions, session, outcome, "赶论文")
            assert await items(sessions, session) == [("long", "今天的心情：6"), ("short", "最近在忙的事：赶论文")]
            other, _ = await second(place, sessions, session)
            assert await items(sessions, other) == [("long", "今天的心情：6")]
            await on(sessions, session, outcome, "没有了")
            assert await items(sessions, session) == [("long", "今天的心情：6"), ("mid", "别的事：没有了")]

    run(work())


@pytest.mark.parametrize("spoken", [False, True], ids=["script", "model"])
def test_every_turn_can_be_worked_out_again(place: Place, spoken: bool) -> None:
    async def work() -> None:
        async with place.open(Heard().model() if spoken else Model()) as sessions:
            session, outcome = await first(place, sessions)
            await on(sessions, session, outcome, "赶论文", "没有了")
            other, outcome = await second(place, sessions, session)
            await on(sessions, other, outcome, "三分", "赶论文", "没有了")
        async with place.open() as sessions:
            for each in (session, other):
                found = [turn async for turn in sessions.replay(each)]
                assert [turn.turn for turn in found] == list(range(1, (await sessions.session(each)).seq + 1))
            last = [turn async for turn in sessions.replay(other, 2)]
            assert last[0].turn == 2
            assert last[0].world.memories.cells["memory", "long"]

    run(work())


def test_long_talks_are_worked_out_again_from_their_snapshots(place: Place) -> None:
    script_file(place.folder, SCRIPT.replace("content: 问问心情的来由", "content: 问, max_rounds: 50, min_rounds: 50"))

    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await first(place, sessions)
            outcome = await on(sessions, session, outcome, "赶论文", "没有了", *["再想想"] * 44)
            assert outcome.turn > 45
            for number in (1, 20, 21, 22, 40, 41, outcome.turn):
                (found,) = [turn async for turn in sessions.replay(session, number, number)]
                assert found.turn == number
            assert [each.value["content"] for each in (await sessions.store.memories.seen(session))[:1]] == [
                "今天的心情：6"
            ]

    run(work())


async def grounds(sessions: Sessions, session: str) -> list[bool]:
    """Of each turn whether it was written down what the person's own stood at."""
    found = []
    for number in range(1, (await sessions.session(session)).seq + 1):
        record = await sessions.store.turn(session, number)
        assert record is not None
        assert record.grounds is not None
        found.append(record.grounds["shared"] is not None)
    return found


def test_what_is_remembered_is_written_down_once_and_not_with_every_turn(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await first(place, sessions)
            await on(sessions, session, outcome, "赶论文", "没有了")
            assert await grounds(sessions, session) == [True, False, False, False]
            other, outcome = await second(place, sessions, session)
            await on(sessions, other, outcome, "三分", "赶论文")
            assert await grounds(sessions, other) == [True, False, False]

    run(work())


class Reads:
    """How often what is remembered was read."""

    def __init__(self, sessions: Sessions) -> None:
        self.count = 0
        self._remind = sessions.store.recollections.remind
        sessions.store.recollections.remind = self._noted  # type: ignore[method-assign]

    async def _noted(self, *given: Any) -> Reminder:
        self.count += 1
        return await self._remind(*given)


@pytest.mark.parametrize("uses", [True, False])
def test_a_script_that_does_not_use_it_reads_nothing(place: Place, uses: bool) -> None:
    if not uses:
        place.script = str(script_file(place.folder))  # as the neighbours have it

    async def work() -> None:
        async with place.open() as sessions:
            reads = Reads(sessions)
            await first(place, sessions, "六分")
            assert reads.count == (2 if uses else 0)

    run(work())


def test_a_turn_that_broke_off_leaves_one_item(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            commit = sessions.store.commit

            async def broken(turn: Commit) -> int:
                assert [each.scope for each in turn.variables].count("memory") == 1
                raise OSError("the machine has lost its power")

            sessions.store.commit = broken  # type: ignore[method-assign]
            with pytest.raises(OSError, match="power"):
                await sessions.take(session, say("mood-0001", WORDS, seen(outcome)))
            sessions.store.commit = commit  # type: ignore[method-assign]
            assert await items(sessions, session) == []
        async with place.open() as sessions:
            await sessions.take(session, say("mood-0001", WORDS, seen(outcome)))
            assert await items(sessions, session) == [("long", "今天的心情：6")]
            assert [turn.turn async for turn in sessions.replay(session)] == [1, 2]

    run(work())


# taking back, removing


def test_what_is_taken_back_at_once_leaves_nothing(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, said = await first(place, sessions)
            other, _ = await second(place, sessions, session)
            assert "六分吧" in await everything(sessions, other)
            await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            assert await items(sessions, session) == []
            for each in (session, other):
                assert "六分吧" not in await everything(sessions, each)
            outcome = await sessions.take(session, say("mood-0002", "三分", said.messages[0].number - 1))
            assert await items(sessions, session) == [("long", "今天的心情：3")]
            assert [turn.turn async for turn in sessions.replay(session)] == [1, outcome.turn]

    run(work())


def test_what_went_with_its_topic_comes_back_when_that_is_taken_back(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await first(place, sessions)
            outcome = await on(sessions, session, outcome, "赶论文")
            before = await items(sessions, session)
            assert ("short", "最近在忙的事：赶论文") in before
            said = await on(sessions, session, outcome, "没有了")
            assert ("short", "最近在忙的事：赶论文") not in await items(sessions, session)
            await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            assert await items(sessions, session) == before

    run(work())


def test_words_that_are_taken_back_later_leave_what_was_understood(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, said = await first(place, sessions)
            outcome = await on(sessions, session, said, "在赶一篇总是写不完的毕业论文", "没有了")
            busy = next(m for m in await sessions.store.messages(session) if m.text.startswith("在赶一篇"))
            await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            await sessions.recall(session, busy.number, "back-0002", LIMIT)
            kept = await sessions.store.memories.seen(session)
            assert [(each.value["content"], each.evidence) for each in kept] == [
                ("今天的心情：6", None),
                ("别的事：没有了", "没有了"),
            ]
            assert "总是写不完" not in await everything(sessions, session)
            assert outcome.turn == 4

    run(work())


def test_a_session_that_is_removed_leaves_no_word_in_another(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await first(place, sessions)
            person = (await sessions.session(session)).person
            other, outcome = await second(place, sessions, session)
            outcome = await on(sessions, other, outcome, "三分")
            assert len(await items(sessions, other)) == 2
            assert "六分吧" in await everything(sessions, other)
            await sessions.store.belongings.remove_session(session)
            assert await items(sessions, other) == [("long", "今天的心情：3")]
            assert "六分吧" not in await everything(sessions, other)
            assert [each.session for each in await sessions.store.memories.of_person(person)] == [other]
            await on(sessions, other, outcome, "赶论文")

    run(work())


def test_what_is_forgotten_does_not_come_back(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await first(place, sessions)
            person = (await sessions.session(session)).person
            (found,) = await sessions.store.memories.of_person(person)
            assert not await sessions.store.memories.forget("nobody", found.item.name)
            assert await sessions.store.memories.forget(person, found.item.name)
            assert not await sessions.store.memories.forget(person, found.item.name)
            other, _ = await second(place, sessions, session)
            assert (await items(sessions, other), await items(sessions, session)) == ([], [])

    run(work())


def test_whoever_is_erased_is_forgotten(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await first(place, sessions)
            person = (await sessions.session(session)).person
            await sessions.store.erase_person(person)
            assert await sessions.store.memories.of_person(person) == ()

    run(work())
