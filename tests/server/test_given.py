"""What whoever makes a session brings along, and gets back: notes of their own, rules of memory, debug data."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.material import API, Grounds, headers, problem, run

NOTES = {"ward": "秘密的三病区", "number": 7}
SHOWN = """
sessions:
  - session: 看
    id: shown
    locale: zh-CN
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 甲
            id: a
            actions:
              - {type: say, content: 看这张卡。, card: {title: 记住}}
              - {type: ask, id: job, content: 做什么工作？, output: [{get: 工作}]}
              - {type: show_form, form: small, mode: view, values: {a: 好}}
forms:
  - form: 小表
    id: small
    fields: [{id: a, type: text, label: 一}]
"""


def stored(grounds: Grounds) -> bytes:
    return b"".join(each.read_bytes() for each in Path(grounds.data).glob("*.db*"))


def test_notes_are_given_back_exported_and_erased(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit(metadata=NOTES)
            assert visit.session["metadata"] == NOTES
            assert (await api.get(visit.path, visit.token)).json()["metadata"] == NOTES
            exported = (await api.get(f"{API}/persons/me/export", visit.person_token)).json()
            assert exported["sessions"][0]["metadata"] == NOTES
            assert "三病区".encode() not in stored(grounds)
            assert (await api.visit()).session["metadata"] == {}
            assert (await api.client.delete(visit.path, headers=headers(visit.token, {}))).status_code == 204
            problem(await api.get(visit.path, visit.token), "not-found", 404)

    run(work())


@pytest.mark.parametrize("notes", [{"x": "长" * 2_000}, {f"k{n}": n for n in range(21)}])
def test_notes_have_bounds(grounds: Grounds, notes: dict[str, object]) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            answer = await api.post(f"{API}/sessions", {"script": "tests/small", "metadata": notes})
            problem(answer, "invalid-request", 422)

    run(work())


def test_messages_say_what_is_shown_with_them(grounds: Grounds) -> None:
    (grounds.project / "shown.yaml").write_text(SHOWN, encoding="utf-8")

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await api.begun(script="tests/shown")
            kinds = [each["content_type"] for each in turn["messages"]]
            assert kinds == ["card", "text"]
            turn = await api.turn(visit, text="教书")
            assert [each["content_type"] for each in turn["messages"] if each["sender"] == "ai"][-1] == "form"

    run(work())


def test_a_request_may_ask_for_what_debug_tells_where_that_is_allowed(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(debug="full") as api:
            visit = await api.visit(options={"debug_level": "full"})
            answer = await api.send(visit, type="start", debug=True)
            told = (await api.get(f"{visit.path}/debug", visit.token)).json()
            assert {**answer.json()["debug"], "milliseconds": 0} == {**told, "milliseconds": 0}
            other = await api.visit(options={"debug_level": "none"})
            problem(await api.send(other, type="start", debug=True), "debug-off", 403)
            assert (await api.turn(other, type="start"))["debug"] is None

    run(work())


def test_a_session_s_own_rules_of_memory_hold_over_the_script_s(grounds: Grounds) -> None:
    (grounds.project / "shown.yaml").write_text(SHOWN, encoding="utf-8")

    async def kept(api: object, memory: object) -> list[str]:
        visit, _ = await api.begun(script="tests/shown", options={"memory": memory})  # type: ignore[attr-defined]
        await api.turn(visit, text="教书")  # type: ignore[attr-defined]
        found = await api.get(f"{API}/persons/me/export", visit.person_token)  # type: ignore[attr-defined]
        return [each["type"] for each in found.json()["remembered"]]

    async def work() -> None:
        write = {"write": {"enabled": True, "type": "long"}}
        async with grounds.asgi() as api:
            assert await kept(api, True) == []
            assert await kept(api, write) == ["long"]
            assert await kept(api, {"actions": {"ask": write}}) == ["long"]
            assert await kept(api, {**write, "actions": {"ask": {"write": {"enabled": False}}}}) == []
            bad = {"script": "tests/small", "options": {"memory": {"write": {"type": "eternal"}}}}
            problem(await api.post(f"{API}/sessions", bad), "invalid-request", 422)

    run(work())
