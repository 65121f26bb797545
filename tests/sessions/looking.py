"""A session that is looked back over, a model that does so when it is let, and what is left of it."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from typing import Any

from tests.sessions.material import Place, say, script_file, seen

from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Price, Prices
from heartrule.llm.provider import Reply, Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Outcome, Sessions
from heartrule.store.records import EventRecord
from heartrule.testing.counsellor import counsel

SCRIPT = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    awareness: [alliance]
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: mood, content: 最近心情怎样？, output: [{get: 心情}]}
              - {type: ask, id: hours, content: 昨晚睡得怎样？, output: [{get: 睡眠}]}
              - {type: ask, id: last, content: 还有什么想说的？, timeout: 2m, output: [{get: 余下}]}
              - {type: ask, id: after, content: 那之后呢？, output: [{get: 之后}]}
awareness:
  - awareness: 没有被听见
    id: alliance
    priority: P2
    every: 5m
    condition: {judge: 来访者觉得没有被听见}
    then: [{directive: CALL_TECHNIQUE, technique: calm}]
skills:
  - {skill: 缓一缓, id: calm, actions: [{type: ask, id: calm_ask, content: 我们慢一点，好吗？, output: [{get: 缓}]}]}
"""
PRICES = Prices({"m": Price("CNY", Decimal(2), Decimal(3))})
QUICK = Policy(waits=(0.01, 0.01, 0.01), jitter=0.0)


class Looker:
    """Answers as ``counsel`` does, and ``verdict`` when it looks back, but that only when ``opened``. ``looks`` are the
    prompts of that, ``most`` how many it was asked at the same time."""

    def __init__(self, verdict: str = "yes") -> None:
        self.verdict: str | Exception = verdict
        self.opened, self.asked = asyncio.Event(), asyncio.Event()
        self.opened.set()
        self.looks: list[Request] = []
        self.now = self.most = 0

    def model(self, policy: Policy = QUICK) -> Model:
        return Model([ScriptedProvider(self._answer, name="host/m")], policy, prices=PRICES)

    async def _answer(self, request: Request) -> Reply:
        if "从督导的角度" not in request.messages[0].text:
            return _reply(counsel(request))
        self.looks.append(request)
        self.asked.set()
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await self.opened.wait()
        finally:
            self.now -= 1
        if isinstance(self.verdict, Exception):
            raise self.verdict
        return _reply({"verdicts": [{"id": 1, "verdict": self.verdict, "confidence": 0.9, "evidence": ""}]})


def _reply(data: Any) -> Reply:
    return Reply(json.dumps(data, ensure_ascii=False), "m", tokens_in=100, tokens_out=10)


def prepared(place: Place, content: str = SCRIPT) -> Place:
    script_file(place.folder, content)
    return place


async def spoken(place: Place, sessions: Sessions, words: str = "还行") -> tuple[str, Outcome]:
    """A session whose person has said something."""
    session, outcome = await place.begun(sessions)
    place.clock.pass_(seconds=20)
    return session, await sessions.take(session, say("first", words, seen(outcome)))


async def swept(sessions: Sessions) -> int:
    """Sweep, and wait until all that was begun by it is done."""
    woken = await sessions.sweep()
    await sessions.settled()
    return woken


async def noticed(sessions: Sessions, session: str) -> list[EventRecord]:
    """What looks back have come to."""
    events = await sessions.store.events(session, ("awareness",))
    return [event for event in events if event.data["priority"] == "P2"]


async def kinds(sessions: Sessions, session: str) -> list[str]:
    """What came in, in the order in which it was taken."""
    entries = sorted(await sessions.store.inbox(session), key=lambda item: (item.turn or 10**6, item.number))
    return [item.entry.kind for item in entries]


async def replayed(sessions: Sessions, session: str) -> int:
    """How many turns come to the same again."""
    return len([each async for each in sessions.replay(session)])
