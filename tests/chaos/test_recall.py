"""Taking words back where things go wrong: killed at every commit, within a list, with a human in the session.

The store's boxes are left open here, so that what it holds can be looked for byte by byte in its files.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
from collections.abc import Coroutine
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import PoolProxiedConnection
from tests.sessions.material import Place, run, say, seen
from tests.sessions.test_counsellor_actions import WANG

from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions
from heartrule.sessions.counsellor_actions import CounsellorActions
from heartrule.store.crypto import Box
from heartrule.testing.counsellor import counsel

LIMIT = timedelta(minutes=2)
WORDS = "其实是因为我离婚了这件事"
DEADLY = "我不想活了，其实是因为我离婚了"
ASKING = """
sessions:
  - session: 问
    id: small
    locale: zh-CN
    awareness: [safety/suicide_risk]
    declare:
      - {var: 称呼, scope: global, type: text, define: 怎么称呼}
      - {var: 原因, scope: global, type: text, define: 难受的原因}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: why, content: 是为什么呢？, output: [{get: 原因}]}
              - type: ai_ask
                id: more
                question: "{原因}，还有吗？"
                content: 再问问
                output: [{get: 余下, define: 余下的}]
"""
EACH = """
sessions:
  - session: 各样
    id: small
    locale: zh-CN
    declare:
      - var: 困扰
        type: list
        value: [{名称: 睡眠}, {名称: 胃口}, {名称: 精力}]
        define: 各样困扰
        fields: [{name: 名称}, {name: 描述, define: 怎么样}]
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 各样
            id: each
            for_each: {in: 困扰, as: 一样, key: 名称, max: 3}
            actions:
              - type: ask
                id: how
                content: "{一样.名称}怎么样？"
                output: [{get: 一样.描述, type: text, define: 怎么样}]
          - topic: 完
            id: done
            actions: [{type: ask, id: last, content: 还有吗？, output: [{get: 余下, define: 余下的}]}]
