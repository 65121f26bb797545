"""A script that escalates, and data folders with jobs at work in them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from heartrule.jobs.lifecycle import working
from heartrule.jobs.settings import EscalationSettings
from heartrule.jobs.worker import Worker
from heartrule.llm.model import Model
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.store.escalations import EscalationRecord
from heartrule.store.records import Entry
from heartrule.testing.hold import MovedClock

SECRET = "a secret of the tests"
CALL = "帮帮我，我的小狗叫豆豆"
"""Words that call for help, with something in them that is nobody's business."""
NOTE = "有人喊了帮忙，请马上去看"
"""What the script has to say of it, and whoever runs it may want told."""
SCRIPT = """
sessions:
  - session: 谈
    id: talk
    locale: zh-CN
    declare:
      - {var: 话, type: text, define: 说的话}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 谈
            id: talk
            actions:
              - {type: say, id: hello, content: 你好。}
QUESTIONS
awareness:
  - awareness: 求助
    id: help
    priority: P0
    always: true
    condition:
      judge: 对方在求助吗？
      rules: {explicit: [{pattern: 帮帮我, reason: 直说}], watch: []}
    then:
THEN
"""


def script(folder: Path, *, to: Sequence[str] = ("desk",), questions: int = 3) -> str:
    """A file with a session that asks ``questions`` questions and tells each of ``to`` when it is called for help."""
    asked = "\n".join(
        f"              - {{type: ask, id: q{n}, content: 第{n}问？, output: [{{get: 话}}]}}" for n in range(questions)
    )
    then = "\n".join(f"      - {{directive: ESCALATE, to: {each}, note: {NOTE}}}" for each in to)
    path = folder / "talk" / "talk.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(SCRIPT.replace("QUESTIONS", asked).replace("THEN", then), encoding="utf-8")
    return str(path)


def told(hook: str | None = None, **more: Any) -> EscalationSettings:
    """Settings that send to the receiver at ``hook``."""
    to = [{"name": "desk", "webhook": hook, "secret": SECRET, "allow_private": True}] if hook else []
    return EscalationSettings.model_validate({"to": to, **more})


def run(work: Coroutine[Any, Any, Any], seconds: float = 60) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(bounded())


class Place:
    """A data folder, a script in it and a clock; ``open`` is another process each time."""

    def __init__(self, folder: Path, **more: Any) -> None:
        self.folder, self.data = folder, folder / "data"
        self.script = script(folder, **more)
        self.clock = MovedClock()

    def where(self, **more: Any) -> Settings:
        return replace(Settings(data=self.data, model=Model(), clock=self.clock, synchronous="OFF"), **more)

    @asynccontextmanager
    async def open(
        self, settings: EscalationSettings, *, patience: float = 5, look_seconds: float = 0.1, **more: Any
    ) -> AsyncIterator[tuple[Sessions, Worker]]:
        where = self.where(**more)
        async with (
            open_sessions(where) as sessions,
            working(sessions, where, patience=patience, settings=settings, look_seconds=look_seconds) as jobs,
        ):
            yield sessions, jobs

    async def called(self, sessions: Sessions, **more: Any) -> str:
        """A session whose person has called for help: its id."""
        record = await sessions.create(self.script, **more)
        await sessions.start(record.id)
        await sessions.take(record.id, Entry("call", "message", text=CALL))
        return record.id


async def one(sessions: Sessions) -> EscalationRecord:
    (found,) = await sessions.store.escalations.newest()
    return found


async def until(what: Callable[[], Coroutine[Any, Any, bool]], seconds: float = 30) -> None:
    """Wait for it."""
    deadline = time.monotonic() + seconds
    while not await what():
        assert time.monotonic() < deadline, "it has not come"
        await asyncio.sleep(0.02)


async def settled(sessions: Sessions, status: str = "delivered") -> EscalationRecord:
    """The one escalation, once it stands so."""

    async def stands() -> bool:
        return all(each.status == status for each in await sessions.store.escalations.newest())

    await until(stands)
    return await one(sessions)
