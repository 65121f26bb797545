"""What jobs cost a process that has nothing to deliver, and one that has delivered something.

    python -m bench.jobs [SECONDS]

Each row is a process of its own, on a fresh data folder with SQLite: what it is for, milliseconds to begin beyond the
row above, resident memory, and the share of one processor's time over so many idle seconds.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from heartrule.sessions import Sessions

KINDS = {
    "sessions": "sessions, without jobs",
    "looking": "with jobs, nothing was ever escalated",
    "delivered": "with jobs, after a delivery (DBOS runs)",
}


def memory() -> float:
    """Resident, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def until_empty(sessions: Sessions) -> None:
    outbox = sessions.store.outbox
    while await outbox.next_due() or await outbox.owners(sessions.clock.now()):
        continue


async def process(kind: str, seconds: float, folder: Path) -> dict[str, float]:
    import heartrule.server.app  # noqa: F401 (what a serving process has loaded)
    from heartrule.sessions import Settings, open_sessions

    where = Settings(data=folder / "data")
    async with AsyncExitStack() as held:
        began = time.perf_counter()
        sessions = await held.enter_async_context(open_sessions(where))
        if kind != "sessions":
            began = time.perf_counter()
            from heartrule.jobs.opening import working

            # None is configured: what is escalated stays open, and that is put down by a job like any other.
            await held.enter_async_context(working(sessions, where, patience=5))
        if kind == "delivered":
            from tests.jobs.material import CALL, script

            from heartrule.store.records import Entry

            record = await sessions.create(script(folder))
            await sessions.start(record.id)
            began = time.perf_counter()
            await sessions.take(record.id, Entry("call", "message", text=CALL))
            await until_empty(sessions)
        begun = time.perf_counter() - began
        await asyncio.sleep(2)
        cpu = time.process_time()
        await asyncio.sleep(seconds)
        return {"ms": begun * 1000, "mb": memory(), "cpu": (time.process_time() - cpu) / seconds * 100}


def main(arguments: Sequence[str]) -> None:
    if len(arguments) == 3:
        found = asyncio.run(process(arguments[0], float(arguments[1]), Path(arguments[2])))
        print(json.dumps(found))
        return
    seconds = arguments[0] if arguments else "30"
    for kind, what in KINDS.items():
        with TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "bench.jobs", kind, seconds, folder]
            ran = subprocess.run(command, capture_output=True, text=True, check=True)
        told = json.loads(ran.stdout)
        print(f"{what:<42} {told['ms']:7.0f} ms {told['mb']:7.1f} MB {told['cpu']:7.2f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
