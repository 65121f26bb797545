"""The sessions, for a program that reads lines and waits: they run beside it, in an event loop of their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack, contextmanager
from functools import partial
from queue import SimpleQueue
from typing import TypeVar, TypeVarTuple

from anyio.from_thread import BlockingPortal, start_blocking_portal

from heartrule.cli.folder import opening
from heartrule.cli.interrupts import first_interrupt
from heartrule.jobs.lifecycle import working
from heartrule.jobs.worker import Worker
from heartrule.sessions import Sessions, Settings, open_sessions

LOOK_SECONDS = 5.0
"""Between looks whether the session is due."""
T = TypeVar("T")
T2 = TypeVar("T2")
Ts = TypeVarTuple("Ts")
SECONDS_TO_STOP = 5.0
SECONDS_OF_JOBS = 1.0
"""For what is being delivered when somebody leaves; the rest is left to the next process on the data folder."""


class Door:
    def __init__(self, portal: BlockingPortal, sessions: Sessions, worker: Worker, open_: ExitStack) -> None:
        self._portal, self._worker, self._open = portal, worker, open_
        self.sessions = sessions

    def call(self, function: Callable[[*Ts], Awaitable[T]], *arguments: *Ts) -> T:
        """Waits for ``function``. Ctrl-C stops it, and whatever it had not committed was not done."""
        future = self._portal.start_task_soon(function, *arguments)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            wait([future], timeout=SECONDS_TO_STOP)
            raise

    def follow(
        self,
        function: Callable[[Callable[[T2], None]], Awaitable[T]],
        hear: Callable[[T2], None],
        interrupted: Callable[[], None],
    ) -> T:
        """Waits for ``function``, and ``hear`` is called here with whatever it tells meanwhile, in order. The first
        Ctrl-C calls ``interrupted``; the next one stops it, as with ``call``."""
        told: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        future = self._portal.start_task_soon(function, lambda part: told.put(partial(hear, part)))
        future.add_done_callback(lambda _: told.put(None))
        try:
            with first_interrupt(partial(told.put, interrupted)):
                while (act := told.get()) is not None:
                    act()
            return future.result()
        except BaseException:
            future.cancel()
            wait([future], timeout=SECONDS_TO_STOP)
            raise

    def begin(self, function: Callable[[*Ts], Awaitable[object]], *arguments: *Ts) -> None:
        """Does not wait for ``function``, nor for what comes of it."""
        self._portal.start_task_soon(function, *arguments)

    def look_after(self, session: str) -> None:
        """Look back over ``session`` whenever that is due, for as long as the sessions are open."""
        looking = self._worker.repeating(LOOK_SECONDS, partial(self.sessions.look_back, session))
        self._open.enter_context(self._portal.wrap_async_context_manager(looking))


@contextmanager
def opened(settings: Settings) -> Iterator[Door]:
    """Raises ``Unusable`` when nothing can be kept in the data folder."""
    with ExitStack() as held:
        with opening(settings.data):
            portal = held.enter_context(start_blocking_portal())
            sessions = held.enter_context(portal.wrap_async_context_manager(open_sessions(settings)))
            jobs = working(sessions, settings, patience=SECONDS_OF_JOBS)
            worker = held.enter_context(portal.wrap_async_context_manager(jobs))
        yield Door(portal, sessions, worker, held)