"""


@pytest.fixture(autouse=True)
def _open_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Box, "seal", lambda self, data, where, size=0: bytes(data))
    monkeypatch.setattr(Box, "open", lambda self, sealed, where: bytes(sealed))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def scripted(place: Place, text: str) -> None:
    Path(place.script).write_text(text, encoding="utf-8")


def counselled() -> Model:
    return Model([ScriptedProvider(counsel)])


def kept(folder: Path, words: str) -> list[str]:
    """Where in the store the words stand: its tables, and its files, free pages of a database included."""
    found = [path.name for path in folder.rglob("*") if path.is_file() and words.encode() in path.read_bytes()]
    with closing(sqlite3.connect(next(folder.rglob("heartrule.db")))) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            rows = database.execute(f'SELECT * FROM "{table}"').fetchall()
            found += [table for row in rows for cell in row if isinstance(cell, bytes) and words.encode() in cell]
    return found


async def standing(sessions: Sessions, session: str) -> Any:
    """Where it stands, without what only counts."""
    loaded = await sessions.store.load(session, 0)
    counts = ("seq", "messages", "keys", "writes", "clock", "heard")
    view = await sessions.view(session)
    values = sorted((each.scope, each.scope_key, each.name, repr(each.value)) for each in view.variables)
    return {name: each for name, each in loaded.state.items() if name not in counts}, values, view.request


# killed at every commit


def killed(work: Coroutine[Any, Any, Any]) -> int:
    """What became of a process that did this: its exit status, negative where it was killed."""
    child = os.fork()
    if not child:
        try:
            asyncio.run(work)
            os._exit(0)
        except BaseException as error:
            os.write(2, repr(error).encode())
            os._exit(1)
    work.close()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


class Deadly:
    """Counts what the store commits, and kills its process at one of them, before or after it is on disk."""

    def __init__(self, sessions: Sessions, at: int, *, after: bool) -> None:
        self.count, self._at, self._after = 0, at, after
        dialect = sessions.store._db.engines.writer.dialect
        self._commit = dialect.do_commit
        dialect.do_commit = self._committed  # type: ignore[method-assign]

    def _committed(self, connection: PoolProxiedConnection) -> None:
        self.count += 1
        if self.count == self._at and not self._after:
            os.kill(os.getpid(), signal.SIGKILL)
        self._commit(connection)
        if self.count == self._at and self._after:
            os.kill(os.getpid(), signal.SIGKILL)


class Said:
    """A session in which ``words`` were said, ready to be taken back as often as one likes, in a folder of its own."""

    def __init__(self, place: Place, words: str) -> None:
        self.place, self.words = place, words
        scripted(place, ASKING)
        self.session, self.message, self.before = run(self._begun())

    async def _begun(self) -> tuple[str, int, Any]:
        async with self.place.open(counselled()) as sessions:
            session, begun = await self.place.begun(sessions)
            before = await standing(sessions, session)
            said = await sessions.take(session, say("said-0001", self.words, seen(begun)))
            return session, said.messages[0].number, before

    def copied(self, name: str) -> Place:
        made = Place(self.place.folder)
        made.folder, made.clock = self.place.folder / name, self.place.clock
        shutil.copytree(self.place.folder / "data", made.folder / "data")
        return made

    async def recalled(self, place: Place, at: int = 0, *, after: bool = False) -> int:
        async with place.open(counselled()) as sessions:
            deadly = Deadly(sessions, at, after=after)
            await sessions.recall(self.session, self.message, "back-0001", LIMIT)
            return deadly.count

    async def found(self, place: Place) -> tuple[Any, dict[str, Any], str]:
        async with place.open(counselled()) as sessions:
            await sessions.sweep()
            told = await sessions.store.events(self.session, ("awareness", "escalated"))
            events = repr([(each.kind, each.data) for each in told])
            return await standing(sessions, self.session), await sessions.store.dump(self.session), events


@pytest.mark.parametrize("words", [WORDS, DEADLY], ids=["plain", "danger"])
def test_killed_at_every_commit_it_is_taken_back_as_if_nothing_had_been(place: Place, words: str) -> None:
    said = Said(place, words)
    assert kept(place.folder / "data", words)
    peace = said.copied("peace")
    commits = run(said.recalled(peace))
    stands, wanted, told = run(said.found(peace))
    assert kept(peace.folder, words) == []
    assert (stands == said.before) is (words is WORDS)
    assert ("'verdict': 'yes'" in told) is (words is DEADLY)
    assert commits >= 2
    for at in range(1, commits + 1):
        for after in (False, True):
            troubled = said.copied(f"{at}{after}")
            assert killed(said.recalled(troubled, at, after=after)) == -signal.SIGKILL
            if at % 2:  # somebody sends the wish again; otherwise whoever sweeps finds it, once it was accepted
                run(said.recalled(troubled))
            _, dump, _ = run(said.found(troubled))
            if not at % 2 and dump != wanted:
                run(said.recalled(troubled))
                _, dump, _ = run(said.found(troubled))
            assert dump == wanted
            assert kept(troubled.folder, words) == []


# within a list


def test_within_a_list_the_one_item_is_asked_about_again(place: Place) -> None:
    scripted(place, EACH)

    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            first = await sessions.take(session, say("said-0001", "躺下两小时睡不着", seen(begun)))
            before = await standing(sessions, session)
            said = await sessions.take(session, say("said-0002", WORDS, seen(first)))
            back = await sessions.recall(session, said.messages[0].number, "back-0001", LIMIT)
            assert back.rewound
            assert await standing(sessions, session) == before
            again = await sessions.take(session, say("said-0003", "吃得少", seen(first)))
            last = await sessions.take(session, say("said-0004", "没力气", seen(again)))
            values = {each.name: each.value for each in (await sessions.view(session)).variables}
            assert [each.get("描述") for each in values["困扰"]] == ["躺下两小时睡不着", "吃得少", "没力气"]
            assert last.position["topic"]["id"] == "done"

    run(work())
    assert kept(place.folder / "data", WORDS) == []


def test_within_a_list_an_earlier_answer_loses_its_words_alone(place: Place) -> None:
    scripted(place, EACH)

    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            first = await sessions.take(session, say("said-0001", WORDS, seen(begun)))
            second = await sessions.take(session, say("said-0002", "吃得少", seen(first)))
            back = await sessions.recall(session, first.messages[0].number, "back-0001", LIMIT)
            assert not back.rewound
            last = await sessions.take(session, say("said-0003", "没力气", seen(second)))
            values = {each.name: each.value for each in (await sessions.view(session)).variables}
            assert [each.get("描述") for each in values["困扰"]] == ["吃得少", "没力气"]
            assert last.position["topic"]["id"] == "done"

    run(work())
    assert kept(place.folder / "data", WORDS) == []


# with a human in the session


@pytest.mark.parametrize("words", [WORDS, DEADLY], ids=["plain", "danger"])
@pytest.mark.parametrize("meanwhile", ["before", "after"])
def test_while_a_human_holds_the_session_the_words_go_alone(place: Place, words: str, meanwhile: str) -> None:
    """``before``: said before the takeover; ``after``: said to the human."""
    scripted(place, ASKING)

    async def work() -> None:
        async with place.open() as sessions:
            session, begun = await place.begun(sessions)
            wang = CounsellorActions(sessions, WANG)
            if meanwhile == "after":
                await wang.take_over(session, "t-1")
            said = await sessions.take(session, say("said-0001", words, seen(begun)))
            if meanwhile == "before":
                await wang.take_over(session, "t-1")
            await wang.speak(session, "h-1", f"您刚才说“{words}”，我听到了。")
            before = await standing(sessions, session)
            told = await sessions.store.events(session, ("escalated",))
            number = next(each.number for each in said.messages if each.sender == "person")
            back = await sessions.recall(session, number, "back-0001", LIMIT)
            assert not back.rewound
            assert back.human is not None
            after = await standing(sessions, session)
            assert after[2] == before[2]
            assert after[0]["human"] == before[0]["human"]
            assert len(await sessions.store.events(session, ("escalated",))) == len(told)
            judged = repr([each.data for each in await sessions.store.events(session, ("awareness",))])
            assert ("'verdict': 'yes'" in judged) is (words is DEADLY)
            assert [each.text for each in await sessions.store.messages(session) if each.number == number] == [""]
            outcome = await wang.hand_back(session, "b-1", closed=True)
            assert outcome.request.kind == "message"
            assert (await sessions.session(session)).status == "active"

    run(work())
    assert kept(place.folder / "data", words) == []
