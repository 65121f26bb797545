"""A provider whose replies come when the test says so, piece by piece, and a small script that has the model speak."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.provider import Cut, Heard, Reply, Request

TALK = """
sessions:
  - session: 长谈
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


def _inside(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
