"""The sessions, for a program that reads lines and waits: they run beside it, in an event loop of their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack, contextmanager
from typing import TypeVar, TypeVarTuple

from anyio.from_thread import BlockingPortal, start_blocking_portal

from heartrule.cli.folder import opening
from heartrule.sessions import Sessions, Settings, open_sessions

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
SECONDS_TO_STOP = 5.0


class Door:
    def __init__(self, portal: BlockingPortal, sessions: Sessions) -> None:
        self._portal = portal
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


@contextmanager
def opened(settings: Settings) -> Iterator[Door]:
    """Raises ``Unusable`` when nothing can be kept in the data folder."""
    with ExitStack() as held:
        with opening(settings.data):
            portal = held.enter_context(start_blocking_portal())
            sessions = held.enter_context(portal.wrap_async_context_manager(open_sessions(settings)))
        yield Door(portal, sessions)
