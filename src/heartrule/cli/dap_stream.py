"""The debug adapter on standard input and output: messages in, messages out, until the editor leaves."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from heartrule.cli.safe_text import echo
from heartrule.debugger.dap import framing
from heartrule.debugger.dap.adapter import Adapter
from heartrule.debugger.service import Debugger
from heartrule.sessions import Settings, open_sessions

WHO = "editor"


async def serve(data: Path | None, projects: list[Path]) -> None:
    with TemporaryDirectory(prefix="heartrule-dap-") as made:
        await _adapt(data or Path(made), projects)


async def _adapt(data: Path, projects: list[Path]) -> None:
    reader = asyncio.StreamReader(limit=framing.LARGEST)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)

    def send(message: dict[str, Any]) -> None:
        sys.stdout.buffer.write(framing.encode_message(message))
        sys.stdout.buffer.flush()

    async with open_sessions(Settings.from_environment(data, projects)) as sessions:
        debugger = Debugger(sessions.store, sessions.library, sessions.model, sessions.clock)
        adapter = Adapter(debugger, WHO, send)
        over = asyncio.ensure_future(adapter.over.wait())
        while not over.done():
            coming = asyncio.ensure_future(framing.read_message(reader))
            await asyncio.wait({coming, over}, return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                coming.cancel()
                break
            try:
                message = coming.result()
            except framing.Broken as broken:
                echo(str(broken), err=True)
                break
            if message is None:
                break
            await adapter.take(message)
        over.cancel()
