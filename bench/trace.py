"""How far one message goes through our code: files, functions and calls, with a model and without.

    python -m bench.trace

The session of ``bench.turns``, in process, on SQLite. Of one turn, once everything has been loaded, it counts the
distinct files and functions of ``heartrule`` that are called, and the calls, in all threads. What stands in for the
model is left out.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, FrameType

from bench.turns import WORDS, script, settings

import heartrule
from heartrule.llm.model import Model
from heartrule.sessions import Settings, open_sessions
from heartrule.store.records import Entry
from heartrule.testing.hold import MovedClock

OURS = str(Path(heartrule.__file__).parent)
STAND_INS = (f"{OURS}/testing", f"{OURS}/llm/providers/scripted")
BEFORE = 8
"""Turns that are held before the one that is counted."""


@dataclass(slots=True)
class Trace:
    """Counts our own functions as they are called, while it is ``on``."""

    on: bool = False
    calls: Counter[CodeType] = field(default_factory=Counter)

    def note(self, frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if self.on and event == "call" and file.startswith(OURS) and not file.startswith(STAND_INS):
            self.calls[frame.f_code] += 1

    def told(self) -> str:
        files = {code.co_filename for code in self.calls}
        return f"{len(files)} files, {len(self.calls)} functions, {self.calls.total()} calls"


async def one_message(within: Settings, path: Path, clock: MovedClock, trace: Trace) -> None:
    async with open_sessions(within) as sessions:
        record = await sessions.create(str(path))
        outcome = await sessions.start(record.id)
        for number in range(1, BEFORE + 2):
            clock.pass_(seconds=30)
            seen = max(message.number for message in outcome.messages)
            trace.on = number > BEFORE
            entry = Entry(f"turn {number}", "message", text=f"{number} {WORDS}", after=seen)
            outcome = await sessions.take(record.id, entry)
        trace.on = False


def main() -> None:
    for name, model in (("with a model", None), ("without", Model([]))):
        trace, clock = Trace(), MovedClock()
        threading.setprofile(trace.note)  # of the threads that begin from here on
        sys.setprofile(trace.note)
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "long.yaml"
                path.write_text(script(BEFORE), encoding="utf-8")
                within = settings(Path(folder) / "data", clock, "OFF")
                within = within if model is None else replace(within, model=model)
                asyncio.run(one_message(within, path, clock, trace))
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        print(f"{name}: {trace.told()}")


if __name__ == "__main__":
    main()
