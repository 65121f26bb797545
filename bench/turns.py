"""What a turn costs in process: scripted model, SQLite, committed, without the fsync; at turn 10 and at turn 500.

python bench/turns.py [--turns 500] [--synchronous OFF]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Settings, open_sessions
from heartrule.store.records import Entry
from heartrule.testing.counsellor import counsel

SCRIPT = """\
sessions:
  - session: 打分
    id: scores
    declare:
      - {var: 心情, type: integer, range: [0, 10], define: 现在的心情}
      - {var: 说明, define: 为什么是这个分数}
    phases:
      - phase: 打分
        id: phase
        steps:
          - topic: 打分
            id: topic
            repeat: {until: 心情 > 10}
            actions:
              - type: ai_ask
                id: score
                content: 问现在的心情和原因，一次只问一个问题。
                question: 现在心情几分？为什么？
                output:
                  - {get: 心情}
                  - {get: 说明}
"""
WORDS = ("5 分，今天和昨天差不多。", "有点累，4 分。", "6 分，睡了一会儿。")


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one turn: seconds that passed, seconds of processor time of all threads, bytes handed to the system."""

    wall: float
    processor: float
    written: int


def written() -> int:
    """Bytes this process has handed to the system for files; 0 where the system does not count them."""
    try:
        lines = Path("/proc/self/io").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("wchar")), 0)


async def measure(turns: int, synchronous: str) -> tuple[list[Cost], float]:
    """The cost of each turn of one session, and the seconds it takes to look at the session afterwards."""
    with tempfile.TemporaryDirectory() as name:
        data = Path(name)
        (data / "scores.yaml").write_text(SCRIPT, encoding="utf-8")
        settings = Settings(data=data / "data", model=Model([ScriptedProvider(counsel)]), synchronous=synchronous)
        async with open_sessions(settings) as sessions:
            record = await sessions.create(str(data / "scores.yaml"))
            outcome = await sessions.start(record.id)
            costs: list[Cost] = []
            for number in range(turns):
                after = outcome.messages[-1].number
                entry = Entry(uuid4().hex, "message", WORDS[number % len(WORDS)], after=after)
                wall, processor, before = time.perf_counter(), time.process_time(), written()
                outcome = await sessions.take(record.id, entry)
                costs.append(Cost(time.perf_counter() - wall, time.process_time() - processor, written() - before))
            begun = time.perf_counter()
            await sessions.view(record.id)
            return costs, time.perf_counter() - begun


def line(costs: list[Cost], at: int) -> str:
    """The fifty turns that end with turn ``at``, or begin with the fifth."""
    window = costs[max(5, at - 50) : max(5, at - 50) + 50]
    wall = statistics.quantiles([cost.wall * 1000 for cost in window], n=20)
    processor = statistics.median(cost.processor * 1000 for cost in window)
    kilobytes = statistics.mean(cost.written / 1000 for cost in window)
    return (
        f"  round turn {at:>4}: median {wall[9]:6.2f} ms   p95 {wall[18]:6.2f} ms"
        f"   processor {processor:5.2f} ms   {kilobytes:5.1f} kB written"
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--synchronous", default="OFF", choices=["OFF", "NORMAL", "FULL"])
    options = parser.parse_args(arguments)
    turns = max(options.turns, 60)
    print(
        f"A turn in process (scripted model, SQLite, synchronous={options.synchronous}); to hold: median 5, p95 15 ms"
    )
    costs, seconds = asyncio.run(measure(turns, options.synchronous))
    print(line(costs, 10))
    print(line(costs, turns))
    print(f"Looking at a session of {turns} turns: {seconds * 1000:.0f} ms; to hold: 300 ms")


if __name__ == "__main__":
    main()
