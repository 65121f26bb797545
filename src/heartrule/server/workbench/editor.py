"""The language server in a socket: one for each editor that is open, with the texts that it holds unsaved."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import suppress
from types import ModuleType
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket
from starlette.websockets import WebSocketDisconnect

from heartrule import logs
from heartrule.lsp.rooms import Room
from heartrule.server.access import address_of
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem, language_of
from heartrule.server.workbench.access import author_of
from heartrule.store.projects import NoSuchProject
from heartrule.workbench.workbench import CachedProject

router = APIRouter(prefix="/workbench")
PROTOCOL = "heartrule.lsp"
LARGEST = 4 * 1024 * 1024
"""Characters of a message."""
SAVED = "heartrule/saved"
LOOK = 15.0
"""Seconds between looks whether who types may still write."""
IGNORED = frozenset({"exit", "shutdown"})
"""An editor ends its own socket and nothing else."""
_UNREADABLE = (ValueError, AttributeError, TypeError, KeyError, RecursionError)
_DENIED = {401: 4401, 403: 4403, 404: 4404, 429: 4429}
for _name in ("pygls", "pygls.protocol", "pygls.protocol.json_rpc", "pygls.server"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


@router.websocket("/projects/{project}/lsp")
async def editor(socket: WebSocket, project: str, lang: Annotated[str | None, Query(max_length=35)] = None) -> None:
    """The Language Server Protocol, a message a frame. What keeps somebody out is told by the code of the close."""
    context: AppContext = socket.app.state.context
    offered = socket.scope.get("subprotocols") or []
    await socket.accept(PROTOCOL if PROTOCOL in offered else None)
    try:
        context.limits.address(address_of(socket))
        author = await author_of(socket, context)
        context.live.room(f"editor {author.id}", address_of(socket))
        await context.workbench.record(project, author)
        kept = await context.workbench.open(project)
        _, texts = await context.workbench.texts(project)
    except NoSuchProject:
        await socket.close(4404)
        return
    except Problem as problem:
        await socket.close(_DENIED.get(problem.status, 4400))
        return
    room = await asyncio.to_thread(_room, kept, texts)
    language = await asyncio.to_thread(_language)
    spoken = language_of(lang or socket.headers.get("accept-language"))
    with context.live.counted(f"editor {author.id}", address_of(socket)):
        await _Editor(language, socket, context, project, room, spoken).serve()


def _language() -> ModuleType:
    """The language server. The classes of its protocol take as long to load as a fifth of the whole service, and only
    an editor needs them."""
    from heartrule.lsp import server

    return server


def _room(kept: CachedProject, texts: dict[str, str]) -> Room:
    """What is read of the project is read once for all editors, until something is typed."""
    with kept.lock:
        _ = kept.workspace.now.findings
        return Room(kept.workspace.edited(()), texts)


class _Writer:
    """What the server says goes out in its order."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()

    def write(self, data: bytes) -> None:
        self._waiting.put_nowait(data.decode())

    def close(self) -> None:
        self._waiting.put_nowait(None)

    async def run(self) -> None:
        while (message := await self._waiting.get()) is not None:
            await self._socket.send_text(message)


class _Editor:
    def __init__(
        self, language: ModuleType, socket: WebSocket, context: AppContext, project: str, room: Room, lang: str
    ) -> None:
        self._language = language
        self._socket, self._context, self._project, self._room = socket, context, project, room
        self._server = language.language_server(context.workbench.registry, lang, room)
        self._writer = _Writer(socket)
        self._server.protocol.set_writer(self._writer, include_headers=False)

    async def serve(self) -> None:
        saying = asyncio.create_task(self._writer.run())
        looked = time.monotonic()
        try:
            while True:
                received = await self._socket.receive()
                if received["type"] == "websocket.disconnect":
                    return
                text = received.get("text")
                if text is None:
                    await self._socket.close(1003)
                    return
                if time.monotonic() - looked >= LOOK:
                    looked = time.monotonic()
                    author = await author_of(self._socket, self._context)
                    await self._context.workbench.record(self._project, author)
                if len(text) > LARGEST:
                    await self._socket.close(1009)
                    return
                await self._take(text)
        except Problem as problem:  # they may no more: their sign-in has ended, or their role was taken away
            with suppress(RuntimeError):
                await self._socket.close(_DENIED.get(problem.status, 4400))
        except NoSuchProject:  # nor is it shared with them any more
            with suppress(RuntimeError):
                await self._socket.close(4404)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            saying.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await saying

    async def _take(self, text: str) -> None:
        """One message. What cannot be read is told; nothing that an editor sends ends the service."""
        message: Any = None
        try:
            message = json.loads(text)
            method = message.get("method") if isinstance(message, dict) else None
            if method == SAVED:
                await self._saved()
            elif method in IGNORED:
                if "id" in message:
                    self._writer.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None}).encode())
            else:
                protocol = self._server.protocol
                protocol.handle_message(json.loads(text, object_hook=protocol.structure_message))
        except (self._language.JsonRpcException, *_UNREADABLE) as error:
            logs.event("editor message", level=logging.WARNING, kind=type(error).__name__)
            asked = message.get("id") if isinstance(message, dict) else None  # or whoever asked would wait for ever
            told = {"jsonrpc": "2.0", "id": asked, "error": {"code": -32700, "message": "cannot be read"}}
            self._writer.write(json.dumps(told).encode())

    async def _saved(self) -> None:
        """The files as they are kept now, from another tab too."""
        with suppress(NoSuchProject):
            _, texts = await self._context.workbench.texts(self._project)
            await self._language.look_again(self._server, lambda: self._room.keep(texts))
