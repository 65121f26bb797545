"""A project that can be released, and the staff who do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.server.material import API, Asked, Visit, seen

from heartrule.server.tokens import Staff

LIN = Staff("lin", "林", "developer", ("*",))
WEI = Staff("wei", "Wei", "reviewer", ("*",))
KIM = Staff("kim", "Kim", "reviewer", ("*",))
BENCH = f"{API}/workbench"
TALK = """sessions:
  - session: 睡眠谈话
    id: sleep
    locale: zh-CN
    declare:
      - {var: 名字, type: text, define: 怎么称呼}
      - {var: 睡了, type: integer, range: [0, 24], define: 昨晚睡了几个小时}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 认识
            id: meet
            actions:
              - {type: ask, id: name, content: 怎么称呼你？, output: [{get: 名字}]}
          - topic: 睡眠
            id: hours
            actions:
              - {type: ask, id: how_long, content: 昨晚睡了几个小时？, output: [{get: 睡了}]}
              - {type: say, id: bye, content: 今晚早点睡。}
"""
TESTS = """script: sleep
tests:
  - test: 走到底
    turns:
      - {say: 叫我小林, expect: {at: how_long}}
      - {say: 7 个小时, expect: {ended: true}}
"""
FILES = {"project.yaml": "id: sleepy\nlocale: zh-CN\n", "talk.yaml": TALK, "tests/whole.test.yaml": TESTS}


class Member:
    """Somebody of the staff, with a token."""

    def __init__(self, api: Asked, staff: Staff, lang: str = "en") -> None:
        self._api, self._lang = api, lang
        self.token = api.context.tokens.of_staff(staff).token

    async def send(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        headers |= {"Accept-Language": self._lang} if self._lang else {}
        return await self._api.client.request(method, f"{BENCH}{path}", json=body, headers=headers)

    async def done(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        answer = await self.send(method, path, body)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def get(self, path: str) -> Any:
        return await self.done("GET", path)

    async def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        return await self.done("POST", path, body, status)

    # the way of a release

    async def project(self, files: dict[str, str] = FILES) -> str:
        made = await self.post("/projects", {"name": "Sleep", "template": "empty", "locale": "zh-CN"}, 201)
        texts = (await self.get(f"/projects/{made['id']}/texts"))["texts"]
        changes = {**dict.fromkeys(texts), **files}
        await self.post(f"/projects/{made['id']}/versions", {"base": 1, "changes": changes}, 201)
        return str(made["id"])

    async def save(self, project: str, changes: Mapping[str, str | None]) -> int:
        base = (await self.get(f"/projects/{project}/texts"))["version"]
        saved = await self.post(f"/projects/{project}/versions", {"base": base, "changes": changes}, 201)
        return int(saved["number"])

    async def make(self, project: str, notes: str | None = "改了几句。") -> str:
        return str((await self.post(f"/projects/{project}/releases", {"notes": notes}, 201))["id"])

    async def go_through(self, project: str) -> None:
        """One conversation of the present text, to its end."""
        tried = await self.post(f"/projects/{project}/try", {"script": "sleep"}, 201)
        visit = Visit(tried["session"], tried["token"])
        await to_the_end(self._api, visit)

    async def ready(self, project: str) -> str:
        """A release at which every gate is open."""
        await self.go_through(project)
        made = await self.make(project)
        checked = await self.post(f"/releases/{made}/check")
        assert checked["open"], [each for each in checked["gates"] if not each["open"]]
        return made


async def to_the_end(api: Asked, visit: Visit, words: tuple[str, ...] = ("叫我小林", "7 个小时")) -> Any:
    turn = await api.turn(visit, type="start")
    for each in words:
        turn = await api.turn(visit, text=each, after=seen(turn))
    return turn


def gate(standing: Any, name: str) -> Any:
    return next(each for each in standing["gates"] if each["name"] == name)
