"""What a turn costs around the model: a long session in process, scripted model, SQLite with and without the fsync.

    python bench/turns.py [--turns 520] [--profile]

Prints wall-clock time and processor time (all threads of this process) per turn, the scripted model's own left out.
Both, and the twentieth part of turns that were fastest, since others may be at work on the machine. Then commits and
bytes written per turn early and late; loading a script of 2,000 lines; starting a session; and coming back to one with
2,000 messages.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from sqlalchemy import PoolProxiedConnection

from heartrule.engine.installed_types import field_models
from heartrule.engine.session.io import HISTORY
from heartrule.language.projects.library import Library, library_root
from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.store.records import Entry
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import MovedClock

AT, LATE, SPAN = 10, 500, 20
"""Turns that are compared: ``SPAN`` of them from each of these on."""
WORDS = "我最近总是睡不着，躺下以后脑子里一直在想工作上的事情，越想越清醒，第二天整个人都没有精神。"


def script(topics: int) -> str:
    """A session that asks ``topics`` times over, with four questions each time; it keeps a value of each."""
    lines = [
        "sessions:",
        "  - session: 很长的会谈",
        "    id: long",
        "    locale: zh-CN",
        "    declare:",
        "      - {var: 轮, type: integer, value: 0, define: 第几轮}",
        *(f"      - {{var: 答{n}, type: text, define: 第 {n} 个回答}}" for n in range(1, 5)),
        "    phases:",
        "      - phase: 谈",
        "        id: talk",
        "        steps:",
        "          - topic: 一轮",
        "            id: round",
        f"            repeat: {{until: 轮 >= {topics}, max: {topics}}}",
        "            actions:",
        "              - {type: set_var, id: count, var: 轮, expr: 轮 + 1}",
    ]
    for number in range(1, 5):
        lines += [
            "              - type: ai_ask",
            f"                id: ask{number}",
            f"                question: 第 {number} 个问题：这几天过得怎样？",
            f"                content: 了解来访者这几天的第 {number} 个方面，要具体，不评价。",
            f"                output: [{{get: 答{number}}}]",
        ]
    return "\n".join(lines) + "\n"


def long_script(lines: int) -> str:
    """A script of so many lines, of topics as counsellors write them."""
    head = ["sessions:", "  - session: 两千行", "    id: many", "    locale: zh-CN", "    phases:"]
    made, number = list(head), 0
    while len(made) < lines:
        if number % 10 == 0:
            made += [f"      - phase: 第 {number // 10} 段", f"        id: phase{number}", "        steps:"]
        made += [
            f"          - topic: 话题 {number}",
            f"            id: topic{number}",
            "            goal: 弄清这一方面",
            "            actions:",
            f"              - {{type: say, id: say{number}, content: 说说第 {number} 个方面。}}",
            "              - type: ai_ask",
            f"                id: ask{number}",
            "                question: 最近怎样？",
            "                content: |",
            "                  了解最近的情形。",
            "                  不评价，不催促。",
            f"                output: [{{get: 值{number}, define: 他说的}}]",
        ]
        number += 1
    return "\n".join(made) + "\n"


def settings(folder: Path, clock: MovedClock, synchronous: str) -> Settings:
    async def answer(request: Request) -> dict[str, Any]:
        began = time.thread_time()
        try:
            return counsel(request)
        finally:
            Cost.model += time.thread_time() - began

    model = Model([ScriptedProvider(answer)])
    return Settings(data=folder, model=model, clock=clock, synchronous=synchronous)


@dataclass(slots=True)
class Cost:
    wall: float
    cpu: float
    commits: int
    written: int
    model: ClassVar[float] = 0.0
    """Seconds of processor time that the scripted model itself has taken so far."""


class Meter:
    """Counts commits, and the pages a checkpoint moves into the database."""

    def __init__(self, sessions: Sessions, folder: Path) -> None:
        self.commits = 0
        self._folder = folder
        self._engine = sessions.store._db.engines.writer
        self._commit = self._engine.dialect.do_commit
        self._engine.dialect.do_commit = self._committed  # type: ignore[method-assign]

    def _committed(self, connection: PoolProxiedConnection) -> None:
        self.commits += 1
        self._commit(connection)

    def logged(self) -> int:
        """Bytes in the write-ahead log since it was last emptied; empties it."""
        log = self._folder / "heartrule.db-wal"
        size = log.stat().st_size if log.exists() else 0
        with self._engine.connect() as connection:
            connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return size


async def talk(
    sessions: Sessions, clock: MovedClock, path: Path, turns: int, meter: Meter | None
) -> tuple[str, list[Cost]]:
    record = await sessions.create(str(path))
    outcome = await sessions.start(record.id)
    costs: list[Cost] = []
    for number in range(1, turns + 1):
        clock.pass_(seconds=30)
        metered = meter is not None and any(begin <= number < begin + SPAN for begin in (AT, LATE))
        if meter is not None and metered:
            meter.logged()
        commits = meter.commits if meter else 0
        seen = max(message.number for message in outcome.messages)
        entry = Entry(f"turn {number}", "message", text=f"{number} {WORDS}", after=seen)
        cpu, wall, model = time.process_time(), time.perf_counter(), Cost.model
        outcome = await sessions.take(record.id, entry)
        model = Cost.model - model
        wall, cpu = time.perf_counter() - wall - model, time.process_time() - cpu - model
        written = meter.logged() if meter is not None and metered else 0
        costs.append(Cost(wall, cpu, (meter.commits if meter else 0) - commits, written))
    return record.id, costs


def spread(name: str, figures: Sequence[float]) -> str:
    cuts = statistics.quantiles(figures, n=20)
    fastest, middle, slowest = cuts[0] * 1e3, statistics.median(figures) * 1e3, cuts[18] * 1e3
    return f"{name} median {middle:.2f} ms, p95 {slowest:.2f} ms (p5 {fastest:.2f})"


def both(costs: Sequence[Cost]) -> str:
    return f"{spread('wall', [c.wall for c in costs])}; {spread('processor', [c.cpu for c in costs])}"


def told(costs: Sequence[Cost]) -> Iterator[str]:
    yield f"  all {len(costs)} turns: {both(costs[5:])}"
    for begin in (AT, LATE):
        part = costs[begin - 1 : begin - 1 + SPAN]
        if len(part) < SPAN:
            continue
        kilobytes = statistics.mean(c.written for c in part) / 1000
        commits = statistics.mean(c.commits for c in part)
        where = f"turns {begin}–{begin + SPAN - 1}"
        yield f"  {where}: {both(part)}; {commits:.1f} commits, {kilobytes:.1f} kB written a turn"


@contextmanager
def profiled(wanted: bool) -> Iterator[None]:
    if not wanted:
        yield
        return
    profile = cProfile.Profile()
    profile.enable()
    yield
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(40)


async def one_long_session(synchronous: str, turns: int, profile: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, clock = Path(name), MovedClock()
        path = folder / "long.yaml"
        path.write_text(script(turns), encoding="utf-8")
        data = folder / "data"
        async with open_sessions(settings(data, clock, synchronous)) as sessions:
            with profiled(profile):
                session, costs = await talk(sessions, clock, path, turns, Meter(sessions, data))
            print(f"synchronous={synchronous}, {turns} turns of one session:")
            for line in told(costs):
                print(line)
            if synchronous == "OFF":
                await coming_back(sessions, session, data, clock)


async def coming_back(sessions: Sessions, session: str, data: Path, clock: MovedClock) -> None:
    while len((await sessions.view(session)).messages) < 2000:
        clock.pass_(seconds=30)
        record = await sessions.session(session)
        await sessions.take(session, Entry(f"more {record.seq}", "message", text=WORDS))
    async with open_sessions(settings(data, clock, "OFF")) as again:
        print("coming back to a session of 2,000 messages")
        await timed_call("script not in memory: its state", again.view(session, messages=0))
        await timed_call(f"  the last {HISTORY} messages", again.view(session, messages=HISTORY))
        await timed_call("  all of them", again.view(session))
        await timed_call("  why it went as it did", again.why(session))
        await timed_call("  its next turn", again.take(session, Entry("back", "resume")))


async def timed_call(name: str, work: Awaitable[object]) -> None:
    cpu, began = time.process_time(), time.perf_counter()
    await work
    print(f"{name}: {since(began)} (processor {(time.process_time() - cpu) * 1e3:.0f} ms)")


def since(began: float) -> str:
    return f"{(time.perf_counter() - began) * 1e3:.0f} ms"


async def starting() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, clock = Path(name), MovedClock()
        async with open_sessions(settings(folder, clock, "OFF")) as sessions:
            for label in ("first", "second", "third"):
                cpu, began = time.process_time(), time.perf_counter()
                record = await sessions.create("cbt/first_assessment")
                await sessions.start(record.id)
                spent = (time.process_time() - cpu) * 1e3
                print(f"start of a session, {label}: {since(began)} (processor {spent:.0f} ms)")


def loading() -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "many.yaml"
        path.write_text(long_script(2000), encoding="utf-8")
        lines = path.read_text(encoding="utf-8").count("\n")
        library = Library([library_root()], field_models())
        library.script("cbt/abc_intro")  # imports, our own projects and compiled patterns are there already
        cold = [timed(lambda: anew(library, path)) for _ in range(3)]
        own = [timed(lambda: touched(library, path)) for _ in range(5)]
        cached = [timed(lambda: library.script(str(path))) for _ in range(20)]
        print(
            f"a script of {lines} lines: {min(own):.0f} ms changed on disk, {min(cold):.0f} ms with every shipped"
            f" project read anew, {statistics.median(cached):.2f} ms cached (processor)"
        )


def anew(library: Library, path: Path) -> None:
    Library._shipped.clear()
    Library(library.roots, library.registry).script(str(path))


def touched(library: Library, path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    library.script(str(path))


def timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1e3


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=LATE + SPAN)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args(arguments)
    for synchronous in ("OFF", "FULL"):
        asyncio.run(one_long_session(synchronous, options.turns, options.profile))
    asyncio.run(starting())
    loading()


if __name__ == "__main__":
    main(sys.argv[1:])
