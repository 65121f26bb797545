"""A provider that answers from a script in the test's own hands: a function, a list, or a table by prompt hash."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from heartrule.llm.clock import Clock, LoopClock
from heartrule.llm.provider import Heard, NeverDegrade, ProviderError, Reply, Request, TimedOut


@dataclass(frozen=True, slots=True)
class Stall:
    """Say nothing for so many seconds, then answer; a request whose ``timeout`` is shorter times out."""

    seconds: float = 3600.0
    then: str | Mapping[str, Any] | Reply = ""


@dataclass(frozen=True, slots=True)
class Broken:
    """Say ``text`` and then fail."""

    text: str
    error: ProviderError


@dataclass(frozen=True, slots=True)
class Pace:
    """How an answer comes: in pieces of so many characters (``sizes`` in turn, and again from the first), ``first``
    seconds before the first piece and ``between`` seconds before every other, whether or not somebody hears it."""

    sizes: tuple[int, ...] = (8,)
    first: float = 0.0
    between: float = 0.0

    def pieces(self, text: str) -> Iterator[tuple[float, str]]:
        """Each piece, and the seconds before it."""
        wait, at, sizes = self.first, 0, cycle(self.sizes)
        while at < len(text):
            size = max(1, next(sizes))
            yield wait, text[at : at + size]
            wait, at = self.between, at + size


Said = str | Mapping[str, Any] | Reply | ProviderError | Stall | Broken
"""A text, an object (sent as JSON), a whole reply, a fault to raise, a silence, or a text that breaks off."""
Answerer = Callable[[Request], Said | Awaitable[Said]]


class OutOfScript(NeverDegrade):
    """More was asked than the test had answers for."""


class ScriptedProvider:
    """``answers``: a function of the request; a list, used up in order; or a table from prompt hash to answer.

    ``requests`` keeps every request in the order of arrival, ``listened`` whether somebody heard each.
    """

    def __init__(
        self,
        answers: Answerer | Iterable[Said] | Mapping[str, Said],
        *,
        name: str = "scripted",
        pace: Pace | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.requests: list[Request] = []
        self.listened: list[bool] = []
        self.closed = False
        self._name = name
        self._answer = _answerer(answers)
        self._pace = pace or Pace()
        self._clock = clock or LoopClock()

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        self.requests.append(request)
        self.listened.append(heard is not None)
        began = self._clock.now()
        said = self._answer(request)
        if inspect.isawaitable(said):
            said = await said
        if isinstance(said, Stall):
            await self._wait(said.seconds, began + request.timeout)
            said = said.then
        if isinstance(said, ProviderError):
            raise said
        if isinstance(said, Broken):
            await self._tell(said.text, began, request, heard)
            raise said.error
        if not isinstance(said, Reply):
            said = Reply(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False), model=self._name)
        first = await self._tell(said.text, began, request, heard)
        return said if said.first_token is not None or heard is None else replace(said, first_token=first)

    async def aclose(self) -> None:
        self.closed = True

    async def _tell(self, text: str, began: float, request: Request, heard: Heard | None) -> float | None:
        """Seconds after which the first piece came."""
        first = None
        for wait, piece in self._pace.pieces(text):
            if wait or heard is not None:
                await self._wait(wait, began + request.timeout)
            first = self._clock.now() - began if first is None else first
            if heard is not None:
                heard(piece)
        return first

    async def _wait(self, seconds: float, until: float) -> None:
        left = until - self._clock.now()
        if seconds >= left:
            await self._clock.sleep(max(0.0, left))
            raise TimedOut
        await self._clock.sleep(seconds)


def _answerer(answers: Answerer | Iterable[Said] | Mapping[str, Said]) -> Answerer:
    if callable(answers):
        return answers
    if isinstance(answers, Mapping):
        table = answers

        def from_table(request: Request) -> Said:
            try:
                return table[request.hash]
            except KeyError:
                raise OutOfScript(f"no answer for prompt {request.hash[:12]}") from None

        return from_table
    left = iter(answers)

    def from_list(request: Request) -> Said:
        for said in left:
            return said
        raise OutOfScript("the list of answers is used up")

    return from_list
