"""Sessions whose rounds are thought over beside them, by a model that does so when it is let."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.sessions.looking import PRICES, QUICK
from tests.sessions.material import Place, say, script_file, seen

from heartrule.llm.model import Model
from heartrule.llm.provider import Reply, Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Outcome, Sessions
from heartrule.testing.counsellor import counsel

SCRIPT = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    phases:
      - phase: 谈
        steps:
          - topic: 抚养者
            actions:
              - type: ai_ask
                id: father
                content: 了解父亲的职业
                question: 您父亲是做什么的？
                max_rounds: 9
                output: [{get: 职业, define: 父亲的职业}]
              - {type: ask, id: last, content: 还有吗？}
"""
OFF = SCRIPT.replace("locale: zh-CN", "locale: zh-CN\n    monitors: false")
ADVICE = {"intervention_needed": True, "intervention_reason": "blocked", "feedback_for_action": "降低直接性。"}
NOTHING = {"intervention_needed": False}


class Watcher:
    """Asks on at every round, and answers as a monitor what it is told to, once ``opened``, after ``seconds``. A text
    is sent as it is; an exception is what the provider raises. ``watched`` and ``asked`` are the prompts."""

    def __init__(self, answer: Any = ADVICE, seconds: float = 0.0) -> None:
        self.answer, self.seconds = answer, seconds
        self.opened, self.begun = asyncio.Event(), asyncio.Event()
        self.opened.set()
        self.watched: list[Request] = []
        self.asked: list[Request] = []

    def model(self) -> Model:
        return Model([ScriptedProvider(self._answer, name="host/m")], QUICK, prices=PRICES)

    async def _answer(self, request: Request) -> Reply:
        if "你在一旁看咨询师" in request.messages[0].text:
            self.watched.append(request)
            self.begun.set()
            await self.opened.wait()
            await asyncio.sleep(self.seconds)
            if isinstance(self.answer, Exception):
                raise self.answer
            return _reply(self.answer)
        data = counsel(request)
        if "EXIT" in data:
            self.asked.append(request)
            metrics = {"user_engagement": f"简短 {request.hash[:8]}"}
            data |= {"EXIT": "NO", "progress_suggestion": "continue_needed", "values": {}, "metrics": metrics}
            data["content"] = f"能再说一点吗（{len(self.asked)}）？"
        return _reply(data)


def _reply(data: Any) -> Reply:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return Reply(text, "m", tokens_in=100, tokens_out=10)


def prepared(place: Place, content: str = SCRIPT) -> Place:
    script_file(place.folder, content)
    return place


async def told(place: Place, sessions: Sessions, session: str, outcome: Outcome, words: str) -> Outcome:
    """What the person says next, twenty seconds later."""
    place.clock.pass_(seconds=20)
    return await sessions.take(session, say(f"said {words}", words, seen(outcome)))
