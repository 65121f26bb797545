"""A provider that answers from a script in the test's own hands: a function, a list, or a table by prompt hash."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from heartrule.llm.provider import NeverDegrade, ProviderError, Reply, Request, TimedOut


@dataclass(frozen=True, slots=True)
class Stall:
    """Say nothing for so many seconds, then answer; a request whose ``timeout`` is shorter times out."""

    seconds: float = 3600.0
    then: str | Mapping[str, Any] | Reply = ""


Said = str | Mapping[str, Any] | Reply | ProviderError | Stall
"""A text, an object (sent as JSON), a whole reply, a fault to raise, or a silence."""
Answerer = Callable[[Request], Said | Awaitable[Said]]


class OutOfScript(NeverDegrade):
    """More was asked than the test had answers for."""


class ScriptedProvider:
    """``answers``: a function of the request; a list, used up in order; or a table from prompt hash to answer.

    ``requests`` keeps every request in the order of arrival.
    """

    def __init__(self, answers: Answerer | Iterable[Said] | Mapping[str, Said], *, name: str = "scripted") -> None:
        self.requests: list[Request] = []
        self.closed = False
        self._name = name
        self._answer = _answerer(answers)

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        said = self._answer(request)
        if inspect.isawaitable(said):
            said = await said
        if isinstance(said, Stall):
            if said.seconds >= request.timeout:
                await asyncio.sleep(request.timeout)
                raise TimedOut
            await asyncio.sleep(said.seconds)
            said = said.then
        if isinstance(said, ProviderError):
            raise said
        if isinstance(said, Reply):
            return said
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return Reply(text, model=self._name)

    async def aclose(self) -> None:
        self.closed = True


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
