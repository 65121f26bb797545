"""kill -9 at random moments of processes that summarise, put together, embed and delete what is remembered.

    python -m tests.chaos.remembering [KILLS] [SEED] [STAGE]

``STAGE``: only there (``first``, ``anew`` or ``delete``) do processes die, and come to the others unharmed.

Each child opens the data folder and does what is left to be done; the parent kills it while it opens, or at one of the
next transactions. Every child first looks whether anything stands there by halves. When one has lived to the end, what
is remembered is that of a twin that nobody killed, every piece of work was settled once, and nothing is left.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sqlalchemy import select
from tests.chaos.children import Deaths, Tell
from tests.chaos.jobs import Hurried

import heartrule.jobs.channels  # noqa: F401 (once, before the forks)
from heartrule.jobs.lifecycle import working
from heartrule.jobs.settings import EscalationSettings
from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.store import recollections as kept
from heartrule.store.crypto import place
from heartrule.store.database import Tx
from heartrule.store.records import Entry, Gone
from heartrule.store.schema import outbox, persons, recollections
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import MovedClock

PERSONS, SESSIONS, BLOCK, SECONDS = 3, 3, 3, 0.01
"""Blocks are small, so that a session has several; a model and vectors take so many seconds each."""
SCRIPT = """
sessions:
  - session: 回访
    id: small
    locale: zh-CN
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
              - {type: ask, id: how, content: 睡得怎么样？, output: [{get: 睡眠}]}
              - {type: ask, id: rest, content: 家里人呢？, output: [{get: 余下}]}
          - topic: 别的
            id: rest
            actions:
              - {type: ask, id: more, content: 还有吗？, output: [{get: 别的}]}
"""
SAID = ("我妈妈住院以后，我每天凌晨{}点才睡着", "我爸爸{}个月没跟我说话了", "我弟弟在成都当兵{}年了")
MOMENTS = {"s": "summarising", "c": "putting together anew", "e": "embedding", "r": "re-embedding", "d": "deleting"}


class Vectors:
    """Numbers of a text, of a model that has no meaning; slowly, so that deaths fall into it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tell: Callable[[], None] = lambda: None

    async def vectors(self, texts: Sequence[str]) -> bytes:
        self.tell()
        await asyncio.sleep(SECONDS)
        return b"".join(blake2b(f"{self.name} {each}".encode(), digest_size=32).digest() for each in texts)

    async def vector(self, text: str) -> Any:
        return np.frombuffer(await self.vectors([text]), np.int8)

    async def aclose(self) -> None:
        pass


async def reads(request: Request) -> Mapping[str, Any]:
    """A model that reads a topic: each line of the person's is a fact, and the first of them the summary."""
    text = "\n".join(each.text for each in request.messages)
    if "逐字摘出" not in text:
        return counsel(request)
    await asyncio.sleep(SECONDS)
    said = [line.removeprefix("来访者：") for line in text.splitlines() if line.startswith("来访者：")]
    facts = [{"subject": line[:3], "text": f"说过：{line}", "quote": line} for line in said]
    return {"summary": [{"text": f"谈了{line}", "quote": line} for line in said[:1]], "facts": facts}


def settings(folder: Path, embedder: str = "", *, hurried: bool = True) -> Settings:
    vectors: Any = Vectors(embedder) if embedder else None
    model = Model([ScriptedProvider(reads)], embedder=vectors) if embedder else Model()
    clock = Hurried() if hurried else MovedClock()
    return Settings(data=folder / "data", model=model, clock=clock, synchronous="OFF")


@asynccontextmanager
async def opened(folder: Path, embedder: str = "", *, hurried: bool = True) -> AsyncIterator[Sessions]:
    async with open_sessions(settings(folder, embedder, hurried=hurried)) as sessions:
        yield sessions


async def told(folder: Path) -> list[str]:
    """Sessions of some persons, held to their end and remembered by nobody yet; the persons."""
    (folder / "small.yaml").write_text(SCRIPT, encoding="utf-8")
    found: list[str] = []
    async with opened(folder, hurried=False) as sessions:
        for number in range(PERSONS):
            person = await sessions.store.new_person(f"person {number}")
            found.append(person)
            for session in range(SESSIONS):
                record = await sessions.create(str(folder / "small.yaml"), person=person)
                await sessions.start(record.id)
                for at, text in enumerate(SAID):
                    await sessions.take(record.id, Entry(f"said-{at:04}", "message", text=text.format(session + 2)))
            await _again(sessions, person)
    return found


