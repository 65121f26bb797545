"""Every kind of expectation holds when it should, and fails when it should."""

from __future__ import annotations

import pytest
from tests.script_tests.material import SCRIPT, case_of, codes, failed, file_of, held, ran

from heartrule.script_tests.case import Expect
from heartrule.script_tests.expectations import _KINDS
from heartrule.testing.talk import compile_text

TO_NAME = "- say: 小林\n"
TO_SCORE = "- say: 小林\n- say: 三分\n"
TO_END = "- say: 小林\n- say: 三分\n- choose: A\n- choose: 我们继续吧\n"
MODEL = "answers: {ai_ask: {values: {强度: {value: 3, evidence: 三分}}, EXIT: true, content: 好。}}"

CASES: list[tuple[str, str, str, str]] = [
    # what led there, what holds of the last turn, what does not, the head
    ("- start", "said_contains: 怎么称呼", "said_contains: 再见", ""),
    ("- start", "said_contains: [你好, 怎么称呼]", "said_contains: [你好, 再见]", ""),
    ("- start", "never_says: [诊断, 再见]", "never_says: [诊断, 助手]", ""),
    ("- start", "entered: name", "entered: score", ""),
    ("- start", "entered: 开场", "entered: mood", ""),
    ("- start", "entered: name/ask_name", "entered: ask_score", ""),
    (TO_NAME, "completed: [ask_name, name, opening]", "completed: ask_score", ""),
    (TO_NAME, "skipped: never", "skipped: name", ""),
    ("- say: 我太累了", "suspended: name", "suspended: score", ""),
    ("- wait: 40m", "at: ask_name", "at: ask_score", ""),
    (TO_NAME, "at: score", "at: name", ""),
    (TO_NAME, "at: score/ask_score", "at: name/ask_name", ""),
    (TO_NAME + "- wait: 40m", "unfinished: ask_score", "unfinished: ask_name", ""),
    (TO_NAME + "- wait: 40m", "unfinished: score", "unfinished: choose", ""),
    (TO_NAME + "- say: 不知道\n- say: 不想说", "unfinished: 强度", "unfinished: [称呼, repeat]", ""),
    (TO_SCORE, "set: {强度: 3}", "set: {强度: 4}", ""),
    (
        TO_SCORE,
        "set: {强度: {value: 3, strategy: rules, scope: session}}",
        "set: {强度: {value: 3, strategy: json}}",
        "",
    ),
    (TO_SCORE, "set: {session.强度: 3}", "set: {topic.强度: 3}", ""),
    (TO_SCORE, "set: {强度: {evidence: 三分}}", "set: {强度: {evidence: 四分}}", ""),
    (TO_SCORE, "set: {备注: 小林说了分数}", "set: {备注: 小王说了分数}", ""),
    (TO_NAME, "unset: 强度", "unset: 称呼", ""),
    ("- start", "not_asked: [强度, session.强度]", "not_asked: 称呼", ""),
    (TO_SCORE, "not: {not_asked: 称呼}", "not_asked: [强度, 称呼]", ""),
    ("- say: 我太累了", "directive: CALL_TECHNIQUE", "directive: END_SESSION", ""),
    (
        "- say: 我太累了",
        "directive: [{directive: CALL_TECHNIQUE, technique: rest}]",
        "directive: [{directive: CALL_TECHNIQUE, technique: crisis_support}]",
        "",
    ),
    ("- say: 我太累了", "verdict: {tired: yes}", "verdict: {tired: no}", ""),
    ("- say: 还好", "verdict: {tired: no}", "verdict: {tired: yes}", ""),
    ("- say: 我不想活了", "escalated: desk", "escalated: contact", "given: {reaches: [desk]}"),
    (TO_NAME, "milestone: 认识了", "milestone: 分手了", ""),
    ("- start", "request: message", "request: choice", ""),
    (TO_SCORE, "choices: [A, 大多数日子]", "choices: [A, C]", ""),
    ("- start", "not: {choices: A}", "choices: A", ""),
    (TO_SCORE, "request: choice", "request: press", ""),
    (TO_SCORE + "- choose: B", "request: press", "request: message", ""),
    (TO_END, "request: none", "request: message", ""),
    (TO_END, "ended: true", "ended: false", ""),
    (TO_SCORE, "calls: 9", "calls: 0", MODEL),
    (TO_SCORE, "calls: 0", "not: {calls: 0}", ""),
    (
        TO_NAME + "- say: 不知道\n- say: 不想说",
        "exit: {class: user_blocked, source: none, action: ask_score}",
        "exit: {class: exit_criteria_met}",
        "",
    ),
    (TO_SCORE, "exit: {source: exit_flag}", "exit: {source: max_rounds}", MODEL),
    (TO_NAME, "not: {entered: choose, said_contains: 诊断}", "not: {entered: score}", ""),
]
FORMS = {"form", "submitted", "problems"}
"""Tried in ``test_filling``."""


