"""As much of Anthropic's messages API on the loopback as a test of a client needs, on the running loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

MODEL = "claude-haiku-4-5"
USAGE = {"input_tokens": 36, "output_tokens": 20, "cache_read_input_tokens": 64, "cache_creation_input_tokens": 0}


class AnthropicServer:
    """``fault``: a status, ``stalled``, ``cut``, ``filtered``, ``empty``, ``length``, ``error_after`` or nothing.
    ``bodies`` and ``headers`` keep what came in."""

    def __init__(self, text: str, fault: str = "", *, words: str = "it went wrong") -> None:
        self.text, self.fault, self.words = text, fault, words
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[str] = []
        self.url = ""
        self._tasks: set[asyncio.Task[Any] | None] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[AnthropicServer]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()  # type: ignore[union-attr]
            await asyncio.gather(*self._tasks, return_exceptions=True)  # type: ignore[arg-type]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.current_task())
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(int(line[15:]) for line in head.splitlines() if line.lower().startswith("content-length:"))
        body = json.loads(await reader.readexactly(length))
        self.bodies.append(body)
        self.headers.append(head)
        if self.fault.isdigit() and (self.fault != "400" or "output_config" in str(body) or self.words):
            return await self._refuse(writer)
        if self.fault == "stalled":
            await asyncio.sleep(5)
        if body.get("stream"):
            return await self._stream(writer)
        content = json.dumps({**self._message(), "content": self._content(), **self._end(), "usage": USAGE}).encode()
        size = len(content) * (2 if self.fault == "cut" else 1)
        writer.write(_head(200, f"Content-Type: application/json\r\nContent-Length: {size}\r\n") + content)
        await writer.drain()
        return self.fault != "cut"

    async def _refuse(self, writer: asyncio.StreamWriter) -> bool:
        told = {"type": "error", "error": {"type": "some_error", "message": self.words}}
        content = json.dumps(told, ensure_ascii=False).encode()
        more = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\nretry-after: 7\r\n"
        writer.write(_head(int(self.fault), more) + content)
        await writer.drain()
        return True

    async def _stream(self, writer: asyncio.StreamWriter) -> bool:
        writer.write(_head(200, "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"))
        start = {**self._message(), "content": [], "stop_reason": None, "stop_sequence": None, "usage": USAGE}
        events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
        if self._content():
            events.append({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
            text = self.text
            for at in range(0, len(text), 4):
                delta = {"type": "text_delta", "text": text[at : at + 4]}
                events.append({"type": "content_block_delta", "index": 0, "delta": delta})
            events.append({"type": "content_block_stop", "index": 0})
        events.append({"type": "message_delta", "delta": self._end(), "usage": USAGE})
        events.append({"type": "message_stop"})
        for number, event in enumerate(events):
            if number == 4 and self.fault == "cut":
                await writer.drain()
                return False
            if number == 4 and self.fault == "error_after":
                event = {"type": "error", "error": {"type": "overloaded_error", "message": self.words}}
            data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            writer.write(b"%x\r\n%b\r\n" % (len(data), data))
            await writer.drain()
            await asyncio.sleep(0.01)
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    def _message(self) -> dict[str, Any]:
        return {"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL}

    def _content(self) -> list[dict[str, str]]:
        return [] if self.fault == "empty" else [{"type": "text", "text": self.text}]

    def _end(self) -> Mapping[str, Any]:
        reason = {"filtered": "refusal", "length": "max_tokens"}.get(self.fault, "end_turn")
        return {"stop_reason": reason, "stop_sequence": None}


def _head(status: int, more: str) -> bytes:
    return f"HTTP/1.1 {status} X\r\n{more}\r\n".encode()