async def _again(sessions: Sessions, person: str) -> None:
    """All that the person has said is to be gone through."""
    held = [each.id for each in await sessions.store.sessions_of(person) if each.seq]
    await sessions.store.recollections.choose(person, True, sessions.clock.now(), held)


async def amended(folder: Path, people: Sequence[str]) -> None:
    """Something of each session is put right, something forgotten, and all is to be gone through anew."""
    async with opened(folder) as sessions:
        for person in people:
            found = await sessions.store.recollections.of_person(person)
            for session in dict.fromkeys(each.item.session for each in found):
                own = [each.item.id for each in found if each.item.session == session]
                await sessions.store.recollections.correct(person, own[0], "已经改了")
                await sessions.store.recollections.forget(person, own[1], sessions.clock.now())
            await _again(sessions, person)


async def asked_for(folder: Path, people: Sequence[str]) -> None:
    async with opened(folder) as sessions:
        for person in people:
            await _again(sessions, person)


@dataclass(frozen=True, slots=True)
class Stage:
    """``whole``: by session, what may stand of it when a child comes, and nothing else. ``items`` are to be forgotten,
    ``session`` is to be removed."""

    name: str
    embedder: str
    folder: Path
    people: Sequence[str]
    whole: Mapping[str, Sequence[frozenset[str]]]
    items: Sequence[str] = ()
    session: str = ""

    async def go_on(self, tell: Tell) -> None:
        kept.BLOCK = BLOCK
        async with opened(self.folder, self.embedder) as sessions:
            await self._look(sessions)
            _listen(sessions, tell, self.name)
            patience = EscalationSettings()
            async with working(sessions, settings(self.folder), patience=0.5, settings=patience, look_seconds=0.03):
                if self.name == "delete":
                    await deleted(sessions, self.people, self.items, self.session)
                deadline = time.monotonic() + 40
                while await sessions.store._db.read(_left):
                    assert time.monotonic() < deadline, "it is not done"
                    await asyncio.sleep(0.005)

    async def _look(self, sessions: Sessions) -> None:
        for session, wholes in self.whole.items():
            with suppress(Gone):
                found = await sessions.store.recollections.of_session(session)
                assert len({each.id for each in found}) == len(found), "something is remembered twice"
                assert frozenset(each.id for each in found) in wholes, "a session is remembered by halves"


def _left(tx: Tx) -> int:
    return len(tx.conn.execute(select(outbox.c.id)).all())


def _listen(sessions: Sessions, tell: Tell, stage: str) -> None:
    """Every transaction that writes, and everything that is done beside one, is told as it begins."""
    database, memory = sessions.store._db, sessions.store.recollections
    write, aside, embed = database.write, database.aside, memory.embed
    vectors: Any = sessions.model.embedder
    vectors.tell = lambda: tell("e" if stage == "first" else "d" if stage == "delete" else "r")
    embedding = False

    def word() -> str:
        if stage == "delete":
            return "d"
        if embedding:
            return "e" if stage == "first" else "r"
        return "s" if stage == "first" else "c"

    async def told_write(*args: Any, **more: Any) -> Any:
        tell(word())
        return await write(*args, **more)

    async def told_aside(*args: Any, **more: Any) -> Any:
        tell(word())
        return await aside(*args, **more)

    async def told_embed(*args: Any, **more: Any) -> Any:
        nonlocal embedding
        embedding = True
        try:
            return await embed(*args, **more)
        finally:
            embedding = False

    database.write, database.aside = told_write, told_aside  # type: ignore[method-assign]
    memory.embed = told_embed  # type: ignore[method-assign]


async def deleted(sessions: Sessions, people: Sequence[str], items: Sequence[str], session: str) -> None:
    """The first has single things and a session go, the second all that is remembered, the third everything."""
    store = sessions.store
    first, second, third = people
    for each in items:
        await store.recollections.forget(first, each, sessions.clock.now())
    with suppress(Gone):
        await store.belongings.remove_session(session)
    await store.recollections.choose(second, False, sessions.clock.now())
    await store.erase_person(third)


