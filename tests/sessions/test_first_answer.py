"""The first answer of a session is heard like any other, though nothing has been written to any scope before it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.sessions.material import Place, run, say, script_file, seen, value

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.store.records import Entry

SCRIPT = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    declare:
      - {var: 来意, type: text, define: 为什么来}
      - {var: 睡眠, type: text, define: 睡得怎样}
      - {var: 职业, type: text, define: 做什么工作, listen: {scope: session, mode: passive}}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: why, content: 为什么来？, output: [{get: 来意}]}
              - {type: ask, id: sleep, content: 睡得怎样？, output: [{get: 睡眠}]}
"""
SAID = "工作总出错，我是会计，晚上也睡不着"
FOUND: dict[str, tuple[str, str]] = {"睡眠": ("睡不着", "睡不着"), "职业": ("会计", "我是会计")}


def answer(request: Request) -> dict[str, Any]:
    """What a model that listens would write down."""
    properties = (request.schema or {})["properties"]
    if properties.get("values", {}).get("type") == "array":
        names = properties["values"]["items"]["properties"]["name"]["enum"]
        told = [{"name": n, "value": FOUND[n][0], "evidence": FOUND[n][1]} for n in names if n in FOUND]
        return {key: told if key == "values" else [] for key in properties}
    if "verdicts" in properties:
        return {"verdicts": [{"id": 1, "verdict": "no", "confidence": 0.9, "evidence": ""}]}
    return {"understood": True, "values": {"来意": {"value": "工作总出错", "evidence": "工作总出错"}}, "content": ""}


@pytest.mark.parametrize("name", FOUND)
def test_what_the_first_answer_tells_beside_its_question_is_taken_down(place: Place, name: str) -> None:
    async def told() -> dict[str, Any]:
        provider = ScriptedProvider(lambda request: json.dumps(answer(request), ensure_ascii=False))
        script_file(place.folder, SCRIPT)
        async with place.open(model=Model([provider])) as sessions:
            record = await sessions.create(place.script)
            outcome = await sessions.start(record.id)
            await sessions.take(record.id, Entry("first", "message", text=SAID, after=outcome.messages[-1].number))
            return {each.name: each.value for each in await sessions.store.variables(record.id)}

    held = run(told())
    assert held["来意"] == "工作总出错"
    assert held[name] == FOUND[name][0]


def test_late_words_are_heard_though_nothing_was_written_before_them(place: Place) -> None:
    """The first question was passed over; the scope that its answer belongs to is open, and holds nothing yet."""
    script_file(place.folder, SCRIPT)

    async def work() -> None:
        async with place.open() as sessions:
            session, asked = await place.begun(sessions)
            await sessions.take(session, say("a", "跳过", seen(asked)))
        async with place.open() as sessions:
            await sessions.take(session, say("b", "工作总出错", seen(asked)))
            assert await value(sessions, session, "来意") == "工作总出错"

    run(work())


def test_late_words_for_a_topic_that_is_over_stay_in_the_transcript(place: Place) -> None:
    """What was declared there has gone with it."""
    own = "            declare: [{var: 来意, type: text, define: 为什么来}]\n            actions:"
    second = (
        "          - topic: 以后\n            id: later\n            actions:\n              - {type: ask, id: sleep"
    )
    content = SCRIPT.replace("            actions:", own).replace("              - {type: ask, id: sleep", second)
    script_file(place.folder, content)

    async def work() -> None:
        async with place.open() as sessions:
            session, asked = await place.begun(sessions)
            await sessions.take(session, say("a", "跳过", seen(asked)))
            await sessions.take(session, say("b", "工作总出错", seen(asked)))
            assert await value(sessions, session, "来意") is None
            assert "工作总出错" in [m.text for m in await sessions.store.messages(session)]

    run(work())
