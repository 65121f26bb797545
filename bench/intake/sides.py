"""The two that are compared, behind one face: our server over HTTP, and a client that makes one call for each task."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

import httpx2
from bench.intake.conversation import SCRIPT, conversation
from bench.intake.naive import Naive, client, endpoint


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
    there is something to read."""

    def __init__(self, http: httpx2.AsyncClient, session: str, token: str, events: bool) -> None:
        self._http, self._turns, self._events = http, f"/sessions/{session}/turns", events
        self._headers = {"Authorization": f"Bearer {token}"}
        self._number, self._seen = 0, 0

    async def start(self) -> None:
        await self._post({"type": "start"})

    async def say(self, text: str) -> Said:
        return await self._post({"type": "message", "text": text})

    async def _post(self, given: dict[str, str]) -> Said:
        self._number += 1
        body = {"key": f"turn-{self._number:06}", "after": self._seen, "input": given}
        return await (self._streamed(body) if self._events else self._whole(body))

    async def _whole(self, body: Mapping[str, object]) -> Said:
        began = time.monotonic()
        response = await self._http.post(self._turns, json=body, headers=self._headers)
        ended = time.monotonic()
        turn = response.raise_for_status().json()
        self._seen = max((message["seq"] for message in turn["messages"]), default=self._seen)
        return Said(began, ended, ended)

    async def _streamed(self, body: Mapping[str, object]) -> Said:
        headers = self._headers | {"Accept": "text/event-stream"}
        began, first, completed = time.monotonic(), 0.0, False
        async with self._http.stream("POST", self._turns, json=body, headers=headers) as response:
            response.raise_for_status()
            event = ""
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    event = line[7:]
                elif line.startswith("data: "):
                    visible = self._read(event, line[6:])
                    first = first or (time.monotonic() if visible else 0.0)
                    completed = completed or event == "turn.completed"
        if not completed:
            raise SystemExit("a turn was not completed")
        return Said(began, first or time.monotonic(), time.monotonic())

    def _read(self, event: str, line: str) -> bool:
        """Whether something of the AI's can be read now."""
        if event == "message.delta":
            return bool(json.loads(line)["text"])
        if event != "message.completed":
            return False
        data = json.loads(line)
        self._seen = max(self._seen, data["seq"])
        return data["sender"] == "ai" and bool(data["content"])


class Ours:
    name = "HeartRule"

    def __init__(self, http: httpx2.AsyncClient, pid: int, script: str, events: bool) -> None:
        self.pid: int | None = pid
        self._http, self._script, self._events = http, script, events

    @classmethod
    @asynccontextmanager
    async def at(cls, address: str, pid: int, script: str = SCRIPT, *, events: bool = False) -> AsyncIterator[Ours]:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        async with httpx2.AsyncClient(base_url=f"{address}/api/v1", limits=limits, timeout=120) as http:
            yield cls(http, pid, script, events)

    async def begun(self) -> OursTalk:
        made = (await self._http.post("/sessions", json={"script": self._script})).raise_for_status().json()
        talk = OursTalk(self._http, made["session"]["id"], made["token"], self._events)
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
