"""What lint says of when awareness scripts watch, and of what they may order."""

from __future__ import annotations

import pytest
from tests.language.material import at, awareness, checked, codes, linted, session
from tests.table import tabled

P1 = "priority: P1\nalways: true\n"
SLOW = "- {directive: FEEDBACK, text: 慢一点}"


def head(*lines: str) -> str:
    return P1 + "\n".join(lines)


@pytest.mark.parametrize(
    "hook_point",
    ["topic_start", "topic_end", "before ai_ask", "after ai_ask", "before  say", "after use_skill", "before show_form"],
)
def test_hook_points_there_are(hook_point: str) -> None:
    assert codes(linted(awareness(SLOW, head=head(f"at: [{hook_point}]")))) == []


@pytest.mark.parametrize("hook_point", ["topic", "start", "before", "before asks", "during ask", "after", "''"])
def test_hook_points_there_are_not(hook_point: str) -> None:
    found = linted(awareness(SLOW, head=head(f"at: [topic_end, {hook_point}]")))
    assert at(found) == [("E260", 5)]


def test_the_nearest_hook_point_is_named() -> None:
    (found,) = linted(awareness(SLOW, head=head("at: [before ai_aks]")))
    assert "before ai_ask" in found.hint.zh
    assert "before ai_ask" in found.hint.en


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["priority: P1"], [("E261", 3)]),
        (["priority: P2"], [("E261", 3)]),
        (["priority: P1", "every: 5m"], [("E261", 3), ("W263", 4)]),
        (["priority: P2", "every: 5m", "at: [topic_end]"], [("W263", 5)]),
        (["priority: P2", "every: 5m", "strict: true"], [("W263", 5)]),
        (["priority: P0", "strict: true"], [("W263", 4)]),
        (["priority: P2", "every: 6 turns"], []),
        (["priority: P1", "at: [topic_end]", "strict: true"], []),
    ],
)
def test_when_a_script_watches_belongs_to_its_priority(lines: list[str], expected: list[tuple[str, int]]) -> None:
    found = linted(awareness(SLOW, head="\n".join([*lines, "always: true"])))
    assert sorted(at(found)) == expected


@pytest.mark.parametrize("text", ["3 turns", "1 turn", "10m", "30s", "2h"])
@pytest.mark.parametrize("key", ["cooldown", "expires"])
def test_lengths_that_can_be_read(key: str, text: str) -> None:
    written = f"{key}: {text}" if key == "cooldown" else f"expires: {{after: {text}}}"
    found = linted(awareness(SLOW, head=head("at: [topic_end]", written)))
    assert codes(found) == (["E262"] if key == "expires" and "turn" in text else [])


@tabled("text", ["三轮", "0 turns", "3 rounds", "10", "25h", "soon"])
@tabled("key", ["cooldown", "every", "after"])
def test_lengths_that_cannot(key: str, text: str) -> None:
    line = f"expires: {{after: '{text}'}}" if key == "after" else f"{key}: '{text}'"
    lines = ["priority: P2", *([] if key == "every" else ["every: 5m"]), line, "always: true"]
    assert codes(linted(awareness(SLOW, head="\n".join(lines)))) == ["E262"]


def test_an_expiry_is_read_by_code() -> None:
    plain = "expires: {condition: session.elapsed > 60, times: 2}"
    assert codes(linted(awareness(SLOW, head=head("at: [topic_end]", plain)))) == []
    for asks in ("{judge: 好些了吗}", "{any: [session.elapsed > 60, {judge: 好些了吗}]}"):
        found = linted(awareness(SLOW, head=head("at: [topic_end]", f"expires: {{condition: {asks}}}")))
        assert codes(found) == ["E265"]


@pytest.mark.parametrize("times", ["0", "-1", "often"])
def test_times_are_counted_from_one(times: str) -> None:
    found = linted(awareness(SLOW, head=head("at: [topic_end]", f"expires: {{times: {times}}}")))
    assert {each.code for each in found} <= {"E103", "E105"}
    assert found


CONDITIONS = [
    "session.elapsed > 60",
    "{all: [session.elapsed > 60, {judge: 来访者是否累了}]}",
    "{any: [{judge: 来访者是否累了, threshold: 0.7}, {not: {judge: 来访者是否愿意}}]}",
]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("priority", ["P0", "P1", "P2"])
def test_only_p0_has_to_ask(priority: str, condition: str) -> None:
    when = {"P0": "", "P1": "    at: [topic_end]\n", "P2": "    every: 5m\n"}[priority]
    text = (
        f"awareness:\n  - awareness: 累了\n    priority: {priority}\n    always: true\n{when}"
        f"    condition: {condition}\n    then:\n      {SLOW}\n"
    )
    assert codes(linted(text)) == (["E264"] if priority == "P0" else [])


def test_what_a_project_does_not_allow_is_told() -> None:
    end = awareness("- {directive: END_SESSION}", head=head("at: [topic_end]"))

    def told(project: str, script: str = end) -> list[str]:
        return [each.code for each in checked({"project.yaml": project, "a.yaml": script})]

    assert told("id: a\n") == ["W266"]
    assert told("id: a\ndirectives: [END_SESSION]\n") == []
    assert told("id: a\ndirectives: []\n", awareness(SLOW, head=head("at: [topic_end]"))) == ["W266"]
    assert told("id: a\ndirectives: [FEEDBACK]\n", awareness("- {directive: END_SESSION}")) == [], "P0 may"
    assert told("id: a\ndirectives: [STOP]\n") == ["E104"] or "E104" in told("id: a\ndirectives: [STOP]\n")


@pytest.mark.parametrize("kind", ["ENABLE", "DISABLE"])
def test_a_script_that_is_switched_by_another_one_is_there(kind: str) -> None:
    order = f"- {{directive: {kind}, awareness: 抗据}}"
    (found,) = linted(awareness(order, head=head("at: [topic_end]")))
    assert found.code == "E204"
    assert "抗拒" in found.hint.zh


def test_what_is_switched_on_by_another_script_is_not_asleep() -> None:
    one = awareness("- {directive: ENABLE, awareness: 疲劳}", head=head("at: [topic_end]"))
    other = (
        "  - awareness: 疲劳\n    priority: P2\n    every: 5m\n    condition: {judge: 累了吗}\n    then:\n      " + SLOW
    )
    assert codes(linted(session() + one + other + "\n")) == []
    assert "W236" in codes(linted(session() + one.replace("ENABLE", "DISABLE") + other + "\n"))
