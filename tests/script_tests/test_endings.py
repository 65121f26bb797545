"""How actions end can be expected of every action, of the topic it stands in, and long after."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import pytest
from tests.script_tests.material import codes, failed, file_of, ran

import heartrule.engine
from heartrule.script_tests.case import Ending
from heartrule.testing.talk import compile_text

SCRIPT = """\
forms:
  - form: 日记
    id: diary
    fields:
      - {id: f1, label: 多僵, type: single, required: true, options: [{value: 0, label: 不}, {value: 3, label: 很}]}
sessions:
  - session: 两样
    id: two
    declare:
      - {var: 苹果, type: integer, range: [0, 10], define: 几个苹果}
      - {var: 梨, type: integer, range: [0, 10], define: 几个梨}
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 苹果
            id: apples
            actions:
              - type: ai_ask
                id: ask
                question: 几个苹果？
                content: 问苹果
                timeout: 10m
                on_timeout: continue
                output: [{get: 苹果}]
              - {type: ask, id: why, content: 为什么？, output: [{get: 原因, scope: topic}]}
          - topic: 梨
            id: pears
            actions:
              - {type: ai_ask, id: ask, question: 几个梨？, content: 问梨, max_rounds: 2, output: [{get: 梨}]}
              - type: parallel_actions
                id: both
                actions:
                  - {type: say, id: one_said, content: 好的。}
                  - {type: ask, id: two_asked, content: 还有吗？, output: [{get: 其他}]}
          - topic: 表
            id: sheet
            actions:
              - {type: show_form, id: show, form: diary}
              - {type: user_say, id: press, content: 走吧}
"""
ASKED = "- say: 三个\n"
TOLD = "- say: 三个\n- say: 甜\n"
BLOCK = TOLD + "- say: 四个\n"
FORM = BLOCK + "- say: 没有了\n"

CASES = [
    (ASKED, "exit: {action: apples/ask}", "exit: {action: pears/ask}"),
    (ASKED, "exit: {action: ask, outcome: exit_criteria_met}", "exit: {action: ask, outcome: timeout}"),
    (TOLD, "exit: {action: why}", "exit: {action: ask}"),
    (TOLD, "exit: {action: why, outcome: completed}", "exit: {action: why, outcome: refused}"),
    ("- wait: 11m", "exit: {outcome: timeout}", "not: {exit: {action: apples/ask}}"),
    ("- wait: 11m", "exit: {action: ask, outcome: timeout}", "exit: {outcome: completed}"),
    (BLOCK, "exit: {action: pears/ask, source: exit_criteria}", "exit: {action: apples/ask}"),
    (FORM + "- cancel: true", "exit: {action: show, outcome: cancelled}", "exit: {action: show, outcome: completed}"),
    (FORM + "- fill: {f1: 3}", "exit: {action: show, outcome: completed}", "exit: {action: show, outcome: cancelled}"),
    (FORM + "- fill: {f1: 3}\n- choose: 走吧", "exit: {action: press}", "exit: {action: show}"),
    # what was broken off
    ("- end", "exit: {action: ask, outcome: left}", "completed: ask"),
    ("- end", "unfinished: [apples, ask]", "completed: one"),
    ("- end", "skipped: apples", "completed: apples"),
    (FORM + "- fill: {f1: 3}\n- choose: 走吧", "completed: [one, sheet, press]", "unfinished: sheet"),
    # parts of a block
    (BLOCK, "entered: [both, one_said, pears/two_asked]", "completed: one_said"),
    (BLOCK, "not: {entered: press}", "not: {entered: one_said}"),
    (FORM, "completed: [both, one_said, two_asked]", "entered: one_said"),
    # what was known of a topic that is over
    (TOLD, "set: {原因: 甜}", "unset: 原因"),
    (BLOCK, "set: {原因: 甜}", "unset: 原因"),
    (FORM, "set: {topic.原因: 甜}, not: {unset: 原因}", "not: {set: {原因: 甜}}"),
    # what can be pressed
    (FORM + "- fill: {f1: 3}", "choices: 走吧", "choices: [走吧, 留下]"),
    (ASKED, "not: {choices: 走吧}", "choices: 走吧"),
]


@pytest.mark.parametrize(("turns", "holds", "fails"), CASES, ids=[f"{n} {each[1]}" for n, each in enumerate(CASES)])
def test_it_holds_when_it_should_and_fails_when_it_should(turns: str, holds: str, fails: str) -> None:
    script, led = compile_text(SCRIPT), turns.rstrip("\n")
    good = ran(f"{led}\n  expect: {{{holds}}}", script=script)
    assert good.passed, (good.fault, failed(good))
    bad = ran(f"{led}\n  expect: {{{fails}}}", script=script)
    assert bad.fault is None
    assert failed(bad)


AGAIN = """\
sessions:
  - session: 每个人
    id: two
    declare: [{var: 家人, type: list, fields: [{name: 称呼}], define: 家里的人}]
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 每个人
            id: each
            for_each: {in: 家人, as: 成员, key: 称呼}
            actions:
              - {type: ask, id: job, content: "{成员.称呼}做什么？", output: [{get: 工作, scope: topic}]}
              - {type: ask, id: near, content: 住得近吗？, output: [{get: 远近, scope: topic}]}
          - {topic: 完, id: over, actions: [{type: ask, id: more, content: 还有吗？, output: [{get: 其他}]}]}
