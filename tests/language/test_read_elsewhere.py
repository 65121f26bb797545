"""Notes and settings of other engines become comments; other names of fields; what cannot be had here is refused."""

from __future__ import annotations

import pytest
from tests.language.material import ACTIONS, awareness, codes, linted, loaded, meaning, only, session, skill

from heartrule.language.formatting import formatted

TECHNIQUE = """\
# 一
name: "三问法"
version: "1.0"  # 第一版
description: |
  用提问
    检验想法

technique_type: 认知重构
technique_id: three
technique_name: 三问法
input_parameters:
  - name: 想法
    type: string
    required: true
topic:
  actions:
    - action_type: say
      config:
        content: 你说过{想法}
"""


def fmt(text: str) -> str:
    after, errors = formatted(text.encode(), "script.yaml", ACTIONS)
    assert errors == []
    assert formatted(after, "script.yaml", ACTIONS) == (after, [])
    assert meaning(loaded(after)) == meaning(loaded(text))
    return after.decode()


def test_notes_on_a_technique_are_told_each_and_become_comments() -> None:
    found = [each for each in linted(TECHNIQUE) if each.code == "W196"]
    assert [(each.line, each.column) for each in found] == [(2, 1), (3, 1), (4, 1), (8, 1), (13, 5)]
    assert "version" in found[1].message.zh
    assert "E101" not in codes(linted(TECHNIQUE))
    after = fmt(TECHNIQUE)
    assert "  - # name:" in after
    for note in ('# version: "1.0"  # 第一版', "# description: |", "#   用提问", "#     检验想法", "# type: string"):
        assert note in after
    assert codes(linted(after)) == []


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_setting_in_lines_becomes_comments_line_by_line(newline: str) -> None:
    text = session(
        "- type: ask\n  content: 好吗？\n  crisis_thresholds:\n    plan: true  # 有计划\n\n    # 别的\n"
        "    danger: true\n"
        "  sample_llm_output: |\n    {\n      a: 1\n    }\n  output: [{get: 好吗}]\n- {type: say, content: 好}"
    ).replace("\n", newline)
    after = fmt(text)
    assert after.count("\n") == text.count("\n")
    assert "# crisis_thresholds:" in after
    assert "#   plan: true  # 有计划" in after
    assert "# 别的" in after
    assert "#     a: 1" in after


@pytest.mark.parametrize(
    "text",
    [
        "sessions:\n  - version: 1\n    author: 某人\n    session: a\n    phases: []\n",
        "sessions:\n  - session: a\n    phases:\n      - {phase: b, description: 说明, steps: []}\n",
        "examples:\n  - a: 1\n\nsessions:\n  - session: a\n    phases: []\n",
        "roles:\n  - role: 向导\n    type: AI\n    name: 阿团\n    pic: a.png\n    desc: >\n      很好\n      很好\n",
    ],
)
def test_a_note_may_stand_anywhere(text: str) -> None:
    after = fmt(text)
    assert "W196" in codes(loaded(text).findings)
    assert "W196" not in codes(loaded(after).findings)
    assert after.count("#") >= codes(loaded(text).findings).count("W196")


@pytest.mark.parametrize(
    "text",
    [
        "sessions:\n  - description: 只有它\n",
        session("- type: say\n  content: 好\n  description: &a {content: 好}\n- {<<: *a, type: say}"),
        "sessions:\n  - {session: a, phases: [], description: 'b\n\n    c'}\n",
    ],
)
def test_a_note_that_cannot_become_a_comment_is_no_known_key(text: str) -> None:
    assert "description" in only(loaded(text).findings, "E101").message.zh
    assert formatted(text.encode(), "a.yaml", ACTIONS)[0] == text.encode()


def test_a_note_that_is_said_elsewhere_gives_its_anchor_on() -> None:
    text = session("- type: say\n  content: 好\n  description: &a 好的\n- {type: say, content: *a}\n- say: *a")
    after = formatted(text.encode(), "a.yaml", ACTIONS)[0].decode()
    assert "# description: &a 好的" in after
    assert [action.content for action in loaded(after).sessions[0].phases[0].steps[0].actions] == ["好", "好的", "好的"]


def test_fields_that_an_editor_left_empty_are_told_and_become_comments() -> None:
    text = session(
        "- action_type: ai_ask\n  condition: ''\n  config:\n    question_template: 好吗？\n    exit: ~\n"
        "    max_rounds:  # 多少\n"
        "    output: [{get: 好吗}]\n- action_type: say\n  tone: ''\n  content: 好，{好吗}"
    )
    assert [each.line for each in loaded(text).findings if each.code == "W196"] == [9, 12, 13, 16]
    assert not [each for each in linted(text) if each.stops]
    after = fmt(text)
    for line in ("# condition: ''", "# exit: ~", "# max_rounds:  # 多少", "# tone: ''"):
        assert line in after


def test_an_empty_field_that_is_needed_or_ours_is_still_an_error() -> None:
    assert only(loaded(session("- action_type: say\n  content:")).findings, "E106")
    assert only(loaded(session("- type: ai_ask\n  content: 问\n  max_rounds:")).findings, "E106")


