"""The process that serves: listens, and stops without breaking anything off."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from socket import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

from heartrule.server.app import finish
from heartrule.server.settings import ServerSettings

AFTER_TURNS = 5
"""Seconds that connections may take to close once the last turn is done."""


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
            )
        )
        self._app, self._ready = app, ready
        self._finishing: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self._finishing = asyncio.create_task(finish(self._app.state.house))
        try:
            await super().shutdown(sockets)
        finally:
            await self._finishing
