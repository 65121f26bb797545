"""A loopback server of the OpenAI wire: answers from a function, streams when asked, counts, misbehaves on demand.

    with OpenAIServer(answer=lambda body: {"content": "好的。"}, faults=[Fault("429", retry_after=1)]) as server:
        OpenAIWire(server.url, "stub")

It runs in a thread of its own, so programs in other processes and synchronous tests can use it too. Those ask for what
it has counted under ``/v1/counts`` (GET, or DELETE to begin anew).
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from heartrule.testing.openai_answers import (
    ERROR_EVENT,
    Body,
    Chance,
    Fault,
    Kind,
    chunks,
    completion,
    cut_up,
    finish_for,
    refusal,
    spoilt,
)

__all__ = ["Answer", "Body", "Chance", "Fault", "Kind", "OpenAIServer", "Pace", "completion"]

Answer = str | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds to the first token, tokens a second after it (0: all at once), and characters a token. An answer that is
    not streamed takes as long in all."""

    first: float = 0.0
    per_second: float = 0.0
    characters: int = 4

    def at(self, token: int) -> float:
        """When it is there, in seconds from the request; the first is 0."""
        return self.first + (token / self.per_second if self.per_second else 0.0)


class OpenAIServer:
    """``answer`` is asked for every call with the request's body. ``faults`` are used up one a call; then ``chance``
    decides, or all is well. ``latency``: seconds every answer takes before all else.

    ``bodies`` and ``headers`` keep what came in, in order, unless ``keep`` is off. ``calls``, ``characters`` of prompts
    and ``faulty`` calls by kind are counted; ``running`` calls are under way and ``most`` were at once."""

    def __init__(
        self,
        answer: Callable[[Body], Answer] | Answer = "{}",
        faults: Iterable[Fault] = (),
        *,
        latency: float = 0.0,
        pace: Pace | None = None,
        chance: Chance | None = None,
        keep: bool = True,
    ) -> None:
        self.faults = deque(faults)
        self.latency = latency
        self.pace = pace or Pace()
        self.bodies: list[Body] = []
        self.headers: list[Mapping[str, str]] = []
        self.connections = 0
        self.running = 0
        self.forget()
        self._keep = keep
        self._chance = iter(chance or Chance(0.0, [Fault("none")]))
        self._answer: Callable[[Body], Answer] = answer if callable(answer) else lambda _: answer
        self._port = 0
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="openai-stub", daemon=True)

    def forget(self) -> None:
        """Begins to count anew."""
        self.calls = self.characters = 0
        self.most = self.running
        self.faulty: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        self.up()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.down()
        self._run(self._drain())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def up(self) -> None:
        """Listen, on the same port as before."""
        self._run(self._listen())

    def down(self) -> None:
        """Stop listening and drop all connections: from now on they are refused."""
        self._run(self._hang_up())

    def _run(self, coroutine: Any) -> None:
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=10)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _hang_up(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in list(self._open):
            writer.transport.abort()

    async def _drain(self) -> None:
        me = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not me]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._open.add(writer)
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(writer)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request. False when the connection is over."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        content = await reader.readexactly(int(headers.get("content-length", "0")))
        method, path, _ = head[0].split(" ", 2)
        if method != "POST":
            return await self._counts(writer, method, path)
        body: Body = json.loads(content or b"{}")
        fault = self.faults.popleft() if self.faults else next(self._chance)
        self._count(body, headers, fault)
        try:
            return await _CallUnderWay(self, writer, body, fault).run()
        finally:
            self.running -= 1

    def _count(self, body: Body, headers: Mapping[str, str], fault: Fault) -> None:
        if self._keep:
            self.bodies.append(body)
            self.headers.append(headers)
        self.calls += 1
        self.running += 1
        self.most = max(self.most, self.running)
        self.characters += sum(len(str(message.get("content", ""))) for message in body.get("messages", ()))
        if fault.kind != "none":
            self.faulty[fault.kind] += 1

    async def _counts(self, writer: asyncio.StreamWriter, method: str, path: str) -> bool:
        told = {name: getattr(self, name) for name in ("calls", "characters", "running", "most", "connections")}
        content = json.dumps({**told, "faulty": dict(self.faulty)}).encode()
        found = path.endswith("/counts")
        if method == "DELETE" and found:
            self.forget()
        writer.write(_head(200 if found else 404, [f"Content-Length: {len(content)}"]) + content)
        await writer.drain()
        return True

    def words(self, body: Body, fault: Fault) -> str:
        """What is said to this request."""
        answer = self._answer(body)
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return spoilt(fault.kind, text, self.pace.characters)


