"""A model's server in memory that answers well, or with one kind of fault at a given rate."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from tests.chaos.virtual import Line, Server, unknown_name, untrusted

KINDS = (
    *("refused", "dns", "tls"),
    *("400", "401", "403", "408", "429", "500", "502", "503", "529"),
    *("stall_before", "stall_after", "cut", "reset"),
    *("empty", "length", "filter"),
    *("non_json", "fenced", "wrong_schema", "wrong_language", "duplicate_chunk"),
)
HARMLESS = ("fenced",)
"""What is answered all the same, at any rate."""

FIRST, PIECE, LETTERS = 0.4, 0.05, 4
"""Seconds to the first piece and between pieces, and letters of a piece."""
BLOCK = 20
RETRY_AFTER = 2
COMPLAINT = {"error": {"message": "this is the complaint of a server", "type": "fault"}}
HTML = b"<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>"

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class Vendor(Server):
    """One connection is one call. ``calls`` and ``faults`` count them; ``answer`` is asked for a good answer's data."""

    def __init__(self, answer: Answer, kind: str, rate: float, seed: int) -> None:
        self.calls = 0
        self.faults = 0
        self._block: list[bool] = []
        self._answer, self._kind, self._rate, self._random = answer, kind, rate, Random(seed)

    async def accept(self) -> str:
        self.calls += 1
        bad = self._bad()
        self.faults += bad
        await asyncio.sleep(0.01)
        if bad and self._kind == "refused":
            raise ConnectionRefusedError
        if bad and self._kind == "dns":
            raise unknown_name()
        if bad and self._kind == "tls":
            raise untrusted()
        return self._kind if bad else ""

    def _bad(self) -> bool:
        """Of any block of calls exactly the rate, in an order of its own: a short run is as fair as a long one."""
        if not self._block:
            bad = round(self._rate * BLOCK)
            self._block = [True] * bad + [False] * (BLOCK - bad)
            self._random.shuffle(self._block)
        return self._block.pop()

    async def serve(self, line: Line, body: bytes) -> None:
        fault, asked = line.fault, json.loads(body)
        if fault == "reset":
            line.reset()
            return
        if fault == "stall_before":
            await asyncio.Event().wait()
        await asyncio.sleep(FIRST)
        if fault.isdigit():
            await self._refuse(line, int(fault))
            return
        text = json.dumps(self._answer(asked), ensure_ascii=False)
        text, finish = spoilt(fault, text), {"length": "length", "filter": "content_filter"}.get(fault, "stop")
        if asked.get("stream"):
            await self._speak(line, fault, list(chunks(text, finish)))
        else:
            await asyncio.sleep(PIECE * len(text) / LETTERS)
            await self._tell(line, fault, text, finish)

    async def _refuse(self, line: Line, status: int) -> None:
        more = f"Retry-After: {RETRY_AFTER}\r\n" if status == 429 else ""
        body = HTML if status == 502 else json.dumps(COMPLAINT).encode()
        kind = "text/html" if status == 502 else "application/json"
        line.tell(_head(status, kind, f"Content-Length: {len(body)}\r\n{more}") + body)
        line.end()

    async def _tell(self, line: Line, fault: str, text: str, finish: str) -> None:
        choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
        body = json.dumps({"object": "chat.completion", "model": "m", "choices": [choice]}).encode()
        head = _head(200, "application/json", f"Content-Length: {len(body)}\r\n")
        if fault in ("cut", "stall_after"):
            line.tell(head + body[: len(body) // 2])
            if fault == "stall_after":
                await asyncio.Event().wait()
        else:
            line.tell(head + body)
        line.end()

    async def _speak(self, line: Line, fault: str, told: list[bytes]) -> None:
        line.tell(_head(200, "text/event-stream", "Transfer-Encoding: chunked\r\n"))
        for number, piece in enumerate(told):
            line.tell(_framed(piece))
            if number == len(told) // 2:
                if fault == "stall_after":
                    await asyncio.Event().wait()
                if fault == "cut":
                    line.end()
                    return
                if fault == "duplicate_chunk":
                    line.tell(_framed(piece))
            await asyncio.sleep(PIECE)
        line.tell(b"0\r\n\r\n")
        line.end()


def chunks(text: str, finish: str) -> Iterator[bytes]:
    """The events of a stream."""
    for at in range(0, len(text), LETTERS):
        yield _event({"index": 0, "delta": {"content": text[at : at + LETTERS]}, "finish_reason": None})
    yield _event({"index": 0, "delta": {}, "finish_reason": finish})
    yield b"data: [DONE]\n\n"


def _event(choice: Mapping[str, Any]) -> bytes:
    data = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _framed(piece: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(piece), piece)


def _head(status: int, kind: str, more: str) -> bytes:
    return f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\n{more}Connection: close\r\n\r\n".encode()


def spoilt(fault: str, text: str) -> str:
    match fault:
        case "empty":
            return ""
        case "length":
            return text[: len(text) * 2 // 3]
        case "filter":
            return text[: len(text) // 2]
        case "non_json":
            return "好的，我们慢慢来，先说说这几天过得怎么样。"
        case "fenced":
            return f"```json\n{text}\n```"
        case "wrong_schema":
            return json.dumps({"answer": "好的", "score": "high"}, ensure_ascii=False)
        case "wrong_language":
            return json.dumps({**json.loads(text), "content": "Lo siento, no puedo ayudarte con eso ahora mismo."})
        case _:
            return text
