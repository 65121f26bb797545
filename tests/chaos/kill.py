"""kill -9 at random moments: a session held by processes that keep dying ends exactly as one that was left in peace.

    python -m tests.chaos.kill [KILLS] [SEED]

Each child opens the data folder, sends every input of the session again from the first, by its key, and goes on; the
parent kills it while it opens, or a few steps beyond where the last one came. When the session has ended its canonical
dump is compared with that of a run on the same inputs that nobody killed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.chaos.children import Deaths, Tell

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.sessions.rows import state_of
from heartrule.store.records import Entry, InputKind
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import START, Held, MovedClock
from heartrule.testing.visitor import Visitor

LATENCY = 0.004
"""Seconds a model call takes, so that many deaths fall into one."""
EVERY = 6
"""A counsellor takes the session over before every so many answers, speaks, is spoken to, and hands it back."""
WANG = {"id": "c-1", "name": "王老师"}
INPUTS = 200


async def slow(request: Request) -> dict[str, Any]:
    await asyncio.sleep(LATENCY)
    return counsel(request)


def settings(folder: Path, clock: MovedClock, *, model: bool) -> Settings:
    provider = [ScriptedProvider(slow)] if model else []
    return Settings(data=folder, model=Model(provider), clock=clock, synchronous="OFF")


async def in_peace(folder: Path, script: str, seed: int, *, model: bool) -> tuple[Held, dict[str, Any]]:
    clock = MovedClock()
    async with open_sessions(settings(folder, clock, model=model)) as sessions:
        record = await sessions.create(script)
        compiled = await sessions.script_of(record)
        held = await attended(sessions, record.id, Visitor(compiled, seed, prefer=("safe", "开始")), clock)
        return held, await sessions.store.dump(record.id)


async def attended(sessions: Sessions, session: str, visitor: Visitor, clock: MovedClock) -> Held:
    """Held by a visitor from start to end, with a counsellor in between; every other time they have cleared it."""
    held = Held(session, await sessions.start(session))

    async def give(kind: InputKind, **what: Any) -> None:
        clock.pass_(seconds=30)
        loaded = await sessions.store.load(session, 1)
        after = loaded.messages[-1].number if loaded.messages and "who" not in what else None
        entry = Entry(f"input {len(held.entries) + 1}", kind, after=after, **what)
        held.entries.append(entry)
        held.times.append(clock.now())
        held.outcome = await sessions.take(session, entry)

    answers = 0
    while not held.completed and len(held.entries) < INPUTS:
        answers += 1
        if answers % EVERY == 0:
            await give("takeover", who=WANG)
            await give("human", text="我是王老师，我在。", who=WANG)
            await give("message", text="我不想活了" if answers % (2 * EVERY) == 0 else "嗯，谢谢")
            await give("hand_back", who=WANG | ({"closed": "yes"} if answers % (2 * EVERY) == 0 else {}))
            continue
        loaded = await sessions.store.load(session, 1)
        kind, words = visitor.reply(state_of(loaded.state), held.outcome.request)
        await give("choice", choice=words) if kind == "choice" else await give("message", text=words)
    return held


@dataclass(frozen=True, slots=True)
class Plan:
    folder: Path
    session: str
    entries: list[Entry]
    times: list[Any]
    model: bool


async def _go_on(plan: Plan, tell: Tell) -> None:
    """What a child does: start, and send every input in order, whether or not an earlier child has sent it."""
    clock = MovedClock()
    async with open_sessions(settings(plan.folder, clock, model=plan.model)) as sessions:
        await sessions.start(plan.session)
        tell("started")
        for entry, at in zip(plan.entries, plan.times, strict=True):
            clock.time = at
            await sessions.take(plan.session, entry)
            tell("taken")


def one_session(script: str, seed: int, random: Random, *, model: bool) -> Deaths:
    """Hold one session through deaths and compare its final state with that of a twin that was left in peace."""
    with TemporaryDirectory() as peaceful, TemporaryDirectory() as troubled:
        held, wanted = asyncio.run(in_peace(Path(peaceful), script, seed, model=model))
        assert held.completed
        folder = Path(troubled)
        session = asyncio.run(_create(folder, script, model=model))
        plan = Plan(folder, session, held.entries, held.times, model)
        deaths = Deaths(random)
        deaths.until_one_lives(lambda tell: _go_on(plan, tell))
        found = asyncio.run(_dump(folder, session, model=model))
        if found != wanted:
            raise AssertionError(_first_difference(wanted, found))
        return deaths


async def _create(folder: Path, script: str, *, model: bool) -> str:
    async with open_sessions(settings(folder, MovedClock(START), model=model)) as sessions:
        return (await sessions.create(script)).id


async def _dump(folder: Path, session: str, *, model: bool) -> dict[str, Any]:
    async with open_sessions(settings(folder, MovedClock(START), model=model)) as sessions:
        return await sessions.store.dump(session)


def _first_difference(wanted: dict[str, Any], found: dict[str, Any]) -> str:
    for key in sorted({*wanted, *found}):
        left = json.dumps(wanted.get(key), ensure_ascii=False, default=str, indent=1).splitlines()
        right = json.dumps(found.get(key), ensure_ascii=False, default=str, indent=1).splitlines()
        for number, (a, b) in enumerate(zip(left, right, strict=False)):
            if a != b:
                return f"{key} line {number}: {a!r} against {b!r}\n" + "\n".join(left[max(0, number - 12) : number + 3])
        if len(left) != len(right):
            return f"{key}: {len(left)} lines against {len(right)}\n{(left + right)[-8:]}"
    return "no difference found"


def run(kills: int, seed: int) -> tuple[int, Counter[str]]:
    """At least ``kills`` deaths, over as many sessions as that takes: how many sessions, and where the deaths fell."""
    random = Random(seed)
    scripts = ("cbt/abc_intro", "cbt/first_assessment", "cbt/abc_intro_en")
    sessions, moments = 0, Counter[str]()
    while moments.total() < kills:
        model = sessions % 4 != 3
        moments += one_session(scripts[sessions % len(scripts)], seed + sessions, random, model=model).moments
        sessions += 1
    return sessions, moments


def main(arguments: Sequence[str]) -> None:
    kills, seed = (int(each) for each in [*arguments, *("200", "1")[len(arguments) :]][:2])
    began = time.perf_counter()
    sessions, moments = run(kills, seed)
    where = ", ".join(f"{count} {name}" for name, count in sorted(moments.items()))
    print(
        f"{moments.total()} kills ({where}) over {sessions} sessions: every final state equals its unkilled twin"
        f" ({time.perf_counter() - began:.0f} s)"
    )
    from tests.chaos import bursts

    sessions, moments = bursts.run(kills // 4, seed)
    where = ", ".join(f"{count} {name}" for name, count in sorted(moments.items()))
    print(
        f"{moments.total()} kills ({where}) over {sessions} sessions with bursts and timers: no word lost, doubled or"
        f" out of order ({time.perf_counter() - began:.0f} s)"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
