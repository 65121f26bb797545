"""A form handed in, or a choice picked, when its time was up and something else waits: it counts, and is said to have
come."""

from __future__ import annotations

from typing import Any

from tests.engine.minds import get, last, option, running
from tests.engine.scripts import Node, ask, check, phase, say, script, topic

from heartrule.engine.session.io import FormAnswers, Input
from heartrule.testing.talk import Talk

NEXT = "今天吃了什么？"
FORM = """
forms:
  - form: 小问卷
    id: brief
    fields:
      - {id: a, label: 说说, type: text}
      - {id: b, label: 几分, type: single, required: true, options: [0, 1, 2, 3]}
    scores: [{id: total, label: 总分, sum: [b]}]
    on_submit:
      - {set: 交过, value: true}
      - {directive: END_SESSION, reason: 填完了}
sessions:
  - session: 谈话
    id: talk
    locale: zh-CN
    declare: [{var: 交过, type: boolean}]
    phases:
      - phase: P
        id: p
        steps:
          - topic: T
            id: t
            actions:
              - {type: show_form, id: filled, form: brief, timeout: 10m}
              - {type: ask, id: next, content: 今天吃了什么？, output: [{get: 吃了, define: 今天吃了什么}]}
"""


def overdue(**drafted: Any) -> tuple[Talk, str]:
    talk = Talk(FORM)
    assert talk.request.form is not None
    key = talk.request.form.key
    if drafted:
        talk.move(Input("form_draft", form=FormAnswers(key, drafted)))
    talk.wait(minutes=11)
    assert talk.at == "next"
    return talk, key


def sent(talk: Talk, key: str, kind: Any = "form_submit", **values: Any) -> list[str]:
    talk.move(Input(kind, form=FormAnswers(key, values)))
    check(talk)
    return talk.said


def test_a_form_handed_in_late_is_kept_scored_and_said_to_have_come() -> None:
    talk, key = overdue()
    (said,) = sent(talk, key, a="我写了很长", b="2")
    assert said.startswith("“小问卷”我也收到了")
    assert said.endswith(NEXT)
    (event,) = talk.happened("form_submitted")
    assert (event.key, event.scores) == (key, {"total": 2})
    assert last(talk, "brief")["a"] == "我写了很长"
    assert last(talk, "交过") is True
    assert "小问卷" in [each.text for each in talk.history if each.sender == "person"][-1]
    (order,) = [each for each in talk.happened("directive") if each.directive == "END_SESSION"]
    assert (order.refused, talk.ended, talk.at) == ("handed in late", False, "next")
    talk.say("面条")
    assert last(talk, "吃了") == "面条"


def test_what_was_drafted_in_time_is_in_it() -> None:
    talk, key = overdue(a="先写一半")
    sent(talk, key, "form_draft", a="写完了")
    sent(talk, key, b="1")
    assert (last(talk, "brief")["a"], last(talk, "brief")["b"]) == ("写完了", 1)


def test_it_is_handed_in_once() -> None:
    talk, key = overdue()
    sent(talk, key, b="1")
    assert sent(talk, key, b="3") == []
    assert last(talk, "brief")["b"] == 1


def test_one_that_is_not_filled_in_is_said_not_to_count_and_may_come_again() -> None:
    talk, key = overdue()
    (said,) = sent(talk, key, a="只写了这个")
    assert "没填好" in said
    assert talk.happened("form_submitted") == []
    sent(talk, key, b="3")
    assert (last(talk, "brief")["a"], last(talk, "brief")["b"]) == ("只写了这个", 3)


def test_one_that_is_put_away_late_is_put_away() -> None:
    talk, key = overdue(b="1")
    assert sent(talk, key, "form_cancel") == []
    assert sent(talk, key, b="1") == []
    assert talk.happened("form_submitted") == []


def test_danger_in_it_comes_first_and_it_is_kept_all_the_same() -> None:
    talk, key = overdue()
    sent(talk, key, a="我不想活了", b="3")
    assert running(talk) == "crisis_support"
    assert last(talk, "brief")["b"] == 3


# a choice


def picked(choice: str, *before: Node, **more: Any) -> tuple[Talk, int]:
    first = option("选", "好", "不好", timeout="10m", id="first")
    talk = Talk(script(phase("P", topic("T", say("选一个。"), first, ask(NEXT, "吃了", id="next"), **more))))
    seen = talk.state.messages
    talk.wait(minutes=11)
    assert talk.at == "next"
    talk.choose(choice, after=seen)
    check(talk)
    return talk, seen


def test_a_choice_picked_late_counts_and_stands_in_the_transcript() -> None:
    talk, seen = picked("a")
    assert last(talk, "选") == "a"
    assert talk.said == [f"你选的“好”，我也记下了。\n{NEXT}"]
    assert [each.text for each in talk.history if each.sender == "person"] == ["好"]
    assert [event.outcome for event in talk.happened("late")] == ["appended"]
    talk.choose("b", after=seen)
    assert last(talk, "选") == "a", "picked once"
    talk.say("面条")
    assert last(talk, "吃了") == "面条"


def test_where_its_variable_has_gone_that_is_said() -> None:
    first = topic("甲", say("选一个。"), option("选", "好", "不好", timeout="10m"), declare=[{"var": "选"}])
    talk = Talk(script(phase("P", first, topic("乙", ask(NEXT, "吃了")))))
    seen = talk.state.messages
    talk.wait(minutes=11)
    (said,) = talk.choose("b", after=seen)
    assert said.startswith("你选的“不好”来晚了一步")
    assert [event.outcome for event in talk.happened("late")] == ["kept"]


def test_a_yes_to_a_variable_marked_risk_calls_the_crisis_technique() -> None:
    declared = [{"var": "选", "type": "boolean", "risk": True}]
    choices = [{"value": True, "label": "有"}, {"value": False, "label": "没有"}]
    asked = {"type": "user_option", "var": "选", "choices": choices, "timeout": "10m"}
    talk = Talk(script(phase("P", topic("T", say("有没有？"), asked, ask(NEXT, get("吃了")))), declare=declared))
    seen = talk.state.messages
    talk.wait(minutes=11)
    talk.choose("True", after=seen)
    assert running(talk) == "crisis_support"
