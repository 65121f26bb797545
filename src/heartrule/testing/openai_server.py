"""A loopback server of the OpenAI wire that answers from a function and misbehaves on demand.

    with OpenAIServer(answer=lambda body: {"content": "好的。"}, faults=[Fault("429", retry_after=1)]) as server:
        OpenAIWire(server.url, "stub")

It runs in a thread of its own, so programs in other processes and synchronous tests can use it too.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal

Kind = Literal[
    "none",
    "401",
    "400",
    "429",
    "500",
    "no_json_schema",
    "no_json_object",
    "no_max_tokens",
    "filtered",
    "reset",
    "cut",
    "stall",
    "empty",
    "not_json",
    "not_wire",
    "fenced",
    "missing",
    "wrong_language",
    "truncated",
    "huge",
    "unending",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """One call's misbehaviour. ``none`` is a good answer; ``stall`` waits ``seconds`` before it gives one; ``reset``
    drops the connection unread, ``cut`` within the answer; ``missing`` leaves out ``content``; ``huge`` is 1 MB of
    text that is no JSON, ``unending`` a body that goes on for ever. For a refused connection see ``down``."""

    kind: Kind
    seconds: float = 0.0
    retry_after: float | str | None = None


Answer = str | Mapping[str, Any]
Body = Mapping[str, Any]

_STATUS = {"401": 401, "400": 400, "429": 429, "500": 500}
_COMPLAINTS = {
    "no_json_schema": "This response_format type json_schema is unavailable now",
    "no_json_object": "response_format is not supported",
    "no_max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
}


class OpenAIServer:
    """``answer`` is asked for every call with the request's body. ``faults`` are used up one a call; then all is well.
    ``latency``: seconds every answer takes. ``bodies`` and ``headers`` keep what came in, in order."""

    def __init__(
        self,
        answer: Callable[[Body], Answer] | Answer = "{}",
        faults: Iterable[Fault] = (),
        *,
        latency: float = 0.0,
    ) -> None:
        self.faults = deque(faults)
        self.latency = latency
        self.bodies: list[Body] = []
        self.headers: list[Mapping[str, str]] = []
        self.connections = 0
        self._answer: Callable[[Body], Answer] = answer if callable(answer) else lambda _: answer
        self._port = 0
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="openai-stub", daemon=True)

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
        body: Body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))) or b"{}")
        self.bodies.append(body)
        self.headers.append(headers)
        fault = self.faults.popleft() if self.faults else Fault("none")
        await asyncio.sleep(self.latency + (fault.seconds if fault.kind == "stall" else 0.0))
        if fault.kind == "reset":
            _reset(writer)
            return False
        status, more, content = self._response(fault, body)
        length = len(content) * (2 if fault.kind == "cut" else 1)
        lines = [f"HTTP/1.1 {status} X", "Content-Type: application/json", *more]
        if fault.kind == "unending":
            return await _for_ever(writer, lines, content)
        writer.write("\r\n".join([*lines, f"Content-Length: {length}", "", ""]).encode() + content)
        await writer.drain()
        return fault.kind != "cut"

    def _response(self, fault: Fault, body: Body) -> tuple[int, list[str], bytes]:
        kind = fault.kind
        if kind in _STATUS:
            more = [] if fault.retry_after is None else [f"Retry-After: {fault.retry_after}"]
            return _STATUS[kind], more, _error(f"fault {kind}")
        if kind in _COMPLAINTS:
            return 400, [], _error(_COMPLAINTS[kind])
        if kind == "not_wire":
            return 200, [], b"<html>welcome to the hotel</html>"
        answer = self._answer(body)
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        finish = {"filtered": "content_filter", "truncated": "length"}.get(kind, "stop")
        return 200, [], completion(_spoilt(kind, text), finish, model=str(body.get("model", "stub")))


def completion(text: str, finish: str = "stop", model: str = "stub") -> bytes:
    """A body of the wire that says ``text``."""
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 64}}
    choices = [{"index": 0, "finish_reason": finish, "message": message}]
    return json.dumps(
        {"object": "chat.completion", "model": model, "choices": choices, "usage": usage}, ensure_ascii=False
    ).encode()


def _spoilt(kind: Kind, text: str) -> str:
    match kind:
        case "empty":
            return ""
        case "not_json":
            return "我觉得可以继续聊聊这件事。"
        case "fenced":
            return f"好的，这是结果：\n```json\n{text}\n```\n"
        case "truncated":
            return text[: len(text) * 2 // 3]
        case "huge":
            return "字" * 350_000
        case "missing":
            return json.dumps({k: v for k, v in json.loads(text).items() if k != "content"}, ensure_ascii=False)
        case "wrong_language":
            return json.dumps(json.loads(text) | {"content": "I hear that this has been a hard week for you."})
        case _:
            return text


def _error(message: str) -> bytes:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error"}}).encode()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Closes without a word (RST instead of FIN)."""
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _for_ever(writer: asyncio.StreamWriter, lines: list[str], content: bytes) -> bool:
    writer.write("\r\n".join([*lines, "Transfer-Encoding: chunked", "", ""]).encode())
    chunk = content + b" " * 65_536
    while True:
        writer.write(b"%x\r\n" % len(chunk) + chunk + b"\r\n")
        await writer.drain()
