"""Strings that people have said are found wherever they stand with the keys; and when the person is forgotten, or the
words are, nowhere.

``HEARTRULE_PLANTED`` says how many (default 40; ``make forgotten`` plants 1,000, a hundred with each person, each in a
store of their own: words that are taken back are looked for in all that their person has said).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.chaos.remembering import Vectors, reads
from tests.sessions.material import Place, script_file
from tests.store.test_forgetting import kept
from tests.store.test_secrecy import content, spellings

from heartrule.jobs.lifecycle import working
from heartrule.jobs.settings import EscalationSettings
from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions
from heartrule.sessions.person_memory import wanted
from heartrule.store import Store, backup
from heartrule.store.records import Entry, Gone
from heartrule.store.schema import outbox, recollections

PLANTED = int(os.environ.get("HEARTRULE_PLANTED", "40"))
COUNT, EACH = min(PLANTED, 100), 20
"""Strings of one person, and how many are said in one session."""
by_person = pytest.mark.parametrize("nth", range(-(-PLANTED // COUNT)))
QUESTIONS = "\n".join(
    f"              - {{type: ai_ask, id: q{n}, content: 问近况, question: 第{n}问？,"
    f" output: [{{get: 话{n}, define: 近况}}], memory: {{write: {{type: long}}}}}}"
    for n in range(EACH)
)
SCRIPT = f"""
sessions:
  - session: 回访
    id: small
    locale: zh-CN
    memory: {{write: {{enabled: true}}, read: {{enabled: true, mode: opening, top_k: 6}}}}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
{QUESTIONS}
          - topic: 别的
            id: rest
            actions:
              - {{type: ask, id: more, content: 还有吗？, output: [{{get: 余下, define: 别的}}]}}
