"""Jobs on DBOS: an attempt is a workflow, each of its steps is put down when it is done, and what a process that died
had begun goes on in another behind the last step that was.

DBOS is one a process. Its tables hold ids, numbers and outcomes and stand apart from ours; they may be lost.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from typing import Any, TypeVar

from dbos import DBOS, DBOSConfig, Serializer, SetWorkflowID, WorkflowStatusString
from sqlalchemy import Engine, create_engine, event, make_url

from heartrule.jobs.attempts import Hold
from heartrule.jobs.work import Attempt, Work
from heartrule.store.engines import BUSY_SECONDS, make_private, sqlite_url, write_ahead

R = TypeVar("R")
FILE = "jobs.db"
SCHEMA = "dbos"
VERSION = "1"
"""Of the workflow below. What another version has begun is left to it, and begun anew when its time is over."""
THREADS = 8
"""Attempts that are worked at side by side."""
UNFINISHED = (WorkflowStatusString.ENQUEUED.value, WorkflowStatusString.DELAYED.value)
FINISHED = [
    WorkflowStatusString.SUCCESS.value,
    WorkflowStatusString.ERROR.value,
    WorkflowStatusString.CANCELLED.value,
    WorkflowStatusString.MAX_RECOVERY_ATTEMPTS_EXCEEDED.value,
]
SWEPT = 200
"""After so many attempts the finished ones are deleted."""
SCHEDULES = 60.0
"""Seconds between DBOS's looks for schedules, of which we have none."""
LISTENING = 0.5
"""Seconds between its looks for notifications, of which we have none either; so long it takes to stop."""


class Taken(Exception):
    """DBOS runs in this process for another data folder already."""


class Stopped(BaseException):
    """The process stops. No outcome of a step: DBOS puts nothing down, and the next process takes it again."""


class Plain(Serializer):
    """JSON, which runs nothing when it is read. Of a fault its kind is kept, and not what it says."""

    def serialize(self, data: Any) -> str:
        return json.dumps(data, default=lambda other: type(other).__name__)

    def deserialize(cls, serialized_data: str) -> Any:  # noqa: N805
        return json.loads(serialized_data)

    def name(self) -> str:
        return "json"


