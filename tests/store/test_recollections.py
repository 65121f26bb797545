"""What is remembered beside the turns, in SQLite and in PostgreSQL: kept, found, put right, forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select
from tests.store import worlds
from tests.store.worlds import NOW, recollection

from heartrule.memory.layers import NotHere
from heartrule.sessions.clock import Clock
from heartrule.sessions.person_memory import SessionMemory, wanted
from heartrule.store import Store
from heartrule.store.recollections import KIND
from heartrule.store.records import Gone, Recall
from heartrule.store.schema import recollections


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


class Still(Clock):
    def now(self) -> Any:
        return NOW


async def layers(store: Store, session: str, *, across: bool = True) -> SessionMemory:
    record = await store.session(session)
    assert record is not None
    return SessionMemory(store, record, Still(), across=across)


async def two(store: Store) -> str:
    person = await store.new_person()
    for name in ("s1", "s2"):
        await worlds.session(store, name, person)
    await worlds.session(store, "s3")
    return person


async def found(store: Store, session: str, query: str, *, across: bool = True) -> list[str]:
    memory = await layers(store, session, across=across)
    return [each.item.content for each in await memory.retrieve_memory(query, 8)]


def test_the_nine_calls(store: Store) -> None:
    async def work() -> None:
        await two(store)
        memory = await layers(store, "s1")
        said = "我妈妈住院了，弟弟在成都当兵"
        assert await memory.add_message("ai", "家里怎么样？", at=NOW) == 1
        assert await memory.add_message("person", said, at=NOW + timedelta(minutes=1)) == 2
        assert await memory.add_message("ai", "你担心她。", at=NOW) == 3
        assert await memory.add_message("person", "我每天三点才睡着", at=NOW + timedelta(minutes=2)) == 4
        recent = await memory.get_recent_context(1)
        assert [each.text for each in recent] == ["我每天三点才睡着"]
        assert [each.number for each in await memory.get_recent_context(30)] == [1, 2, 3, 4]
        assert await memory.summarize_topic("nowhere") is None
        hits = await memory.retrieve_memory("母亲的身体", 3)
        assert said in {each.item.content for each in hits} | {each.item.quote for each in hits}
        assert all(each.item.session == "s1" and each.item.message for each in hits)
        given = await memory.update_long_term("睡眠", "三点睡", quote="三点才睡着", message=4)
        with pytest.raises(ValueError, match="quote"):
            await memory.update_long_term("睡眠", "四点睡", quote="四点才睡着", message=4)
        await memory.add_entity("弟弟", {"feeling": "想念"}, quote="弟弟在成都当兵", message=2)
        await memory.add_relation("弟弟", "驻扎", "成都", quote="弟弟在成都当兵", message=2)
        graph = await memory.query_graph("弟弟在哪儿")
        assert [each.entity for each in graph.entities][:1] == ["弟弟"]
        assert [each.fields["to"] for each in graph.relations] == ["成都"]
        assert not graph.must_ask
        line = await memory.get_timeline(NOW - timedelta(days=1), NOW + timedelta(days=1))
        assert line.curves == {}
        await memory.remember()  # what was put in by a call stays
        assert given.id in {each.id for each in await store.recollections.of_session("s1")}

    run(work())


def test_whom_he_means_is_said_or_asked(store: Store) -> None:
    async def work() -> None:
        await two(store)
        memory = await layers(store, "s1")
        for text in ("我爸爸和前男友都打过我", "今天天气不好"):
            await memory.add_message("person", text, at=NOW)
        await memory.remember()
        assert (await memory.query_graph("他昨天来电话了", ["我爸爸病了"])).meant == ("father",)
        unclear = await memory.query_graph("他昨天来电话了", ["今天天气不好"])
        assert unclear.must_ask
        assert set(unclear.meant or ()) == {"father", "ex_boyfriend"}

    run(work())


def test_who_has_turns_gets_no_messages_from_outside(store: Store) -> None:
    async def work() -> None:
        await two(store)
        await worlds.talk(store, "s1", 1, "在")
        with pytest.raises(NotHere):
            await (await layers(store, "s1")).add_message("person", "说过的话")

    run(work())


def test_another_session_person_or_project_finds_nothing_unless_it_may(store: Store) -> None:
    async def work() -> None:
        person = await two(store)
        await worlds.session(store, "s4", person, project="other")
        await store.recollections.keep("s1", [recollection("s1", "和妈妈吵架")])
        assert await found(store, "s2", "妈妈") == ["和妈妈吵架"]
        assert await found(store, "s1", "妈妈", across=False) == ["和妈妈吵架"]
        assert await found(store, "s2", "妈妈", across=False) == []
        assert await found(store, "s3", "妈妈") == []
        assert await found(store, "s4", "妈妈") == []
        what = wanted("妈妈", NOW)
        assert (await store.recollections.remind("s2", what, 8, {}, {})).found == ()  # not answered: no
        await store.recollections.choose(person, True, NOW)
        assert [each.item.id for each in (await store.recollections.remind("s2", what, 8, {}, {})).found] == ["s1~1"]

    run(work())


def test_what_another_process_writes_is_found(store: Store, opener: Any) -> None:
    async def work() -> None:
        await two(store)
        await store.recollections.keep("s1", [recollection("s1", "和妈妈吵架")])
        assert await found(store, "s1", "妈妈") == ["和妈妈吵架"]
        other = opener()
        await other.recollections.keep("s1", [recollection("s1", "和妈妈和好了")])
        assert await found(store, "s1", "妈妈") == ["和妈妈和好了"]

    run(work())


def test_what_is_asked_for_goes_before_what_only_says_that_it_is_so_now(store: Store) -> None:
    async def work() -> None:
        await two(store)
        memory = await layers(store, "s1")
        for minute, said in enumerate(("现在十二点就睡了", "每天散步半小时", "散步松一点", "散步遇到老陈", "散步回来")):
            await memory.add_message("person", said, at=NOW + timedelta(minutes=minute))
        await memory.remember()
        hits = await memory.retrieve_memory("散步", 8)
        assert "散步" in max(hits, key=lambda each: each.score).item.content

    run(work())


def test_the_newest_of_a_subject_counts(store: Store) -> None:
    async def work() -> None:
        await two(store)
        old = recollection("s1", "工作：护士", kind="profile", subject="value job")
        new = recollection("s2", "工作：会计", kind="profile", subject="value job", at=NOW + timedelta(days=7))
        await store.recollections.keep("s1", [old])
        await store.recollections.keep("s2", [new])
        assert (await found(store, "s1", "工作"))[0] == "工作：会计"
        memory = await layers(store, "s1")
        assert [each.item.content for each in await memory.standing()] == ["工作：会计"]
        assert await store.recollections.forget((await store.session("s2")).person, "s2~1", NOW)  # type: ignore[union-attr]
        assert [each.item.content for each in await memory.standing()] == ["工作：护士"]

    run(work())


def test_a_session_that_moved_on_is_not_written_over(store: Store) -> None:
    async def work() -> None:
        await two(store)
        await worlds.talk(store, "s1", 1, "在")
        assert not await store.recollections.keep("s1", [recollection("s1")], seq=0)
        assert await store.recollections.of_session("s1") == ()
        assert await store.recollections.keep("s1", [recollection("s1")], seq=1)

    run(work())


def test_a_turn_asks_once_for_its_session_to_be_remembered(store: Store) -> None:
    async def work() -> None:
        await two(store)
        for seq in (1, 2):
            await worlds.talk(store, "s1", seq, "在", remember=True)
        due = await store.outbox.due(worlds.later(10), 10)
        assert [(each.id, each.kind) for each in due] == [("s1", KIND)]

    run(work())


def test_taking_words_back_takes_what_rests_on_them(store: Store) -> None:
    async def work() -> None:
        await two(store)
        await worlds.talk(store, "s1", 1, worlds.WORDS)
        await store.recollections.keep("s1", [recollection("s1"), recollection("s1", "别的", number=2)])
        await worlds.talk(store, "s1", 2, "在", recall=Recall((1,), (1,), (1,), words=(worlds.WORDS,)))
        assert await store.recollections.of_session("s1") == ()  # and is made anew of what stands
        assert [each.id for each in await store.outbox.due(worlds.later(10), 10)] == ["s1"]

    run(work())


def test_a_thousand_planted_strings_are_found_and_then_nowhere(store: Store) -> None:
    async def work() -> None:
        person = await two(store)
        planted = [f"蓝鲸{number}号在{number * 7}街" for number in range(1000)]
        items = [recollection("s1", text, number=number) for number, text in enumerate(planted, start=1)]
        await store.recollections.keep("s1", items)
        assert {each.item.content for each in await store.recollections.of_person(person)} == set(planted)
        for number in (0, 321, 999):
            assert planted[number] in await found(store, "s2", f"蓝鲸{number}号")
        assert await store.recollections.forget(person, "s1~322", NOW)
        assert planted[321] not in {each.item.content for each in await store.recollections.of_person(person)}
        assert planted[321] not in await found(store, "s2", "蓝鲸321号")
        await store.erase_person(person)
        assert await store.recollections.of_person(person) == ()
        assert not store.recollections._open
        with store._db.engines.reader.begin() as connection:
            assert connection.execute(select(recollections)).all() == []
        with pytest.raises(Gone):
            store._db.keys.box(person)

    run(work())


def test_vectors_of_another_model_are_made_anew(store: Store) -> None:
    async def work() -> None:
        person = await two(store)
        kept = store.recollections
        await kept.keep("s1", [recollection("s1", "猫", number=1), recollection("s1", "银行", number=2)])
        for by, first in (("one", (127, 0)), ("two", (0, 127))):
            ((session, number, version, texts),) = await kept.unembedded(person, "demo", by)
            assert [text.split("\n")[0] for text in texts] == ["猫", "银行"]
            vectors = bytes([*first, *reversed(first)])
            assert not await kept.embed(person, (session, number, "another"), vectors, by)
            assert await kept.embed(person, (session, number, version), vectors, by)
            assert await kept.unembedded(person, "demo", by) == ()
            what = wanted("宠物", NOW, "semantic", np.array(first, dtype=np.int8))
            assert [each.item.content for each in await kept.find(person, "demo", what, 1)] == ["猫"]

    run(work())


def test_what_was_opened_is_shut_when_it_is_taken_away(store: Store) -> None:
    async def work() -> None:
        person = await two(store)
        kept = store.recollections
        for name in ("s1", "s2"):
            await kept.keep(name, [recollection(name, "和妈妈吵架"), recollection(name, "我在银行上班", number=2)])
        await found(store, "s1", "妈妈")
        assert "和妈妈吵架" in str(kept._read)
        assert await kept.forget(person, "s1~1", NOW)
        assert not kept._read
        assert await found(store, "s1", "银行") == ["我在银行上班"]
        await store.belongings.remove_session("s2")
        assert not kept._read
        await found(store, "s1", "银行")
        await store.erase_person(person)
        assert not kept._read

    run(work())


def test_a_score_that_the_person_has_put_words_in_place_of_is_on_no_curve(store: Store) -> None:
    async def work() -> None:
        person = await two(store)
        fields = {"form": "phq", "label": "", "value": 9.0, "band": ""}
        score = recollection("s1", "PHQ-9：9", kind="score", type="structured", subject="score phq", fields=fields)
        await store.recollections.keep("s1", [score])
        memory = await layers(store, "s1")
        assert [each[1] for each in (await memory.get_timeline()).curves["PHQ-9"]] == [9.0]
        assert await store.recollections.correct(person, score.id, "那天填错了")
        line = await memory.get_timeline()
        assert (line.curves, [each.content for each in line.events]) == ({}, ["那天填错了"])

    run(work())
