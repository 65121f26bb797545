"""What a first turn would pay for, done before the server says that it is ready: scripts are compiled, and a session
is held beside all others, so that what is imported, read and compiled on first use is."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from heartrule import logs
from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.sessions.clock import SystemClock
from heartrule.store.records import Entry

PRACTICE = "cbt/first_assessment"
WORDS = ("好的", "小明", "最近睡不好，工作压力也大", "6")


@cache
def _once() -> list[str]:
    """What is the same for all servers of a process, and has been prepared."""
    return []


async def prepare(sessions: Sessions, settings: Settings) -> None:
    """A script that cannot be compiled is told to whoever wants it, as ever. What fails here keeps nobody from being
    served: it costs the first turn."""
    if not _once():
        _once().append(PRACTICE)
        try:
            for model in (Model(), Model([ScriptedProvider(lambda request: {})])):
                with logs.practice():
                    await _held(settings, model)
        except Exception as error:
            logs.fault(error)
    for script in sessions.scripts():
        with suppress(Exception):
            sessions.script(script.id, None)


async def _held(settings: Settings, model: Model) -> None:
    """A session in a folder that goes away, which nobody else sees."""
    with TemporaryDirectory() as folder:
        elsewhere = replace(settings, data=Path(folder), database=None, keys=None)
        where = replace(elsewhere, model=model, projects=(), clock=SystemClock(), synchronous="OFF")
        async with open_sessions(where) as practice:
            session = await practice.create(PRACTICE)
            await practice.start(session.id)
            for number, words in enumerate(WORDS):
                await practice.take(session.id, Entry(f"words {number}", "message", text=words))