"""


def planted(number: int) -> str:
    return f"蓝鲸{number:05}号"


def said(number: int) -> str:
    return f"我妈妈说起{planted(number)}以后我就睡不着"


class Held:
    """One process, with a model that reads, vectors of meaning, and jobs at work."""

    def __init__(self, place: Place) -> None:
        self.place = place
        script_file(place.folder, SCRIPT)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Sessions]:
        vectors: Any = Vectors("one")
        model = Model([ScriptedProvider(reads)], embedder=vectors)
        async with self.place.open(model) as sessions:
            yield sessions

    async def work_off(self, sessions: Sessions) -> None:
        where = self.place.settings()
        async with working(sessions, where, patience=1, settings=EscalationSettings(), look_seconds=0.05) as worker:
            for _ in range(2000):
                worker.wake()
                if not await sessions.store._db.read(lambda tx: tx.conn.execute(select(outbox.c.id)).all()):
                    return
                self.place.clock.pass_(seconds=10)
                await asyncio.sleep(0.02)
        raise AssertionError("it is not done")

    async def talk(self, sessions: Sessions, person: str, first: int, count: int) -> list[str]:
        made: list[str] = []
        for at in range(first, first + count, EACH):
            record = await sessions.create(self.place.script, person=person)
            made.append(record.id)
            await sessions.start(record.id)
            for number in range(at, at + EACH):
                await sessions.take(record.id, Entry(f"said-{number:06}", "message", text=said(number)))
            await sessions.take(record.id, Entry("the-last-one", "message", text="没有了"))
            self.place.clock.pass_(days=1)
        return made


def found(store: Store, person: str, count: int = COUNT) -> dict[str, set[int]]:
    """By column, which of the strings stand in what is sealed there for the person."""
    columns: dict[str, set[int]] = {}
    for column, _, text in kept(store, person, among_others=True):
        for part in text.split("蓝鲸")[1:]:
            if part[:5].isdigit() and int(part[:5]) < count:
                columns.setdefault(column, set()).add(int(part[:5]))
    return columns


def in_files(folder: Path) -> Iterator[str]:
    begin = list(spellings("蓝鲸"))
    for path in (each for each in folder.rglob("*") if each.is_file() and each.name != "small.yaml"):
        data = content(path)
        if any(each in data for each in begin):
            yield path.name


async def finds(sessions: Sessions, person: str, project: str) -> list[int]:
    """Which of some strings memory still finds."""
    kept_ = sessions.store.recollections
    asked = range(0, COUNT, max(1, COUNT // 20))
    hits = {n: await kept_.find(person, project, wanted(planted(n), sessions.clock.now()), 8) for n in asked}
    return [n for n, each in hits.items() if planted(n) in str([(one.item.content, one.item.quote) for one in each])]


LAYERS = {"messages.text", "inbox.body", "events.data", "recollections.contents", "calls.answer"}


@by_person
def test_a_person_who_is_forgotten_has_left_nothing(nth: int, place: Place, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    held = Held(place)

    async def work() -> None:
        async with held.open() as sessions:
            store = sessions.store
            person, other = await store.new_person("somebody"), await store.new_person("else")
            for each in (person, other):
                await store.recollections.choose(each, True, sessions.clock.now())
            own = await held.talk(sessions, person, 0, COUNT)
            theirs = await held.talk(sessions, other, COUNT, EACH)
            await held.work_off(sessions)
            project = (await sessions.session(own[0])).project
            columns = found(store, person)
            logging.getLogger(__name__).info("%s", {column: len(each) for column, each in sorted(columns.items())})
            assert all(columns.get(column) == set(range(COUNT)) for column in LAYERS - {"calls.answer"})
            assert columns["calls.answer"]
            assert set().union(*columns.values()) == set(range(COUNT))
            assert await finds(sessions, person, project) == list(range(0, COUNT, max(1, COUNT // 20)))
            copy = backup.take(place.folder / "data", place.folder / "copies", sessions.clock.now())
            with store._db.engines.reader.begin() as connection:
                vectors = connection.execute(select(recollections.c.meaning).where(recollections.c.person == person))
                assert all(row.meaning for row in vectors)

            await store.erase_person(person)

            with pytest.raises(Gone):
                found(store, person)
            assert _rows(store, person, own) == Counter()
            assert not [key for key in store.recollections._open if key[0] == person]
            assert not [each for each in own if sessions._runner.state_cache.take(each)]
            with pytest.raises(Gone):
                await finds(sessions, person, project)
            assert len(found(store, other, COUNT + EACH)["messages.text"]) == EACH
            assert await store.session(theirs[0]) is not None
        assert "蓝鲸" not in caplog.text
        assert list(in_files(place.folder)) == []
        restored = place.folder / "restored"
        keys = backup.take_keys(place.folder / "data", place.folder / "keys")  # today's
        backup.restore(copy, restored, keys=keys)
        with Store.open(restored) as old:
            assert _rows(old, person, own)["messages"] > COUNT  # the copy has them, sealed
            with pytest.raises(Gone):
                found(old, person)
            assert len(found(old, other, COUNT + EACH)["messages.text"]) == EACH  # today's keys do open the others'

    asyncio.run(work())


def _rows(store: Store, person: str, sessions: list[str]) -> Counter[str]:
    from heartrule.store.schema import metadata

    counted: Counter[str] = Counter()
    with store._db.engines.reader.begin() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(select(table)).mappings():
                if person in row.values() or any(each in row.values() for each in sessions):
                    counted[table.name] += 1
    return counted


@by_person
def test_words_that_are_taken_back_are_nowhere(nth: int, place: Place, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    held = Held(place)

    async def work() -> None:
        async with held.open() as sessions:
            store = sessions.store
            person = await store.new_person("somebody")
            await store.recollections.choose(person, True, sessions.clock.now())
            own = await held.talk(sessions, person, 0, COUNT)
            await held.work_off(sessions)
            project = (await sessions.session(own[0])).project
            before = found(store, person)
            assert set().union(*before.values()) == set(range(COUNT))
            assert before["recollections.contents"] == set(range(COUNT))
            for session in own:
                for each in await store.messages(session):
                    if each.sender == "person" and "蓝鲸" in each.text:
                        key = f"back-{each.number:06}"
                        await sessions.recall(session, each.number, key, timedelta(minutes=1))
            await held.work_off(sessions)
            assert {column: len(each) for column, each in found(store, person).items()} == {}
            assert await finds(sessions, person, project) == []
            memory = await sessions.memory(await sessions.session(own[0]))
            assert "蓝鲸" not in str(await memory.query_graph("妈妈"))
            assert "蓝鲸" not in str(await memory.get_timeline())
        assert "蓝鲸" not in caplog.text
        assert list(in_files(place.folder)) == []

    asyncio.run(work())
