"""What loading and compiling a script of 2,000 lines costs, cold and cached, and starting a session of what we ship.

python bench/loading.py [--lines 2000]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from heartrule.engine.actions import field_models
from heartrule.language.library import Library
from heartrule.llm.model import Model
from heartrule.sessions import Settings, open_sessions

TOPIC = """\
          - topic: 话题 {number}
            id: topic_{number}
            condition: 心情 >= 0
            actions:
              - type: ask
                content: "{{称呼}}，第 {number} 个问题，几分？"
                output:
                  - {{get: 心情}}
              - type: say
                condition: 心情 > 3 and 心情 < 8
                content: 记下了 {{心情}}。
"""
HEAD = """\
sessions:
  - session: 长会谈
    id: long
    declare:
      - {var: 称呼, define: 怎么称呼, value: 你}
      - {var: 心情, type: integer, range: [0, 10], value: 5, define: 心情}
    phases:
      - phase: 阶段
        id: phase
        steps:
"""


def script(lines: int) -> str:
    topics = (lines - HEAD.count("\n")) // TOPIC.count("\n") + 1
    return HEAD + "".join(TOPIC.format(number=number) for number in range(topics))


def loading(lines: int) -> tuple[float, float]:
    """Seconds to load and compile, the first time and again."""
    registry = field_models()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "long.yaml")
        path.write_text(script(lines), encoding="utf-8")
        library = Library([], registry)
        begun = time.perf_counter()
        library.script(str(path))
        cold = time.perf_counter() - begun
        begun = time.perf_counter()
        library.script(str(path))
        return cold, time.perf_counter() - begun


async def starting() -> float:
    """Seconds to create a session of the first assessment and hold its first turn, once the program is warm."""
    with tempfile.TemporaryDirectory() as name:
        async with open_sessions(Settings(data=Path(name), model=Model(), synchronous="OFF")) as sessions:
            for _ in range(3):
                begun = time.perf_counter()
                record = await sessions.create("cbt/first_assessment")
                await sessions.start(record.id)
                seconds = time.perf_counter() - begun
            return seconds


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=2000)
    options = parser.parse_args(arguments)
    cold, cached = loading(options.lines)
    print(f"Loading {options.lines} lines: {cold * 1000:.0f} ms, again {cached * 1000:.2f} ms; to hold: 100 ms, 1 ms")
    print(f"Starting a first assessment: {asyncio.run(starting()) * 1000:.0f} ms; to hold: 100 ms")


if __name__ == "__main__":
    main()
