"""Whatever a file holds, reading it never fails: there are nodes, or findings with a place, or both."""

from __future__ import annotations

import json
import string

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.language.material import ACTIONS, awareness, session, skill
from tests.table import tabled

from heartrule.language.findings import Finding
from heartrule.language.findings.report import report
from heartrule.language.linting.rules import check
from heartrule.language.projects.project import load_texts
from heartrule.language.spellings import KEYS as SPELLINGS

CALM = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])

GOOD = (
    session(
        """
        - type: ai_say
          id: hello
          content: |
            讲一讲呼吸。
            【要点】
            1. 慢
          fallback: "{称呼}，慢慢吸气。"
          max_rounds: 5
          exit_criteria:
            understanding_threshold: 80
            has_questions: false
            custom_conditions: [{variable: 情绪, operator: ">=", value: 3}]
        - type: ai_ask
          content: 问情绪
          question: 几分？
          condition: {all: [情绪 == null, {not: {judge: 是否不愿意, default: false}}]}
          output:
            - {get: 情绪, type: integer, range: [0, 10], on_failure: {do: reask, max: 2}}
            - {set: 问过, value: true}
        - type: use_skill
          skill: 呼吸练习
          input: {次数: 3}
          output: [{get: 感受, set: 心情}]
        - type: user_option
          var: 选择
          choices: [{value: a, label: 继续}, {value: b, label: 停下}]
        - type: set_var
          var: 总分
          expr: 情绪 + 1
        """,
        head="id: first\nlocale: zh-CN\ndeclare:\n  - {var: 称呼, value: 小明}\n  - {var: 情绪, type: integer}",
        topic="""
        repeat: {until: 问过 == true, max: 3}
        transitions:
          - {to: end, condition: 总分 > 3 and 心情 != '好'}
        """,
    )
    + skill(
        '- {type: set_var, var: 感受, value: "做了{次数}次"}',
        head="parameters: [{name: 次数, required: true}]\nreturns: [感受]",
    )
    + awareness()
    + "global:\n  - {var: 年龄, type: integer, value: 30, rules: [{pattern: '(\\d+)岁'}]}\n"
)


def whole(text: str | bytes) -> list[Finding]:
    """Read, check and tell: everything that a file goes through."""
    project = load_texts({"script.yaml": text}, ACTIONS)
    found = [*project.findings, *check(project, {project.id: project}.get)]
    lines = (text if isinstance(text, str) else text.decode("utf-8", "replace")).count("\n") + 1
    for each in found:
        assert each.file == "script.yaml"
        assert 1 <= each.line <= lines + 1, each
        assert each.column >= 1, each
        assert each.message.zh, each
        assert each.message.en, each
        assert len(each.message.zh) < 400, each
    for form in ("text", "json", "sarif"):
        assert isinstance(report(found, form, "en"), str)
    return found


def test_the_good_script_is_good() -> None:
    assert whole(GOOD) == []


@CALM
@given(st.text(max_size=400))
@example("\ufeff")
@example("\x00")
@example("\ud800")
@example("a: \x85\u2028b\n\tc: {")
@example("---\n---\n...\n%YAML 1.1\n---\n")
@example("? {a: b}\n: c\n? [d]\n: e\n")
@example("- - - - -\n")
@example("sessions: *a\n")
def test_any_text(text: str) -> None:
    whole(text)


@CALM
@given(st.binary(max_size=400))
@example(b"\xff\xfe\x00\x00")
@example(b"\xef\xbb\xbfsessions:\n")
@example(b"a: \xc3\x28")
def test_any_bytes(raw: bytes) -> None:
    whole(raw)


SIGNS = "{}[],:-#&*!|>'\"%@`?\n\t ：，。～"
PIECES = (
    *("  ", "\n  - ", "\n    ", ": ", "- ", "---\n", "sessions:", "actions:", "type: say", "condition: ", "judge"),
    *("{风险} >= 3", "&a ", "*a", "!tag ", "|\n  ", ">-\n ", "~", "0x1F", "1e9"),
)
YAMLISH = st.lists(st.sampled_from([*SIGNS, *PIECES]), max_size=60).map("".join)


@CALM
@given(YAMLISH)
def test_text_that_looks_like_yaml(text: str) -> None:
    whole(text)


@CALM
@given(YAMLISH, st.integers(0, len(GOOD)))
def test_noise_inside_of_a_good_script(noise: str, where: int) -> None:
    whole(GOOD[:where] + noise + GOOD[where:])


@CALM
@given(st.integers(0, len(GOOD)), st.integers(0, 40))
def test_a_good_script_with_a_piece_missing(start: int, length: int) -> None:
    whole(GOOD[:start] + GOOD[start + length :])


@CALM
@given(st.integers(0, GOOD.count("\n")), st.integers(0, GOOD.count("\n")), st.integers(-4, 4))
def test_a_good_script_with_a_line_moved(source: int, target: int, shift: int) -> None:
    lines = GOOD.split("\n")
    line = lines.pop(source)
    line = " " * shift + line if shift > 0 else line[-shift:] if line[:-shift].isspace() else line
    lines.insert(min(target, len(lines)), line)
    whole("\n".join(lines))


NUMBERS = st.integers(-3, 10**20) | st.floats(allow_nan=False, allow_infinity=False)
WORDS = st.text(string.ascii_lowercase, max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
KEYS = sorted(
    {key for keys in SPELLINGS.values() for key in keys}
    | {key for fields in ACTIONS.values() for key in fields.model_fields}
    | {"phase", "phases", "steps", "topic", "declare", "var", "transitions", "to", "repeat", "for_each", "get", "set"}
)


@CALM
@given(st.sampled_from(KEYS), VALUES, st.integers(0, GOOD.count("\n") - 1))
def test_any_key_with_any_value_anywhere(key: str, value: object, where: int) -> None:
    lines = GOOD.split("\n")
    indent = len(lines[where]) - len(lines[where].lstrip(" -"))
    lines.insert(where + 1, " " * indent + f"{key}: {json.dumps(value)}")
    whole("\n".join(lines))


@CALM
@given(
    st.lists(
        st.sampled_from(["say", "ai_say", "ai_ask", "use_skill", "set_var", "think", "ai_pic", "x", ""]), max_size=4
    ),
    VALUES,
)
def test_actions_of_any_shape(kinds: list[str], value: object) -> None:
    actions = json.dumps([{"type": kind, "content": value, "output": value, "skill": value} for kind in kinds])
    whole(f"sessions: [{{session: a, phases: [{{phase: b, steps: [{{topic: c, actions: {actions}}}]}}]}}]")


@tabled("depth", [10, 59, 60, 61, 100, 5_000])
@tabled(("opening", "closing"), [("[", "]"), ("{a: ", "}"), ("- ", "")])
def test_depth(depth: int, opening: str, closing: str) -> None:
    found = whole("sessions: " + opening * depth + "x" + closing * depth if closing else opening * depth + "x")
    assert found
