"""Whole sessions against every kind of fault, at four rates, with one provider and with two: what persons are told.

    python -m tests.chaos.matrix [--sessions 2] [--script cbt/abc_intro] [--kinds 429 cut] [--out FOLDER]

The providers are ours, over the wire, with all their parsing and deadlines; the servers behind them are in memory and
time is virtual, so that a stall costs nothing. Prints a table, and with ``--out`` writes it there, as ``faults.md`` and
as ``faults.json``.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.chaos.faults import words_in_order
from tests.chaos.table import AT_RATE, markdown, shortfalls
from tests.chaos.tally import Cell, Tally
from tests.chaos.vendor import KINDS, Vendor
from tests.chaos.virtual import VirtualLoop

from heartrule.llm.model import Model
from heartrule.llm.provider import PromptMessage, Request
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.sessions import Outcome, Sessions, Settings, open_sessions
from heartrule.store.records import Entry
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import MovedClock, hold
from heartrule.testing.visitor import Visitor

RATES = (0.05, 0.2, 0.5, 1.0)
PROVIDERS = (1, 2)
THINKS = 30.0
"""Seconds that a person takes to answer."""
SCRIPT = "cbt/abc_intro"
JUDGED = 5
"""A share that is held to a limit is taken over so many times more sessions."""


def answer(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A good answer to a body of the wire."""
    schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
    messages = tuple(PromptMessage(each["role"], each["content"]) for each in body["messages"])
    return counsel(Request(messages=messages, schema=schema))


@dataclass(slots=True)
class Timed:
    """The sessions' door, with the seconds each turn took."""

    sessions: Sessions
    loop: VirtualLoop
    tally: Tally

    @property
    def store(self) -> Any:
        return self.sessions.store

    async def start(self, session: str) -> Outcome:
        return await self._taken(self.sessions.start(session))

    async def take(self, session: str, entry: Entry) -> Outcome:
        self.loop.pass_(THINKS)
        return await self._taken(self.sessions.take(session, entry))

    async def _taken(self, work: Any) -> Outcome:
        began = self.loop.time()
        outcome: Outcome = await work
        self.tally.took(outcome, began, self.loop.time())
        return outcome


async def held(cell: Cell, sessions_each: int, script: str, folder: Path) -> Tally:
    """All sessions of one cell of the matrix, one after another, with one model."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    seed = Random(f"{cell.kind} {cell.rate} {cell.providers}").randrange(2**31)
    vendors = [Vendor(answer, cell.kind, cell.rate, seed + number) for number in range(cell.providers)]
    loop.servers = dict(enumerate(vendors, 1))
    wires = [OpenAIWire(f"http://127.0.0.1:{port}/v1", "m", "key") for port in loop.servers]
    model = Model(wires, random=Random(seed).random)
    tally = Tally(budget=model.policy.budget)
    settings = Settings(data=folder, model=model, clock=MovedClock(), synchronous="OFF")
    async with open_sessions(settings) as sessions:
        database = sessions.store._db
        for name, method in inspect.getmembers(database, inspect.iscoroutinefunction):
            setattr(database, name, loop.outside(method))  # whatever waits for a thread: no time passes meanwhile
        door = Timed(sessions, loop, tally)
        for number in range(sessions_each):
            await _one(door, script, seed + number, settings.clock, tally, looked_at=number % 2 == 1)
    tally.calls = sum(vendor.calls for vendor in vendors)
    tally.faults = sum(vendor.faults for vendor in vendors)
    return tally


async def _one(door: Timed, script: str, seed: int, clock: Any, tally: Tally, *, looked_at: bool = False) -> None:
    """One session. ``looked_at``: somebody reads along, and the model is asked for a stream."""
    record = await door.sessions.create(script)
    visitor = Visitor(await door.sessions.script_of(record), seed, prefer=("safe", "开始", "接着"))
    tally.begin()
    async with door.sessions.watch(record.id) if looked_at else nullcontext():
        found = await hold(door, record.id, visitor, clock)  # type: ignore[arg-type]
    messages = (await door.sessions.view(record.id)).messages
    tally.ended(found.completed)
    try:
        words_in_order(found, messages, await door.store.inbox(record.id), seed)
    except AssertionError:
        tally.garbled += 1
    tally.asked(await door.store.calls(record.id), await door.store.attempts(record.id))


def run(cell: Cell, sessions_each: int = 1, script: str = SCRIPT) -> Tally:
    with TemporaryDirectory() as folder, asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(held(cell, sessions_each, script, Path(folder)))


def cells(kinds: Sequence[str] = KINDS) -> list[Cell]:
    return [Cell(kind, rate, providers) for kind in kinds for providers in PROVIDERS for rate in RATES]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--sessions", type=int, default=2, help=f"in each cell; where it is judged, {JUDGED} times so many"
    )
    parser.add_argument("--script", default=SCRIPT)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=KINDS)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    found: dict[Cell, Tally] = {}
    for cell in cells(options.kinds):
        judged = cell.providers > 1 and cell.rate == AT_RATE
        found[cell] = run(cell, options.sessions * (JUDGED if judged else 1), options.script)
        if sys.stderr.isatty():
            print(f"\r{len(found)}/{len(cells(options.kinds))}", end="", file=sys.stderr, flush=True)  # noqa: T201
    text = markdown(found)
    print(text)  # noqa: T201
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "faults.md").write_text(text, encoding="utf-8")
        rows = [asdict(cell) | tally.figures() for cell, tally in found.items()]
        (options.out / "faults.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if wrong := shortfalls(found):
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
