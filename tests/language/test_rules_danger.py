"""W430: a question about danger whose yes nobody answers."""

from __future__ import annotations

import pytest
from tests.language.material import linted_whole

ASK = "- {type: ask, content: 想过伤害自己吗？, output: [{get: 念头, type: boolean, define: 有没有}]}"
SCRIPT = """
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
              %s
"""
FORM = """
forms:
  - form: 自评
    id: check
    audience: %s
    fields:
      - {id: q1, label: 有不想活的念头, type: single, options: [{value: 0, label: 没有}, {value: 1, label: 有}]}
    on_answer: [%s]
"""
CALLED = "{field: q1, if: q1 > 0, directive: CALL_TECHNIQUE, technique: safety/crisis_support}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SCRIPT % ASK, True),
        (SCRIPT % ASK.replace("define: 有没有", "define: 有没有, risk: true"), False),
        (SCRIPT % ASK.replace("想过伤害自己吗？", "睡得好吗？"), False),
        (SCRIPT % ASK.replace("想过伤害自己吗？", "以前试过伤害自己吗？"), False),
        (SCRIPT % ASK.replace("想过伤害自己吗？", "有吗？").replace("有没有", "有没有自杀的念头"), True),
        (SCRIPT % (ASK + "\n              - {type: say, condition: 念头 == true, content: 我在。}"), False),
        (FORM % ("client", ""), True),
        (FORM % ("client", CALLED), False),
        (FORM % ("counselor", ""), False),
    ],
)
def test_nobody_answers_a_yes(text: str, found: bool) -> None:
    assert ("W430" in {each.code for each in linted_whole(text)}) is found
