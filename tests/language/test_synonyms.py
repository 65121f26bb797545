"""Keys and values by the names that others give them: told as slips, with ours in their place."""

from __future__ import annotations

import pytest
from tests.language.material import SAY, awareness, codes, linted, only, session
from tests.table import tabled

from heartrule.language.findings import Finding
from heartrule.language.findings.mends import applied
from heartrule.language.spellings import conversions


def mended(text: str, found: Finding) -> str:
    assert found.mend is not None
    return applied(text, found.mend.edits)


@tabled(
    ("written", "key"),
    [
        ("- {type: say, 内容: 你好}", "content"),
        ("- {type: say, text: 你好}", "content"),
        ("- {type: ai_ask, prompt: 问, question: 好吗？}", "content"),
        ("- {type: ai_ask, content: 问, 问题: 好吗？}", "question"),
        ("- {type: ai_ask, content: 问, question: 好吗？, max_turns: 2}", "max_rounds"),
        ("- {type: user_option, var: 选, options: [{value: a, label: 甲}]}", "choices"),
        ("- {type: user_option, var: 选, choices: [{值: a, label: 甲}]}", "value"),
        ("- {type: ai_say, content: 讲, fallback: 好, 语气: 温和}", "tone"),
    ],
)
def test_keys_of_actions(written: str, key: str) -> None:
    text = session(written)
    found = only(linted(text))
    assert found.code == "E101"
    assert f"`{key}`" in found.hint.zh
    assert linted(mended(text, found)) == []


@tabled(
    ("text", "key"),
    [
        (session(topic="目标: 认识"), "goal"),
        (session(topic="transitions: [{to: end, if: 1 == 1}]"), "condition"),
        (session().replace("actions:", "动作:"), "actions"),
        (awareness("- {directive: CALL_TECHNIQUE, skill: 甲}"), "technique"),
    ],
)
def test_keys_elsewhere(text: str, key: str) -> None:
    found = only([each for each in linted(text) if each.stops], "E101")
    assert f"`{key}`" in found.hint.en
    assert "E101" not in codes(linted(mended(text, found)))


def test_a_key_that_is_there_already_is_not_meant() -> None:
    found = only(linted(session("- {type: say, content: 你好, 内容: 再见}")))
    assert (found.code, found.mend) == ("E101", None)


def test_a_key_of_what_is_above() -> None:
    found = only(linted(session(f"{SAY}\n- type: say\n  content: 好\n  transitions: [{{to: end}}]")))
    assert (found.code, found.line, found.mend) == ("E115", 11, None)
    assert "第 2 个动作" in found.message.zh
    assert "话题 问候" in found.message.zh


def test_a_key_of_an_action_in_what_is_above_it() -> None:
    found = only(linted(session(topic="max_rounds: 3")))
    assert found.code == "E101"
    assert "ai_ask" in found.hint.zh


def test_a_right_key_of_another_place_is_not_taken_for_a_slip() -> None:
    text = awareness("- {directive: FEEDBACK, text: 慢, condition: a == 1}")
    found = only(linted(text), "E101")
    assert found.mend is None
    assert "position`" not in found.hint.en


def test_keys_taken_from_elsewhere() -> None:
    found = only(linted(session("- type: say\n  <<: 你好\n  content: 你好")))
    assert (found.code, found.line) == ("E116", 9)


@tabled(
    ("written", "value"),
    [
        ("type: 整数", "integer"),
        ("type: 布尔", "boolean"),
        ("type: 列表", "list"),
    ],
)
def test_types_of_variables(written: str, value: str) -> None:
    text = f"global:\n  - {{var: 甲, {written}}}\n"
    found = only(linted(text), "E104")
    assert f"`{value}`" in found.hint.zh
    assert linted(mended(text, found)) == []


@tabled(
    ("written", "after"),
    [
        ("max_rounds: ３", "max_rounds: 3"),
        ("max_rounds: 三", "max_rounds: 3"),
        ("max_rounds: 两轮", "max_rounds: 2"),
        ("max_rounds: 3 次", "max_rounds: 3"),
        ("required: 必填", "required: true"),
        ("required: 可选", "required: false"),
        ("exit_sources: 【max_rounds、exit_flag】", "exit_sources: [max_rounds, exit_flag]"),
        ("output: [{get: 甲, range: 0~6, type: integer}]", "range: [0, 6]"),
        ("output: [{get: 甲, range: 1-10, type: integer}]", "range: [1, 10]"),
    ],
)
def test_values_in_other_words(written: str, after: str) -> None:
    output = "" if written.startswith("output") else "\n  output: [{get: 甲}]"
    text = session(f"- type: ai_ask\n  content: 问\n  question: 好吗？\n  {written}{output}")
    found = only(linted(text))
    assert found.code == "E103"
    assert after in mended(text, found)
    assert linted(mended(text, found)) == []


