"""What is remembered of a person, over HTTP: asked about, looked at, put right, forgotten, switched off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.server.material import Asked, Grounds, Visit, run, seen

from heartrule.server.app import API

ME = f"{API}/persons/me"
SLEEP = "我妈妈住院以后，我每天晚上三点才睡着"
SCRIPT = """
sessions:
  - session: 记得的
    id: knowing
    locale: zh-CN
    memory: {read: {enabled: true, mode: opening}}
    declare:
      - {var: 睡眠, type: text, label: 睡眠, define: 睡得怎样}
      - {var: 作业, type: text, label: 作业, define: 作业}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 睡眠
            id: sleep
            actions:
              - {type: ask, id: how, content: 睡得怎么样？, output: [{get: 睡眠}]}
              - {type: show_form, id: mood, form: mood}
          - topic: 作业
            id: tasks
            actions:
              - {type: ask, id: task, content: 这周打算练习什么？, output: [{get: 作业}]}
forms:
  - form: 心情
    id: mood
    fields: [{id: now, label: 现在心情几分, type: integer, required: true}]
    scores: [{id: total, sum: [now], bands: [{from: 0, to: 4, label: 低}, {from: 5, to: 10, label: 高}]}]
"""


@pytest.fixture
def place(grounds: Grounds) -> Grounds:
    (grounds.project / "knowing.yaml").write_text(SCRIPT, encoding="utf-8")
    return grounds


async def held(asked: Asked, token: str | None = None, said: str = SLEEP) -> tuple[Visit, str]:
    visit = await asked.visit("tests/knowing", token=token)
    turn = await asked.turn(visit, type="start")
    turn = await asked.turn(visit, text=said, after=seen(turn))
    form = turn["request"]["form"]
    given = {"type": "form_submit", "form": {"key": form["key"], "values": {"now": 6}}}
    body = {"key": "handed-in-1", "after": seen(turn), "input": given}
    answer = await asked.post(f"{visit.path}/turns", body, visit.token)
    assert answer.status_code == 200, answer.text
    await asked.turn(visit, text="每天散步半小时", after=seen(answer.json()))
    return visit, token or visit.person_token or ""


async def until(place: Grounds, look: Callable[[], Awaitable[Any]]) -> Any:
    for _ in range(200):
        found = await look()
        if found:
            return found
        place.clock.pass_(seconds=1)  # a session that moved on meanwhile is looked at again after a pause
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come")


async def listed(asked: Asked, token: str, q: str = "") -> list[dict[str, Any]]:
    answer = await asked.get(f"{ME}/memories" + (f"?q={q}" if q else ""), token)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["memories"]
    return found


async def put(asked: Asked, path: str, body: dict[str, Any], token: str) -> int:
    answer = await asked.client.put(path, json=body, headers={"Authorization": f"Bearer {token}"})
    return int(answer.status_code)


async def gone(asked: Asked, path: str, token: str) -> int:
    answer = await asked.client.delete(path, headers={"Authorization": f"Bearer {token}"})
    return int(answer.status_code)


def test_nothing_is_remembered_until_the_person_says_so_and_all_goes_when_they_say_no(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            assert (await asked.get(f"{ME}/remembering", token)).json() == {"on": None, "at": None}
            await asyncio.sleep(0.3)
            assert await listed(asked, token) == []
            assert await put(asked, f"{ME}/remembering", {"on": True}, token) == 200
            found = await until(place, lambda: listed(asked, token))
            told = {each["kind"]: each for each in found}
            assert told["profile"]["content"].startswith("睡眠：")
            assert told["profile"]["quote"]
            assert told["profile"]["quote"] in SLEEP
            assert told["score"]["content"] == "心情 total：6（高）"
            assert told["homework"]["quote"] == "每天散步半小时"
            assert told["entity"]["content"] == "母亲"
            assert {each["session"] for each in found} == {visit.id}
            nearest = (await listed(asked, token, "几点睡的"))[0]
            assert SLEEP in nearest["content"] or SLEEP in (nearest["quote"] or "")
            course = (await asked.get(f"{ME}/timeline", token)).json()
            assert [(each["name"], [point["value"] for point in each["points"]]) for each in course["curves"]] == [
                ("心情 total", [6])
            ]
            assert await put(asked, f"{ME}/remembering", {"on": False}, token) == 200
            assert await listed(asked, token) == []

    run(work())


def test_what_is_put_right_or_forgotten_stays_so(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            await put(asked, f"{ME}/remembering", {"on": True}, token)
            found = await until(place, lambda: listed(asked, token))
            profile = next(each for each in found if each["kind"] == "profile")
            mother = next(each for each in found if each["kind"] == "entity")
            assert await put(asked, f"{ME}/memories/{profile['id']}", {"text": "现在两点睡"}, token) == 204
            forgotten = await gone(asked, f"{ME}/memories/{mother['id']}", token)
            assert forgotten == 204
            await put(asked, f"{ME}/remembering", {"on": True}, token)  # gone through anew
            await asyncio.sleep(0.5)
            again = {each["id"]: each for each in await listed(asked, token)}
            assert again[profile["id"]]["content"] == "现在两点睡"
            assert mother["id"] not in again
            other = await asked.visit("tests/knowing")
            assert await put(asked, f"{ME}/memories/{profile['id']}", {"text": "别人"}, other.person_token or "") == 404
            assert (await gone(asked, f"{API}/sessions/{visit.id}", token)) == 204
            assert await listed(asked, token) == []

    run(work())
