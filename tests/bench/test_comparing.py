"""Edits that are drawn are made, told plainly and told apart; and what readers chose is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench.comparing.__main__ import main
from bench.comparing.items import LETTERS, drawn, wanted
from bench.comparing.kinds import KINDS
from bench.comparing.plain import both
from bench.comparing.scoring import faults, read_answers, scored
from bench.comparing.steps import Insert, Move, Set
from bench.comparing.unchanged import HARMLESS, unchanged

TEXTS = {
    "a.yaml": "skills:\n  - skill: Breathe\n    id: breathe\n    goal: Calm\n    actions:\n"
    "      - {type: say, id: one, content: In}\n      - {type: say, id: two, content: Out}\n"
}
ACTIONS = (0, "skills", 0, "actions")


def item(**more: Any) -> dict[str, Any]:
    hows = dict(zip(LETTERS, ["backwards", "true", "a neighbour", "another field", "another value"], strict=True))
    given = {"id": "001", "answer": "B", "kind": "words of say", "language": "en", "hows": hows, "deeds": 1}
    return {**given, "statements": 1, "same_words": [], "words": [["a.yaml", "it is said"]], **more}


def test_the_kinds_come_to_three_hundred() -> None:
    assert len(wanted()) == 300
    assert {kind: wanted().count(kind) for kind in KINDS} == {kind: number for kind, (number, _) in KINDS.items()}


def test_an_edit_is_told_as_what_stood_there_and_what_stands_there() -> None:
    step = Set("a.yaml", (0, "skills", 0, "goal"), "Rest")
    (line,) = step.lines(TEXTS, "en")
    assert (line.place, line.before, line.after) == (
        "a.yaml › skills › technique Breathe / breathe › goal",
        "“Calm”",
        "“Rest”",
    )
    assert line.backwards().before == "“Rest”"
    assert "goal: Rest" in step.done(TEXTS)["a.yaml"]
    (line,) = Move("a.yaml", (*ACTIONS, 1), ACTIONS, 0).lines(TEXTS, "zh-CN")
    assert (line.before, line.after) == ("动作 say / one; 动作 say / two", "动作 say / two; 动作 say / one")
    (line,) = Insert("a.yaml", ACTIONS, 1, {"type": "say", "id": "x"}).lines(TEXTS, "en")
    assert line.place.endswith("actions, between action say / one and action say / two")
    assert (line.before, line.after) == ("(not there)", "{type: say, id: x}")


def test_of_long_values_what_differs_is_shown() -> None:
    one, other = both("a" * 300 + "x" + "b" * 300, "a" * 300 + "y" + "b" * 300, "en")
    assert one == "…" + "a" * 40 + "x" + "b" * 40 + "…"
    assert other == one.replace("x", "y")


@pytest.mark.parametrize("kind", ["forms", "deleted"])
def test_an_item_is_the_same_every_time_and_its_words_are_of_one_edit_alone(kind: str) -> None:
    number = wanted().index(kind)
    made = drawn(3, number, kind)
    assert made == drawn(3, number, kind)
    assert made.hows.count("true") == 1
    assert len({tuple(lines) for lines in made.candidates}) == len(LETTERS)
    assert made.words
    assert not made.same


def test_what_readers_chose_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = {"items": [item(), item(id="002", language="zh-CN"), item(id="003")], "unchanged": []}
    (tmp_path / "read").mkdir()
    (tmp_path / "read-key").mkdir()
    (tmp_path / "read-key" / "key.json").write_text(json.dumps(key))
    lines = ['{"id": "001", "choice": "B", "note": "long"}', '{"id": "002", "choice": "A", "note": "which way?"}']
    (tmp_path / "read" / "answers-01.jsonl").write_text("\n".join(lines))
    assert main(["score", str(tmp_path / "read")]) == 0
    told = capsys.readouterr().out
    assert "| all | 1 | 3 | 6.1%–79.2% |" in told
    assert "| zh-CN | 0 | 1 |" in told
    assert "002 (words of say, zh-CN): A (backwards), key B" in told
    assert "003 (words of say, en): –, key B" in told
    assert "which way?" in told
    (tmp_path / "read" / "answers-02.jsonl").write_text('{"id": "001", "choice": "C"}')
    with pytest.raises(ValueError, match="answered twice"):
        read_answers(tmp_path / "read")
    with pytest.raises(ValueError, match="no such items: 009"):
        scored({"009": {"id": "009", "choice": "A"}}, key)


def test_what_goes_unsaid_is_a_fault() -> None:
    said = {"how": "spaces", "file": "a.yaml", "said": ["formatting"]}
    assert faults({"items": [item(deeds=2, statements=2)], "unchanged": [said]}) == []
    found = [item(statements=0), item(deeds=3, statements=2), item(same_words=["C"])]
    assert len(faults({"items": found, "unchanged": [{**said, "said": ["changed"]}]})) == 4


def test_texts_that_say_the_same_are_said_to() -> None:
    found = unchanged(3)
    assert len(found) > 40
    assert all(each.said and set(each.said) <= HARMLESS for each in found)
