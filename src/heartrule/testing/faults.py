"""Providers that misbehave on purpose, by rate and seed, on a clock that never waits."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from random import Random
from typing import Any

from heartrule.llm.provider import (
    BadRequest,
    Cut,
    Empty,
    Filtered,
    Heard,
    Malformed,
    ProviderError,
    RateLimited,
    Refused,
    Reply,
    Request,
    ServerError,
    TimedOut,
    Unauthorised,
)
from heartrule.testing.openai_answers import cut_up, spoilt

KINDS = (
    *("refused", "429", "500", "stall", "cut", "empty"),
    *("non_json", "fenced", "missing_fields", "wrong_language", "1_mb"),
)
"""What is drawn from unless told otherwise: one of each sort."""
EVERY_KIND = (
    *("refused", "dns", "tls"),
    *("400", "401", "403", "408", "429", "500", "502", "503", "529"),
    *("stall", "stall_after", "cut", "reset", "error_after"),
    *("empty", "length", "filtered", "not_wire"),
    *("non_json", "fenced", "missing_fields", "wrong_schema", "wrong_language", "duplicate_chunk", "1_mb"),
)
"""All that ``OpenAIWire`` may meet; see ``tests/llm/test_wire_faults.py``."""
HEARD_FIRST = ("stall_after", "cut", "error_after", "filtered")
"""Those before which half of the answer is heard."""
PIECE = 4
"""Characters of a piece that is heard; of a long answer a hundredth."""


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

    def __init__(
        self,
        answer: Callable[[Request], Mapping[str, Any]],
        *,
        rate: float,
        seed: int,
        clock: SteppedClock,
        kinds: tuple[str, ...] = KINDS,
        name: str = "faulty",
    ) -> None:
        self.name = name
        self.counts: Counter[str] = Counter()
        self.calls = 0
        self._answer, self._rate, self._kinds = answer, rate, kinds
        self._random, self._clock = Random(seed), clock

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        self.calls += 1
        await asyncio.sleep(0)
        data = dict(self._answer(request))
        if self._random.random() >= self._rate:
            return await self._told(json.dumps(data, ensure_ascii=False), heard)
        kind = self._random.choice(self._kinds)
        self.counts[kind] += 1
        if (error := self._error(kind)) is not None:
            if kind in HEARD_FIRST:
                text = json.dumps(data, ensure_ascii=False)
                await self._told(text[: len(text) // 2], heard)
            if isinstance(error, TimedOut):
                self._clock.seconds += request.timeout
            raise error
        reply = await self._told(_spoilt(kind, data), heard)
        return replace(reply, finish="length") if kind == "length" else reply

    async def _told(self, text: str, heard: Heard | None) -> Reply:
        if heard is None:
            return Reply(text, model=self.name)
        for piece in cut_up(text, max(PIECE, len(text) // 100)):
            heard(piece)
            await asyncio.sleep(0)
        return Reply(text, model=self.name, first_token=0.0)

    def _error(self, kind: str) -> ProviderError | None:
        if kind == "429":
            return RateLimited(retry_after=self._random.choice((0.5, 3.0, 60.0)))
        if kind in ("401", "403"):
            return Unauthorised(kind)
        if kind.isdigit() and kind != "400":
            return ServerError(kind)
        match kind:
            case "refused" | "dns" | "tls":
                return Refused()
            case "400":
                return BadRequest("400")
            case "stall" | "stall_after":
                return TimedOut()
            case "cut" | "reset":
                return Cut()
            case "error_after":
                return ServerError("chunk")
            case "empty":
                return Empty()
            case "filtered":
                return Filtered()
            case "not_wire":
                return Malformed("33 bytes")
            case _:
                return None

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
        case "length":
            return spoilt("truncated", text)
        case "wrong_schema" | "duplicate_chunk":
            return spoilt(kind, text, PIECE)
        case "wrong_language":
            return json.dumps({**data, "content": "Lo siento, no puedo ayudarte con eso ahora mismo."})
        case _:
            return json.dumps({**data, "content": "啊" * 400_000}, ensure_ascii=False)
