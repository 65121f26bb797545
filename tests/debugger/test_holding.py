"""Held before and behind anything, stepped, looked into, changed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.debugger.material import TALK, Desk, debugging, led, line_of, point
from tests.server.material import run

BREAKPOINTS: list[tuple[str, dict[str, Any], str, str]] = [
    ("line", point("line", file="talk.yaml", line=line_of(TALK, "id: how_long")), "marker", "how_long"),
    ("line of a technique", point("line", file="talk.yaml", line=line_of(TALK, "慢慢吸气")), "marker", "breathe_in"),
    ("behind an action", point("action", name="hello", edge="after"), "marker", "hello"),
    ("topic", point("topic", name="hours"), "topic", ""),
    ("phase", point("phase", name="sleep"), "phase", ""),
    ("technique", point("technique"), "topic", ""),
    ("return", point("return"), "topic", ""),
    ("variable", point("variable", name="睡了", condition="睡了 < 6"), "variable", "how_long"),
    ("round", point("round", name="name"), "round", "name"),
    ("verdict", point("verdict", name="P0"), "awareness", ""),
    ("any verdict of a script", point("verdict", name="suicide_risk"), "awareness", ""),
]


@pytest.mark.parametrize(("what", "held_by", "event", "action"), BREAKPOINTS, ids=[each[0] for each in BREAKPOINTS])
def test_it_holds_where_a_breakpoint_says(
    tmp_path: Path, what: str, held_by: dict[str, Any], event: str, action: str
) -> None:
    async def held() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(breakpoints=[held_by])
            for words in ("小林", "4 个小时", "还好" if what != "verdict" else "我想自杀"):
                if desk.state["status"] == "waiting":
                    await desk.say(words)
            assert desk.state["status"] == "held", (what, desk.state["stack"])
            assert desk.state["held"]["kind"] == "breakpoint"
            assert desk.state["held"]["event"] == event
            assert desk.state["held"]["action"].startswith(action)
            assert desk.state["placed"][0]["verified"]

    run(held())


def test_conditions_hits_and_log_messages(tmp_path: Path) -> None:
    async def held() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(
                breakpoints=[
                    point("action", id="log", name="how_long", log="问 {名字} 睡了几小时"),
                    point("action", id="third", hits=3),
                    point("action", id="never", name="good_night", condition="睡了 > 20"),
                ]
            )
            await desk.say("小林")
            assert desk.at == "count"  # hello, name, count: the third
            await desk.do("go", {"go": "run"})
            assert [each["text"] for each in desk.state["log"]] == ["问 小林 睡了几小时"]
            await desk.put(
                "breakpoints", {"breakpoints": [point("action", id="never", name="good_night", condition="睡了 > 20")]}
            )
            await desk.do("go", {"go": "run"})
            await desk.say("8")
            assert desk.state["status"] == "ended"

    run(held())


def test_stepping_over_into_out_and_to_here(tmp_path: Path) -> None:
    async def stepped() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(breakpoints=[point("action", name="breathe")])
            await desk.say("小林")
            await desk.say("4 个小时")
            assert desk.at == "breathe"
            await desk.do("go", {"go": "into"})
            assert [each["kind"] for each in desk.state["stack"]][:2] == ["technique", "action"]
            await desk.do("go", {"go": "into"})
            assert desk.at == "breathe_in"
            assert [each["kind"] for each in desk.state["stack"]] == [
                *("action", "technique", "action", "topic", "phase", "session")
            ]
            await desk.do("go", {"go": "out"})
            await desk.say("还好")
            assert desk.state["status"] == "held"
            assert desk.state["held"]["event"] == "topic"
            await desk.do("to-here", {"file": "talk.yaml", "line": line_of(TALK, "今晚早点睡")})
            assert desk.at == "good_night"
            await desk.do("go", {"go": "over"})
            assert desk.state["status"] == "ended"

    run(stepped())


def test_a_step_over_goes_through_the_technique(tmp_path: Path) -> None:
    async def stepped() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(go="over")
            seen = []
            for words in ("小林", "4", "还好", ""):
                while desk.state["status"] == "held":
                    seen.append(desk.at)
                    await desk.do("go", {"go": "over"})
                if desk.state["status"] == "waiting":
                    await desk.say(words)
            while desk.state["status"] == "held":
                seen.append(desk.at)
                await desk.do("go", {"go": "over"})
            assert seen == ["hello", "name", "count", "how_long", "breathe", "good_night"]

    run(stepped())


def test_variables_are_seen_set_watched_and_explained(tmp_path: Path) -> None:
    async def looked() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(breakpoints=[point("action", name="breathe"), point("action", name="enough")])
            await desk.say("小林")
            await desk.say("昨晚只睡了 4 个小时")
            found = {each["name"]: each for each in (await desk.get("variables"))["variables"]}
            assert found["睡了"]["value"] == 4
            assert found["睡了"]["scope"] == "session"
            assert found["睡了"]["changed"]
            assert found["名字"]["history"][-1]["turn"] == 2
            await desk.put("watches", {"watches": ["睡了 < 6", "名字", "睡了 <"]})
            assert [each["value"] for each in desk.state["watches"]] == [True, "小林", None]
            assert desk.state["watches"][2]["problem"]
            assert (await desk.do("evaluate", {"expression": "睡了 + 2"}))["value"] == 6
            assert (await desk.put("variables", {"name": "睡了", "value": 99}))["written"] is False
            assert (await desk.put("variables", {"name": "睡了", "value": 9}))["written"] is True
            assert (await desk.do("evaluate", {"expression": "睡了"}))["value"] == 9
            await desk.do("go", {"go": "run"})  # the technique's condition was decided before it was held
            await desk.say("好多了")
            assert desk.at == "enough"
            readers = (await desk.get("lineage/variable/名字"))["readers"]
            assert ("sentence", "how_long", 2) in [(r["kind"], r["what"], r["turn"]) for r in readers]
            number = next(n for n, words in enumerate(await desk.said(), 1) if "小林，昨晚" in words)
            down = await desk.get(f"lineage/message/{number}")
            assert (down["action"], down["at"]["line"]) == ("how_long", line_of(TALK, "id: how_long") - 1)
            assert [(each["name"], each["value"], each["message"]) for each in down["written"]] == [("名字", "小林", 3)]

    run(looked())


def test_a_model_is_held_before_it_is_asked_and_answered_by_hand(tmp_path: Path) -> None:
    async def typed() -> None:
        async with debugging(tmp_path, model=led()) as desk:
            await desk.make("led", answering={"by": "typed"})
            assert desk.state["held"]["kind"] == "call"
            calls = (await desk.get("calls"))["calls"]
            assert calls[-1]["template"] == "ai_ask_open"
            assert calls[-1]["status"] == "waiting"
            assert any("烦心事" in layer["text"] for layer in calls[-1]["layers"])
            await desk.do("answer", {"key": calls[-1]["key"], "words": '{"content": "最近有什么烦心的事？"}'})
            await desk.do("go", {"go": "run"})
            assert (await desk.said())[-1].endswith("最近有什么烦心的事？")
            await desk.put("answering", {"by": "model"})
            await desk.say("工作上被批评了")
            calls = (await desk.get("calls"))["calls"]
            assert {each["origin"] for each in calls} == {"typed", "model"}

    run(typed())


async def whole(desk: Desk, words: tuple[str, ...] = ("小林", "4 个小时", "还好")) -> None:
    for each in words:
        await desk.say(each)
