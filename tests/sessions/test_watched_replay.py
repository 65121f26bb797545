"""Sessions in which scripts below P0 acted, by rules and by a model's word, come to the same again, byte for byte; and
what the judgement of danger costs a turn in time."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

import pytest
from tests.sessions.material import Place, run, say, script_file, seen
from tests.sessions.test_replay import again

from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions
from heartrule.testing.counsellor import counsel

SCRIPT = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    declare: [{var: 标记}]
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: mood, content: 最近心情怎样？, output: [{get: 心情}]}
              - {type: ask, id: hours, content: 昨晚睡得怎样？, output: [{get: 睡眠}]}
              - {type: ask, id: last, content: 还有什么想说的？, output: [{get: 余下}]}
awareness:
  - awareness: 喘不过气
    id: flooded
    priority: P1
    always: true
    at: [answer]
    cooldown: 9 turns
    condition:
      judge: 来访者是否喘不过气
      rules: {explicit: [{pattern: 喘不过气, reason: 喘不过气}]}
    then: [{directive: CALL_TECHNIQUE, technique: calm}]
  - awareness: 抗拒
    id: resists
    priority: P1
    always: true
    at: [after ask]
    condition: {judge: 来访者是否在抗拒}
    then: [{directive: SET_VAR, var: 标记, value: 抗拒}]
skills:
  - {skill: 缓一缓, id: calm, actions: [{type: ask, id: calm_ask, content: 我们慢一点，好吗？, output: [{get: 缓}]}]}
"""
CRY, RESISTS = "我喘不过气", "不想说这个"
SAID = (CRY, "好", CRY, RESISTS, "还行", "没有了")
QUICK = Policy(waits=(0.01,) * 3, jitter=0.0)


def perceives(request: Request) -> dict[str, Any]:
    """Answers as ``counsel`` does, and sees resistance where the person does not want to talk."""
    answer = counsel(request)
    if "holds" not in answer and "holds" not in (request.schema or {}).get("properties", {}):
        return answer
    prompt = request.messages[-1].text
    found = re.search(r"(\d+)\. [^\n]*来访者是否在抗拒", prompt)
    holds = [{"id": int(found[1]), "confidence": 0.9, "evidence": RESISTS}] if found and RESISTS in prompt else []
    return answer | {"holds": holds, "values": []}


def failing(request: Request) -> dict[str, Any]:
    if "values" in (request.schema or {}).get("properties", {}):
        raise RuntimeError("away")
    return perceives(request)


async def verdicts(sessions: Sessions, session: str) -> set[tuple[str, str, str]]:
    why = await sessions.why(session)
    rows = [each.data for each in why if each.kind == "awareness"]
    return {
        (row["awareness"].partition("/")[2], row["verdict"], row["source"]) for row in rows if row["verdict"] != "no"
    }


@pytest.mark.parametrize(
    ("mind", "expected"),
    [
        (None, {("flooded", "yes", "rules")}),
        (perceives, {("flooded", "yes", "rules"), ("resists", "yes", "model")}),
        (failing, {("flooded", "yes", "rules"), ("resists", "yes", "model")}),
    ],
    ids=["rules", "model", "the replies fail"],
)
def test_what_p1_came_to_is_replayed(place: Place, mind: Any, expected: set[tuple[str, str, str]]) -> None:
    place.script = str(script_file(place.folder, SCRIPT))

    async def work() -> None:
        model = Model([ScriptedProvider(mind)], QUICK) if mind else Model()
        async with place.open(model) as sessions:
            session, outcome = await place.begun(sessions)
            for number, words in enumerate(SAID):
                if outcome.execution_status == "completed":
                    break
                outcome = await sessions.take(session, say(f"s-{number}", words, seen(outcome)))
            assert expected <= await verdicts(sessions, session)
            found = await again(sessions, session)
        async with place.open() as other:
            elsewhere = await again(other, session)
            assert [each.result for each in elsewhere] == [each.result for each in found]
            assert len(found) == outcome.turn

    run(work())


def test_a_human_asked_for_in_danger_is_replayed(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            for number, words in enumerate(("我不想活了", "我想跟真人说", "我想跟真人说", "今天就到这儿吧", "没有")):
                outcome = await sessions.take(session, say(f"s-{number}", words, seen(outcome)))
            heard = {ref for ref, *_ in await verdicts(sessions, session)}
            assert {"human_wanted_now", "human_to_desk", "stop_wanted_now"} <= heard
            assert len(await again(sessions, session)) == outcome.turn

    run(work())


# the time that the judgement of danger costs

LATENCY = 0.3
"""Seconds that every call takes."""


def timed(place: Place, risk: float) -> tuple[float, list[str]]:
    """How long a turn takes whose calls take ``LATENCY``, the judgement of danger ``risk``; and what was said."""
    place.script = str(script_file(place.folder, SCRIPT))

    async def answers(request: Request) -> dict[str, Any]:
        judges = "verdicts" in (request.schema or {}).get("properties", {})
        await asyncio.sleep(risk if judges else LATENCY)
        return perceives(request)

    async def work() -> tuple[float, list[str]]:
        async with place.open(Model([ScriptedProvider(answers)], QUICK)) as sessions:
            session, outcome = await place.begun(sessions)
            began = time.perf_counter()
            outcome = await sessions.take(session, say("s", "还行", seen(outcome)))
            return time.perf_counter() - began, [m.text for m in outcome.messages if m.sender == "ai"]

    found: tuple[float, list[str]] = run(work())
    return found


def test_the_judgement_of_danger_adds_no_time_to_a_reply(place: Place, record_property: Any) -> None:
    without, _ = timed(place, 0.0)
    with_it, _ = timed(place, LATENCY)
    record_property("seconds", {"without": without, "with": with_it})
    assert without >= LATENCY
    assert with_it - without < LATENCY / 2, "side by side with the calls that are made anyway"


def test_a_judgement_that_stalls_holds_a_turn_no_longer_than_three_seconds(place: Place, record_property: Any) -> None:
    took, said = timed(place, 20.0)
    record_property("seconds", took)
    assert took <= 3.0 + 0.7, "three, and what a busy machine takes to work it out"
    assert took >= 2.0, "it was waited for"
    assert any("安全" in text or "12356" in text for text in said), "nobody could judge: that is never taken for a no"
