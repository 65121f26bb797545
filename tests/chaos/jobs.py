"""kill -9 at random moments of processes that hold sessions and deliver what those escalate.

    python -m tests.chaos.jobs [KILLS] [SEED] [sqlite|postgresql]

Each child opens the data folder, says everything again by its key, and delivers until nothing is left to be done; the
parent kills it while it opens, or a few steps beyond where the last one came. Every third call to the receiver fails.
When one has lived to the end: every escalation is in the database once and was settled once, everybody was told at
least once under its key, and nothing is left.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, create_engine, text
from tests.chaos.children import Deaths, Tell
from tests.jobs.material import CALL, script, told
from tests.store.postgres import Server, programs

import heartrule.jobs.channels  # noqa: F401 (once, before the forks)
from heartrule.jobs.lifecycle import working
from heartrule.llm.model import Model
from heartrule.sessions import Settings, open_sessions
from heartrule.store.records import Entry
from heartrule.store.store import Store

SESSIONS = 4
CALLS = 5
FASTER = 100
"""The children's clock: a pause of five seconds takes 50 ms."""
COUNTING = {
    "sqlite": (
        "CREATE TABLE effects (id TEXT)",
        (
            "CREATE TRIGGER counted AFTER UPDATE ON escalations WHEN NEW.status = 'delivered' BEGIN"
            " INSERT INTO effects VALUES (NEW.id); END"
        ),
    ),
    "postgresql": (
        "CREATE TABLE effects (id TEXT)",
        (
            "CREATE FUNCTION count_it() RETURNS trigger AS $$ BEGIN"
            " INSERT INTO effects VALUES (NEW.id); RETURN NULL; END $$ LANGUAGE plpgsql"
        ),
        (
            "CREATE TRIGGER counted AFTER UPDATE ON escalations FOR EACH ROW WHEN (NEW.status = 'delivered')"
            " EXECUTE FUNCTION count_it()"
        ),
    ),
}


class Hurried:
    """The system's clock, faster, and the same for all processes."""

    def now(self) -> datetime:
        begun = datetime(2026, 1, 1, tzinfo=UTC)
        return begun + (datetime.now(UTC) - begun) * FASTER


@dataclass(frozen=True, slots=True)
class Plan:
    folder: Path
    script: str
    url: str
    sessions: Sequence[str]
    database: str | None = None

    @property
    def where(self) -> Settings:
        return Settings(data=self.folder, database=self.database, model=Model(), clock=Hurried(), synchronous="OFF")

    @contextmanager
    def tables(self) -> Iterator[Connection]:
        url = self.database or f"sqlite:///{self.folder / 'heartrule.db'}"
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        try:
            with engine.begin() as connection:
                yield connection
        finally:
            engine.dispose()


async def _made(plan: Plan) -> list[str]:
    async with open_sessions(plan.where) as sessions:
        return [(await sessions.create(plan.script)).id for _ in range(SESSIONS)]


async def _go_on(plan: Plan, tell: Tell) -> None:
    """What a child does: everything, whether or not an earlier child has done it, and all deliveries."""
    random.seed()
    settings = told(plan.url)
    async with (
        open_sessions(plan.where) as sessions,
        working(sessions, plan.where, patience=0.1, settings=settings, look_seconds=0.05),
    ):
        for session in plan.sessions:
            await sessions.start(session)
        for number in range(CALLS):
            for session in plan.sessions:
                await sessions.take(session, Entry(f"call {number}", "message", text=f"{CALL} {number}"))
                tell("taken")
        seen: set[str] = set()
        deadline = time.monotonic() + 60
        while len(seen) < SESSIONS * CALLS:
            assert time.monotonic() < deadline, "it is not delivered"
            found = await sessions.store.escalations.newest()
            for each in found:
                if each.status == "delivered" and each.id not in seen:
                    seen.add(each.id)
                    tell("delivered")
            await asyncio.sleep(0.01)


