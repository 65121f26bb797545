"""What a session is reminded of beside its turns: of earlier sessions where the person wants it, by what is said."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from tests.sessions.material import Place, run, say, script_file, seen
from tests.sessions.test_memories import Heard, on

from heartrule.jobs.memory_job import Remember
from heartrule.jobs.worker import Worker
from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions
from heartrule.testing.counsellor import counsel

SAID = "我妈妈住院以后，我每天凌晨三点才睡着"
SCRIPT = """
sessions:
  - session: 回访
    id: small
    locale: zh-CN
    memory: {read: {enabled: true, mode: opening, top_k: 6}}
    declare:
      - {var: 睡眠, type: text, label: 睡眠, define: 睡得怎样}
      - {var: 余下, type: text, label: 余下, define: 别的}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 睡眠
            id: sleep
            actions:
              - {type: ai_ask, id: how, content: 问睡得怎样, question: 睡得怎么样？, output: [{get: 睡眠}]}
          - topic: 别的
            id: rest
            actions:
              - {type: ask, id: more, content: 还有吗？, output: [{get: 余下}]}
"""


@pytest.fixture
def place(place: Place) -> Place:
    script_file(place.folder, SCRIPT)
    return place


async def held(place: Place, sessions: Sessions, *words: str, person: str | None = None) -> str:
    record = await sessions.create(place.script, person=person)
    await on(sessions, record.id, await sessions.start(record.id), *words)
    return record.id


async def told(sessions: Sessions, session: str) -> list[tuple[str, str]]:
    return [(each.kind, each.content) for each in await sessions.store.recollections.of_session(session)]


def test_a_new_session_begins_with_what_came_of_the_last_one(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            first = await held(place, sessions, SAID, "没有了")
            person = (await sessions.session(first)).person
            await sessions.store.recollections.choose(person, True, sessions.clock.now())
            assert await sessions.remember(first)
            kinds = {kind for kind, _ in await told(sessions, first)}
            assert {"passage", "profile", "summary", "entity"} <= kinds
        heard = Heard()
        async with place.open(heard.model()) as sessions:
            record = await sessions.create(place.script, person=person)
            outcome = await sessions.start(record.id)
            await sessions.take(record.id, say("again-001", "说不上来", seen(outcome)))
            assert heard.told("凌晨三点才睡着") > 0
            assert [turn.turn async for turn in sessions.replay(record.id)] == [1, 2]
            stranger = await sessions.create(place.script)
            before = heard.told("凌晨三点才睡着")
            outcome = await sessions.start(stranger.id)
            await sessions.take(stranger.id, say("again-001", "说不上来", seen(outcome)))
            assert heard.told("凌晨三点才睡着") == before

    run(work())


def test_no_answer_is_a_no(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            first = await held(place, sessions, SAID, "没有了")
            assert await sessions.remember(first)
            assert await told(sessions, first) == []  # it is over, and nobody said that it may be remembered

    run(work())


def test_who_says_no_while_it_is_gone_through_is_remembered_no_more(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            first = await held(place, sessions, SAID, "没有了")
            person, kept = (await sessions.session(first)).person, sessions.store.recollections
            await kept.choose(person, True, sessions.clock.now())
            memory = await sessions.memory(await sessions.session(first))
            await kept.choose(person, False, sessions.clock.now())
            assert await memory.remember(seq=memory.record.seq) is None
            assert await told(sessions, first) == []
            assert await sessions.remember(first)
            assert await told(sessions, first) == []

    run(work())


def test_what_is_taken_back_is_remembered_no_more(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            outcome = await sessions.start(record.id)
            said = await sessions.take(record.id, say("said-0001", SAID, seen(outcome)))
            assert await sessions.remember(record.id)
            assert "凌晨三点" in str(await told(sessions, record.id))
            await sessions.recall(record.id, said.messages[0].number, "back-0001", timedelta(hours=1))
            assert await told(sessions, record.id) == []
            assert [each.id for each in await sessions.store.outbox.due(sessions.clock.now(), 9)] == [record.id]
            assert await sessions.remember(record.id)
            assert "凌晨三点" not in str(await told(sessions, record.id))

    run(work())


class Reads:
    """A model that reads topics, and makes some of it up."""

    def __init__(self) -> None:
        self.asked = 0

    def model(self) -> Model:
        async def answer(request: Request) -> Mapping[str, Any]:
            if "逐字摘出" not in "\n".join(each.text for each in request.messages):
                return counsel(request)
            self.asked += 1
            return {
                "summary": [{"text": "母亲住院后睡得晚", "quote": "凌晨三点才睡着"}],
                "facts": [
                    {"subject": "睡眠", "text": "凌晨三点入睡", "quote": "每天凌晨三点才睡着"},
                    {"subject": "工作", "text": "在银行上班", "quote": "我在银行上班"},
                ],
                "people": [{"name": "妈妈", "relation": "母亲", "gender": "女", "quote": "我妈妈住院"}],
                "notes": [{"text": "可能在担心母亲", "quote": "我妈妈住院以后"}, {"text": "没有根据"}],
            }

        return Model([ScriptedProvider(answer)])


def test_what_a_model_makes_of_a_topic_counts_where_it_is_quoted(place: Place) -> None:
    script_file(place.folder, SCRIPT.replace("content: 问睡得怎样", "content: 问睡得怎样, min_rounds: 2"))

    async def work() -> None:
        reads = Reads()
        async with place.open(reads.model()) as sessions:
            first = await held(place, sessions, SAID, "就是这样，很累", "嗯")
            person = (await sessions.session(first)).person
            await sessions.store.recollections.choose(person, True, sessions.clock.now())
            assert await sessions.remember(first)
            asked = reads.asked
            found = await told(sessions, first)
            assert ("profile", "凌晨三点入睡") in found
            assert "银行" not in str(found)
            assert ("note", "可能在担心母亲") in found
            assert "没有根据" not in str(found)
            await sessions.remember(first)
            assert reads.asked == asked > 0  # bought once

    run(work())


def test_who_dies_over_it_is_taken_over_and_it_is_done_once(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            first = await held(place, sessions, SAID)
            store, keep, tries = sessions.store, sessions.store.recollections.keep, 0

            async def dies(*args: Any, **more: Any) -> bool:
                nonlocal tries
                tries += 1
                if tries == 1:
                    raise OSError("the machine has lost its power")
                return await keep(*args, **more)

            store.recollections.keep = dies  # type: ignore[method-assign]
            job = Remember(sessions, sessions.clock)
            worker = Worker(store, sessions.clock, sessions.owner, {job.kind: job})
            assert await worker.look() == 1
            await worker.stop(5)
            assert await told(sessions, first) == []
            (row,) = [await store.outbox.find(first)]
            assert row is not None
            assert row.attempt == 2
            await asyncio.sleep(0)
            await store.outbox.skip(first, 2, sessions.clock.now())
            assert await worker.look() == 1
            await worker.stop(5)
            assert "凌晨三点" in str(await told(sessions, first))
            assert await store.outbox.find(first) is None

    run(work())


def test_what_is_forgotten_is_in_no_passage_and_no_summary_either(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            first = await held(place, sessions, SAID, "没有了")
            person, kept = (await sessions.session(first)).person, sessions.store.recollections
            await kept.choose(person, True, sessions.clock.now())
            assert await sessions.remember(first)
            before = await kept.of_session(first)
            assert {each.kind for each in before if "凌晨三点" in each.content} == {"passage", "profile", "summary"}
            for each in before:
                if each.kind == "profile":
                    assert await kept.forget(person, each.id, sessions.clock.now())
            assert "凌晨三点" not in str([each.content for each in await kept.of_session(first)])
            assert await sessions.remember(first)
            assert "凌晨三点" not in str([each.content for each in await kept.of_session(first)])

    run(work())
