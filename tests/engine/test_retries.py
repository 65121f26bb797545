"""``strategy`` of a topic as a mapping: what is told to the model, and what code does where an answer is not had."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import Data, ai_ask, asked, exits, get, replied, sensible, tasks
from tests.engine.scripts import Node, ask, phase, put, say, script, skill, topic, use

from heartrule.engine.session.tasks import Task
from heartrule.testing.talk import Talk

QUESTION = "可以说说父亲吗？"


def held(action: Node, model: Any = None, **strategy: Any) -> Talk:
    return Talk(script(phase("P", topic("T", action, say("往下。"), ask("还有吗？"), strategy=strategy))), model)


def blocked(suggestion: str = "blocked") -> Any:
    def mind(task: Task) -> Data | None:
        if task.template == "ai_ask":
            return asked("没关系。愿意说一点吗？", progress_suggestion=suggestion)
        if task.template == "ask":
            return replied(False, "没关系。愿意说一点吗？", progress_suggestion=suggestion)
        return sensible(task)

    return mind


def guided(**more: Any) -> Node:
    return ai_ask("问父亲", "父亲", question=QUESTION, max_rounds=8, **more)


PLAIN = ask(QUESTION, get("父亲", on_failure={"do": "reask", "max": 8}))


# what is told


def strategy_of(strategy: Any) -> str:
    talk = Talk(script(phase("P", topic("T", ai_ask("聊聊"), strategy=strategy))), sensible)
    return tasks(talk, "ai_ask_open")[-1].context.values["strategy"]


def test_prose_stays_as_it_is() -> None:
    assert strategy_of("先问情绪") == "先问情绪"


def test_notes_and_what_must_be_known_at_least_stand_where_prose_stands() -> None:
    assert strategy_of({"notes": "慢一点"}) == "慢一点"
    assert (
        strategy_of({"notes": "慢一点", "min_completeness_requirement": "父亲的职业"})
        == "慢一点 至少要知道：父亲的职业"
    )
    assert strategy_of({"min_completeness_requirement": "职业"}) == "至少要知道：职业"
    assert strategy_of({"retry": "comfort"}) == ""


def test_a_technique_has_one_too_and_it_reads_variables() -> None:
    called = skill("探索", ai_ask("聊聊"), strategy={"notes": "慢，{称呼}累了"})
    talk = Talk(
        script(phase("P", topic("T", put("称呼", "小林", scope="session"), use("探索"))), skills=[called]), sensible
    )
    assert tasks(talk, "ai_ask_open")[-1].context.values["strategy"] == "慢，小林累了"


# what is done


@pytest.mark.parametrize("suggestion", ["blocked", "off_topic"])
@pytest.mark.parametrize("retry", ["accept_partial", "skip"])
def test_an_ai_ask_ends_after_so_many_retries(retry: str, suggestion: str) -> None:
    talk = held(guided(), blocked(suggestion), retry=retry, max_retries=2)
    for _ in range(2):
        talk.say("就那样吧")
        assert talk.at == "T#1"
    talk.say("就那样吧")
    assert talk.at == "T#3"
    kind = {"blocked": "user_blocked", "off_topic": "off_topic"}[suggestion]
    assert exits(talk)[:3] == [(False, "none", kind), (False, "none", kind), (True, "none", kind)]
    assert talk.state.running is not None
    assert talk.state.running.unfinished == ["父亲"]
    assert talk.value("父亲") is None


@pytest.mark.parametrize("retry", ["accept_partial", "skip"])
def test_an_ask_ends_after_so_many_retries(retry: str) -> None:
    talk = held(PLAIN, blocked(), retry=retry, max_retries=1)
    talk.say("就那样吧")
    assert talk.at == "T#1"
    talk.say("就那样吧")
    assert talk.at == "T#3"
    assert talk.state.running is not None
    assert talk.state.running.unfinished == ["父亲"]


@pytest.mark.parametrize("action", [guided(), PLAIN])
@pytest.mark.parametrize("retry", ["rephrase", "simplify", "comfort"])
def test_the_others_go_on_as_long_as_there_are_rounds(action: Node, retry: str) -> None:
    talk = held(action, blocked(), retry=retry, max_retries=1)
    for _ in range(5):
        talk.say("就那样吧")
        assert talk.at == "T#1"


def test_with_no_retries_the_first_block_ends_it() -> None:
    talk = held(guided(), blocked(), retry="accept_partial", max_retries=0)
    talk.say("就那样吧")
    assert talk.at == "T#3"


def test_what_was_said_before_is_kept() -> None:
    def mind(task: Task) -> Data | None:
        found = {"父亲": {"value": "木匠", "evidence": "木匠"}} if task.context.history[-1].text == "木匠" else {}
        return (
            asked("再说说？", values=found, progress_suggestion="blocked")
            if task.template == "ai_ask"
            else sensible(task)
        )

    own = ai_ask("问父亲", "父亲", "母亲", question=QUESTION, max_rounds=8, literal=True)
    talk = held(own, mind, retry="accept_partial", max_retries=1)
    talk.say("木匠")
    talk.say("就那样吧")
    assert talk.at == "T#3"
    assert talk.value("父亲") == "木匠"
    assert talk.state.running is not None
    assert talk.state.running.unfinished == ["母亲"]


def test_an_answer_is_no_retry() -> None:
    talk = held(guided(), blocked("continue_needed"), retry="skip", max_retries=0)
    for _ in range(4):
        talk.say("就那样吧")
    assert talk.at == "T#1"


def test_a_risk_that_stays_open_is_not_passed_over() -> None:
    danger: Node = {"get": "危险", "type": "boolean", "risk": True}
    talk = held(ask("有没有想过伤害自己？", danger), blocked(), retry="skip", max_retries=0)
    talk.say("就那样吧")
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"


@pytest.mark.parametrize("retry", ["rephrase", "simplify", "comfort"])
def test_the_next_prompt_of_an_ask_is_told_how_once(retry: str) -> None:
    talk = held(PLAIN, blocked(), retry=retry, max_retries=1)
    hint = talk._spoken[f"retries.{retry}"][0]
    for told in (False, True, False):
        talk.say("就那样吧")
        assert (hint in tasks(talk, "ask")[-1].values["monitor_feedback"]) == told


def test_without_a_mapping_nothing_is_told() -> None:
    prose = script(phase("P", topic("T", PLAIN, strategy="慢")))
    talk = Talk(prose, blocked())
    for _ in range(2):
        talk.say("就那样吧")
        assert talk.state.feedback == []
    assert talk.at == "T#1"


# without a model


@pytest.mark.parametrize("model", [None, sensible])
@pytest.mark.parametrize("action", [guided(), PLAIN])
@pytest.mark.parametrize("retry", ["rephrase", "simplify", "comfort"])
def test_a_refusal_is_met_once_more_and_then_taken(action: Node, retry: str, model: Any) -> None:
    talk = held(action, model, retry=retry)
    talk.say("跳过")
    assert talk.at == "T#1"
    assert any(talk.said[0].startswith(gently) for gently in talk._spoken["repair_skip"])
    assert QUESTION in talk.said[0]
    talk.say("不想说")
    assert talk.at == "T#3"
    assert talk.value("父亲") is None


@pytest.mark.parametrize("action", [guided(), PLAIN])
@pytest.mark.parametrize(
    "strategy",
    [{"retry": "accept_partial"}, {"retry": "skip"}, {"notes": "慢"}, {"retry": "comfort", "max_retries": 0}],
)
def test_otherwise_a_refusal_is_taken_at_once(action: Node, strategy: Node) -> None:
    talk = held(action, None, **strategy)
    talk.say("跳过")
    assert talk.at == "T#3"


def test_after_the_second_try_an_answer_is_an_answer() -> None:
    talk = held(PLAIN, None, retry="comfort")
    talk.say("跳过")
    talk.say("他是木匠")
    assert (talk.at, talk.value("父亲")) == ("T#3", "他是木匠")


def test_in_the_last_round_there_is_no_second_try() -> None:
    talk = held(ai_ask("问父亲", "父亲", question=QUESTION, max_rounds=1), None, retry="comfort")
    talk.say("跳过")
    assert talk.at == "T#3"
