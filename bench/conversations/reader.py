"""A model's provider that is whoever reads the spool: every call is written there, and waits for its answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bench.conversations.record import Call
from bench.conversations.spool import Spool

from heartrule.engine.session.tasks import Attempt, Task
from heartrule.llm.provider import Empty, Heard, Reply, Request

LOOKS = 0.25
"""Seconds between two looks whether anything is asked."""
QUIET = 6
"""So many looks without anything asked are a while: longer than between two sweeps."""
NEAR = 1.0
"""Seconds that an attempt's own beginning may lie from the one that the reader saw."""


@dataclass(frozen=True, slots=True)
class _Attempted:
    task: Task
    attempt: Attempt


class ReaderProvider:
    """``turn`` tells which turn is under way, 0 for none. Nothing here ever gives up."""

    name = "reader"

    def __init__(self, spool: Spool, turn: Callable[[], int]) -> None:
        self._spool, self._turn = spool, turn
        self._calls: list[Call] = []
        self._said: dict[int, str] = {}
        self._attempted: list[_Attempted] = []
        self._under_way = 0

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        clock, turn = asyncio.get_running_loop().time, self._turn()
        messages = [{"role": each.role, "content": each.text} for each in request.messages]
        asked = {"turn": turn, "messages": messages, "schema": request.schema, "temperature": request.temperature}
        began = clock()
        number = self._spool.put(json.dumps(asked, ensure_ascii=False, indent=1))
        text, self._under_way = "", self._under_way + 1
        try:
            text = (await self._spool.answer_of(number)).strip()
        except asyncio.CancelledError:
            self._spool.withdraw(number)
            raise
        finally:
            self._under_way -= 1
            self._said[number] = text
            self._calls.append(Call(number, turn, began, clock(), bool(text)))
        if not text:
            raise Empty()
        if heard is not None:
            heard(text)
        return Reply(text, model=self.name)

    async def quiet(self) -> None:
        """Until nothing has been asked for a while."""
        looks = 0
        while looks < QUIET:
            await asyncio.sleep(LOOKS)
            looks = 0 if self._under_way else looks + 1

    def listen(self, task: Task, attempt: Attempt) -> None:
        """For the model's listeners: what each call was for is known there only."""
        self._attempted.append(_Attempted(task, attempt))

    def calls(self) -> list[Call]:
        """All calls, each with what it was for as far as that has been told."""
        left, found = list(self._attempted), []
        for call in self._calls:
            own = self._own(call, left)
            if own is None:
                found.append(call)
                continue
            left.remove(own)
            task, attempt = own.task, own.attempt
            kind = task.template or task.kind
            about = replace(call, kind=kind, speaks=task.speaks, instead=bool(task.instead), form=attempt.form)
            found.append(replace(about, mended=bool(task.values.get("mend"))))
        return found

    def _own(self, call: Call, among: Sequence[_Attempted]) -> _Attempted | None:
        """The attempt that began as this call did; of several, the one with its words."""
        near = [each for each in among if abs(each.attempt.began - call.began) < NEAR]
        words = self._said[call.number]
        return min(
            near,
            key=lambda each: (each.attempt.raw.strip() != words, abs(each.attempt.began - call.began)),
            default=None,
        )

    async def aclose(self) -> None:
        """Nothing is kept open."""
