"""What the debugger costs turns that nobody debugs: ``python -m bench.debug_hooks [--turns 600]``. One long session in
process, scripted model, the store as in production; of three turns one is worked out with the debugger's hook taken
out, one as it is shipped with nobody listening, one with a listener, in an order that is drawn. Then the hook alone, a
million times. Exits 1 where nobody listens and the hook takes more than a thousandth of a turn.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import mean, median
from types import SimpleNamespace
from typing import Any

from bench.turns import WORDS, script, settings

from heartrule.engine.session.events import Event
from heartrule.engine.work import Work
from heartrule.sessions import open_sessions
from heartrule.store.records import Entry
from heartrule.testing.hold import MovedClock

MOST = 0.001
"""Of a turn."""
SETTLED = 9
"""Turns before any is counted."""
DRAWS = 2_000
TIMES = 1_000_000
Emit = Callable[[Work, Event], None]
SHIPPED: Emit = Work.emit
HEARD: list[int] = [0]


def without(work: Work, event: Event) -> None:
    work.events.append(event)


def listened(work: Work, event: Event) -> None:
    work.events.append(event)
    hear(work, event)


def hear(work: Work, event: Event) -> None:
    HEARD[0] += 1


def hook(emit: Emit) -> None:
    """Every turn of this process goes through it from now on."""
    Work.emit = emit  # type: ignore[assignment, method-assign]


KINDS: dict[str, Emit] = {"hook taken out": without, "nobody listens": SHIPPED, "somebody listens": listened}


@dataclass(slots=True)
class Taken:
    """Seconds of each turn of a kind, a block's at the same place."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


async def talked(folder: Path, turns: int) -> tuple[dict[str, Taken], float]:
    """What the turns took, and how many events one has."""
    path = folder / "long.yaml"
    path.write_text(script(turns), encoding="utf-8")
    clock, chance = MovedClock(), Random(1)
    taken = {name: Taken() for name in KINDS}
    async with open_sessions(settings(folder / "data", clock, "NORMAL")) as sessions:
        record = await sessions.create(str(path))
        outcome = await sessions.start(record.id)
        order: list[str] = []
        for number in range(1, SETTLED + turns + 1):
            order = order or chance.sample(list(KINDS), len(KINDS))
            kind = order.pop()
            clock.pass_(seconds=30)
            seen = max(message.number for message in outcome.messages)
            entry = Entry(f"turn {number}", "message", text=f"{number} {WORDS}", after=seen)
            hook(KINDS[kind])
            cpu, wall = time.process_time(), time.perf_counter()
            outcome = await sessions.take(record.id, entry)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            hook(SHIPPED)
            if number == SETTLED:
                HEARD[0] = 0
            if number > SETTLED:
                taken[kind].wall.append(wall)
                taken[kind].cpu.append(cpu)
    return taken, HEARD[0] / len(taken["somebody listens"].cpu)


def alone(emit: Emit) -> float:
    """Seconds an event, the best of five times a fifth of a million."""
    kept: list[Any] = []
    work: Any = SimpleNamespace(events=SimpleNamespace(append=kept.append), world=SimpleNamespace(observer=None))
    event: Any = None
    best = []
    for _ in range(5):
        begun = time.perf_counter()
        for _ in range(TIMES // 5):
            emit(work, event)
        best.append((time.perf_counter() - begun) / (TIMES // 5))
        kept.clear()
    return min(best)


def difference(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float]:
    """How much more the one takes than the other, by their medians, with where 95 of 100 draws of the turns put it."""
    chance = Random(2)
    draws = sorted(
        median(chance.choices(one, k=len(one))) - median(chance.choices(other, k=len(other))) for _ in range(DRAWS)
    )
    return median(one) - median(other), draws[DRAWS // 40], draws[-DRAWS // 40]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=600)
    turns = parser.parse_args(arguments).turns
    with tempfile.TemporaryDirectory() as folder:
        taken, events = asyncio.run(talked(Path(folder), turns))
    bare = taken["hook taken out"]
    for name, each in taken.items():
        more, low, high = difference(each.cpu, bare.cpu)
        print(
            f"{name}: {len(each.cpu)} turns, processor median {median(each.cpu) * 1e3:.3f} ms,"
            f" mean {mean(each.cpu) * 1e3:.3f} ms, wall median {median(each.wall) * 1e3:.3f} ms;"
            f" against the hook taken out {more * 1e6:+.0f} µs a turn [{low * 1e6:+.0f}, {high * 1e6:+.0f}]"
        )
    hook = alone(SHIPPED) - alone(without)
    share = hook * events / median(bare.cpu)
    print(
        f"the hook alone: {hook * 1e9:.0f} ns an event; {events:.1f} events a turn:"
        f" {hook * events * 1e6:.2f} µs, {share:.5%} of a turn's processor time (at most {MOST:.1%})"
    )
    return int(share > MOST)


if __name__ == "__main__":
    sys.exit(main())