async def state(folder: Path, people: Sequence[str]) -> dict[str, Any]:
    """All that is remembered, the vectors, and which answers of a model were kept."""
    async with opened(folder) as sessions:
        store = sessions.store
        found: dict[str, Any] = {"left": await store._db.read(_left), "persons": await store._db.read(_persons)}
        for person in people:
            try:
                found[person] = await store._db.read(_rows, person)
            except Gone:
                found[person] = "gone"
                continue
            held = await store.recollections.of_person(person)
            found[f"{person} items"] = sorted((asdict(each.item) for each in held), key=lambda each: each["id"])
            for record in await store.sessions_of(person):
                asked = [(each.key, each.status) for each in await store.calls(record.id) if "remember" in each.key]
                assert len(set(asked)) == len(asked), "an answer was kept twice"
                found[f"{record.id} asked"] = sorted(asked)
        return found


def _persons(tx: Tx) -> list[str]:
    return sorted(tx.conn.execute(select(persons.c.id)).scalars())


def _rows(tx: Tx, person: str) -> list[Any]:
    box = tx.keys.box(person)
    which = select(recollections).where(recollections.c.person == person)
    rows = tx.conn.execute(which.order_by(recollections.c.session, recollections.c.number)).all()
    return [
        (
            row.session,
            row.number,
            row.embedder,
            box.open(row.contents, place("recollections", "contents", row.session, row.number)),
            row.meaning and box.open(row.meaning, place("recollections", "meaning", row.session, row.number)),
        )
        for row in rows
    ]


async def _ids(folder: Path, people: Sequence[str]) -> dict[str, frozenset[str]]:
    async with opened(folder) as sessions:
        store = sessions.store
        return {
            each.id: frozenset(item.id for item in await store.recollections.of_session(each.id))
            for person in people
            for each in await store.sessions_of(person)
        }


def alone(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    kept.BLOCK = BLOCK
    return asyncio.run(work())


def one_folder(home: Path, chance: Random, most: int = 8, only: str = "") -> Deaths:
    """All stages, in a folder whose processes die and in its twin's, which live. ``most``: transactions of a child;
    ``only``: the stage in which they die (empty: in all)."""
    troubled, peaceful = home / "troubled", home / "peaceful"
    troubled.mkdir()
    people = alone(lambda: told(troubled))
    shutil.copytree(troubled, peaceful)
    deaths = Deaths(chance, most=most, rest_only=True, words=MOMENTS)
    for name, embedder, prepare in (
        ("first", "one", None),
        ("anew", "two", amended),
        ("delete", "two", asked_for),
    ):
        if prepare is not None:
            for folder in (troubled, peaceful):
                alone(lambda folder=folder, prepare=prepare: prepare(folder, people))  # type: ignore[misc]
        before = alone(lambda: _ids(troubled, people))
        own = list(before)[:SESSIONS]
        stage = Stage(name, embedder, peaceful, people, {}, sorted(before[own[0]])[:3], own[-1])
        alone(lambda stage=stage: stage.go_on(lambda _: None))  # type: ignore[misc]
        after = alone(lambda: _ids(peaceful, people))
        whole = {session: (ids, after.get(session, frozenset())) for session, ids in before.items()}
        held = replace(stage, folder=troubled, whole={} if name == "delete" else whole)
        deaths.most = 4 * most if name == "delete" else most  # there what is done already is told again
        if only in ("", name):
            deaths.until_one_lives(held.go_on)
        else:
            alone(lambda held=held: held.go_on(lambda _: None))  # type: ignore[misc]
        wanted, found = (alone(lambda folder=folder: state(folder, people)) for folder in (peaceful, troubled))  # type: ignore[misc]
        assert found["left"] == 0, "something is left to be done"
        differing = [key for key in {*wanted, *found} if wanted.get(key) != found.get(key)]
        assert not differing, f"{name}: other than the twin: {differing}"
    return deaths


def run(kills: int, seed: int, only: str = "") -> tuple[int, Counter[str]]:
    """At least ``kills`` deaths, over as many data folders as that takes."""
    chance, folders, moments = Random(seed), 0, Counter[str]()
    while moments.total() < kills:
        with TemporaryDirectory() as home:
            moments += one_folder(Path(home), chance, only=only).moments
        sys.stderr.write(f"{moments.total()}\n")
        folders += 1
    return folders, moments


def main(arguments: Sequence[str]) -> None:
    kills, seed, only = [*arguments, *("1000", "1", "")[len(arguments) :]][:3]
    began = time.perf_counter()
    folders, moments = run(int(kills), int(seed), only)
    where = ", ".join(f"{count} {name}" for name, count in sorted(moments.items()))
    sys.stdout.write(
        f"{moments.total()} kills ({where}) over {folders} data folders: what is remembered equals that of an unkilled"
        f" twin, nothing by halves, nothing left to be done ({time.perf_counter() - began:.0f} s)\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
