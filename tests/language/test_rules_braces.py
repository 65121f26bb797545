"""Braces of which one is missing, exits that an action does not have, and what directives set."""

from __future__ import annotations

import pytest
from tests.language.material import awareness, codes, linted_whole, only, session

HEAD = "declare: [{var: 称呼, type: text, value: 小林}, {var: 强度, type: integer, range: [1, 10], value: 3}]"
READ = "\n- {type: say, content: '{强度}{称呼}'}"


def said(text: str) -> list[str]:
    return codes(linted_whole(session(f"- {{type: say, content: '{text}'}}{READ}", head=HEAD)))


@pytest.mark.parametrize(
    "text", ["{称呼，你好", "你好{ 称呼", "你好，称呼}", "{称呼你好", "{强度}分，{称呼。", "称呼}，{强度}分"]
)
def test_half_a_placeholder(text: str) -> None:
    assert said(text) == ["W416"]


@pytest.mark.parametrize(
    "text",
    [
        "{称呼}，你好",
        "{{称呼}}",
        "称呼：{强度}",
        "{ 称呼 }",
        "${称呼}",
        "{别的称呼}",
        "写成 {甲: 称呼}",
        "一{二",
        "一}二",
    ],
)
def test_nothing_is_missing(text: str) -> None:
    assert "W416" not in said(text)


def test_the_mend_closes_it() -> None:
    found = only(linted_whole(session("- {type: say, content: '{称呼，你好'}" + READ, head=HEAD)), "W416")
    assert found.mend is not None
    assert [edit.text for edit in found.mend.edits] == ["{称呼}"]


@pytest.mark.parametrize(("type_", "expected"), [("ai_say", ["W417"]), ("ai_ask", [])])
def test_an_explanation_has_no_flag(type_: str, expected: list[str]) -> None:
    more = "fallback: 好" if type_ == "ai_say" else "question: 几分？, output: [{get: 强度}]"
    action = f"- {{type: {type_}, content: 讲讲, max_rounds: 2, exit_sources: [exit_flag, max_rounds], {more}}}{READ}"
    assert codes(linted_whole(session(action, head=HEAD))) == expected


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("{directive: SET_VAR, var: 强度, value: 30}", ["E225"]),
        ("{directive: SET_VAR, var: 强度, value: 3}", []),
        ("{directive: SET_VAR, var: 无人读, value: 3}", ["W249"]),
    ],
)
def test_what_a_directive_sets(order: str, expected: list[str]) -> None:
    text = session("- {type: say, content: '{强度}{称呼}'}", head=HEAD) + awareness(f"- {order}")
    assert codes(linted_whole(text)) == expected
