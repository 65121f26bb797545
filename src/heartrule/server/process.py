"""The process that serves: listens, and stops without breaking anything off."""

from __future__ import annotations

import asyncio
import gc
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from socket import socket
from types import FrameType

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from heartrule.server.app import finish
from heartrule.server.settings import ServerSettings

HEADER_SECONDS = 20
"""Seconds the header of a request may take to come, from the connection or from its own first byte."""
AFTER_TURNS = 5
"""Seconds that connections may take to close once the last turn is done."""
NEW_OBJECTS = 20_000
"""As many more than were let go make the collector look at the new ones: what several turns make."""


class Patient(H11Protocol):
    """A connection on which every request's header must have come within a while: those that send nothing, or half a
    header, would take up places for ever."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._came()
        elif self.conn.trailing_data[0]:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._came()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _came(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


def more_files() -> None:
    """As many open files, and so connections, as the system allows without asking anybody."""
    with suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class SettledHeap:
    """What is loaded by now stays as long as the process serves: the collector need not look through it again and
    again, nor whenever a turn has made another few hundred objects."""

    def __init__(self) -> None:
        self._before = gc.get_threshold()
        gc.collect()
        gc.freeze()
        gc.set_threshold(NEW_OBJECTS, *self._before[1:])

    def end(self) -> None:
        gc.unfreeze()
        gc.set_threshold(*self._before)


class Server(uvicorn.Server):
    """Told to stop, it lets running turns finish, tells the event streams goodbye, and then closes. Told again, it
    closes at once: what was said is kept, and the next process goes on with it."""

    def __init__(self, app: FastAPI, settings: ServerSettings, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=int(settings.stop_seconds) + AFTER_TURNS,
                timeout_keep_alive=20,
                h11_max_incomplete_event_size=64 * 1024,
                http=Patient,
                ssl_certfile=settings.certificate,
                ssl_keyfile=settings.certificate_key,
                proxy_headers=bool(settings.trusted_proxies),
                forwarded_allow_ips=list(settings.trusted_proxies),
            )
        )
        self._app, self._ready = app, ready
        more_files()
        self._finishing: asyncio.Task[None] | None = None
        self._settled: SettledHeap | None = None

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._settled = SettledHeap()
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self._finishing = asyncio.create_task(finish(self._app.state.context))
        try:
            await super().shutdown(sockets)
        finally:
            await self._finishing
            if self._settled is not None:
                self._settled.end()
