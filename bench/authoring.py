"""How soon an author is answered in 5,000 lines: ``python -m bench.authoring``. The real server in this process, an
editor at its socket on loopback: from a keystroke to the findings, completion, the map; with ``--editors`` what 50 of
them take."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from bench.lint_speed import script
from websockets.asyncio.client import ClientConnection, connect

from heartrule.llm.model import Model
from heartrule.server.app import build
from heartrule.server.process import Server
from heartrule.server.settings import Rates, ServerSettings
from heartrule.server.tokens import Staff
from heartrule.sessions import Settings
from heartrule.store.projects import Author

LINES = 5_000
KEYSTROKES = 60
PAUSE = 0.15
"""Seconds between keystrokes: a quick hand."""
EDITORS = 50
LIMITS = {"findings": 150.0, "completion": 50.0, "map": 1_000.0}
"""Milliseconds, of 95 in 100."""
URI = "heartrule:///a.yaml"


class Editor:
    def __init__(self, connection: ClientConnection) -> None:
        self._connection, self._number = connection, 0
        self._waiting: dict[Any, asyncio.Future[Any]] = {}
        self.told: asyncio.Queue[float] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for frame in self._connection:
            message = json.loads(frame)
            if message.get("method") == "textDocument/publishDiagnostics":
                self.told.put_nowait(time.perf_counter())
            elif (waiting := self._waiting.pop(message.get("id"), None)) is not None:
                waiting.set_result(message.get("result"))

    async def tell(self, method: str, params: Any) -> None:
        await self._connection.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    async def ask(self, method: str, params: Any) -> Any:
        self._number += 1
        waiting = self._waiting[self._number] = asyncio.get_running_loop().create_future()
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        await self._connection.send(json.dumps(message))
        return await waiting

    async def begin(self, text: str) -> None:
        await self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        await self.tell("initialized", {})
        document = {"uri": URI, "languageId": "yaml", "version": 1, "text": text}
        await self.tell("textDocument/didOpen", {"textDocument": document})
        await self.told.get()

    def end(self) -> None:
        self._reading.cancel()


async def typed(editor: Editor, text: str) -> dict[str, list[float]]:
    lines = text.split("\n")
    places = [number for number, line in enumerate(lines) if "content:" in line and not line.rstrip().endswith("|-")]
    found: dict[str, list[float]] = defaultdict(list)
    await asyncio.sleep(1.0)
    for number in range(KEYSTROKES):
        line = places[(number * 37) % len(places)]
        character = len(lines[line].rstrip().rstrip("\"'")) - 1
        at = {"line": line, "character": character}
        change = {"range": {"start": at, "end": at}, "text": "字"}
        began, worked = time.perf_counter(), time.process_time()
        params = {"textDocument": {"uri": URI, "version": number + 2}, "contentChanges": [change]}
        await editor.tell("textDocument/didChange", params)
        found["findings"].append((await asyncio.wait_for(editor.told.get(), 30) - began) * 1_000)
        found["findings, processor"].append((time.process_time() - worked) * 1_000)
        lines[line] = lines[line][:character] + "字" + lines[line][character:]
        await asyncio.sleep(PAUSE)
        began, worked = time.perf_counter(), time.process_time()
        await editor.ask("textDocument/completion", {"textDocument": {"uri": URI}, "position": at})
        found["completion"].append((time.perf_counter() - began) * 1_000)
        found["completion, processor"].append((time.process_time() - worked) * 1_000)
        if number % 10 == 0:
            began, worked = time.perf_counter(), time.process_time()
            await editor.ask("heartrule/map", {})
            found["map"].append((time.perf_counter() - began) * 1_000)
            found["map, processor"].append((time.process_time() - worked) * 1_000)
    return found


async def measured(folder: Path) -> dict[str, Any]:
    settings = Settings(data=folder / "data", model=Model(), synchronous="OFF")
    server = ServerSettings(
        rates=Rates(token=0, address=0, sessions=0, turns=0, pages=0), prepare=False, streams_a_session=2 * EDITORS
    )
    app, ready = build(settings, server), asyncio.Event()
    running = Server(app, server, ready.set)
    text = script(LINES)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        serving = asyncio.create_task(running.serve(sockets=[listening]))
        await ready.wait()
        context = app.state.context
        author = Author("bench", "bench")
        files = {"project.yaml": "id: bench\nlocale: zh-CN\n", "a.yaml": text}
        made = await context.sessions.store.projects.make("bench", files, author, "", settings.clock.now())
        token = context.tokens.of_staff(Staff("bench", "bench", "developer", ("*",))).token
        address = f"ws://127.0.0.1:{listening.getsockname()[1]}/api/v1/workbench/projects/{made.id}/lsp?lang=en"

        def opened() -> Any:
            return connect(address, subprotocols=["heartrule.lsp", f"bearer.{token}"], max_size=None)

        async with opened() as connection:
            editor = Editor(connection)
            await editor.begin(text)
            found: dict[str, Any] = await typed(editor, text)
            editor.end()
        before = memory()
        if "--editors" in sys.argv:
            many = [await opened().__aenter__() for _ in range(EDITORS)]
            for each in many:
                one = Editor(each)
                await one.begin(text)
                one.end()
            found["memory"] = (before, memory())
        running.should_exit = True
        await serving
    return found


def memory() -> float:
    """MB of this process now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measured(Path(folder)))
    for name, limit in LIMITS.items():
        for kind in (name, f"{name}, processor"):
            spent = sorted(found[kind])
            late = spent[min(len(spent) - 1, int(len(spent) * 0.95))]
            print(f"{kind}: {statistics.median(spent):.0f} ms in the middle, {late:.0f} ms p95 (limit {limit:.0f})")
    if "memory" in found:
        before, behind = found["memory"]
        print(f"{EDITORS} editors of {LINES} lines: {behind:.0f} MB in all, {behind - before:.0f} more than with one")


if __name__ == "__main__":
    main()
