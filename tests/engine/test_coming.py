"""Which adaptive action is certain to come next: there a strategy is prepared ahead, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.adapting import FIRST, LAST, adaptive, made, mind, wanted
from tests.engine.minds import ai_say
from tests.engine.scripts import ask, phase, put, say, script, skill, topic, use

from heartrule.testing.talk import Talk

Node = dict[str, Any]
IT = adaptive()


def ahead(*actions: Node, **more: Any) -> list[str]:
    """What is prepared while the first question of ``actions`` waits."""
    return wanted(Talk(made(*actions, **more), mind()))


@pytest.mark.parametrize(
    "between",
    [
        (),
        (say("好。"),),
        (put("a", 1), say("好。")),
        (ai_say("说一句", require_acknowledgment=False),),
        (ask("学历不明？", "b", condition="学历 == '没有'"),),
        ({**say("大专的。"), "condition": "学历 == '大专'"},),
    ],
)
def test_nothing_waits_in_between(between: tuple[Node, ...]) -> None:
    assert ahead(FIRST, *between, IT, LAST) == ["it"]


@pytest.mark.parametrize(
    "between",
    [
        (ask("还有呢？", "b"),),
        (ai_say("讲一讲"),),
        (use("calm"),),
        (ask("还有呢？", "b", condition="来访者名 == '小林'"),),
        ({**say("好。"), "condition": {"judge": "他累了"}},),
    ],
)
def test_something_does_or_may(between: tuple[Node, ...]) -> None:
    assert ahead(FIRST, *between, IT, LAST, skills=[skill("静一静", say("静。"), id="calm")]) == []


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("学历 == '大专'", ["it"]),
        ("学历 == '没有'", []),
        ("来访者名 == '小林'", []),
        ("topic.attempts > 0", []),
        ({"judge": "他想谈睡眠"}, []),
    ],
)
def test_a_condition_that_is_decided(condition: Any, found: list[str]) -> None:
    """What the waiting question writes, and what the engine counts, may read otherwise by then."""
    assert ahead(FIRST, adaptive(condition=condition), LAST) == found


def test_the_next_topic_and_the_next_phase() -> None:
    assert ahead(FIRST, topics=(topic("乙", IT, LAST),)) == ["it"]
    assert ahead(FIRST, topics=(topic("乙", LAST), topic("丙", IT))) == []
    two = phase("A", topic("甲", FIRST)), phase("B", topic("乙", IT, LAST))
    held = Talk(script(*two), mind())
    assert wanted(held) == ["it"]
    held.beside()
    assert list(held.state.strategies) == ["b/乙 it"]
    held.say("小林")
    assert (
        "语言" in [task for task in held.asked if task.template == "ai_ask_open"][-1].context.values["strategy_prompt"]
    )
    assert [each.action for each in held.state.strategies.values()] == ["it"]


@pytest.mark.parametrize(
    "more",
    [
        {"repeat": {"until": "来访者名 == '小林'", "max": 2}},
        {"transitions": [{"to": "third", "condition": "来访者名 == '小林'"}]},
        {"transitions": [{"to": "third"}]},
    ],
)
def test_not_behind_a_topic_that_may_lead_elsewhere(more: Node) -> None:
    assert ahead(FIRST, topics=(topic("乙", IT), topic("丙", LAST, id="third")), **more) == []


@pytest.mark.parametrize(
    "steps",
    [
        (topic("乙", adaptive("问{孩子}"), for_each={"in": "孩子们", "as": "孩子"}),),
        (topic("乙", IT, condition={"judge": "他想谈睡眠"}),),
        (topic("乙", IT, condition="来访者名 == '小林'"),),
    ],
)
def test_not_in_a_topic_that_may_not_be_gone_through(steps: tuple[Node, ...]) -> None:
    children = [{"var": "孩子们", "type": "list", "value": ["大宝"]}]
    assert ahead(FIRST, topics=steps, variables=children) == []


@pytest.mark.parametrize(
    ("more", "found"),
    [({}, ["it"]), ({"condition": "来访者名 == '小林'"}, []), ({"condition": "len('a') == 2"}, [])],
)
def test_a_phase_that_is_certain(more: Node, found: list[str]) -> None:
    held = Talk(script(phase("A", topic("甲", FIRST)), phase("B", topic("乙", IT), **more)), mind())
    assert wanted(held) == found


def test_a_phase_that_is_passed_over_and_one_that_leads_elsewhere() -> None:
    over = phase("B", topic("乙", LAST), condition="len('a') == 2")
    held = Talk(script(phase("A", topic("甲", FIRST)), over, phase("C", topic("丙", IT))), mind())
    assert wanted(held) == ["it"]
    elsewhere = phase("A", topic("甲", FIRST), transitions=[{"to": "c", "condition": "来访者名 == '小林'"}])
    held = Talk(script(elsewhere, phase("B", topic("乙", IT)), phase("C", topic("丙", LAST))), mind())
    assert wanted(held) == []


def test_a_technique_goes_back_to_whoever_called_it() -> None:
    calm = skill("静一静", ask("好些了吗？", "好些"), id="calm")
    assert ahead(use("calm"), IT, LAST, skills=[calm]) == ["it"]
    assert ahead(use("calm", resume="skip"), IT, LAST, skills=[calm]) == []


def test_the_action_that_waits_goes_first_and_the_next_one_when_that_is_done() -> None:
    held = Talk(made(FIRST, adaptive(), adaptive(id="then"), LAST), mind())
    held.beside()
    held.say("小林")
    assert wanted(held) == ["it"]
    held.beside()
    assert wanted(held) == ["then"], "asked after the turn that took the first"
    held.beside()
    assert wanted(held) == []
