"""Seed 000's examples of extraction (§5.5.3, §5.5.4). Its prompt of three judgements in one call (§5.6.3) is held by
tests/engine/test_awareness.py (``test_one_call_judges_all_scripts_that_are_on``)."""

from __future__ import annotations

import pytest
from tests.engine.minds import CALM, ai_ask, asked, get, last, values
from tests.engine.scripts import ask, check, only, spoken

from heartrule.testing.talk import Talk

AGE = "为了更好地理解您的情况，可以告诉我您今年多大吗？"


def test_5_5_3_an_age_that_was_not_told_is_asked_for() -> None:
    """变量：用户年龄；失败原因：用户未提及；补问，回答后重新提取。Deviation: no action is put in; the action that
    wants the value asks on, within its own rounds, and does not end without it."""
    outputs = (get("来意", define="今天为什么来"), get("用户年龄", "integer", define="年龄", range=[0, 120]))
    story = values(来意=("最近睡不好", "最近睡不好"))
    replies = [
        asked(AGE, values=story),
        asked("谢谢您告诉我。", "YES", values=values(用户年龄=(28, "28岁"))),
    ]
    first = ai_ask("了解来意和年龄", *outputs, question="今天想谈什么？", max_rounds=5, literal=True)
    talk = Talk(only(first, ask("还有吗？", "余下")), {"risk": CALM, "ai_ask": replies})
    talk.say("最近睡不好")
    assert talk.happened("round")[-1].missing == {"用户年龄": "not_mentioned"}
    assert talk.said == [AGE]
    assert last(talk, "用户年龄") is None
    talk.say("28岁")
    assert (last(talk, "来意"), last(talk, "用户年龄")) == ("最近睡不好", 28)
    assert "还有吗？" in spoken(talk)[-1]
    check(talk)


@pytest.mark.parametrize(
    ("first", "second"),
    [(("是否有焦虑症状", "最近会焦虑吗？"), "焦虑触发情境"), (("是否服药", "现在在服药吗？"), "药物副作用")],
)
@pytest.mark.parametrize(("words", "due"), [("有的", True), ("没有", False)])
def test_5_5_4_what_depends_on_another_is_asked_only_where_that_is_true(
    first: tuple[str, str], second: str, words: str, due: bool
) -> None:
    name, question = first
    declare = [
        {"var": name, "type": "boolean", "define": name},
        {"var": second, "define": second, "depends_on": [{"var": name, "condition": f"{name} == true"}]},
    ]
    talk = Talk(only(ask(question, name), ask(f"说说{second}？", second), ask("还有吗？", "余下"), declare=declare))
    talk.say(words)
    assert last(talk, name) is due
    assert spoken(talk)[-1].endswith(f"说说{second}？" if due else "还有吗？")
    skipped = [(each.name, each.outcome) for each in talk.happened("unwritten")]
    assert skipped == ([] if due else [(second, "skipped")])
    check(talk)