@pytest.mark.parametrize(("written", "after"), [("60%", "0.6"), ("６０％", "0.6"), ("150%", None), ("很高", None)])
def test_shares(written: str, after: str | None) -> None:
    assert conversions.share(written) == after


@pytest.mark.parametrize("written", ["许多", "三十几", "1 到 2", ""])
def test_what_is_no_number(written: str) -> None:
    assert conversions.number(written) is None


def test_a_range_of_one() -> None:
    found = only(linted("global:\n  - {var: 甲, type: integer, range: [24]}\n"))
    assert found.code == "E103"
    assert "[1, 10]" in found.message.en


@tabled(
    ("key", "written", "after"),
    [
        ("every", "6轮", "6 turns"),
        ("every", "两次", "2 turns"),
        ("every", "5 分钟", "5m"),
        ("cooldown", "三轮", "3 turns"),
        ("cooldown", "一会儿", None),
    ],
)
def test_turns_in_words(key: str, written: str, after: str | None) -> None:
    more = "" if key == "every" else "\nevery: 5m"
    text = session() + awareness(
        "- {directive: FEEDBACK, text: 慢}", head=f"always: true\npriority: P2\n{key}: {written}{more}"
    )
    found = only(linted(text), "W425" if after == "5m" else "E262")
    assert (found.mend is None) == (after is None)
    if after is not None:
        assert f"{key}: {after}" in mended(text, found)


@pytest.mark.parametrize(
    ("written", "after"), [("30秒", "30s"), ("2 minutes", "2m"), ("replly", "reply"), ("呼吸", None)]
)
def test_what_a_step_waits_for(written: str, after: str | None) -> None:
    text = session(f"- type: ai_guide\n  exercise: 呼吸\n  exercise_steps: [{{say: 吸气, wait: {written}}}]")
    found = only(linted(text))
    assert found.code == ("W425" if after and after[0].isdecimal() else "E282")
    assert (found.mend is None) == (after is None)
    if after is not None:
        assert f"wait: {after}" in mended(text, found)


@tabled(
    ("condition", "after"),
    [
        ("甲 大于 6", "甲 > 6"),
        ("甲 == 1 且 乙 == 2", "甲 == 1 and 乙 == 2"),
        ("甲 is 6", "甲 == 6"),
        ("甲 is not 6", "甲 != 6"),
    ],
)
def test_operators_in_words(condition: str, after: str | None) -> None:
    known = "declare: [{var: 甲, value: 1}, {var: 乙, value: 1}]"
    text = session(f"- {{type: say, content: 好, condition: {condition}}}", head=known)
    found = only(linted(text), "E110")
    assert (found.mend is None) == (after is None)
    if after is not None:
        assert f"condition: {after}" in mended(text, found)


def test_a_jump_to_a_topic_of_another_phase() -> None:
    text = session(topic="transitions: [{to: 再见}]") + (
        "      - phase: 结束\n        id: ending\n        steps: [{topic: 再见, actions: [{type: say, content: 好}]}]\n"
    )
    found = only(linted(text), "E205")
    assert "to: ending" in mended(text, found)


def test_names_with_a_comma_of_ours_between() -> None:
    watch = awareness("- {directive: FEEDBACK, text: 慢}", head="id: one\npriority: P1\nat: [topic_end]")
    other = watch.replace("awareness:\n", "", 1).replace("抗拒", "疲倦", 1).replace("id: one", "id: two")
    text = session(head="awareness: [one、two]") + watch + other
    found = only(linted(text))
    assert found.code == "E204"
    assert linted(mended(text, found)) == []


@tabled(
    ("written", "after"),
    [
        ("output: {get: 甲}", "output: [{get: 甲}]"),
        ("output: {get: 甲, on_failure: {do: skip}}  # 名字", "output: [{get: 甲, on_failure: {do: skip}}]  # 名字"),
        ("exit_sources: max_rounds + exit_flag", "exit_sources: [max_rounds, exit_flag]"),
    ],
)
def test_one_where_a_list_belongs(written: str, after: str) -> None:
    text = session(f"- type: ai_ask\n  content: 问\n  question: 好吗？\n  {written}")
    found = only(linted(text), "E103")
    assert after in mended(text, found)
    assert linted(mended(text, found)) == []


def test_what_is_said_of_a_mapping_is_not_said_of_what_holds_it() -> None:
    found = only(linted("global:\n  - {var: 甲, on_failure: {do: skip, scope: session}}\n"))
    assert found.code == "E115"
    assert "“on_failure”" in found.message.en
