"""What a person can see of what is kept of them, take along, have forgotten and erased."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.server.material import Asked, Grounds, Visit, problem, run, seen

from heartrule.server.app import API

ME = f"{API}/persons/me"
WORDS = "要忘记的话"
SCRIPT = """
sessions:
  - session: 记得的
    id: knowing
    locale: zh-CN
    declare: [{var: 今天, type: text, define: 今天}]
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: name, content: 怎么称呼你？, output: [{get: 称呼}]}
              - {type: ask, id: today, content: 今天怎样？, output: [{get: 今天}],
                 memory: {write: {enabled: true, type: long}}}
              - {type: show_form, id: mood, form: mood}
              - {type: ask, id: more, content: 还有吗？, output: [{get: 余下}]}
global:
  - {var: 称呼, scope: global, type: text, define: 称呼}
forms:
  - form: 心情
    id: mood
    fields: [{id: now, label: 现在心情几分, type: integer, range: [0, 10], required: true}]
    scores: [{id: total, sum: [now], better: high, bands: [{from: 0, to: 4, label: 低}, {from: 5, to: 10, label: 高}]}]
"""


@pytest.fixture
def place(grounds: Grounds) -> Grounds:
    (grounds.project / "knowing.yaml").write_text(SCRIPT, encoding="utf-8")
    return grounds


async def held(asked: Asked, token: str | None = None) -> tuple[Visit, str]:
    """A session in which something was told of the person, and a form handed in; the person's token."""
    visit = await asked.visit("tests/knowing", token=token)
    turn = await asked.turn(visit, type="start")
    turn = await asked.turn(visit, text="小林", after=seen(turn))
    turn = await asked.turn(visit, text=WORDS, after=seen(turn))
    form = turn["request"]["form"]
    given = {"type": "form_submit", "form": {"key": form["key"], "values": {"now": 6}}}
    body = {"key": "handed-in-1", "after": seen(turn), "input": given}
    answer = await asked.post(f"{visit.path}/turns", body, visit.token)
    assert answer.status_code == 200, answer.text
    return visit, token or visit.person_token or ""


def test_what_is_kept_is_shown_and_taken_along(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            await held(asked, token)
            mine = (await asked.get(ME, token)).json()
            assert mine["sessions"] == 2
            assert [(each["name"], each["value"], each["project"]) for each in mine["known"]] == [
                ("称呼", "小林", "tests")
            ]
            assert [(each["form"], each["scores"], each["bands"]) for each in mine["forms"]] == [
                ("tests/mood", {"total": 6}, {"total": "高"})
            ] * 2
            low, high = {"label": "低", "low": 0, "high": 4}, {"label": "高", "low": 5, "high": 10}
            assert [(each["ranges"], each["better"], each["limits"]) for each in mine["forms"]] == [
                ({"total": [low, high]}, {"total": "high"}, {"total": [0, 10]})
            ] * 2
            assert mine["contact"] is False
            answer = await asked.get(f"{ME}/export", token)
            assert answer.headers["content-disposition"].startswith("attachment")
            assert answer.headers["cache-control"] == "no-store"
            whole: dict[str, Any] = json.loads(answer.text)
            assert whole["format"] == "heartrule-export/1"
            assert len(whole["sessions"]) == 2
            of_visit = next(each for each in whole["sessions"] if each["id"] == visit.id)
            assert [each["content"] for each in of_visit["messages"]] == [
                each["content"] for each in await asked.messages(visit)
            ]
            assert {each["name"]: each["value"] for each in of_visit["values"]}["今天"] == WORDS
            assert of_visit["forms"][0]["values"] == {"now": 6}

    run(work())


def test_one_thing_is_forgotten(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            _, token = await held(asked)
            path = f"{ME}/known/tests/称呼"
            assert (await asked.client.delete(path, headers={"Authorization": f"Bearer {token}"})).status_code == 204
            assert (await asked.get(ME, token)).json()["known"] == []
            problem(await asked.client.delete(path, headers={"Authorization": f"Bearer {token}"}), "not-found", 404)

    run(work())


def test_what_is_remembered_is_shown_and_taken_along_and_forgotten(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            _, stranger = await held(asked)
            (mine,) = (await asked.get(ME, token)).json()["remembered"]
            assert (mine["session"], mine["project"], mine["type"], mine["kind"]) == (
                visit.id,
                "tests",
                "long",
                "answer",
            )
            assert (mine["content"], mine["quote"], mine["topic"]) == (f"今天：{WORDS}", WORDS, "近况")
            assert json.loads((await asked.get(f"{ME}/export", token)).text)["remembered"] == [mine]
            path = f"{ME}/remembered/{mine['id']}"
            problem(await asked.client.delete(path, headers={"Authorization": f"Bearer {stranger}"}), "not-found", 404)
            bearer = {"Authorization": f"Bearer {token}"}
            assert (await asked.client.delete(path, headers=bearer)).status_code == 204
            problem(await asked.client.delete(path, headers=bearer), "not-found", 404)
            assert (await asked.get(ME, token)).json()["remembered"] == []
            assert len((await asked.get(ME, stranger)).json()["remembered"]) == 1

    run(work())


def test_a_session_is_removed_with_all_that_was_said(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            other, _ = await held(asked, token)
            bearer = {"Authorization": f"Bearer {visit.token}"}
            assert (await asked.client.delete(visit.path, headers=bearer)).status_code == 204
            problem(await asked.get(visit.path, visit.token), "not-found", 404)
            problem(await asked.get(visit.path, token), "not-found", 404)
            problem(await asked.send(visit, text="还在吗"), "not-found", 404)
            problem(await asked.client.delete(visit.path, headers=bearer), "not-found", 404)
            mine = (await asked.get(ME, token)).json()
            assert (mine["sessions"], len(mine["forms"])) == (1, 1)
            assert visit.id not in (await asked.get(f"{ME}/export", token)).text
            assert len(await asked.messages(other)) > 4

    run(work())


def test_everything_is_erased(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            stranger, theirs = await held(asked)
            bearer = {"Authorization": f"Bearer {token}"}
            assert (await asked.client.delete(ME, headers=bearer)).status_code == 204
            problem(await asked.get(ME, token), "not-found", 404)
            problem(await asked.get(f"{ME}/export", token), "not-found", 404)
            problem(await asked.get(visit.path, visit.token), "not-found", 404)
            problem(await asked.client.delete(ME, headers=bearer), "not-found", 404)
            assert (await asked.get(ME, theirs)).json()["sessions"] == 1
            assert len(await asked.messages(stranger)) > 4

    run(work())


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ME), ("DELETE", ME), ("GET", f"{ME}/export"), ("DELETE", f"{ME}/known/tests/称呼")],
)
def test_only_the_person_may(place: Grounds, method: str, path: str) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            problem(await asked.client.request(method, path), "unauthorized", 401)
            bearer = {"Authorization": f"Bearer {visit.token}"}
            problem(await asked.client.request(method, path, headers=bearer), "unauthorized", 401)
            assert (await asked.get(ME, token)).json()["known"]

    run(work())


def test_nobody_removes_anothers_session(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, _ = await held(asked)
            _, theirs = await held(asked)
            answer = await asked.client.delete(visit.path, headers={"Authorization": f"Bearer {theirs}"})
            problem(answer, "not-found", 404)
            problem(await asked.client.delete(visit.path), "unauthorized", 401)

    run(work())
