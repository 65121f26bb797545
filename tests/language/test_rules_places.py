"""What is never run, and what cannot be seen, because of where it stands."""

from __future__ import annotations

import pytest
from tests.language.material import SAY, linted, session, skill

CALL = "- {type: use_skill, skill: 呼吸练习%s}"
LATER = f"\n{SAY}\n{SAY}"


def found(text: str, code: str) -> list[int]:
    return [each.line for each in linted(text) if each.code == code]


@pytest.mark.parametrize(
    ("rest", "skips"),
    [
        (", resume: skip", True),
        (", timing: now, resume: skip", True),
        (", timing: NOW", True),
        ("", False),
        (", timing: now", False),
        (", timing: BEFORE_GOAL", False),
        (", timing: after_topic", False),
        (", timing: NOW, condition: 1 == 1", False),
        (", timing: NOW, for_each: {in: 家人, as: 人}", False),
    ],
)
def test_what_stands_behind_a_call_that_skips_the_rest(rest: str, skips: bool) -> None:
    text = session(CALL % rest + LATER) + skill()
    calls = [number for number, line in enumerate(text.splitlines(), 1) if "use_skill" in line]
    assert found(text, "W427") == ([calls[0] + 1] if skips else [])
    assert found(session(SAY + "\n" + CALL % rest) + skill(), "W427") == []
    in_skill = session() + skill(CALL % rest + LATER, name="另一个") + skill().removeprefix("skills:\n")
    assert len(found(in_skill, "W427")) == skips


DECLARED = "declare:\n  - {var: 分, type: number%s}"
ASK = "- {type: ask, content: 多少？, output: [{get: 分}]}"


@pytest.mark.parametrize(
    ("scope", "seen"),
    [(", scope: topic", False), (", scope: topic, value: 3", True), (", scope: session", True), ("", True)],
)
@pytest.mark.parametrize(
    ("phase", "topic"),
    [
        ("condition: 分 <= 60", ""),
        ("transitions:\n  - {to: end, condition: 分 <= 60}", ""),
        ("", "condition: 分 <= 60"),
    ],
)
def test_a_condition_outside_of_the_topics_sees_no_variable_of_a_topic(
    scope: str, seen: bool, phase: str, topic: str
) -> None:
    text = session(ASK, head=DECLARED % scope, phase=phase, topic=topic)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if "<= 60" in line]
    assert found(text, "W428") == ([] if seen else lines)


@pytest.mark.parametrize(
    "topic",
    ["done_when: 分 <= 60", "repeat: {until: 分 <= 60, max: 3}", "transitions:\n  - {to: end, condition: 分 <= 60}"],
)
def test_a_condition_of_a_topic_s_end_sees_its_variables(topic: str) -> None:
    assert found(session(ASK, head=DECLARED % ", scope: topic", topic=topic), "W428") == []


def test_the_nearest_declaration_counts() -> None:
    text = session(
        ASK, head=DECLARED % ", scope: topic", phase="declare:\n  - {var: 分, scope: phase}\ncondition: 分 < 6"
    )
    assert found(text, "W428") == []
