"""A test that fails says what of its scripted answers came to nothing, and why."""

from __future__ import annotations

import pytest
from tests.script_tests.material import ran

from heartrule.script_tests.case_run import RanCase

GOOD = "{values: {强度: {value: 4, evidence: 四五分}}, EXIT: true, content: 好。}"


def told(answers: str, said: str = "大概四五分", wanted: str = "set: {强度: 9}") -> RanCase:
    found = ran(f"- say: 小林\n- say: {said}\n  expect: {{{wanted}}}", f"answers: {{{answers}}}")
    assert not found.passed
    return found


@pytest.mark.parametrize(
    ("answers", "note"),
    [
        (f"ai_ask: {GOOD}, ai_say: {{content: x}}", ("never_asked", "ai_say")),
        (
            f"ai_ask: [{{when_prompt_contains: 没有的话, then: fail}}, {GOOD}]",
            ("never_met", "ai_ask: 没有的话"),
        ),
        (f"ai_ask: [{GOOD}, {{content: 再}}]", ("left_over", "ai_ask: 1/2")),
        ("ai_ask: {vals: {}, EXIT: true, content: 好。}", ("no_field", "ai_ask: vals")),
        (
            "ai_ask: {values: {强渡: {value: 4, evidence: 四五分}}, EXIT: true, content: 好。}",
            ("no_field", "ai_ask: values.强渡"),
        ),
        (
            "ai_ask: {values: {强度: {value: 4, evidence: 四个人}}, EXIT: true, content: 好。}",
            ("unsaid", "ai_ask: values.强度: 四个人"),
        ),
        ("ai_ask: 不是一组字段", ("rejected", "ai_ask: not_json")),
    ],
)
def test_what_came_to_nothing_is_noted(answers: str, note: tuple[str, str]) -> None:
    assert note in told(answers).notes


def test_what_was_used_is_not() -> None:
    notes = dict(told(f"ai_ask: [{{when_prompt_contains: 四五分, then: {GOOD}}}]").notes)
    assert not {"never_asked", "never_met", "left_over", "no_field", "unsaid", "rejected"} & set(notes)


def test_a_field_that_one_question_has_is_known() -> None:
    """Answers of a template go to several questions, each of which takes what it asks for."""
    both = "ask: {understood: true, values: {称呼: {value: 小林, evidence: 小林}}, content: 好。}"
    assert "no_field" not in dict(told(f"{both}, ai_ask: {GOOD}").notes)


def test_values_that_were_not_taken_are_noted_whoever_answered() -> None:
    found = told(f"ai_ask: {GOOD.replace('4', '40')}")
    assert ("not_taken", "强度 = 40 (range)") in found.notes
    bare = ran("- say: 小林\n- say: 说不上来\n  expect: {set: {强度: 4}}")
    assert any(code == "missing" and "强度" in about for code, about in bare.notes)


def test_a_test_that_passes_has_none() -> None:
    assert ran("- start: {said_contains: 你好}", "answers: {ai_say: {content: x}}").notes == ()
