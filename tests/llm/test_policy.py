"""How tasks are asked, by template and kind, and what a project and a session may say over it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.language.material import linted, only, session
from tests.llm.material import script, task

from heartrule.engine.session.tasks import Kind, Task
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Llm
from heartrule.llm.budget import STAGES, Budget
from heartrule.llm.overrides import budget_for, policy_for
from heartrule.llm.policy import RULES, TIERS, Policy, Rule, higher, over


def of(template: str, kind: Kind, role: Any = "generate") -> Task:
    return replace(task(template, role=role), kind=kind)


TASKS = {
    "risk": of("risk", "judge", "judge"),
    "judge": of("judge", "judge", "judge"),
    "perceive": of("perceive", "extract", "understand"),
    "ai_ask": of("ai_ask", "extract", "understand"),
    "ask": of("ask", "extract", "understand"),
    "ai_say": of("ai_say", "generate"),
    "ai_think": of("ai_think", "analyse"),
    "review": of("review", "judge", "judge"),
}


def test_what_is_urgent_is_quick_and_what_needs_thought_is_able() -> None:
    tiers = {name: Policy().tier(each) for name, each in TASKS.items()}
    assert tiers == {
        "risk": "fast",
        "judge": "fast",
        "perceive": "fast",
        "ai_ask": "balanced",
        "ask": "balanced",
        "ai_say": "balanced",
        "ai_think": "quality",
        "review": "quality",
    }


def test_what_may_be_a_matter_of_life_goes_first_and_analysis_last() -> None:
    order = sorted(TASKS, key=lambda name: Policy().urgency(TASKS[name]))
    assert order[0] == "risk"
    assert order[-1] == "ai_think"


def test_what_nobody_says_is_as_ever() -> None:
    policy, reply = Policy(), TASKS["ai_say"]
    assert policy.seconds(reply) == 15.0
    assert policy.retries(reply) == 3
    assert policy.temperature(reply) == reply.temperature
    assert policy.tokens(reply) == 1500


def test_a_template_goes_before_its_kind() -> None:
    rules = {"judge": Rule(tier="fast", deadline=3.0), "review": Rule(tier="quality")}
    policy = Policy(rules=rules)
    assert policy.tier(TASKS["review"]) == "quality"
    assert policy.seconds(TASKS["review"]) == 3.0
    assert policy.tier(TASKS["ai_say"]) == "balanced", "where nothing is said"


def test_nothing_goes_beyond_what_the_server_allows() -> None:
    wild = Rule(deadline=60.0, retries=9, max_tokens=8000)
    policy = Policy(rules={"generate": wild}, time_scale=0.5, waits=(1.0, 2.0))
    assert policy.seconds(TASKS["ai_say"]) == 7.5
    assert policy.retries(TASKS["ai_say"]) == 2
    assert policy.tokens(TASKS["ai_say"]) == 1500
    assert Policy(rules={"generate": wild}, max_tokens=None).tokens(TASKS["ai_say"]) == 8000


def test_rules_are_laid_over_each_other() -> None:
    full = Rule("fast", 1.0, 0, 0.0, 1)
    assert over(full, Rule("quality", 2.0, 2, 2.0, 2)) == full, "nought is something said"
    assert over(Rule(), full) == full


def test_tiers_go_up_to_the_most_able() -> None:
    assert [higher(tier) for tier in TIERS] == ["balanced", "quality", "quality"]


def over_script(project: dict[str, Any] | None = None, own: dict[str, Any] | None = None) -> Script:
    made = script()
    said = Llm.model_validate(project) if project else None
    mine = Llm.model_validate(own) if own else None
    return replace(
        made,
        project=made.project.model_copy(update={"llm": said}),
        session=made.session.model_copy(update={"llm": mine}),
    )


def test_who_says_nothing_changes_nothing() -> None:
    policy, budget = Policy(), Budget(5.0)
    for one in (None, over_script(), over_script({"budget": {"give_up": list(STAGES)}})):
        assert policy_for(policy, one) is policy
        assert budget_for(budget, one) == budget


def test_a_project_chooses_for_all_that_is_spoken() -> None:
    policy = policy_for(Policy(), over_script({"policy": {"generate": {"tier": "quality", "temperature": 0.8}}}))
    for name in ("ai_ask", "ask", "ai_say"):
        assert policy.tier(TASKS[name]) == "quality"
        assert policy.temperature(TASKS[name]) == 0.8
    assert policy.tier(TASKS["risk"]) == "fast"
    assert Policy().rules is RULES


@pytest.mark.parametrize("key", ["extract", "judge", "review", "analyse", "perceive"])
def test_each_kind_can_be_said(key: str) -> None:
    policy = policy_for(Policy(), over_script({"policy": {key: {"tier": "balanced", "retries": 0}}}))
    said = policy.rules[key]
    assert (said.tier, said.retries) == ("balanced", 0)


def test_a_session_goes_before_its_project() -> None:
    both = over_script(
        {"policy": {"generate": {"tier": "quality", "deadline": 5}}, "budget": {"max_latency": 9}},
        {"policy": {"generate": {"tier": "fast"}}, "budget": {"max_latency": 6, "give_up": list(reversed(STAGES))}},
    )
    policy = policy_for(Policy(), both)
    assert (policy.tier(TASKS["ai_say"]), policy.seconds(TASKS["ai_say"])) == ("fast", 5.0)
    assert budget_for(Budget(), both) == Budget(6.0, give_up=tuple(reversed(STAGES)))


@pytest.mark.parametrize(
    ("server", "project", "own", "found"),
    [
        (Budget(), {"max_cost": 0.05, "currency": "CNY"}, None, Budget(None, 50_000_000, "CNY")),
        (Budget(None, 20_000_000, "CNY"), {"max_cost": 0.05, "currency": "CNY"}, None, Budget(None, 20_000_000, "CNY")),
        (Budget(), {"max_cost": 0.05, "currency": "CNY"}, {"max_cost": 0.1, "currency": "CNY"},
         Budget(None, 50_000_000, "CNY")),
        (Budget(None, 20_000_000, "CNY"), {"max_cost": 0.001, "currency": "USD"}, None,
         Budget(None, 20_000_000, "CNY")),
        (Budget(4.0), {"max_latency": 60}, {"max_latency": 30}, Budget(4.0)),
    ],
)  # fmt: skip
def test_nobody_takes_more_than_the_server_allows(
    server: Budget, project: dict[str, Any], own: dict[str, Any] | None, found: Budget
) -> None:
    made = over_script({"budget": project}, {"budget": own} if own else None)
    assert budget_for(server, made) == found


def written(llm: str) -> str:
    return session("- {type: say, content: 你好}").replace("    phases:", f"    llm: {llm}\n    phases:", 1)


def test_a_script_may_say_all_of_it() -> None:
    full = (
        "{policy: {generate: {tier: quality, deadline: 8, retries: 1, temperature: 0.5, max_tokens: 800}, "
        "perceive: {group: 6}}, "
        "budget: {max_latency: 8, max_cost: 0.05, currency: CNY, give_up: [analyse, review, perceive, quality, reply]}}"
    )
    assert linted(written(full)) == []


@pytest.mark.parametrize(
    ("llm", "code"),
    [
        ("{policy: {risk: {tier: quality}}}", "E101"),
        ("{policy: {generate: {tier: best}}}", "E104"),
        ("{policy: {generate: {deadline: 90}}}", "E105"),
        ("{policy: {generate: {retries: 4}}}", "E105"),
        ("{policy: {generate: {temperature: 2}}}", "E105"),
        ("{policy: {perceive: {group: 0}}}", "E105"),
        ("{policy: {generate: {group: 3}}}", "E101"),
        ("{budget: {max_latency: 0}}", "E105"),
        ("{budget: {max_cost: 0, currency: CNY}}", "E105"),
        ("{budget: {give_up: [analyse, reply]}}", "E250"),
        ("{budget: {give_up: [analyse, analyse, perceive, review, quality, reply]}}", "E250"),
        ("{budget: {give_up: [risk]}}", "E104"),
        ("{budget: {max_cost: 0.05}}", "E251"),
        ("{budget: {currency: CNY}}", "E251"),
    ],
)
def test_what_is_wrong_is_told(llm: str, code: str) -> None:
    found = only(linted(written(llm)))
    assert found.code == code
