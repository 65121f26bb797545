"""What a transaction costs over each way to a database from asyncio code: sync drivers on threads, or async drivers.

    python bench/drivers.py [--url postgresql://…]

The async drivers (aiosqlite, asyncpg) are no dependencies of ours; what is not installed is left out. A transaction
costs about what an ordinary turn's does: eighteen statements, nine of which write, 4 kB.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    bindparam,
    create_engine,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

ROUNDS = 400
metadata = MetaData()
rows = Table(
    "bench_rows",
    metadata,
    Column("session", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary),
)
one = select(rows).where(rows.c.session == bindparam("s"), rows.c.number == bindparam("n"))
add = insert(rows)
change = update(rows).where(rows.c.session == bindparam("s"), rows.c.number == bindparam("n")).values(data=b"x" * 3000)


def blocking(connection: Connection, number: int) -> None:
    for _ in range(9):
        connection.execute(one, {"s": "s", "n": number}).all()
    for part in range(8):
        connection.execute(add, {"session": f"s{part}", "number": number, "data": b"x" * 150})
    connection.execute(change, {"s": "s1", "n": number})


async def awaiting(connection: AsyncConnection, number: int) -> None:
    for _ in range(9):
        (await connection.execute(one, {"s": "s", "n": number})).all()
    for part in range(8):
        await connection.execute(add, {"session": f"s{part}", "number": number, "data": b"x" * 150})
    await connection.execute(change, {"s": "s1", "n": number})


async def timed(name: str, work: Callable[[int], Awaitable[None]]) -> None:
    times = []
    cpu = time.process_time()
    for number in range(ROUNDS):
        start = time.perf_counter()
        await work(number)
        times.append(time.perf_counter() - start)
    cpu = (time.process_time() - cpu) / ROUNDS
    cuts = statistics.quantiles(times, n=20)
    print(
        f"{name}: median {statistics.median(times) * 1e3:.2f} ms, p95 {cuts[18] * 1e3:.2f} ms, cpu {cpu * 1e3:.2f} ms"
    )


def pragmas(connection: object, _: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=OFF")
    cursor.close()


async def threads(name: str, url: URL) -> None:
    engine = create_engine(url, hide_parameters=True)
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", pragmas)
    metadata.drop_all(engine)
    metadata.create_all(engine)
    pool = ThreadPoolExecutor(1)
    loop = asyncio.get_running_loop()

    def work(number: int) -> None:
        with engine.begin() as connection:
            blocking(connection, number)

    async def run(number: int) -> None:
        await loop.run_in_executor(pool, work, number)

    await timed(name, run)
    pool.shutdown()
    engine.dispose()


async def coroutines(name: str, url: URL) -> None:
    engine = create_async_engine(url, hide_parameters=True)
    if url.get_backend_name() == "sqlite":
        event.listen(engine.sync_engine, "connect", pragmas)
    async with engine.begin() as connection:
        await connection.run_sync(metadata.drop_all)
        await connection.run_sync(metadata.create_all)

    async def run(number: int) -> None:
        async with engine.begin() as connection:
            await awaiting(connection, number)

    await timed(name, run)
    await engine.dispose()


async def every(folder: Path, url: str | None) -> None:
    file = str(folder / "bench.db")
    await threads("SQLite, sqlite3 on a thread", URL.create("sqlite", database=file))
    ways: list[tuple[str, URL]] = [("SQLite, aiosqlite", URL.create("sqlite+aiosqlite", database=file))]
    if url is not None:
        postgres = make_url(url)
        await threads("PostgreSQL, psycopg on a thread", postgres.set(drivername="postgresql+psycopg"))
        ways += [
            ("PostgreSQL, psycopg's own asyncio", postgres.set(drivername="postgresql+psycopg")),
            ("PostgreSQL, asyncpg", postgres.set(drivername="postgresql+asyncpg")),
        ]
    for name, way in ways:
        try:
            await coroutines(name, way)
        except ImportError as error:
            print(f"{name}: left out ({error.name} is not installed)")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--url")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(every(Path(name), options.url))


if __name__ == "__main__":
    main()
