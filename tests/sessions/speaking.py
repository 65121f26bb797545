"""A provider whose replies come when the test says so, piece by piece, and a small script that has the model speak."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from tests.sessions.material import Place, run, say, seen

from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.provider import Cut, Heard, Reply, Request
from heartrule.sessions import Outcome, Sessions
from heartrule.sessions.subscribers import Watch
from heartrule.store.records import MessageRecord

TALK = """
sessions:
  - session: 长谈
    monitors: false  # only what a turn waits for is counted here
    id: small
    locale: zh-CN
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - type: ai_ask
                id: open
                content: 了解近况
                question: 最近怎样？
                fallback: 再多说一点好吗？
                max_rounds: 4
                output: [{get: 近况, define: 近况}]
              - {type: say, id: bye, content: 今天先到这里。}
"""
CALM: Mapping[str, Any] = {
    "verdicts": [{"id": n, "verdict": "no", "confidence": 1.0, "evidence": ""} for n in range(1, 9)]
}
GO_ON: Mapping[str, Any] = {
    "EXIT": "NO",
    "exit_reason": "还要问",
    "progress_suggestion": "continue_needed",
    "values": {},
}
HEARD, ASKED = "听起来这几天很难。", "是从什么时候开始的？"
FOUND = {"近况": {"value": "很难受", "evidence": "很难受"}}
END: Mapping[str, Any] = {**GO_ON, "EXIT": "YES", "progress_suggestion": "completed", "values": FOUND}


class Mouth:
    """Answers judgements at once; a reply is told piece by piece with ``say`` and ended with ``end`` or ``cut``."""

    name = "mouth"

    def __init__(self, *, calm: bool = True) -> None:
        self.requests: list[Request] = []
        self.asked = asyncio.Event()
        self.judge = asyncio.Event()
        if calm:
            self.judge.set()
        self.found: Mapping[str, Any] = CALM
        self._pieces: asyncio.Queue[str | BaseException | None] = asyncio.Queue()

    def model(self) -> Model:
        return Model([self], Policy(waits=(0.01,) * 3, jitter=0.0))

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        properties = (request.schema or {}).get("properties", {})
        if "verdicts" in properties:
            await self.judge.wait()
            return Reply(json.dumps(self.found))
        self.requests.append(request)
        self.asked.set()
        said = ""
        while (piece := await self._pieces.get()) is not None:
            if isinstance(piece, BaseException):
                raise piece
            said += piece
            if heard is not None:
                heard(piece)
        return Reply(said)

    async def aclose(self) -> None:
        pass

    def say(self, text: str) -> None:
        self._pieces.put_nowait(text)

    def reply(self, head: Mapping[str, Any] = GO_ON, content: str = "") -> None:
        """The head and the beginning of the words."""
        self.say(json.dumps({**head, "content": ""}, ensure_ascii=False).removesuffix('"}') + _inside(content))

    def go_on(self, content: str) -> None:
        self.say(_inside(content))

    def end(self, content: str = "") -> None:
        self.say(_inside(content) + '"}')
        self._pieces.put_nowait(None)

    def cut(self) -> None:
        self._pieces.put_nowait(Cut())


class Listener(Mouth):
    """Answers what is perceived besides as ``perceived`` says, one after another (then nothing), when ``perceive``
    is set; an exception among them is raised."""

    def __init__(self, *perceived: Mapping[str, Any] | Exception) -> None:
        super().__init__()
        self.perceived = list(perceived)
        self.perceive, self.perceiving = asyncio.Event(), asyncio.Queue[Request]()
        self.perceive.set()

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        if not (request.schema or {}).get("properties", {}).keys() <= {"holds", "values"}:
            return await super().complete(request, heard)
        self.perceiving.put_nowait(request)
        await self.perceive.wait()
        found = self.perceived.pop(0) if self.perceived else NOTHING
        if isinstance(found, Exception):
            raise found
        return Reply(json.dumps(found, ensure_ascii=False))


NOTHING: Mapping[str, Any] = {"values": []}


def told(name: str, value: Any, evidence: str) -> Mapping[str, Any]:
    """What was perceived: one value."""
    return {"values": [{"name": name, "value": value, "evidence": evidence}]}


def _inside(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def texts(messages: Sequence[MessageRecord]) -> list[str]:
    return [message.text for message in messages]


@dataclass
class Turn:
    """A session whose second turn is under way: somebody said that they feel bad, and the model is being asked."""

    sessions: Sessions
    session: str
    mouth: Mouth
    watch: Watch
    taking: asyncio.Task[Outcome]
    asked: Outcome

    async def shown(self, whole: str) -> None:
        """Wait until so much of message 3 may be read."""
        text = ""
        async with asyncio.timeout(5):
            while text != whole:
                news = await anext(self.watch)
                if news.kind == "released":
                    assert (news.number, news.offset) == (3, len(text)), news
                    text += news.text
                assert news.kind in ("begun", "released"), news

    async def quiet(self) -> None:
        async def further() -> None:
            while (await anext(self.watch)).kind == "begun":
                pass

        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await further()

    async def transcript(self) -> list[str]:
        return texts(await self.sessions.store.messages(self.session))


@asynccontextmanager
async def under_way(place: Place, mouth: Mouth | None = None, words: str = "很难受") -> AsyncIterator[Turn]:
    mouth = mouth or Mouth()
    async with place.open(mouth.model()) as sessions:
        session, asked = await place.begun(sessions)
        async with sessions.watch(session) as watch:
            taking = asyncio.create_task(sessions.take(session, say("a", words, seen(asked))))
            await mouth.asked.wait()
            try:
                yield Turn(sessions, session, mouth, watch, taking, asked)
            finally:
                taking.cancel()
                await asyncio.gather(taking, return_exceptions=True)


def held(work: Callable[[Turn], Awaitable[None]], place: Place, mouth: Callable[[], Mouth] = Mouth) -> None:
    async def whole() -> None:
        async with under_way(place, mouth()) as turn:
            await work(turn)

    run(whole())
