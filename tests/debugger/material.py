"""A project to be debugged, and a developer who debugs it over the API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.server.material import API, Asked, Grounds, Json

from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.server.tokens import Staff
from heartrule.testing.counsellor import counsel

LIN = Staff("lin", "林", "developer", ("*",))
DEBUG = f"{API}/debug"
TALK = """sessions:
  - session: 睡眠谈话
    id: sleep
    locale: zh-CN
    declare:
      - {var: 名字, type: text, define: 怎么称呼}
      - {var: 睡了, type: integer, range: [0, 24], define: 昨晚睡了几个小时}
    phases:
      - phase: 开始
        id: opening
        steps:
          - topic: 认识
            id: meet
            actions:
              - type: say
                id: hello
                content: 你好，我是小禾。
              - type: ask
                id: name
                content: 怎么称呼你？
                output: [{get: 名字}]
              - type: set_var
                id: count
                var: 次数
                value: 1
      - phase: 睡眠
        id: sleep
        steps:
          - topic: 时长
            id: hours
            actions:
              - type: ask
                id: how_long
                content: "{名字}，昨晚睡了几个小时？"
                output: [{get: 睡了}]
              - type: use_skill
                id: breathe
                skill: breathing
                condition: 睡了 < 6
              - type: say
                id: enough
                content: 睡得不错。
                condition: 睡了 >= 6
          - topic: 结束
            id: bye
            actions:
              - type: say
                id: good_night
                content: "今晚早点睡，{名字}。"
skills:
  - skill: 慢呼吸
    id: breathing
    actions:
      - type: say
        id: breathe_in
        content: 慢慢吸气。
      - type: ask
        id: felt
        content: 感觉怎样？
        output: [{get: 感受}]
"""
LED = """sessions:
  - session: 有模型的谈话
    id: led
    locale: zh-CN
    declare:
      - {var: 烦心事, type: text, define: 最近让人烦的事}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 烦心事
            id: worry
            actions:
              - type: say
                id: hi
                content: 你好。
              - type: ai_ask
                id: what
                content: 问最近有什么烦心事，问到为止。
                max_rounds: 4
                output: [{get: 烦心事}]
              - type: ai_say
                id: reflect
                content: 简短地回应：{烦心事}
                max_rounds: 1
              - type: say
                id: close
                content: 今天先到这里。
"""
FILES = {"project.yaml": "id: sleepy\nlocale: zh-CN\n", "talk.yaml": TALK, "led.yaml": LED}


def led() -> Model:
    """A model in the test's own hands."""
    return Model([ScriptedProvider(counsel)])


class Desk:
    """One developer's debug session, over HTTP."""

    def __init__(self, api: Asked, token: str) -> None:
        self.api, self.token = api, token
        self.state: Json = {}

    async def make(self, script: str = "sleep", **more: Any) -> Json:
        body = {"texts": FILES, "script": script, **more}
        return await self._done(await self.api.post(f"{DEBUG}/sessions", body, self.token), 201)

    async def do(self, what: str, body: Any = None, status: int = 200) -> Json:
        found = await self.api.post(f"{self.path}/{what}", body if body is not None else {}, self.token)
        return await self._done(found, status)

    async def put(self, what: str, body: Any) -> Json:
        sent = {"Authorization": f"Bearer {self.token}"}
        return await self._done(await self.api.client.put(f"{self.path}/{what}", json=body, headers=sent), 200)

    async def get(self, what: str = "", status: int = 200) -> Json:
        found = await self.api.get(f"{self.path}/{what}" if what else self.path, self.token)
        assert found.status_code == status, found.text
        data: Json = found.json()
        return data

    async def say(self, words: str) -> Json:
        return await self.do("say", {"type": "message", "text": words})

    @property
    def path(self) -> str:
        return f"{DEBUG}/sessions/{self.state['id']}"

    async def _done(self, answer: Any, status: int) -> Json:
        assert answer.status_code == status, answer.text
        data: Json = answer.json()
        if "stack" in data:
            self.state = data
        elif "state" in data:
            self.state = data["state"]
        return data

    async def said(self) -> list[str]:
        chat = self.state["chat"]
        answer = await self.api.get(f"{chat['base']}/api/v1/sessions/{chat['session']}/messages", chat["token"])
        assert answer.status_code == 200, answer.text
        return [each["content"] for each in answer.json()["messages"]]

    @property
    def at(self) -> str:
        """Where it stands: the innermost action, or what there is."""
        stack = self.state["stack"]
        return str(stack[0]["id"])


@asynccontextmanager
async def debugging(folder: Path, **store: Any) -> AsyncIterator[Desk]:
    async with Grounds(folder).asgi(store=store) as api:
        yield Desk(api, api.context.tokens.of_staff(LIN).token)


def point(on: str, **more: Any) -> Json:
    return {"id": more.pop("id", f"{on}-1"), "on": on, **more}


def line_of(text: str, needle: str) -> int:
    """The line, from 1, on which it stands."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if needle in line)