SAME = [
    ("- show_pic: a.png\n  alt: 图", "- type: show_pic\n  picture: a.png\n  alt: 图"),
    ("- type: show_pic\n  image_url: a.png\n  alt: 图", "- type: show_pic\n  picture: a.png\n  alt: 图"),
    ("- ai_pic:\n  prompt: 梦\n  alt: 梦", "- type: ai_pic\n  prompt: 梦\n  alt: 梦"),
    (
        "- ai_guide: 呼吸\n  exercise_steps: [{say: 吸气}]",
        "- type: ai_guide\n  exercise: 呼吸\n  exercise_steps: [{say: 吸气}]",
    ),
    ("- fill: mood", "- {type: show_form, form: mood}"),
    ("- {action_type: fill_form, config: {form_id: mood}}", "- {type: show_form, form: mood}"),
    ("- {type: use_skill, skill_id: a, params: {b: 1}}", "- {type: use_skill, skill: a, input: {b: 1}}"),
    ("- {type: use_skill, technique_id: a}", "- {type: use_skill, skill: a}"),
    ("- type: set_var\n  variable: a\n  value: 1", "- {type: set_var, var: a, value: 1}"),
    (
        "- type: ai_say\n  content: 讲\n  understanding_threshold: 70  # 够了",
        "- {type: ai_say, content: 讲, exit_criteria: {understanding_threshold: 70}}",
    ),
    (
        "- {type: ask, content: 问, output: [{get: a, require: 可选}]}",
        "- {type: ask, content: 问, output: [{get: a, on_failure: {do: skip}}]}",
    ),
    (
        "- {type: ask, content: 问, target_variable: a, output: [{get: a}]}",
        "- {type: ask, content: 问, output: [{get: a}]}",
    ),
]


@pytest.mark.parametrize(("theirs", "ours"), SAME, ids=range(len(SAME)))
def test_it_means_the_same(theirs: str, ours: str) -> None:
    assert meaning(loaded(session(theirs))) == meaning(loaded(session(ours)))
    assert fmt(session(theirs))


@pytest.mark.parametrize(
    ("written", "read"), [("40分钟", "40m"), ("约 1 小时", "1h"), ("90 min", "90m"), ("2个小时", "2h")]
)
def test_how_long_it_lasts(written: str, read: str) -> None:
    text = f"session:\n  session_name: a\n  estimated_duration: {written}\n  phases: []\n"
    assert loaded(text).sessions[0].duration == read


@pytest.mark.parametrize(("written", "own"), [("30-45分钟", None), ("2小时", "1h")])
def test_how_long_it_lasts_in_words_or_twice_is_a_note(written: str, own: str | None) -> None:
    duration = f"\n  duration: {own}" if own else ""
    text = f"session:\n  session_name: a\n  estimated_duration: {written}{duration}\n  phases: []\n"
    assert loaded(text).sessions[0].duration == own
    assert only(loaded(text).findings, "W196").line == 3
    assert f"# estimated_duration: {written}" in fmt(text)


REFUSED = [
    ("E192", "target_variable", session("- {type: ask, content: 问, target_variable: a, output: [{get: b}]}")),
    (
        "E192",
        "target_variable",
        session(
            "- {type: ask, content: 问, target_variable: a, extraction_prompt: 甲, output: [{get: a, define: 乙}]}"
        ),
    ),
    ("E192", "custom_conditions", session("- {type: ai_ask, content: 问, custom_conditions: [], exit_criteria: {}}")),
    (
        "E192",
        "require",
        session("- {type: ask, content: 问, output: [{get: a, require: 关键, on_failure: {do: skip}}]}"),
    ),
    ("E193", "require", session("- {type: ask, content: 问, output: [{get: a, require: 也许}]}")),
    ("E193", "tolist", session("- {type: ai_think, content: 想, tolist: a, output: [{get: b}]}")),
    (
        "E193",
        "tolist",
        session("- type: ai_think\n  content: 想\n  tolist: a\n  output:\n    - set: b\n      value: 1"),
    ),
    ("E193", "do", session("- if: 1 == 1\n  do:\n    - say: 好")),
    ("E193", "foreach", session("- foreach: 家人\n  do: []")),
    ("E193", "trigger_config", awareness(head="trigger_config: {cooldown_rounds: 3}")),
    ("E193", "python", "forms:\n  - form: a\n    fields: []\n    python: []\n"),
    ("E193", "table", "forms:\n  - table: a\n    rows: []\n"),
    ("E192", "choices", "forms:\n  - form: a\n    fields:\n      - {combobox: b, choices: [], options: []}\n"),
    ("E192", "enable_consciousness", session(phase="enable_consciousness: [a]\nawareness: {disable: [b]}")),
    ("E192", "action", awareness(head="rule_id: a\nconsciousness_id: b\naction: {type: END_SESSION}")),
]


@pytest.mark.parametrize(("code", "key", "text"), REFUSED, ids=[f"{each[1]}-{n}" for n, each in enumerate(REFUSED)])
def test_what_cannot_be_had_here_is_refused_where_it_stands(code: str, key: str, text: str) -> None:
    found = [each for each in loaded(text).findings if each.code == code and f"“{key}”" in each.message.zh]
    assert len(found) == 1
    assert text.split("\n")[found[0].line - 1][found[0].column - 1 :].startswith(key)


def test_a_technique_says_what_may_be_given_to_it_and_what_comes_back() -> None:
    theirs = skill("- ask: 怎样？\n  output: [{get: 感受}]").replace("- skill:", "- topic:")
    call = "- call: 呼吸练习\n  input: [{set: 次数, value: 3}]\n  output: [{set: 后来, value: '{感受}'}]"
    found = loaded(session(call, after=theirs)).skills[0]
    assert [each.name for each in found.parameters] == ["次数"]
    assert found.returns == ["感受"]
    assert not [each for each in linted(session(call + "\n- say: '{后来}'", after=theirs)) if each.stops]


def test_ours_is_left_alone() -> None:
    text = skill("- {type: say, content: 吸气}", head="goal: 放松\ndeclare:\n  - var: 次数")
    assert fmt(text) == text
