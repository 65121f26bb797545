"""What a fresh reader found: late yeses, a model's no against the person's yes, questions said twice or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.testing.talk import Talk

HEAD = """
sessions:
  - session: 查
    phases:
      - phase: 甲
        declare:
          - {var: 念头, type: boolean, risk: true, define: 有没有这样的念头}
          - {var: 强度, type: integer, range: [0, 10], define: 有多强}
          - {var: 困扰, define: 困扰}
          - {var: 睡眠, define: 睡眠}
        steps:
          - topic: 问
            actions:
"""
NEXT = "              - {type: ask, id: sleep, content: 睡得怎样？, output: [{get: 睡眠}]}\n"
CALM = {"verdicts": [{"id": 1, "verdict": "no", "confidence": 0.9, "evidence": ""}]}


def held(actions: str, model: dict[str, Any] | None = None) -> Talk:
    body = "".join(f"              - {line}\n" for line in actions.splitlines())
    return Talk(HEAD + body + NEXT, None if model is None else {"risk": CALM, **model})


def in_crisis(talk: Talk) -> bool:
    return talk.state.running is not None and talk.state.running.ref == "safety/crisis_support"


RISK = "{type: ask, id: risk, content: 有没有这样的念头？, output: [{get: 念头}]}"


def test_a_late_yes_to_a_risk_question_calls_the_crisis_technique() -> None:
    talk = held(RISK)
    seen = talk.state.messages
    talk.say("没有")
    assert talk.at == "sleep"
    talk.say("有的", after=seen)
    assert in_crisis(talk)


@pytest.mark.parametrize("words", ["有", "有的"])
def test_a_model_does_not_lower_a_yes(words: str) -> None:
    answer = {"understood": True, "values": {"念头": {"value": False, "evidence": words}}, "content": "好。"}
    talk = held(RISK, {"ask": answer})
    talk.say(words)
    assert in_crisis(talk)


STRONG = "{type: ai_ask, id: strong, content: 强度, question: 几分？, output: [{get: 强度}]}"


@pytest.mark.parametrize("values", [{}, {"强度": 8}])
def test_a_plain_number_is_heard_whatever_the_model_forgets(values: dict[str, Any]) -> None:
    talk = held(STRONG, {"ai_ask": {"EXIT": "NO", "content": "嗯，8分。", "values": values}})
    talk.say("8分")
    assert talk.value("强度") == 8


def test_a_farewell_that_was_vetoed_is_not_said() -> None:
    talk = held(STRONG, {"ai_ask": {"EXIT": "YES", "content": "好的，我们往下走。", "values": {}}})
    assert "往下走" not in talk.say("说不上来呢")[0]
    assert talk.at == "strong"


def test_an_opening_without_a_question_gets_one() -> None:
    opening = "{type: ai_ask, id: open, content: 困扰, output: [{get: 困扰}]}"
    talk = held(opening, {"ai_ask_open": {"content": "我们慢慢来，不着急。"}})
    assert talk.said[0].startswith("我们慢慢来，不着急。\n")
    assert talk.said[0].endswith("？")


def test_a_closing_reply_that_asks_with_a_remark_behind_is_not_said() -> None:
    action = "{type: ai_ask, id: trouble, content: 困扰, question: 什么困扰你？, output: [{get: 困扰}]}"
    content = "谢谢你告诉我。这种压力多久了？慢慢说就好。"
    values = {"困扰": {"value": "工作压力", "evidence": "工作压力"}}
    talk = held(action, {"ai_ask": {"EXIT": "YES", "content": content, "values": values}})
    talk.say("工作压力")
    assert not any("多久了" in said for said in talk.said)
    assert talk.at == "sleep"


def test_after_the_crisis_the_rest_of_the_question_is_still_asked() -> None:
    both = "{type: ask, id: both, content: 有没有念头？有多强？, output: [{get: 念头}, {get: 强度}]}"
    talk = held(both)
    talk.say("有")
    assert in_crisis(talk)
    for answer in ("没有", "没有", "没有", "safe", "go_on"):
        talk.play([answer])
    assert talk.at == "both"
    talk.say("3")
    assert talk.value("强度") == 3
    assert talk.at == "sleep"


@pytest.mark.parametrize("words", ["我还没准备好", "不", "等一下，我有个问题", "要做什么？"])
def test_a_hesitation_does_not_press_the_line(words: str) -> None:
    talk = held("{type: user_say, id: go, content: 我准备好了}")
    talk.say(words)
    assert talk.at == "go"
    talk.say("我准备好了")
    assert talk.at == "sleep"


@pytest.mark.parametrize("words", ["什么意思？没听懂", "没听懂，再说一遍"])
def test_two_repair_phrases_are_no_answer(words: str) -> None:
    talk = held("{type: ask, id: trouble, content: 什么困扰你？, output: [{get: 困扰}]}")
    talk.say(words)
    assert talk.at == "trouble"
    assert talk.value("困扰") is None
