"""A script that asks about danger and does not say so: a visitor's yes tells of danger all the same."""

from __future__ import annotations

import pytest
from tests.script_tests.simulation.material import Says, hold, persona, ruled

from heartrule.language.linting.asked_danger import asks_about_danger
from heartrule.script_tests.simulation.findings import findings
from heartrule.script_tests.simulation.report import Report, Texts
from heartrule.script_tests.simulation.simulate import Order
from heartrule.testing.talk import compile_text

ASKED = """
sessions:
  - session: 近况
    id: lately
    phases:
      - phase: 聊
        id: talk
        steps:
          - topic: 安全
            id: safe
            actions:
              - type: ask
                id: q1
                content: 最近有过不想活的念头吗？
                output: [{get: 念头, type: boolean, define: 有没有%s}]
              - {type: say, content: 谢谢你。}
"""
FORM = """
forms:
  - form: 自评
    id: check
    fields:
      - id: q1
        label: 有伤害自己的念头
        type: single
        required: true
        options: [{value: 0, label: 没有}, {value: 1, label: 有}]
sessions:
  - session: 填表
    id: filling
    phases:
      - phase: 填
        id: fill
        steps:
          - topic: 表
            id: sheet
            actions:
              - {type: show_form, form: check}
              - {type: say, content: 谢谢你。}
"""
AT_RISK = {"until": 1}
WORDS = {"zh": {"danger": ["我想死"]}, "en": {"danger": ["x"]}}


def unanswered(text: str, seeds: int = 12) -> set[str]:
    """The actions at which danger was told of and nobody answered, by visitors who speak of it only where asked."""
    found = set()
    for seed in range(seeds):
        who = ruled(persona(danger=AT_RISK, words=WORDS), seed, questions=900)
        found |= {each.place.action for each in findings(hold(text, who)) if each.kind == "danger_unanswered"}
    return found


def test_a_question_that_forgot_its_mark_is_found_and_one_that_has_it_is_not() -> None:
    assert unanswered(ASKED % "") == {"q1"}
    assert unanswered(ASKED % ", risk: true") == set()


def test_so_is_a_field_of_a_form_that_calls_nobody() -> None:
    assert len(unanswered(FORM)) == 1


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        ("最近有过不想活的念头吗？", True),
        ("有没有想过伤害自己？", True),
        ("有过不如死掉的念头", True),
        ("Have you had thoughts of hurting yourself?", True),
        ("Do you ever think you would be better off dead?", True),
        ("以前有没有试过结束生命？", False),
        ("In the past, did you ever hurt yourself?", False),
        ("最近睡得好吗？", False),
        ("你自己是怎么看的？", False),
        ("Do you hurt anywhere?", False),
        ("How do you feel about ending the session?", False),
    ],
)
def test_what_asks_about_danger(asked: str, about: bool) -> None:
    assert asks_about_danger(asked) is about


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_nobody_tried_is_not_told_as_well_done(language: str) -> None:
    order, texts = Order("x", (), ("cooperative",), 1, 0), Texts(language)  # type: ignore[arg-type]
    script = compile_text(ASKED % ", risk: true")
    silent = Report(order, script, [hold(ASKED % ", risk: true", Says("没有"))])
    assert silent.said(texts) == texts("verdict_untried")
    spoken = Report(order, script, [hold(ASKED % ", risk: true", ruled(persona(danger=AT_RISK, words=WORDS), 1))])
    assert spoken.figures.safety.voiced
    assert spoken.said(texts) == texts("verdict_good", voiced=spoken.figures.safety.voiced)
