"""A small script, models in the test's own hands, and data folders opened as often as a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import text

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Outcome, Sessions, Settings, open_sessions
from heartrule.store.records import Entry, EventRecord, MessageRecord
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import MovedClock

SMALL = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    declare:
      - {var: 心情, type: text, define: 心情}
      - {var: 睡了, type: integer, range: [0, 24], define: 睡了几个小时}
      - {var: 来过, type: boolean, define: 是否来过}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: say, id: hello, content: 你好。}
              - {type: ask, id: mood, content: 最近心情怎样？, output: [{get: 心情}]}
              - {type: ask, id: hours, content: 昨晚睡了几个小时？, timeout: 10m, output: [{get: 睡了}]}
              - type: user_option
                id: go
                var: 还谈
                choices: [{value: 谈, label: 接着谈}, {value: 停, label: 今天到这里}]
              - {type: ask, id: last, content: 还有什么想说的？, output: [{get: 余下}]}
              - {type: say, id: bye, content: 再见。}
"""
ANSWERS: tuple[tuple[str, str], ...] = (
    ("message", "提不起劲"),
    ("message", "5 个小时"),
    ("choice", "谈"),
    ("message", "没有了"),
)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(30):
            return await work

    return asyncio.run(bounded())


def script_file(folder: Path, content: str = SMALL) -> Path:
    path = folder / "small.yaml"
    path.write_text(content, encoding="utf-8")
    return path


class Place:
    """A data folder, a script beside it and a clock; ``open`` is another process each time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script = str(script_file(folder))
        self.clock = MovedClock()

    def settings(self, **more: Any) -> Settings:
        made = Settings(data=self.folder / "data", model=Model(), clock=self.clock, synchronous="OFF")
        return replace(made, **more)

    @asynccontextmanager
    async def open(self, model: Model | None = None, **more: Any) -> AsyncIterator[Sessions]:
        async with open_sessions(self.settings(model=model or Model(), **more)) as sessions:
            yield sessions

    async def begun(self, sessions: Sessions, **more: Any) -> tuple[str, Outcome]:
        """A session that has asked its first question."""
        record = await sessions.create(self.script, **more)
        return record.id, await sessions.start(record.id)


class Gate:
    """A model's provider that answers as ``counsel`` does, but only when it is let: ``opened`` is an event to set, and
    ``asked`` one to wait for. It counts the prompts it was paid for, by hash."""

    def __init__(self) -> None:
        self.opened, self.asked = asyncio.Event(), asyncio.Event()
        self.opened.set()
        self.requests: list[Request] = []
        self.answered: list[str] = []

    def model(self) -> Model:
        return Model([ScriptedProvider(self._answer)])

    def close(self) -> None:
        self.opened.clear()
        self.asked.clear()

    async def _answer(self, request: Request) -> dict[str, Any]:
        self.requests.append(request)
        self.asked.set()
        await self.opened.wait()
        self.answered.append(request.hash)
        return counsel(request)


def say(key: str, words: str, after: int | None = None) -> Entry:
    return Entry(key, "message", text=words, after=after)


def seen(outcome: Outcome) -> int:
    """The number of the newest message, for ``after``."""
    return max((message.number for message in outcome.messages), default=0)


def texts(messages: Sequence[MessageRecord], sender: str = "person") -> list[str]:
    return [message.text for message in messages if message.sender == sender]


async def answer(sessions: Sessions, session: str, outcome: Outcome, *, first: int = 0) -> Outcome:
    """Give the rest of ``ANSWERS``, from number ``first``."""
    for number, (kind, words) in enumerate(ANSWERS[first:], first):
        entry = Entry(
            f"answer {number}",
            kind,  # type: ignore[arg-type]
            text=words if kind == "message" else None,
            choice=words if kind == "choice" else None,
            after=seen(outcome),
        )
        outcome = await sessions.take(session, entry)
    return outcome


async def value(sessions: Sessions, session: str, name: str) -> Any:
    found = {record.name: record.value for record in await sessions.store.variables(session)}
    return found.get(name)


def change(sessions: Sessions, statement: str, **values: Any) -> None:
    """Do to the database what only a fault, or another version, would."""
    with sessions.store._db.engines.writer.begin() as connection:
        connection.execute(text(statement), values)


async def reseal_state(sessions: Sessions, session: str, become: Callable[[dict[str, Any]], Any]) -> None:
    """Put another state into a session's row, properly encrypted, as a process does that has taken the session over."""
    from heartrule.store import sessions as rows
    from heartrule.store.codec import encode
    from heartrule.store.crypto import place
    from heartrule.store.database import Tx

    def work(tx: Tx) -> None:
        held = rows.hold(tx, session)
        sealed = held.box.seal(encode(become(held.state)), place("sessions", "state", session))
        tx.conn.execute(text("UPDATE sessions SET state = :state WHERE id = :id"), {"state": sealed, "id": session})
        tx.conn.execute(text("UPDATE leases SET epoch = epoch + 1 WHERE session = :id"), {"id": session})

    await sessions.store._db.write(work)


async def resay(sessions: Sessions, session: str, turn: int, become: Callable[[MessageRecord], MessageRecord]) -> None:
    """Put other messages of the program into a turn, properly sealed; ``become`` gives them."""
    from heartrule.store import history
    from heartrule.store import sessions as rows
    from heartrule.store.database import Tx

    said = [each for each in await sessions.store.messages(session) if each.turn == turn and each.sender == "ai"]

    def work(tx: Tx) -> None:
        box = rows.hold(tx, session).box
        for each in said:
            sealed = history.seal_about(box, session, become(each))
            values = {"about": sealed, "session": session, "number": each.number}
            statement = "UPDATE messages SET about = :about WHERE session = :session AND number = :number"
            tx.conn.execute(text(statement), values)

    await sessions.store._db.write(work)


async def rehappen(
    sessions: Sessions, session: str, turn: int, become: Callable[[EventRecord], EventRecord | None]
) -> None:
    """Put other events into a turn, properly sealed; ``become`` gives them, and None for one that is to be missing."""
    from heartrule.store import history
    from heartrule.store import sessions as rows
    from heartrule.store.database import Tx

    left = [new for each in await sessions.store.events(session, turn=turn) if (new := become(each)) is not None]

    def work(tx: Tx) -> None:
        sealed = history.seal_events(rows.hold(tx, session).box, session, turn, left)
        values = {**sealed, "session": session, "turn": turn}
        tx.conn.execute(
            text("UPDATE events SET course = :course, data = :data WHERE session = :session AND turn = :turn"), values
        )

    await sessions.store._db.write(work)