class Durable:
    """Runs attempts in threads of DBOS; the work itself is done in the event loop that opened it."""

    _here: Durable | None = None
    _lock = threading.Lock()

    def __init__(self, works: Mapping[str, Work], hold: Hold, failed: Callable[[BaseException], None]) -> None:
        self.works, self.hold, self._failed = works, hold, failed
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="heartrule-jobs")
        self._at_work: set[str] = set()
        self._calls: set[Future[Any]] = set()
        self._stopping = False
        self._rest = asyncio.Event()
        self._begun = 0
        self._engine: Engine | None = None

    @classmethod
    async def open(
        cls,
        where: Path | str,
        executor: str,
        works: Mapping[str, Work],
        hold: Hold,
        failed: Callable[[BaseException], None],
    ) -> Durable:
        """``where`` is the data folder, or the URL of a PostgreSQL database. ``Taken`` when there is one already."""
        made = cls(works, hold, failed)
        with cls._lock:
            if Durable._here is not None:
                raise Taken
            Durable._here = made
        try:
            await made._aside(lambda: made._launch(where, executor))
        except BaseException:
            await made._aside(made._put_down)
            raise
        return made

    @property
    def at_work(self) -> int:
        return len(self._at_work)

    async def start(self, attempt: Attempt) -> bool:
        return attempt.id in self._at_work or await self._aside(lambda: self._start(attempt))

    async def stop(self, patience: float) -> None:
        self._rest.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._at_work:
                    await self._rest.wait()
                    self._rest.clear()
        self._stopping = True
        for call in list(self._calls):
            call.cancel()
        await self._aside(self._put_down)
        self._thread.shutdown(wait=False)

    # In the thread

    def _launch(self, where: Path | str, executor: str) -> None:
        _quiet()
        self._engine, url = _engine(where)
        config = DBOSConfig(
            name="heartrule",
            system_database_url=url,
            system_database_engine=self._engine,
            dbos_system_schema=SCHEMA,
            application_version=VERSION,
            executor_id=executor,
            serializer=Plain(),
            log_level="CRITICAL",
            enable_otlp=False,
            use_listen_notify=False,
            notification_listener_polling_interval_sec=LISTENING,
            scheduler_polling_interval_sec=SCHEDULES,
            max_executor_threads=THREADS,
        )
        DBOS(config=config)
        DBOS.listen_queues([])
        DBOS.launch()

    def _put_down(self) -> None:
        try:
            DBOS.destroy()
        finally:
            if self._engine is not None:
                self._engine.dispose()
            Durable._here = None

    def _start(self, attempt: Attempt) -> bool:
        found = DBOS.get_workflow_status(attempt.id)
        if found is None:
            self._begun += 1
            if self._begun % SWEPT == 1:
                self.sweep()
            self._at_work.add(attempt.id)
            try:
                with SetWorkflowID(attempt.id):
                    DBOS.start_workflow(_attempt, attempt.kind, attempt.row, attempt.number)
            except BaseException:
                self.end(attempt)
                raise
        elif found.status in FINISHED:
            return False
        elif found.status not in UNFINISHED:
            DBOS.resume_workflow(attempt.id)
        return True

    def sweep(self) -> None:
        """Delete workflows that are finished: what came of them is in our own tables."""
        finished = DBOS.list_workflows(status=FINISHED, limit=2 * SWEPT, load_input=False, load_output=False)
        if finished:
            DBOS.delete_workflows([each.workflow_id for each in finished])

    async def _aside(self, work: Callable[[], R]) -> R:
        return await self._loop.run_in_executor(self._thread, work)

    # In the threads of DBOS

    def begin(self, attempt: Attempt) -> None:
        if self._stopping:
            raise Stopped
        self._at_work.add(attempt.id)

    def end(self, attempt: Attempt) -> None:
        self._at_work.discard(attempt.id)
        with suppress(RuntimeError):  # the loop has ended before us
            self._loop.call_soon_threadsafe(self._rest.set)

    def call(self, work: Coroutine[Any, Any, R]) -> R:
        """Have it done in the event loop, and wait for it. ``Stopped`` when the process stops first."""
        if self._stopping or self._loop.is_closed():
            work.close()
            raise Stopped
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._calls.add(future)
        try:
            return future.result()
        except CancelledError:
            raise Stopped from None
        except Exception as error:
            self._failed(error)
            raise
        finally:
            self._calls.discard(future)


def _here() -> Durable:
    if Durable._here is None:
        raise Stopped
    return Durable._here


@DBOS.workflow(name="attempt")
def _attempt(kind: str, row: str, number: int) -> str:
    here, attempt = _here(), Attempt(kind, row, number)
    here.begin(attempt)
    try:
        # Not a step: whoever takes the attempt up again has to say so once more.
        if not here.call(here.hold(attempt)):
            return "settled"
        outcomes = {step: _take(kind, row, number, step) for step in _steps(kind, row, number)}
        here.call(here.works[kind].settle(attempt, outcomes))
        return "done"
    finally:
        here.end(attempt)


@DBOS.step(name="steps")
def _steps(kind: str, row: str, number: int) -> list[str]:
    here = _here()
    return list(here.call(here.works[kind].steps(Attempt(kind, row, number))))


@DBOS.step(name="take")
def _take(kind: str, row: str, number: int, step: str) -> str:
    here = _here()
    return here.call(here.works[kind].take(Attempt(kind, row, number), step))


def _quiet() -> None:
    """Nothing is said on anybody's terminal: what goes wrong is written down by us, without what it says."""
    logger = logging.getLogger("dbos")
    logger.handlers, logger.propagate = [logging.NullHandler()], False


def _engine(where: Path | str) -> tuple[Engine, str]:
    """An engine of its own: DBOS's own one for SQLite writes without a log ahead, at a quarter of the speed."""
    if isinstance(where, str):
        url = make_url(where)
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        made = create_engine(url, hide_parameters=True, pool_size=4, max_overflow=THREADS, pool_pre_ping=True)
        return made, url.render_as_string(hide_password=False)
    url = sqlite_url(where / FILE)
    make_private(where / FILE)
    made = create_engine(
        url,
        hide_parameters=True,
        pool_size=4,
        max_overflow=THREADS,
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
    )
    event.listen(made, "connect", _set_up)
    return made, url.render_as_string()


def _set_up(connection: SqliteConnection, _: Any) -> None:
    write_ahead(connection)
    # NORMAL: what the machine's power takes away is begun again by the outbox.
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.isolation_level = "IMMEDIATE"
