"""Whole transactions on worker threads: one that writes for SQLite, a small pool for PostgreSQL."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from sqlite3 import Error as SqliteError
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from heartrule.store.engines import Engines
from heartrule.store.keys import Keyring
from heartrule.store.records import StoreError

P = ParamSpec("P")
R = TypeVar("R")

TOGETHER = 64
"""At most so many waiting transactions share one commit on SQLite."""
TRIES = 5
_HERE, _BACK, _ON = "SAVEPOINT job", "ROLLBACK TO job", "RELEASE job"
"""Said to the driver: SQLAlchemy's own savepoints cost as much as three statements each."""
_AT_ONCE, _LATER = "PRAGMA synchronous=FULL", "PRAGMA synchronous=NORMAL"
"""Whether a commit waits for the disk, or is there with the next that does."""
_AGAIN = {"40001", "40P01"}  # serialization failure, deadlock


@dataclass(frozen=True, slots=True)
class Tx:
    """What a transaction works with. Its work may be run again from the start, so it touches nothing else."""

    conn: Connection
    keys: Keyring


@dataclass(slots=True)
class _Job:
    work: Callable[[Tx], Any]
    done: Future[Any]
    lasting: bool
    result: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        if self.error is not None:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(self.result)


class Database:
    def __init__(self, engines: Engines, keys: Keyring, *, threads: int) -> None:
        self.engines = engines
        self.keys = keys
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="heartrule-store")
        self._writer = _Writer(engines, keys) if engines.sqlite else None

    async def write(self, work: Callable[Concatenate[Tx, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run ``work`` as one transaction; durable when this returns. Cancelled, it may have happened or not."""
        return await self._written(lambda tx: work(tx, *args, **kwargs), lasting=True)

    async def note(self, work: Callable[Concatenate[Tx, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """As ``write``, of what can be had again and nobody has been told: on SQLite it waits for no disk. It outlives
        this process, and with the next ``write`` the machine's power too."""
        return await self._written(lambda tx: work(tx, *args, **kwargs), lasting=False)

    async def _written(self, work: Callable[[Tx], R], *, lasting: bool) -> R:
        if self._writer is not None:
            return await asyncio.wrap_future(self._writer.put(work, lasting=lasting))
        return await self._on_thread(self._write, work)

    async def read(self, work: Callable[Concatenate[Tx, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run ``work`` on one unmoving state of the database."""
        return await self._on_thread(self._read, lambda tx: work(tx, *args, **kwargs))

    async def aside(self, work: Callable[[], R]) -> R:
        """Run something that is not a transaction of this database on a worker thread."""
        return await self._on_thread(work)

    async def _on_thread(self, work: Callable[..., R], *args: Any) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *args)

    def _read(self, work: Callable[[Tx], R]) -> R:
        with self.engines.reader.begin() as connection:
            return work(Tx(connection, self.keys))

    def _write(self, work: Callable[[Tx], R]) -> R:
        for _ in range(TRIES - 1):
            try:
                return self._write_once(work)
            except DBAPIError as error:
                if getattr(error.orig, "sqlstate", None) not in _AGAIN:
                    raise
        return self._write_once(work)

    def _write_once(self, work: Callable[[Tx], R]) -> R:
        with self.engines.writer.begin() as connection:
            return work(Tx(connection, self.keys))

    def close(self) -> None:
        """What was begun is finished first."""
        if self._writer is not None:
            self._writer.close()
        self._pool.shutdown()
        self.engines.dispose()


class _Writer:
    """The one thread that writes. Transactions that wait at the same time share a commit, each within a savepoint of
    its own, so that many conversations do not queue for the disk one by one."""

    def __init__(self, engines: Engines, keys: Keyring) -> None:
        self._engines = engines
        self._keys = keys
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="heartrule-writer", daemon=True)
        self._thread.start()

    def put(self, work: Callable[[Tx], R], *, lasting: bool) -> Future[R]:
        job = _Job(work, Future(), lasting)
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed")
            self._jobs.put(job)
        return job.done

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        with self._engines.writer.connect() as connection:
            open_ = True
            while open_:
                jobs, open_ = self._waiting()
                self._work(connection, jobs)

    def _waiting(self) -> tuple[list[_Job], bool]:
        jobs: list[_Job] = []
        job = self._jobs.get()
        while job is not None:
            if job.done.set_running_or_notify_cancel():
                jobs.append(job)
            if len(jobs) == TOGETHER:
                return jobs, True
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return jobs, True
        return jobs, False

    def _work(self, connection: Connection, jobs: list[_Job]) -> None:
        if len(jobs) > 1 and self._together(connection, jobs):
            return
        for job in jobs:
            self._alone(connection, job)

    def _alone(self, connection: Connection, job: _Job) -> None:
        job.result = job.error = None
        try:
            self._wait_for_disk(connection, job.lasting)
            with connection.begin():
                job.result = job.work(Tx(connection, self._keys))
        except BaseException as error:
            job.error = error
            self._drop_broken(connection, error)
        job.settle()

    def _wait_for_disk(self, connection: Connection, lasting: bool) -> None:
        """Said before each transaction, since a connection that broke has been replaced."""
        if self._engines.awaits_disk:
            connection.connection.cursor().execute(_AT_ONCE if lasting else _LATER)

    def _drop_broken(self, connection: Connection, error: BaseException) -> None:
        """A failed COMMIT leaves SQLite inside the transaction; a new connection is not."""
        if isinstance(error, DBAPIError):
            connection.invalidate()

    def _together(self, connection: Connection, jobs: list[_Job]) -> bool:
        """False, and nothing done, when the database itself failed one of them (it may have undone the others too)."""
        tx = Tx(connection, self._keys)
        begun = False
        try:
            self._wait_for_disk(connection, any(job.lasting for job in jobs))
            with connection.begin():
                begun = True
                place = connection.connection.cursor()
                for job in jobs:
                    place.execute(_HERE)
                    try:
                        job.result = job.work(tx)
                    except DBAPIError:
                        raise
                    except Exception as error:
                        job.error = error
                        place.execute(_BACK)
                    place.execute(_ON)
        except (DBAPIError, SqliteError) as error:
            connection.invalidate()
            if begun:
                return False
            for job in jobs:  # the lock did not come; waiting for it once more for each of them would not end
                job.error = error
        for job in jobs:
            job.settle()
        return True