@pytest.mark.parametrize(
    ("turns", "holds", "fails", "head"), CASES, ids=[f"{n} {each[1]}" for n, each in enumerate(CASES)]
)
def test_it_holds_when_it_should_and_fails_when_it_should(turns: str, holds: str, fails: str, head: str) -> None:
    led = turns.rstrip("\n")
    assert set(held(f"{led}\n  expect: {{{holds}}}", head)) == {True}
    assert False in held(f"{led}\n  expect: {{{fails}}}", head)


def test_every_kind_is_among_them() -> None:
    written = {
        name for _, holds, _, _ in CASES for name in case_of(f"- start\n  expect: {{{holds}}}").all_expected[0].wanted
    }
    fields = {field.alias or name for name, field in Expect.model_fields.items()}
    assert written | FORMS == fields
    assert set(_KINDS) == fields - {"not"}


def test_of_several_expectations_each_is_told() -> None:
    found = ran(
        "- start: {said_contains: 你好}\n  expect:\n    - {at: ask_score}\n    - {request: choice, ended: false}"
    )
    assert [(each.kind, each.held) for each in found.outcomes] == [
        ("said_contains", True),
        ("at", False),
        ("request", False),
        ("ended", True),
    ]
    assert [each.kind for each in failed(found)] == ["at", "request"]
    assert failed(found)[0].got == "name/ask_name"


def test_a_turn_is_looked_at_alone_and_the_whole_at_the_end() -> None:
    turns = "- say: 小林\n  expect: {said_contains: 你好}\n- say: 三分"
    assert held(turns, expect="{said_contains: [你好, 心情几分], entered: [name, choose], never_says: 诊断}") == [
        False,
        *[True] * 5,
    ]


def test_what_a_topic_knew_can_be_asked_after_it() -> None:
    assert held(TO_END, expect="{set: {备注: 小林说了分数, 频率: A}, unset: 家人}") == [True] * 3


def test_true_is_not_one_and_a_mapping_needs_only_what_is_written() -> None:
    given = "given: {variables: {家人: [{称呼: 妈妈, 职业: 老师}], 强度: 1}}"
    holds = "{set: {家人: [{称呼: 妈妈}], 强度: 1}}"
    assert held("- start", given, expect=holds) == [True, True]
    assert held("- start", given, expect="{set: {强度: true}}") == [False]
    assert held("- start", given, expect="{set: {家人: []}}") == [False]
    assert held("- start", given, expect="{set: {家人: [{称呼: 爸爸}]}}") == [False]


BLOCK = """\
              - type: parallel_actions
                id: both
                actions:
                  - {type: say, content: 先听。}
                  - {type: ai_ask, id: within, question: 几点？, content: 问时间, max_rounds: 1, output: [{get: 备注}]}
"""


def test_the_parts_of_a_block_begin_and_end() -> None:
    text = SCRIPT.replace(
        "              - {type: set_var, id: note", BLOCK + "              - {type: set_var, id: note"
    )
    script = compile_text(text)
    turns = TO_SCORE + "- say: 三点\n  expect: {completed: [both, within], exit: {action: within}}"
    found = ran(turns, script=script)
    assert found.passed, (found.fault, failed(found))
    assert codes(file_of(turns), script) == []
    for expect in ("{completed: withn}", "{exit: {action: withn}}"):
        assert codes(file_of(f"- say: 好\n  expect: {expect}"), script) == [("E703", 6)]
