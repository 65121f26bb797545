"""A model may answer anything: no exception, no false value, and the session goes on. Hypothesis does the answering."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.minds import CALM, ai_ask, ai_say, asked, explained, get, option, press, replied, think, written
from tests.engine.scripts import ask, check, only, say

from heartrule.engine.session.tasks import Task
from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**400), 0, 1, 80, 100, 2**63])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
    | st.sampled_from(["YES", "NO", "true", "completed", "blocked", "off_topic", "我很难受", "八分", "yes", "no", "？"])
)
anything = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
TYPES: dict[str, type | tuple[type, ...]] = {
    "整数": int,
    "小数": (int, float),
    "是否": bool,
    "哪个": str,
    "哪天": (str, date),
    "几个": list,
    "一个": dict,
    "文字": str,
}
GETS = [
    get("整数", "integer", range=[0, 10]),
    get("小数", "number"),
    get("是否", "boolean"),
    get("哪个", "enum", options=["甲", "乙"]),
    get("哪天", "date"),
    get("几个", "list"),
    get("一个", "object", fields=[{"name": "名", "type": "text"}, {"name": "岁", "type": "integer"}]),
    get("文字", "text"),
]
SCRIPTS: dict[str, Script] = {
    "ask": only(ask("怎么样？", *GETS), say("完")),
    "ai_ask": only(ai_ask("问清楚", *GETS, question="怎么样？", literal=True), say("完")),
    "ai_ask_open": only(ai_ask("问清楚", *GETS, literal=True), say("完")),
    "ai_say": only(ai_say("讲", max_rounds=3, exit_criteria={"understanding_threshold": 80}), say("完")),
    "ai_say_open": only(ai_say("讲"), say("完")),
    "ai_say_ack": only(ai_say("讲"), say("完")),
    "ai_think": only(think("想", *GETS, decide={"var": "方向", "options": [1, "二", True], "default": 1}), ask("？")),
    "judge": only(say("可能", condition={"judge": "愿意吗", "default": True}), ask("怎么样？", "文字")),
    "risk": only(ask("怎么样？", "文字"), option("选", "甲", "乙")),
    "choice": only(option("选", "甲", "乙"), press("好了"), option("再选", "丙", "丁", required=False), say("完")),
}
FIELDS: dict[str, tuple[str, ...]] = {
    "ask": ("understood", "values", "content", "progress_suggestion"),
    "ai_ask": ("EXIT", "exit_reason", "progress_suggestion", "values", "content", "BRIEF", "metrics", "response"),
    "ai_ask_open": ("content", "response"),
    "ai_say": ("assessment", "should_exit", "exit_reason", "progress_suggestion", "content", "metrics", "response"),
    "ai_say_open": ("content", "response"),
    "ai_say_ack": ("content", "response"),
    "ai_think": ("reasoning", "values", "decision"),
    "judge": ("verdicts",),
    "risk": ("verdicts",),
    "choice": ("choice", "evidence", "rest", "declined", "content"),
}
WELL: dict[str, Any] = {
    "ask": replied(),
    "ai_ask": asked(),
    "ai_ask_open": {"content": "我们来说说这一周。"},
    "ai_say": explained(),
    "ai_say_open": {"content": "讲一讲。"},
    "ai_say_ack": {"content": "好。"},
    "ai_think": {"reasoning": "", "values": {}, "decision": 1},
    "judge": {"verdicts": []},
    "risk": CALM,
    "choice": {"choice": 1, "evidence": "我", "rest": "", "declined": False, "content": "好。"},
}
NAMES = [*TYPES, "metrics", "understanding_level", "has_questions", "user_engagement", "id", "verdict", "confidence"]


def odd(template: str) -> st.SearchStrategy[dict[str, Any]]:
    """An object that has some of a template's fields, each with anything in it, often in nearly the right shape."""
    nearly = st.dictionaries(st.sampled_from(NAMES), anything, max_size=5)
    pairs = st.fixed_dictionaries({"value": anything, "evidence": anything})
    shaped = nearly | st.dictionaries(st.sampled_from(list(TYPES)), pairs, max_size=8) | st.lists(nearly, max_size=3)
    return st.dictionaries(st.sampled_from(FIELDS[template]), anything | shaped, max_size=8)


def hold(template: str, answers: list[dict[str, Any]], words: list[str]) -> Talk:
    table = {**WELL, template: [*answers, WELL[template]]}
    talk = Talk(SCRIPTS[template], table)
    check(talk)
    for text in words:
        talk.say(text)
        check(talk)
    return talk


