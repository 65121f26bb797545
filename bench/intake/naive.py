"""The same conversation as someone would hold it without an engine: one call for each thing to do, one after another.

After every answer: is there danger; what the flow has come to must be judged; the value that was asked for; each value
that may be told in passing and is not known yet; the reply. Short prompts, JSON by schema, connections kept, the reply
streamed. It stores nothing and serves nobody, which is in its favour.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpx2
import yaml
from bench.intake.conversation import FOLDER, PROJECT, Conversation

VERDICT = {"type": "object", "properties": {"verdict": {"type": "boolean"}}, "required": ["verdict"]}
VALUE = {
    "type": "object",
    "properties": {"value": {"type": ["string", "integer", "null"]}, "evidence": {"type": "string"}},
    "required": ["value"],
}


@dataclass(frozen=True, slots=True)
class Step:
    """One of the six questions. ``question`` is literal, or empty where the model words it from ``brief``."""

    brief: str
    question: str
    name: str
    define: str


@cache
def steps() -> tuple[Step, ...]:
    """The questions of the script, read off it."""
    session = yaml.safe_load((PROJECT / "intake.yaml").read_text(encoding="utf-8"))["sessions"][0]
    defined = {each["var"]: each["define"] for each in session["declare"]}
    actions = [action for phase in session["phases"] for topic in phase["steps"] for action in topic["actions"]]
    found = []
    for action in (each for each in actions if each["type"] == "ai_ask"):
        name = next((item["get"] for item in action.get("output", ())), "")
        found.append(Step(action["content"], action.get("question", ""), name, defined.get(name, "")))
    return tuple(found)


@cache
def passive() -> Mapping[str, str]:
    """What is never asked for and only taken down when it is told, by name, with its meaning."""
    session = yaml.safe_load((PROJECT / "intake.yaml").read_text(encoding="utf-8"))["sessions"][0]
    return {each["var"]: each["define"] for each in session["declare"] if "listen" in each}


@cache
def words() -> Mapping[str, str]:
    found: Mapping[str, str] = yaml.safe_load((FOLDER / "naive.yaml").read_text(encoding="utf-8"))
    return found


@dataclass(slots=True)
class Naive:
    """One conversation. ``judgements`` are asked on top in every turn; ``first`` is when the person saw the first
    character of the last reply, on the monotonic clock."""

    http: httpx2.AsyncClient
    address: str
    talk: Conversation
    judgements: Sequence[str] = ()
    history: list[str] = field(default_factory=list)
    known: dict[str, Any] = field(default_factory=dict)
    verdicts: dict[str, bool] = field(default_factory=dict)
    first: float = 0.0
    at: int = 0

    async def say(self, text: str) -> str:
        """One turn. Returns the reply."""
        if not self.history:
            self.history.append(f"咨询师：{steps()[0].question}")
        self.history.append(f"来访者：{text}")
        step, self.at = steps()[self.at], self.at + 1
        await self._asked(words()["risk"], VERDICT)
        crossed = [each.question for each in self.talk.judgements if each.asked_after == self.at]
        for question in [*crossed, *self.judgements]:
            found = await self._asked(words()["judge"].format(question=question), VERDICT)
            self.verdicts[question] = found["verdict"]
        wanted = {step.name: step.define} if step.name else {}
        for name, define in (wanted | dict(passive())).items():
            if name in self.known:
                continue
            held = await self._asked(words()["value"].format(name=name, define=define), VALUE)
            if held.get("value") is not None:
                self.known[name] = held["value"]
        reply = await self._reply(step)
        self.history.append(f"咨询师：{reply}")
        return reply

    async def _reply(self, step: Step) -> str:
        following = steps()[self.at] if self.at < len(steps()) else None
        if following is not None and not following.question:
            then = words()["then_ask"].format(brief=following.brief)
        else:
            then = words()["then_script"].format(question=following.question if following else "再见")
        system = f"{words()['role']}\n{words()['reply'].format(brief=step.brief, then=then)}"
        said, self.first = "", 0.0
        async for piece in self._streamed(system):
            self.first = self.first or time.monotonic()
            said += piece
        return f"{said}{following.question if following else ''}"

    def _body(self, system: str) -> dict[str, Any]:
        told = words()["history"].format(history="\n".join(self.history))
        messages = [{"role": "system", "content": system.strip()}, {"role": "user", "content": told.strip()}]
        return {"model": "stub", "temperature": 0.3, "messages": messages}

    async def _asked(self, system: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
        response = await self.http.post(self.address, json=self._body(system) | {"response_format": form})
        found: dict[str, Any] = json.loads(response.json()["choices"][0]["message"]["content"])
        return found

    async def _streamed(self, system: str) -> AsyncIterator[str]:
        async with self.http.stream("POST", self.address, json=self._body(system) | {"stream": True}) as response:
            async for line in response.aiter_lines():
                if line.startswith("data: {"):
                    yield json.loads(line[6:])["choices"][0]["delta"].get("content", "")


def client() -> httpx2.AsyncClient:
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    return httpx2.AsyncClient(limits=limits, timeout=120)


def endpoint(stub: str) -> str:
    return f"{stub}/chat/completions"
