"""What can never hold or is never given, wherever in a script it stands."""

from __future__ import annotations

import pytest
from tests.language.material import SAY, at, awareness, linted, only, session, skill

SCALE = "global:\n  - {var: 强度, type: integer, range: [1, 10], scope: session, value: 5}\n"
FORM = """forms:
  - form: 小量表
    id: small
    audience: client
    fields:
      - {id: q9, label: 念头, type: single, options: [{value: 0, label: 没有}, {value: 1, label: 有}]}
      - {id: q2, label: 几次, type: integer}
    on_answer:
      - {field: %s, if: %s, directive: CALL_TECHNIQUE, technique: 呼吸练习}
"""


@pytest.mark.parametrize(("written", "holds"), [("强度 > 12", False), ("强度 > 8", True), ("12 < 强度", False)])
def test_a_transition_of_a_phase(written: str, holds: bool) -> None:
    text = session(SAY, phase=f"transitions:\n  - {{to: end, condition: '{written}'}}") + SCALE
    assert [each.code for each in linted(text)] == ([] if holds else ["W253"])


def test_a_transition_of_a_phase_sees_no_declaration_of_its_topics() -> None:
    own = "declare: [{var: 强度, type: integer, range: [1, 3], value: 2}]"
    phase = "transitions:\n  - {to: end, condition: 强度 > 8}"
    assert "W253" not in [each.code for each in linted(session(SAY, phase=phase, topic=own) + SCALE)]


@pytest.mark.parametrize(("written", "holds"), [("强度 > 12", False), ("强度 > 8", True)])
def test_a_condition_of_awareness(written: str, holds: bool) -> None:
    text = (
        session()
        + awareness("- {directive: FEEDBACK, text: 慢}", head="always: true\npriority: P1\nat: [topic_end]").replace(
            "{judge: 来访者是否在抗拒}", written
        )
        + SCALE
    )
    assert [each.code for each in linted(text)] == ([] if holds else ["W253"])


@pytest.mark.parametrize(
    ("field", "written", "holds"),
    [("q9", "q9 > 1", False), ("q9", "q9 == 2", False), ("q9", "q9 >= 1", True), ("q2", "q2 > 99", True)],
)
def test_what_happens_on_an_answer(field: str, written: str, holds: bool) -> None:
    text = FORM % (field, written) + skill()
    assert at(linted(text)) == ([] if holds else [("E299", 9)])


def test_a_technique_on_an_answer_is_given_what_it_requires() -> None:
    text = FORM % ("q9", "q9 > 0") + skill(head="parameters: [{name: 名字, required: true}]")
    found = only(linted(text), "E214")
    assert found.line == 9
    given = text.replace("技术: 呼吸练习", "").replace("technique: 呼吸练习", "technique: 呼吸练习, params: {名字: 你}")
    assert linted(given) == []


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ("on_timeout: continue", ["W274"]),
        ("timeout: 10m, on_timeout: continue", []),
        ("output: [{get: 称呼, on_failure: {do: default}}]", ["W274"]),
        ("output: [{get: 称呼, on_failure: {do: default, default: 你}}]", []),
        ("output: [{get: 称呼, on_failure: {do: skip}}]", []),
        ("output: [{get: 称呼}, {get: 称呼}]", ["W277"]),
        ("output: [{get: 称呼}, {get: 小名}]", []),
    ],
)
def test_what_an_action_says_by_half_or_twice(keys: str, found: list[str]) -> None:
    assert [each.code for each in linted(session(f"- {{type: ask, content: 怎么称呼？, {keys}}}"))] == found


@pytest.mark.parametrize(("order", "found"), [("SET_VAR, var: 强渡", "W275"), ("SET_VAR, var: 强度", None)])
def test_what_awareness_sets(order: str, found: str | None) -> None:
    watch = awareness(f"- {{directive: {order}, value: 3}}", head="always: true\npriority: P1\nat: [topic_end]")
    told = linted(session() + watch + SCALE)
    assert [each.code for each in told] == ([found] if found else [])
    assert all(each.mend is not None and not each.mend.safe for each in told)


@pytest.mark.parametrize(("length", "found"), [("一会儿", ["W278"]), ("30 分钟", ["W425"]), ("30m", []), ("1h30m", [])])
def test_how_long_a_session_is(length: str, found: list[str]) -> None:
    assert [each.code for each in linted(session(head=f"duration: {length}"))] == found


def test_a_range_the_wrong_way_round_is_told_once() -> None:
    assert [each.code for each in linted(session() + SCALE.replace("[1, 10]", "[10, 1]"))] == ["E224"]