def typed(talk: Talk) -> None:
    for name, kind in TYPES.items():
        for value, strategy, evidence in written(talk, name):
            assert isinstance(value, kind), f"{name} holds {value!r}"
            assert kind is bool or not isinstance(value, bool)
            if strategy in ("json", "history"):
                assert evidence


@pytest.mark.parametrize("template", sorted(FIELDS))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_answer_of_a_model_is_lived_with(template: str, data: st.DataObject) -> None:
    answers = data.draw(st.lists(odd(template), min_size=1, max_size=4))
    typed(hold(template, answers, ["我很难受，八分", "甲", "好", "嗯"]))


@pytest.mark.parametrize("template", sorted(FIELDS))
@pytest.mark.parametrize("junk", [{}, {"verdicts": 5}, {"values": 5}, {"assessment": []}, {"content": {}}], ids=str)
def test_answers_that_lack_everything(template: str, junk: dict[str, Any]) -> None:
    typed(hold(template, [junk] * 4, ["还行", "还行", "还行", "还行"]))


@pytest.mark.parametrize("number", [10**400, -(10**400), 2**70, 1e308])
def test_numbers_beyond_any_scale(number: float) -> None:
    """JSON knows no largest number; what cannot be a level or a confidence counts as no answer or as its limit."""
    hold("ai_say", [explained(number, False, True, True)] * 3, ["懂了", "懂了", "懂了"])
    hold("ask", [replied(values={"整数": {"value": number, "evidence": "还行"}})], ["还行"])
    hold("ai_ask", [asked(metrics={"user_engagement": number})], ["还行"])
    verdicts = {"verdicts": [{"id": number, "verdict": "yes", "confidence": number, "evidence": ""}]}
    hold("risk", [verdicts], ["还行"])
    hold("judge", [{"verdicts": [{"id": 1, "verdict": True, "confidence": number}]}], ["还行"])


@pytest.mark.parametrize("verdicts", [5, True, "yes", {"id": 1}, [5], [[]], [{"id": 1}], [{"id": "1"}], None])
def test_verdicts_of_any_kind_but_the_right_one_are_no_verdict(verdicts: Any) -> None:
    """Nobody could judge, then: the person is asked, once, and nothing is taken for a no."""
    talk = hold("risk", [{"verdicts": verdicts}], ["还行"])
    noticed = next(e for e in talk.happened("awareness") if e.awareness == "safety/suicide_risk")
    assert (noticed.verdict, noticed.source) == ("unknown", "default")


@pytest.mark.parametrize("verdicts", [5, True, "yes", {"id": 1}, [5], [{"id": 1}], None])
def test_conditions_fall_back_to_their_default(verdicts: Any) -> None:
    talk = hold("judge", [{"verdicts": verdicts}], [])
    assert talk.said == ["可能", "怎么样？"]
    (decided,) = talk.happened("judged")
    assert (decided.verdict, decided.source) == (True, "default")


@pytest.mark.parametrize("template", ["ask", "ai_ask"])
@given(value=anything, quote=st.sampled_from(["八分", "八", "我很难受", "很", ""]) | st.text(max_size=5))
@settings(max_examples=30, deadline=None)
def test_what_is_not_in_the_persons_words_is_never_stored(template: str, value: Any, quote: str) -> None:
    offered = {name: {"value": value, "evidence": quote} for name in TYPES}
    answer = {**WELL[template], "values": offered}
    talk = hold(template, [answer] * 3, ["我很难受，八分"])
    typed(talk)
    for name in TYPES:
        for _, strategy, evidence in written(talk, name):
            assert strategy in ("json", "rules")
            assert evidence is not None
            assert evidence in "我很难受，八分"
            assert len(evidence) <= 20


@given(words=st.text(max_size=60))
@settings(max_examples=30, deadline=None)
def test_any_words_of_a_person_without_a_model(words: str) -> None:
    for template in ("ask", "ai_ask", "risk"):
        talk = Talk(SCRIPTS[template])
        for _ in range(3):
            talk.say(words)
            check(talk)
        typed(talk)


def test_a_task_says_what_it_cannot_do_without() -> None:
    """Every template's required fields are in its schema, and the schema is always an object's."""
    seen: dict[str, Task] = {}
    for template, script in SCRIPTS.items():
        talk = Talk(script, WELL)
        for _ in range(3):
            talk.say("还行")
        seen |= {task.template: task for task in talk.asked}
        assert template in seen
    for task in seen.values():
        assert task.schema["type"] == "object"
        assert set(task.required) <= set(task.schema["properties"])
        assert task.schema["required"]
