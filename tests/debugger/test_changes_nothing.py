"""Holding changes nothing; going back and doing the same again comes to the same, byte for byte.

``HEARTRULE_DEBUGGED=1000`` (``make debugged``) holds so many sessions, and goes back to a fifth as many places."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from random import Random

import pytest
from tests.debugger.material import FILES, led
from tests.debugger.straight import SHIPPED, session, straight, text, told

from heartrule.debugger import inspection, lineage
from heartrule.debugger.breakpoints import Breakpoint
from heartrule.debugger.session import DebugSession
from heartrule.debugger.snapshots import snapshots
from heartrule.debugger.texts import Text
from heartrule.engine.session.io import Input, Words
from heartrule.llm.model import Model
from heartrule.sessions import Settings, open_sessions
from heartrule.sessions.rows import event_rows
from heartrule.store.records import Entry
from heartrule.testing.hold import MovedClock

SESSIONS = int(os.environ.get("HEARTRULE_DEBUGGED", "15"))
PLACES = max(20, SESSIONS // 5)
MOVES = 8 if SESSIONS <= 100 else 14
BREAKPOINTS = (
    Breakpoint(id="v", on="variable"),
    Breakpoint(id="a", on="action", edge="after"),
    Breakpoint(id="p", on="prompt"),
    Breakpoint(id="r", on="round"),
    Breakpoint(id="w", on="verdict"),
    Breakpoint(id="t", on="technique"),
)


def material(number: int) -> tuple[Text, Model | None]:
    """Shipped scripts without a model, and ours with one."""
    if number % 3 == 2:
        return text(("led", "sleep")[number % 2], tuple(FILES.items())), led() if number % 2 == 0 else None
    return text(f"cbt/{SHIPPED[number % len(SHIPPED)]}"), None


@pytest.mark.parametrize("number", range(SESSIONS))
def test_held_at_random_places_and_looked_into_it_is_the_same(number: int) -> None:
    async def both() -> None:
        of, model = material(number)
        plain = session(of, model)
        done = await straight(plain, Random(number), MOVES)
        held = session(of, model, breakpoints=[each for each in BREAKPOINTS if Random(number).random() < 0.5])
        random = Random(-number - 1)
        for given, at in done:
            held.head.stepping = held.head.stepping.__class__(random.choice(("run", "over", "into", "out", "call")))
            await held.send(given, at)
            await _through(held, random)
        assert told(held) == told(plain)

    asyncio.run(both())


async def _through(held: DebugSession, random: Random) -> None:
    for _ in range(2_000):
        if held.open is None:
            return
        if random.random() < 0.3:
            _look(held)
        await held.go(random.choice(("run", "over", "into", "out", "call")))  # type: ignore[arg-type]
    raise AssertionError("it never came to rest")


def _look(held: DebugSession) -> None:
    work = held.here().work
    inspection.frames(held.text, work)
    lineage.variables(held)
    inspection.evaluate(work, "exists(名字) and 睡了 > 3")


def test_gone_back_to_any_place_the_same_inputs_come_to_the_same() -> None:
    async def gone() -> None:
        random = Random(7)
        for number in range(6):
            of, model = material(number)
            recorded = session(of, model)
            done = await straight(recorded, Random(100 + number), 10)
            record, moves = told(recorded), recorded.chain(recorded.branch.leaf)
            places = [(each.move, each.passed) for each in snapshots(recorded)]
            places += [(move.number, 0) for move in moves]
            for move, passed in random.sample(places, min(len(places), -(-PLACES // 6))):
                await recorded.back(move, passed)
                await recorded.go("run")
                at = next(index for index, each in enumerate(moves) if each.number == move)
                for given, when in done[at + 1 :]:
                    await recorded.send(given, when)
                assert told(recorded) == record, (of.script.id, move, passed)

    asyncio.run(gone())


def test_a_debug_session_comes_to_what_a_real_one_does(tmp_path: Path) -> None:
    async def compared() -> None:
        folder = tmp_path / "sleepy"
        folder.mkdir()
        for name, words in FILES.items():
            (folder / name).write_text(words, encoding="utf-8")
        clock = MovedClock()
        debugged = session(text("sleep", tuple(FILES.items())))
        async with open_sessions(Settings(tmp_path / "data", [folder], model=Model(), clock=clock)) as sessions:
            record = await sessions.create("sleepy/sleep")
            await sessions.start(record.id)
            await debugged.send(Input("start"), clock.now())
            for number, words in enumerate(("小林", "我想自杀", "没有", "4 个小时", "还好", "好的")):
                seen = debugged.last.state.messages if debugged.last is not None else 0
                if debugged.last is None or debugged.last.state.ended:
                    break
                clock.pass_(minutes=1)
                choices = debugged.last.request.choices
                kind = "choice" if choices else "message"
                said = choices[0].value if choices else words
                given = Input("choice", choice=said, after=seen) if choices else None
                await debugged.send(given or Input("message", (Words(words, seen),), after=seen), clock.now())
                entry = Entry(
                    f"number {number}",
                    kind,
                    text=None if choices else words,
                    choice=said if choices else None,
                    after=seen,
                )  # type: ignore[arg-type]
                await sessions.take(record.id, entry)
            events = [(each.turn, each.kind, each.data) for each in await sessions.store.events(record.id)]
            mine = [
                (each.turn, each.kind, each.data)
                for move in debugged.chain(debugged.branch.leaf)
                for each in event_rows(debugged.turn(move.number))
            ]
            assert json.dumps(mine, ensure_ascii=False) == json.dumps(events, ensure_ascii=False)
            said_there = [(each.number, each.sender, each.text) for each in await sessions.store.messages(record.id)]
            assert [(each.number, each.sender, each.text) for each in debugged.messages()] == said_there

    asyncio.run(compared())
