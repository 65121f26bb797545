"""Providers that misbehave on purpose, by rate and seed, on a clock that never waits."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from random import Random
from typing import Any

from heartrule.llm.provider import Cut, Empty, Heard, RateLimited, Refused, Reply, Request, ServerError, TimedOut

KINDS = (
    "refused",
    "429",
    "500",
    "stall",
    "cut",
    "empty",
    "non_json",
    "fenced",
    "missing_fields",
    "wrong_language",
    "1_mb",
)


class SteppedClock:
    """Seconds that pass only when somebody sleeps or stalls."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.seconds += seconds
        await asyncio.sleep(0)

    def within(self, seconds: float) -> AbstractAsyncContextManager[object]:
        return nullcontext()


class FaultyProvider:
    """Answers with ``answer`` and, at ``rate`` of its calls, with a fault instead. ``counts`` says which faults."""

    name = "faulty"

    def __init__(
        self,
        answer: Callable[[Request], Mapping[str, Any]],
        *,
        rate: float,
        seed: int,
        clock: SteppedClock,
        kinds: tuple[str, ...] = KINDS,
    ) -> None:
        self.counts: Counter[str] = Counter()
        self.calls = 0
        self._answer, self._rate, self._kinds = answer, rate, kinds
        self._random, self._clock = Random(seed), clock

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        reply = await self._reply(request)
        if heard is not None:
            heard(reply.text)
        return reply

    async def _reply(self, request: Request) -> Reply:
        self.calls += 1
        await asyncio.sleep(0)
        data = dict(self._answer(request))
        if self._random.random() >= self._rate:
            return Reply(json.dumps(data, ensure_ascii=False), model=self.name)
        kind = self._random.choice(self._kinds)
        self.counts[kind] += 1
        self._raise(kind, request)
        return Reply(_spoilt(kind, data), model=self.name)

    def _raise(self, kind: str, request: Request) -> None:
        match kind:
            case "refused":
                raise Refused
            case "429":
                raise RateLimited("429", retry_after=self._random.choice((0.5, 3.0, 60.0)))
            case "500":
                raise ServerError("500")
            case "stall":
                self._clock.seconds += request.timeout
                raise TimedOut
            case "cut":
                raise Cut
            case "empty":
                raise Empty

    async def aclose(self) -> None:
        """Nothing is open."""


def _spoilt(kind: str, data: dict[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False)
    match kind:
        case "non_json":
            return "好的，我来帮你分析一下这个情况。"
        case "fenced":
            return f"```json\n{text}\n```"
        case "missing_fields":
            return json.dumps({key: data[key] for key in list(data)[:1]}, ensure_ascii=False)
        case "wrong_language":
            return json.dumps({**data, "content": "Lo siento, no puedo ayudarte con eso ahora mismo."})
        case _:
            return json.dumps({**data, "content": "啊" * 400_000}, ensure_ascii=False)
