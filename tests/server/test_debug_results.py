"""What a round came to, as a debug session may see it: metrics, suggestion, how its answers were read, the advice."""

from __future__ import annotations

from typing import Any

import pytest
from tests.seeds.test_seed_004 import DEFAULTS, GOOD, METRICS, Raw
from tests.server.material import Asked, Grounds, Json, Visit, run, seen
from tests.server.test_debug import debug
from tests.sessions.monitored import SCRIPT, Watcher


@pytest.fixture
def watched(grounds: Grounds) -> Grounds:
    (grounds.folder / "project" / "watched.yaml").write_text(
        SCRIPT.replace("id: small", "id: watched"), encoding="utf-8"
    )
    return grounds


async def talked(api: Asked, level: str, *words: str) -> Visit:
    visit, turn = await api.begun(script="tests/watched", options={"debug_level": level})
    for each in words:
        turn = await api.turn(visit, text=each, after=seen(turn))
    return visit


async def settled(api: Asked) -> None:
    await api.context.sessions.settled()


def of(turn: int, number: int, metrics: Any) -> Json:
    row = {"turn": turn, "action": "father", "type": "ai_ask", "round": number, "metrics": metrics}
    return row | {"progress_suggestion": "continue_needed", "brief": None if metrics is None else ""}


def test_a_round_says_what_was_read_and_how(watched: Grounds) -> None:
    async def work() -> None:
        model = Raw("不是 JSON", f"好的：\n```json\n{GOOD}\n```", "坏").model()
        async with watched.asgi(store={"model": model}, debug="full", development=True) as api:
            visit = await talked(api, "full", "还行吧", "嗯嗯")
            await settled(api)
            first, second = [await debug(api, visit, turn) for turn in (2, 3)]
            (found,) = first["results"]
            assert found["of"] == of(2, 1, METRICS)
            assert (found["completed"], found["exit_reason"], found["max_rounds"]) == (False, "", 9)
            assert (found["parse_error"], found["parse_retries"]) == (False, 1)
            assert [each["outcome"] for each in found["answers"]] == ["rejected", "ok"]
            assert found["answers"][0]["raw"] == "不是 JSON"
            assert found["answers"][1]["strategies"] == ["direct", "trimmed", "fenced"]
            (found,) = second["results"]
            assert (found["of"], found["parse_error"], found["parse_retries"]) == (of(3, 2, DEFAULTS), True, 2)
            assert second["rounds"] == [of(2, 1, METRICS), of(3, 2, DEFAULTS)]
            assert first["rounds"] == [of(2, 1, METRICS)]
            assert (await debug(api, visit, 1))["results"] == []

    run(work())


def test_a_summary_says_nothing_that_a_model_wrote(watched: Grounds) -> None:
    async def work() -> None:
        model = Raw("来访者的话", GOOD).model()
        async with watched.asgi(store={"model": model}, debug="full", development=True) as api:
            visit = await talked(api, "summary", "还行吧")
            (found,) = (await debug(api, visit))["results"]
            assert (found["of"], found["parse_retries"]) == (of(2, 1, None), 1)
            assert [(each["raw"], each["problem"]) for each in found["answers"]] == [(None, None)] * 2
            assert "来访者的话" not in str(await debug(api, visit))

    run(work())


def test_what_a_monitor_said_and_what_goes_into_the_next_prompt(watched: Grounds) -> None:
    async def work() -> None:
        async with watched.asgi(store={"model": Watcher().model()}, debug="full", development=True) as api:
            visit = await talked(api, "full", "还行吧")
            await settled(api)
            found = await debug(api, visit)
            assert (found["turn"], found["input"], found["messages"], found["whole"]) == (3, "advised", [], True)
            (told,) = [each for each in found["decisions"] if each["kind"] == "monitored"]
            assert (told["data"]["feedback"], told["data"]["reason"]) == ("降低直接性。", "blocked")
            (made,) = [e for e in (await debug(api, visit, 2))["calls"] if e["purpose"] == "ai_ask_monitor"]
            assert made["status"] == "answered"

    run(work())


REMEMBERING = """
sessions:
  - session: 记得的
    id: remembering
    locale: zh-CN
    memory: {write: {enabled: true, type: long}, read: {enabled: true}}
    declare: [{var: 心情, type: integer, range: [0, 10], define: 心情}]
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ai_ask, id: mood, content: 问心情, question: 今天几分？, output: [{get: 心情}]}
              - {type: ask, id: more, content: 还有吗？}
"""


@pytest.mark.parametrize(
    ("level", "development", "clear"), [("full", True, True), ("full", False, False), ("summary", True, False)]
)
def test_what_was_recalled_and_what_is_remembered(grounds: Grounds, level: str, development: bool, clear: bool) -> None:
    (grounds.folder / "project" / "remembering.yaml").write_text(REMEMBERING, encoding="utf-8")

    async def work() -> None:
        async with grounds.asgi(debug="full", development=development) as api:
            visit, turn = await api.begun(script="tests/remembering", options={"debug_level": level})
            await api.turn(visit, text="六分", after=seen(turn))
            (wrote,) = (await debug(api, visit, 2))["memories"]
            assert (wrote["action"], wrote["how"], wrote["again"], wrote["gone"]) == ("mood", "write", False, [])
            (item,) = wrote["items"]
            assert (item["type"], item["importance"], item["topic"]) == ("long", 0.5, "近况")
            assert (item["content"], item["quote"]) == (("心情：6", "六分") if clear else (None, None))
            (read,) = (await debug(api, visit, 1))["memories"]
            assert (read["how"], read["mode"], read["looked"], read["items"]) == ("read", "mixed", 0, [])
            told = await api.client.put(
                "/api/v1/persons/me/remembering",
                json={"on": True},
                headers={"Authorization": f"Bearer {visit.person_token}"},
            )
            assert told.status_code == 200, told.text
            again, _ = await api.begun(
                script="tests/remembering", options={"debug_level": level}, token=visit.person_token
            )
            (read,) = (await debug(api, again, 1))["memories"]
            # Beside it may stand what was drawn from the first session meanwhile.
            (found,) = [each for each in read["items"] if each["id"] == item["id"]]
            assert found["content"] == ("心情：6" if clear else None)

    run(work())
