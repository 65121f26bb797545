"""How questions and forms end, and what a topic makes of it: seed 001 §3.2.1, §3.2.3; seed 004, scene 5."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.engine.session.events import ExitDecided
from heartrule.engine.session.io import FormAnswers, Input
from heartrule.testing.talk import Talk

SCRIPT = """
sessions:
  - session: 谈
    id: talk
    phases:
      - phase: 一
        steps:
          - topic: 近况
            actions:
              - {type: ask, id: age, content: 多大了？, output: [{get: 岁, type: integer, range: [0, 120]}]}
              - {type: say, condition: "topic.exit == 'user_blocked'", content: 不说也没关系。}
              - {type: say, condition: "topic.exit == 'exit_criteria_met'", content: 记下了。}
              - {type: ask, id: after, content: 还有吗？, output: [{get: 余}]}
"""
FORM = """
forms:
  - form: 小表
    id: small
    fields: [{id: a, type: text, label: 一}]
sessions:
  - session: 谈
    id: talk
    phases:
      - phase: 一
        steps:
          - topic: 表
            actions:
              - {type: show_form, id: fill, form: small}
              - {type: ask, id: after, content: 还有吗？}
"""


def ends(talk: Talk) -> list[Any]:
    found = (event for event in talk.happened("exit") if isinstance(event, ExitDecided) and event.should_exit)
    return [(each.action, each.decision_source, each.exit_class) for each in found]


@pytest.mark.parametrize(
    ("said", "end", "answered"),
    [
        ("34", ("age", "exit_criteria", "exit_criteria_met"), "记下了。"),
        ("不想说", ("age", "none", "user_blocked"), "不说也没关系。"),
    ],
)
def test_a_question_ends_with_an_exit_that_its_topic_may_answer(said: str, end: Any, answered: str) -> None:
    talk = Talk(SCRIPT)
    talk.say(said)
    assert ends(talk) == [end]
    assert talk.turn.exit["class"] == end[2]
    assert any(answered in each for each in talk.said)


def test_a_question_that_is_never_answered_ends_at_its_limit() -> None:
    talk = Talk(SCRIPT)
    while not ends(talk):
        talk.say("今天风很大")
    assert ends(talk) == [("age", "max_rounds", "max_rounds_reached")]


@pytest.mark.parametrize(
    ("kind", "end"),
    [
        ("form_submit", ("fill", "exit_criteria", "exit_criteria_met")),
        ("form_cancel", ("fill", "none", "user_blocked")),
    ],
)
def test_a_form_ends_with_an_exit(kind: Any, end: Any) -> None:
    talk = Talk(FORM)
    talk.move(Input(kind, form=FormAnswers(str(talk.request.form and talk.request.form.key), {"a": "好"})))
    assert ends(talk) == [end]


def test_a_session_that_cannot_go_on_ends_in_error() -> None:
    talk = Talk(
        """
sessions:
  - session: 谈
    phases:
      - phase: 一
        steps:
          - topic: 转
            repeat: {until: "false"}
            actions: [{type: set_var, var: n, value: 1}]
"""
    )
    assert talk.turn.status == "error"
