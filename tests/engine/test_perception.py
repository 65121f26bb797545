"""Whatever perception brings, and whenever it comes: the turn is the same, and stays right."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.minds import CALM, Data, Node, ai_ask, asked, last, tasks, values
from tests.engine.scripts import ask, check, phase, put, say, script, topic

from heartrule.engine.session.batch_limits import BatchLimits
from heartrule.engine.session.io import Input, Turn, Words, World
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.steps.perception import SHOWN
from heartrule.engine.turn import UnderWay, advance
from heartrule.testing.talk import Talk

SINCE: Node = {"var": "多久了", "type": "text", "define": "持续多久"}
CAUSE: Node = {"var": "起因", "type": "text", "define": "刚开始时的变动"}
PASSIVE: list[Node] = [
    {"var": "睡眠", "type": "text", "define": "睡眠情况", "listen": {}},
    {"var": "时长", "type": "number", "range": [0, 24], "define": "睡几小时", "listen": {}},
    {"var": "家人", "type": "list", "update": "append", "define": "提到的家人", "listen": {}},
    {"var": "食欲", "type": "enum", "options": ["好", "差"], "define": "食欲", "listen": {}},
    {"var": "早醒", "type": "boolean", "define": "是否早醒", "listen": {}},
]
WORDS = "评分八分，不对，是两个月，换了部门以后半夜醒，睡五小时，妈妈说我吃得差"
NAMES = ["多久了", "起因", "评分", "睡眠", "时长", "家人", "食欲", "早醒", "没有这个", ""]
QUOTES = ["两个月", "换了部门", "半夜醒", "五小时", "妈妈", "吃得差", "没有这句", "", None, 3]
VALUES = ["两个月", "换了部门", 5, 50, "差", True, ["妈妈"], {"a": 1}, None, "", float("nan"), "很久" * 50]


def build() -> Any:
    actions = [
        ask("多久了？", "多久了"),
        put("记下", "{多久了}"),
        ai_ask("结合{起因}和{多久了}问评分", "评分", question="几分？"),
        *(say(f"说{n}", condition={"judge": f"第{n}题", "default": n == 2}) for n in range(3)),
        ask("变动？", "起因"),
    ]
    return script(phase("P", topic("T", *actions)), declare=[SINCE, CAUSE, *PASSIVE])


def answers() -> Mapping[str, Any]:
    return {
        "risk": CALM,
        "ask": {"understood": True, "values": values(多久了=("三个月", "三个月")), "content": "", "progress": ""},
        "ai_ask": asked("", "YES", values=values(评分=("八", "八分"))),
        "judge": {"verdicts": []},
    }


def begun() -> Talk:
    talk = Talk(build(), {**answers(), "perceive": {"holds": [], "values": []}})
    talk.say("三个月吧")
    assert talk.at is not None
    return talk


READY = begun()
WORLD = World(
    script=READY.script,
    state=READY.state,
    variables=READY.variables,
    history=tuple(READY.history),
    now=READY.now,
    model=True,
    spoken=READY._spoken,
)
SAID = Input("message", (Words(WORDS, READY.state.messages),), after=READY.state.messages)


def answered(task: Task, perceived: Any) -> Answer:
    data = perceived if task.template == "perceive" else answers()[task.template]
    return Answer(task.key, "failed" if data is None else "answered", data)


def turn(perceived: Any, world: World = WORLD) -> tuple[Turn, list[list[str]]]:
    """The turn, all answers of a checkpoint being there at once; and what each checkpoint asked."""
    known: dict[str, Answer] = {}
    asked_for: list[list[str]] = []
    while True:
        result = advance(world, SAID, known)
        if isinstance(result, Turn):
            return result, asked_for
        asked_for.append([task.template for task in result.tasks])
        known |= {task.key: answered(task, perceived) for task in result.tasks}


def shown(result: Turn) -> str:
    state = result.state.model_dump_json()
    cells = {
        str(where): {name: repr(value) for name, value in cell.items()}
        for where, cell in result.variables.cells.items()
    }
    events = [event.model_dump_json() for event in result.events]
    return json.dumps([state, cells, events, [repr(message) for message in result.messages]], ensure_ascii=False)


entries = st.fixed_dictionaries(
    {},
    optional={"name": st.sampled_from(NAMES), "value": st.sampled_from(VALUES), "evidence": st.sampled_from(QUOTES)},
)
verdicts = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from([0, 1, 2, 3, 4, -1, True, "1", None, 10**30]),
        "verdict": st.sampled_from([True, False, None]),
        "confidence": st.sampled_from([0, 0.5, 0.9, 7, -1, "高", None, float("nan")]),
        "evidence": st.sampled_from(QUOTES),
    },
)
junk = st.sampled_from([None, {}, {"holds": None}, {"values": "无"}, {"holds": 3, "values": {"起因": "x"}}])
perceptions = st.one_of(
    junk,
    st.fixed_dictionaries(
        {
            "holds": st.lists(st.one_of(verdicts, st.none(), st.just("是"), st.integers()), max_size=5),
            "values": st.lists(st.one_of(entries, st.none(), st.just("无")), max_size=8),
        }
    ),
)


@settings(max_examples=120, deadline=None)
@given(perceived=perceptions, order=st.randoms(use_true_random=False))
def test_whatever_arrives_first_the_turn_is_the_same(perceived: Any, order: Any) -> None:
    """Each answer by itself, in any order, with the turn looked at in between as often as anybody likes."""
    whole, _ = turn(perceived)
    under_way, known = UnderWay(WORLD, SAID), {}
    while not isinstance(result := under_way.go_on(known), Turn):
        task = order.choice(result.tasks)
        known[task.key] = answered(task, perceived)
        for _ in range(order.randrange(3)):
            again = under_way.go_on(known)
            if isinstance(again, Turn):
                result = again
                break
        if isinstance(result, Turn):
            break
    assert shown(result) == shown(whole)


@settings(max_examples=150, deadline=None)
@given(perceived=perceptions)
def test_whatever_is_perceived_the_turn_stays_right(perceived: Any) -> None:
    result, asked_for = turn(perceived)
    assert len(asked_for) <= 1 + 2 + 3, (
        "one checkpoint, once more each for perception and reply, and what is judged alone"
    )
    cell = {name: value for each in result.variables.cells.values() for name, value in each.items()}
    assert set(cell) <= {*NAMES, "记下"} - {"没有这个", ""}
    assert cell["评分"].value == "八"
    for event in result.events:
        if event.kind == "variable" and event.strategy in ("passive", "correction"):
            assert event.evidence
            assert event.evidence in WORDS
            assert len(event.evidence) <= 20
    if "时长" in cell:
        assert cell["时长"].value in range(25)
    judged = [event for event in result.events if event.kind == "judged"]
    assert len(judged) == 3
    assert result.request.kind == "message"


@pytest.mark.parametrize("perceived", [None, {}, {"holds": 1, "values": 2}], ids=["failed", "empty", "garbage"])
def test_without_perception_there_are_defaults_and_the_reply_is_as_it_was(perceived: Any) -> None:
    result, asked_for = turn(perceived)
    assert asked_for == [["risk", "perceive", "ai_ask"]]
    assert [m.text for m in result.messages if m.sender == "ai" and m.text.startswith("说")] == ["说2"]
    assert [event.source for event in result.events if event.kind == "judged"] == ["default"] * 3
    (event,) = [event for event in result.events if event.kind == "perceived"]
    assert (event.found, event.unanswered) == (0, event.asked)


def test_the_order_of_what_is_found_is_ours() -> None:
    found = [
        {"name": "早醒", "value": True, "evidence": "半夜醒"},
        {"name": "睡眠", "value": "半夜醒", "evidence": "半夜醒"},
        {"name": "起因", "value": "换了部门", "evidence": "换了部门"},
        {"name": "多久了", "value": "两个月", "evidence": "两个月"},
    ]
    holds = [{"id": 2, "confidence": 0.9, "evidence": ""}]
    one, asked_for = turn({"holds": holds, "values": found})
    other, _ = turn({"holds": holds, "values": found[::-1]})
    assert shown(one) == shown(other)
    names = [event.name for event in one.events if event.kind == "variable"]
    assert names == ["多久了", "起因", "睡眠", "早醒", "评分"]
    assert asked_for == [["risk", "perceive", "ai_ask"], ["ai_ask"]]


def test_an_ordinary_turn_is_one_checkpoint_of_three_calls() -> None:
    """Three judgements and five variables that are listened for."""
    _, asked_for = turn({"holds": [{"id": 1, "confidence": 1, "evidence": ""}], "values": []})
    assert asked_for == [["risk", "perceive", "ai_ask"]]


@pytest.mark.parametrize(
    ("limits", "calls"),
    [(BatchLimits(), 1), (BatchLimits(judgements=1), 3), (BatchLimits(values=2), 4), (BatchLimits(2, 100), 2)],
)
def test_its_size_is_a_matter_of_policy(limits: BatchLimits, calls: int) -> None:
    """However many calls it is, they are side by side; what is found is applied as from one."""
    world = replace(WORLD, grouping=limits)
    found = {
        "holds": [],
        "values": [{"name": name, "value": "半夜醒", "evidence": "半夜醒"} for name in ("睡眠", "起因")],
    }
    result, asked_for = turn(found, world)
    assert asked_for[0] == ["risk", *["perceive"] * calls, "ai_ask"]
    plain, _ = turn(found)
    assert [(e.name, e.value) for e in result.events if e.kind == "variable"] == [
        (e.name, e.value) for e in plain.events if e.kind == "variable"
    ]


@pytest.mark.parametrize("size", [{"judgements": 0}, {"values": 0}, {"judgements": -1}])
def test_a_call_is_asked_something(size: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="one item"):
        BatchLimits(**size)


def test_the_prompt_is_short_and_begins_the_same() -> None:
    """Its transcript is the last few messages; what is listened for stands before what changes."""
    talk = Talk(build(), {**answers(), "ai_ask": asked("几分？"), "perceive": {"holds": [], "values": []}})
    for n in range(12):
        talk.say(f"第{n}次说")
    prompts = tasks(talk, "perceive")
    lengths = [len(task.context.history) for task in prompts]
    assert max(lengths) < 2 * SHOWN
    assert min(lengths[3:]) >= SHOWN / 2, "what was said in a row is one line"
    kept = [b.context.history[: len(a.context.history)] == a.context.history for a, b in pairwise(prompts)]
    assert kept.count(False) < len(kept) / 2
    assert len({task.values["passive"] for task in prompts}) == 1
    assert prompts[-1].context.history[-1].text == f"第{len(prompts) - 1}次说"
    assert {task.values["time"] for task in prompts} == {""}


def test_the_time_is_told_where_a_date_is_looked_for() -> None:
    date: Node = {"var": "日期", "type": "date", "define": "哪天", "listen": {}}
    built = script(phase("P", topic("T", ask("甲？", "x"), ask("乙？", "y"))), declare=[date])
    told: Data = {"holds": [], "values": [{"name": "日期", "value": "2026-11-19", "evidence": "昨天"}]}
    talk = Talk(built, {"risk": CALM, "ask": answers()["ask"], "perceive": told})
    talk.say("昨天开始的")
    (task,) = tasks(talk, "perceive")
    assert task.values["time"] == "2026-11-20 09:00 星期五"
    assert str(last(talk, "日期")) == "2026-11-19"
    check(talk)
