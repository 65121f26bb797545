"""kill -9 with bursts in flight and timers about to strike: no word is lost, doubled or out of order.

Each child looks where the session stands and does the next thing a visitor would: say it in one message or in three at
once, or stay away until an action's time is up. What falls into one turn depends on the moment, so there is no twin to
compare with; what was accepted must be in the transcript, whole.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.chaos.children import Deaths, Tell

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.store.records import Entry
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import START, MovedClock

TURN, TIMEOUT = 12, 11
"""Minutes from turn to turn, and until a visitor's silence has lasted too long."""


def script(questions: int) -> str:
    lines = ["sessions:", "  - session: 突发", "    id: bursts", "    locale: zh-CN", "    phases:"]
    lines += [
        "      - phase: 谈",
        "        id: talk",
        "        steps:",
        "          - topic: 问",
        "            actions:",
    ]
    for number in range(questions):
        lines += [
            f"              - {{type: ask, id: ask{number}, content: 第 {number} 个问题？, timeout: 10m,",
            f"                 output: [{{get: 答{number}}}]}}",
        ]
    return "\n".join(lines) + "\n"


async def slow(request: Request) -> dict[str, Any]:
    await asyncio.sleep(0.004)
    return counsel(request)


def settings(folder: Path, clock: MovedClock, *, model: bool) -> Settings:
    made = Model([ScriptedProvider(slow)] if model else [])
    return Settings(data=folder / "data", projects=[], model=made, clock=clock, synchronous="OFF")


async def visit(folder: Path, session: str, *, model: bool, tell: Tell) -> None:
    clock = MovedClock()
    async with open_sessions(settings(folder, clock, model=model)) as sessions:
        outcome = await sessions.start(session)
        tell("started")
        while outcome.execution_status != "completed":
            record = await sessions.session(session)
            if record.status == "ended":
                break
            await step(sessions, session, record.seq, clock)
            tell("taken")


async def step(sessions: Sessions, session: str, seq: int, clock: MovedClock) -> None:
    """The next thing this visitor does after turn ``seq``: the same, whichever child it is that comes so far."""
    random = Random(seq)
    clock.time = START
    clock.pass_(minutes=TURN * seq)
    if random.random() < 0.2:
        clock.pass_(minutes=TIMEOUT)
        await sessions.sweep()
        return
    after = (await sessions.view(session)).messages[-1].number
    count = random.choice((1, 3, 3))
    entries = [Entry(f"{seq} {n}", "message", text=f"第 {seq} 轮的第 {n} 句", after=after) for n in range(count)]
    await asyncio.gather(*(sessions.take(session, entry) for entry in entries))


async def create(folder: Path, *, model: bool) -> str:
    path = folder / "bursts.yaml"
    path.write_text(script(24), encoding="utf-8")
    async with open_sessions(settings(folder, MovedClock(), model=model)) as sessions:
        return (await sessions.create(str(path))).id


async def look_through(folder: Path, session: str) -> None:
    clock = MovedClock()
    clock.pass_(hours=20)
    async with open_sessions(settings(folder, clock, model=False)) as sessions:
        await sessions.sweep()
        inbox = await sessions.store.inbox(session)
        messages = await sessions.store.messages(session, limit=100_000)
        record = await sessions.session(session)
    assert record.status == "ended"
    given = [(item.turn, item.number, item.entry.text) for item in inbox if item.entry.kind == "message"]
    assert None not in {turn for turn, _, _ in given}, "an input was never consumed"
    kept = [(message.turn, message.inbox, message.text) for message in messages if message.sender == "person"]
    assert kept == sorted(given, key=lambda each: (each[0] or 0, each[1]))
    assert [message.number for message in messages] == list(range(1, len(messages) + 1))
    timers = [item.entry.key for item in inbox if item.entry.kind == "timer"]
    assert len(set(timers)) == len(timers)


def one_session(random: Random, *, model: bool) -> Deaths:
    with TemporaryDirectory() as name:
        folder = Path(name)
        session = asyncio.run(create(folder, model=model))
        deaths = Deaths(random)
        deaths.until_one_lives(lambda tell: visit(folder, session, model=model, tell=tell))
        asyncio.run(look_through(folder, session))
        return deaths


def run(kills: int, seed: int) -> tuple[int, Counter[str]]:
    random, sessions, moments = Random(seed), 0, Counter[str]()
    while moments.total() < kills:
        moments += one_session(random, model=sessions % 2 == 0).moments
        sessions += 1
    return sessions, moments