class _CallUnderWay:
    """One call on its way to an answer, or to what comes instead of it."""

    def __init__(self, server: OpenAIServer, writer: asyncio.StreamWriter, body: Body, fault: Fault) -> None:
        self._server, self._writer, self._body, self._fault = server, writer, body, fault
        self._began = asyncio.get_running_loop().time()

    async def run(self) -> bool:
        """False when the connection is over."""
        await self._until(self._server.latency)
        if self._fault.kind == "reset":
            _reset(self._writer)
            return False
        if refused := refusal(self._fault):
            status, more, content = refused
            await self._write(_head(status, [*more, f"Content-Length: {len(content)}"]) + content)
            return True
        text = self._server.words(self._body, self._fault)
        pieces = cut_up(text, max(self._server.pace.characters, len(text) // _CHUNKS))
        if self._body.get("stream"):
            return await self._stream(pieces)
        await self._pause("stall")
        await self._until(self._server.latency + self._server.pace.at(max(0, len(pieces) - 1)))
        return await self._whole(text)

    async def _whole(self, text: str) -> bool:
        kind = self._fault.kind
        content = completion(text, finish_for(kind), model=str(self._body.get("model", "stub")))
        if kind == "error_after":
            content = ERROR_EVENT.removeprefix(b"data: ")
        if kind == "unending":
            await self._write(_head(200, ["Transfer-Encoding: chunked"]))
            return await self._for_ever(content + b" " * 65_536)
        half = len(content) // 2
        await self._write(_head(200, [f"Content-Length: {len(content)}"]) + content[:half])
        await self._pause("stall_after")
        if kind == "reset_after":
            _reset(self._writer)
        if kind in ("cut", "reset_after"):
            return False
        await self._write(content[half:])
        return True

    async def _stream(self, pieces: list[str]) -> bool:
        """The answer's head and first event come at once, as they do where a model is still reading."""
        kind, pace = self._fault.kind, self._server.pace
        await self._write(_head(200, ["Transfer-Encoding: chunked"], "text/event-stream"))
        for number, event in enumerate(chunks(pieces, finish_for(kind), self._body)):
            if number == 1:
                await self._pause("stall")
            if number >= 1:
                await self._until(self._server.latency + pace.at(min(number, len(pieces)) - 1))
            if kind == "unending" and number == 1:
                return await self._for_ever(event)
            if number == max(1, (len(pieces) + 1) // 2):
                await self._pause("stall_after")
                if kind == "reset_after":
                    _reset(self._writer)
                if kind in ("cut", "reset_after"):
                    return False
                if kind == "error_after":
                    await self._write(_framed(ERROR_EVENT))
                    break
            await self._write(_framed(event))
        await self._write(b"0\r\n\r\n")
        return True

    async def _for_ever(self, event: bytes) -> bool:
        while True:
            await self._write(_framed(event))

    async def _write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def _pause(self, kind: Kind) -> None:
        if self._fault.kind == kind:
            await asyncio.sleep(self._fault.seconds)

    async def _until(self, seconds: float) -> None:
        """From the request on. What is late already waits no more."""
        left = self._began + seconds - asyncio.get_running_loop().time()
        if left > 0:
            await asyncio.sleep(left)


_CHUNKS = 2000
"""Most chunks of an answer: a megabyte comes in larger ones."""


def _head(status: int, more: list[str], kind: str = "application/json") -> bytes:
    typed = [] if any(line.startswith("Content-Type") for line in more) else [f"Content-Type: {kind}"]
    return "\r\n".join([f"HTTP/1.1 {status} X", *typed, *more, "", ""]).encode()


def _framed(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _reset(writer: asyncio.StreamWriter) -> None:
    """Closes without a word (RST instead of FIN)."""
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
