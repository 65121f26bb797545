"""The two that are compared, behind one face: our server over HTTP, and a client that makes one call for each task."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import httpx2
from bench.intake.conversation import SCRIPT, conversation
from bench.intake.naive import Naive, client, endpoint
from bench.wire import Wire


@dataclass(frozen=True, slots=True)
class Said:
    """Seconds: when the turn began and ended, and when the first character of the reply could be read."""

    began: float
    first: float
    ended: float


class Talk(Protocol):
    async def say(self, text: str) -> Said: ...


class Side(Protocol):
    """``pid`` is the process whose memory and processor time are looked at; None is our own."""

    name: str
    pid: int | None

    async def begun(self) -> Talk:
        """A new conversation, its first question put."""
        ...


class OursTalk:
    """One session over HTTP, as the web app holds it; with ``events`` each turn is asked for as events, which tell when
    there is something to read. A turn in which the model was not heard costs less, and ends the measurement."""

    def __init__(self, http: httpx2.AsyncClient, wire: Wire, made: Mapping[str, Any], events: bool) -> None:
        self.session, self.token = made["session"]["id"], made["token"]
        self._http, self._wire, self._events = http, wire, events
        self._turns = f"/sessions/{self.session}/turns"
        self._number, self._seen = 0, 0

    async def start(self) -> None:
        await self._post({"type": "start"})

    async def say(self, text: str) -> Said:
        said, answer = await self._post({"type": "message", "text": text})
        wanted = next(each.reply for each in conversation().answers if each.says == text)
        if wanted not in answer:
            raise SystemExit(f"the model's words are missing: {answer}")
        return said

    async def _post(self, given: dict[str, str]) -> tuple[Said, str]:
        self._number += 1
        body = {"key": f"turn-{self._number:06}", "after": self._seen, "input": given}
        return await (self._streamed(body) if self._events else self._whole(body))

    async def _whole(self, body: Mapping[str, object]) -> tuple[Said, str]:
        began = time.monotonic()
        turn = await self._wire.post(self._turns, body, self.token)
        ended = time.monotonic()
        self._seen = max((message["seq"] for message in turn["messages"]), default=self._seen)
        return Said(began, ended, ended), "".join(message["content"] for message in turn["messages"])

    async def _streamed(self, body: Mapping[str, object]) -> tuple[Said, str]:
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
        began, first, answer, completed = time.monotonic(), 0.0, "", False
        async with self._http.stream("POST", self._turns, json=body, headers=headers) as response:
            response.raise_for_status()
            event = ""
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    event = line[7:]
                elif line.startswith("data: "):
                    visible = self._read(event, json.loads(line[6:]))
                    first = first or (time.monotonic() if visible else 0.0)
                    answer += visible if event == "message.completed" else ""
                    completed = completed or event == "turn.completed"
        if not completed:
            raise SystemExit("a turn was not completed")
        return Said(began, first or time.monotonic(), time.monotonic()), answer

    def _read(self, event: str, data: Mapping[str, Any]) -> str:
        """What of the AI's can be read now."""
        if event == "message.delta":
            return str(data["text"])
        if event != "message.completed":
            return ""
        self._seen = max(self._seen, data["seq"])
        return str(data["content"]) if data["sender"] == "ai" else ""


class Ours:
    name = "HeartRule"

    def __init__(self, http: httpx2.AsyncClient, address: str, pid: int, script: str, events: bool) -> None:
        self.pid: int | None = pid
        self._http, self._address, self._script, self._events = http, address, script, events
        self._wires: list[Wire] = []

    @classmethod
    @asynccontextmanager
    async def at(cls, address: str, pid: int, script: str = SCRIPT, *, events: bool = False) -> AsyncIterator[Ours]:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        async with httpx2.AsyncClient(base_url=f"{address}/api/v1", limits=limits, timeout=120) as http:
            ours = cls(http, address, pid, script, events)
            try:
                yield ours
            finally:
                for wire in ours._wires:
                    wire.close()

    async def begun(self) -> OursTalk:
        wire = await Wire.to(self._address)
        self._wires.append(wire)
        talk = OursTalk(self._http, wire, await wire.post("/sessions", {"script": self._script}), self._events)
        await talk.start()
        return talk


class NaiveTalk:
    def __init__(self, naive: Naive) -> None:
        self._naive = naive

    async def say(self, text: str) -> Said:
        began = time.monotonic()
        await self._naive.say(text)
        return Said(began, self._naive.first, time.monotonic())


class OneByOne:
    name = "one call a task"
    pid = None

    def __init__(self, http: httpx2.AsyncClient, stub: str, judgements: Sequence[str] = ()) -> None:
        self._http, self._stub, self._judgements = http, stub, judgements

    @classmethod
    @asynccontextmanager
    async def at(cls, stub: str, judgements: Sequence[str] = ()) -> AsyncIterator[OneByOne]:
        async with client() as http:
            yield cls(http, stub, judgements)

    async def begun(self) -> NaiveTalk:
        return NaiveTalk(Naive(self._http, endpoint(self._stub), conversation(), self._judgements))