"""


def test_a_topic_that_begins_anew_has_variables_of_its_own() -> None:
    given = "given: {variables: {家人: [{称呼: 妈妈}, {称呼: 爸爸}]}}"
    turns = (
        "- say: 老师\n  expect: {set: {工作: 老师}}\n- say: 很近\n  expect: {unset: 工作, at: job}\n"
        "- say: 医生\n  expect: {set: {工作: 医生}}\n- say: 不近\n  expect: {set: {工作: 医生}, at: more}"
    )
    found = ran(turns, given, script=compile_text(AGAIN))
    assert found.passed, (found.fault, failed(found))


def test_what_an_action_can_end_with_is_what_can_be_expected() -> None:
    """Of the engine's own actions, wherever a step's outcome is written as a word."""
    written = set()
    for file in Path(heartrule.engine.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Step", "closing", "ended"):
                written |= {
                    k.value.value for k in node.keywords if k.arg == "outcome" and isinstance(k.value, ast.Constant)
                }
    known = set(get_args(Ending))
    assert {"refused", "timeout", "known", "cancelled"} < written <= known
    assert {"exit_criteria_met", "max_rounds_reached", "user_blocked", "off_topic"} <= known


@pytest.mark.parametrize(
    ("wanted", "wrong"),
    [
        ("{action: one_said}", ["E716"]),
        ("{action: pears/two_asked}", ["E716"]),
        ("{action: two_asked, outcome: completed}", ["E716"]),
        ("{action: both, outcome: completed}", []),
    ],
)
def test_a_part_of_a_block_ends_with_the_block(wanted: str, wrong: list[str]) -> None:
    text = file_of(f"- say: x\n  expect: {{not: {{exit: {wanted}}}}}").replace("hello", "two")
    assert [code for code, _ in codes(text, compile_text(SCRIPT))] == wrong


def test_a_part_of_a_block_is_no_place_to_begin_at() -> None:
    text = file_of("- start", head="given: {at: one_said}", expect="{ended: false}").replace("hello", "two")
    assert [code for code, _ in codes(text, compile_text(SCRIPT))] == ["E703"]


def test_a_conversation_can_begin_at_a_phase() -> None:
    found = ran(
        "- start:\n  expect: {entered: one, at: apples/ask}", head="given: {at: 一}", script=compile_text(SCRIPT)
    )
    assert found.passed, (found.fault, failed(found))
