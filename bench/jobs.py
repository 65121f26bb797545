"""What jobs cost a process that has nothing to deliver, and one that has delivered something; and how fast they go.

    python -m bench.jobs [SECONDS] [JOBS]

Each row is a process of its own, on a fresh data folder with SQLite: what it is for, milliseconds to begin beyond the
row above, resident memory, and the share of one processor's time over so many idle seconds. Then so many jobs of three
steps that do nothing, on SQLite and on PostgreSQL (without its disk): jobs a second, and processor time a job.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from heartrule.jobs.job import DONE, Attempt
from heartrule.jobs.worker import Worker
from heartrule.sessions import Sessions
from heartrule.store.database import Tx
from heartrule.store.outbox import add

KINDS = {
    "sessions": "sessions, without jobs",
    "looking": "with jobs, nothing was ever escalated",
    "delivered": "with jobs, after a delivery",
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
            from heartrule.jobs.lifecycle import working

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


class Nothing:
    """A job of three steps that do nothing."""

    kind = "nothing"

    def __init__(self, sessions: Sessions) -> None:
        self._outbox = sessions.store.outbox

    async def steps(self, attempt: Attempt) -> Sequence[str]:
        row = await self._outbox.find(attempt.row)
        return [step for step in ("one", "two", "three") if row is not None and step not in row.done]

    async def take(self, attempt: Attempt, step: str) -> str:
        return DONE

    async def settle(self, attempt: Attempt, outcomes: Mapping[str, str]) -> None:
        await self._outbox.settle(attempt.row, attempt.number, None, lambda _: None)


async def load(folder: Path, database: str | None, jobs: int) -> tuple[float, float]:
    """Jobs a second, and milliseconds of processor time a job."""
    from heartrule.llm.model import Model
    from heartrule.sessions import Settings, open_sessions

    where = Settings(data=folder / "data", database=database, model=Model())
    async with open_sessions(where) as sessions:

        def rows(tx: Tx) -> None:
            for number in range(jobs):
                add(tx, f"row {number}", Nothing.kind, where.clock.now())

        await sessions.store._db.write(rows)
        worker = Worker(sessions.store, where.clock, sessions.owner, {Nothing.kind: Nothing(sessions)})
        began, cpu = time.perf_counter(), time.process_time()
        running = asyncio.create_task(worker.run())
        await until_empty(sessions)
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await worker.stop(5)
        return jobs / took, cpu / jobs * 1000


def loads(jobs: int) -> None:
    from tests.store.postgres import Server, programs

    installed = programs()
    server = Server(installed) if installed else None
    try:
        for name, database in (("SQLite", None), ("PostgreSQL", server and server.new_database())):
            if name == "SQLite" or database:
                with TemporaryDirectory() as folder:
                    rate, cpu = asyncio.run(load(Path(folder), database, jobs))
                print(f"{jobs} jobs of three steps, {name:<12} {rate:6.0f} a second {cpu:6.1f} ms of processor each")
    finally:
        if server:
            server.stop()


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
    loads(int(arguments[1]) if len(arguments) > 1 else 300)


if __name__ == "__main__":
    main(sys.argv[1:])
