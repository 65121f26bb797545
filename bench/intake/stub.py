"""A loopback server of the chat completions wire that has understood the conversation and counts what it is asked.

    python -m bench.intake.stub [--latency 0.3] [--spread 0.3] [--rate 40] [--forget]

It prints its address. ``--latency``: seconds to the first token, with ``--spread`` the median of a lognormal
distribution whose logarithm has that standard deviation (the same draws in every run); ``--rate``: tokens a second
after it, without which the rest is there at once. A call that wants a stream is sent its answer piece by piece.
``GET /calls`` tells, and forgets, the calls since the last time: when each began and ended, what it was asked and what
it answered. ``--forget`` keeps none, for load.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from bench.intake import tokens
from bench.intake.conversation import conversation
from bench.intake.mind import Mind

LONGEST_PIECE = 60
"""Characters of a piece of a stream where there is no rate."""


@dataclass(frozen=True, slots=True)
class Call:
    """Seconds on the machine's monotonic clock, which all its processes share."""

    began: float
    ended: float
    messages: Sequence[Mapping[str, str]]
    schema: Mapping[str, Any] | None
    answer: str


class Stub:
    def __init__(self, latency: float, rate: float | None, forget: bool, spread: float = 0.0) -> None:
        self._median, self._rate, self._forget = latency, rate, forget
        self._spread, self._random = spread, random.Random(7)
        self._mind = Mind(conversation())
        self._calls: list[Call] = []
        if rate:
            tokens.count("")  # the ranks are read now, not within the first call

    async def serve(self) -> None:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=1 << 20)
        print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, sys.stdin.read)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                at = head.find(b"content-length:")
                length = int(head[at + 15 : head.index(b"\r\n", at)]) if at >= 0 else 0
                body = await reader.readexactly(length)
                if head.startswith(b"get "):
                    writer.write(_whole(self._told()))
                else:
                    await self._answer(json.loads(body), writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def _told(self) -> bytes:
        calls, self._calls = self._calls, []
        return json.dumps([asdict(call) for call in calls], ensure_ascii=False).encode()

    async def _answer(self, body: Mapping[str, Any], writer: asyncio.StreamWriter) -> None:
        began = time.monotonic()
        latency = self._median * math.exp(self._random.gauss(0.0, self._spread))
        data = self._mind.answer(body)
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        pieces = self._pieces(text)
        await _until(began + latency)
        if body.get("stream"):
            writer.write(_STREAM)
        for number, piece in enumerate(pieces, 1):
            if body.get("stream"):
                writer.write(_chunk({"delta": {"content": piece}}))
            if self._rate:
                await _until(began + latency + number / self._rate)
        if body.get("stream"):
            writer.write(_chunk({"delta": {}, "finish_reason": "stop"}) + _LAST)
        else:
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
            whole = {"object": "chat.completion", "model": "stub", "choices": [choice]}
            writer.write(_whole(json.dumps(whole, ensure_ascii=False).encode()))
        if not self._forget:
            schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
            self._calls.append(Call(began, time.monotonic(), body["messages"], schema, text))

    def _pieces(self, text: str) -> list[str]:
        """A token each where there is a rate; those that end within a character come with the rest of it."""
        if not self._rate:
            return [text[at : at + LONGEST_PIECE] for at in range(0, len(text), LONGEST_PIECE)]
        found, number, size = [""], 0, tokens.count(text)
        for number in range(1, size + 1):
            found.append(text[: round(len(text) * number / size)])
        return [whole[len(before) :] for before, whole in pairwise(found)]


async def _until(moment: float) -> None:
    if (left := moment - time.monotonic()) > 0:
        await asyncio.sleep(left)


def _whole(content: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(content) + content


_STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
_LAST = b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"


def _chunk(choice: Mapping[str, Any]) -> bytes:
    data = {"object": "chat.completion.chunk", "model": "stub", "choices": [{"index": 0, **choice}]}
    line = f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
    return b"%x\r\n%b\r\n" % (len(line), line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--spread", type=float, default=0.0)
    parser.add_argument("--forget", action="store_true")
    asked = parser.parse_args()
    asyncio.run(Stub(asked.latency, asked.rate, asked.forget, asked.spread).serve())


if __name__ == "__main__":
    main()