@contextmanager
def receiver(log: Path) -> Iterator[str]:
    """A process of its own, so that nobody forks its threads."""
    command = [sys.executable, "-m", "tests.jobs.receivers", str(log), "3"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def one_folder(folder: Path, url: str, log: Path, chance: Random, server: Server | None) -> tuple[Deaths, Counter[str]]:
    """One data folder through deaths; the deaths, and how often each was told."""
    written = script(folder, questions=CALLS + 1)
    plan = Plan(folder / "data", written, url, (), server.new_database() if server else None)
    plan = replace(plan, sessions=asyncio.run(_made(plan)))
    with plan.tables() as connection:
        for statement in COUNTING["postgresql" if server else "sqlite"]:
            connection.execute(text(statement))
    deaths = Deaths(chance)
    deaths.until_one_lives(lambda tell: _go_on(plan, tell))
    return deaths, _checked(plan, Counter(log.read_text().split()))


def _checked(plan: Plan, calls: Counter[str]) -> Counter[str]:
    with plan.tables() as connection:
        effects = Counter(row[0] for row in connection.execute(text("SELECT id FROM effects")))
        left = connection.execute(text("SELECT count(*) FROM outbox")).scalar()
    with Store.open(plan.database or plan.folder, folder=plan.folder) as store:
        found = asyncio.run(store.escalations.newest(10_000))
        rows = {asyncio.run(store.escalations.row(each.id)): each.id for each in found}
    wanted = {f"{session}/{number + 2}-1" for session in plan.sessions for number in range(CALLS)}
    told_of = {key: times for key, times in calls.items() if key.partition("/")[0] in plan.sessions}
    assert {each.id for each in found} == wanted, "an escalation is missing, or there is one too many"
    assert len(found) == len(wanted)
    assert all(each.status == "delivered" and each.attempts and each.delivered_at for each in found), "not delivered"
    assert {rows[row] for row in effects} == wanted, "an effect is missing"
    assert set(effects.values()) == {1}, "an effect happened twice"
    assert set(told_of) == wanted, "somebody was not told"
    assert left == 0, "something is left to be done"
    return Counter(told_of)


@dataclass(slots=True)
class Sums:
    folders: int
    moments: Counter[str]
    escalations: int
    calls: int
    again: int


def run(kills: int, seed: int, server: Server | None = None) -> Sums:
    """At least ``kills`` deaths, over as many data folders as that takes; on ``server``, else on SQLite."""
    chance = Random(seed)
    sums = Sums(0, Counter(), 0, 0, 0)
    with TemporaryDirectory() as home, receiver(Path(home, "taken")) as url:
        log = Path(home, "taken")
        log.touch()
        while sums.moments.total() < kills:
            folder = Path(home, str(sums.folders))
            folder.mkdir()
            deaths, calls = one_folder(folder, url, log, chance, server)
            sums.folders += 1
            sums.moments += deaths.moments
            sums.escalations += len(calls)
            sums.calls += calls.total()
            sums.again += sum(times > 1 for times in calls.values())
    return sums


def main(arguments: Sequence[str]) -> None:
    kills, seed, where = [*arguments, *("1000", "1", "sqlite")[len(arguments) :]][:3]
    began = time.perf_counter()
    installed = programs() if where == "postgresql" else None
    server = Server(installed) if installed else None
    try:
        sums = run(int(kills), int(seed), server)
    finally:
        if server:
            server.stop()
    moments = ", ".join(f"{count} {name}" for name, count in sorted(sums.moments.items()))
    sys.stdout.write(
        f"{sums.moments.total()} kills ({moments}) over {sums.folders} data folders: {sums.escalations} escalations,"
        f" each in the database once and settled once, each told at least once under its key ({sums.calls} calls taken,"
        f" {sums.again} told more than once), none lost ({time.perf_counter() - began:.0f} s)\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
