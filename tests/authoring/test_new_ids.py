"""New items have names of their own, however often the same one is put in."""

from __future__ import annotations

from typing import Any

import pytest
from tests.authoring.material import alone

from heartrule.authoring.operations import operate
from heartrule.authoring.splices import parse_cached
from heartrule.authoring.workspace import Workspace
from heartrule.workbench.blocks import blocks

SESSION = """\
sessions:
  - session: 睡眠
    id: sleep
    declare:
      - {var: 回答, type: text, define: 说了什么}
    phases:
      - phase: 开场
        id: opening
        steps:
          - topic: 问好
            id: greet
            actions:
              - {type: say, id: hello, content: 你好。}
          - topic: 再见
            id: bye
            actions:
              - {type: say, id: end, content: 再见。}
"""
TECHNIQUE = """\
skills:
  - skill: 新的技术
    id: new_technique
    goal: 练
    actions:
      - {type: say, id: say_something, content: 好。}
"""
STEPS = [0, "sessions", 0, "phases", 0, "steps"]
LISTS: dict[str, list[Any]] = {
    "phase": [*STEPS[:-3], "phases"],
    "topic": STEPS,
    "action": [*STEPS, 0, "actions"],
    "technique": [0, "skills"],
    "awareness": [0, "awareness"],
    "form": [0, "forms"],
    "variable": [0, "sessions", 0, "declare"],
    "session": [0, "sessions"],
}


def put_in(workspace: Workspace, path: list[Any], item: Any, index: int = 0) -> Any:
    """What is there then."""
    operation = {"kind": "insert", "path": path, "index": index, "item": item}
    answer = operate(workspace, {"file": "session.yaml", "operation": operation})
    text = workspace.texts["session.yaml"]
    for edit in reversed(answer["edit"]["changes"]["session.yaml"]):
        start, end = (_offset(text, edit["range"][side]) for side in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    workspace.write("session.yaml", text)
    data: Any = parse_cached(text).documents
    for part in answer["select"]:
        data = data[part]
    return data


def _offset(text: str, at: dict[str, int]) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: at["line"]]) + at["character"]


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("block", blocks(), ids=lambda block: str(block.id))
def test_each_block_can_be_put_in_again_and_again(block: Any, locale: str) -> None:
    workspace = alone(session=SESSION, technique=TECHNIQUE)
    item = block.item(locale)
    made = [put_in(workspace, LISTS[block.accepts], item) for _ in range(3)]
    twice = [each for each in workspace.now.findings if each.code in ("E201", "W231")]
    assert twice == []
    key = "var" if block.accepts == "variable" else "id"
    assert len({each[key] for each in made}) == 3


def test_a_new_technique_is_another_one_than_that_of_another_file() -> None:
    block = next(each for each in blocks() if each.id == "technique")
    workspace = alone(session=SESSION, technique=TECHNIQUE)
    made = put_in(workspace, [0, "skills"], block.item("zh"))
    assert (made["id"], made["skill"]) == ("new_technique_2", "新的技术 2")


def test_steps_are_told_apart_in_the_whole_project_and_named_plainly_where_nothing_has_the_name() -> None:
    workspace = alone(session=SESSION)
    item = "type: say\nid: say_something\ncontent: 好。\n"
    made = [put_in(workspace, [*STEPS, number, "actions"], item)["id"] for number in (0, 1, 1)]
    assert made == ["say_something", "say_something_2", "say_something_3"]


def test_questions_of_a_form_are_told_apart_within_it_and_go_on_counting() -> None:
    block = next(each for each in blocks() if each.id == "form")
    workspace = alone(session=SESSION)
    put_in(workspace, [0, "forms"], block.item("zh"))
    put_in(workspace, [0, "forms"], block.item("zh"))
    item = {"id": "q1", "label": "还有？", "type": "text"}
    assert [put_in(workspace, [0, "forms", each, "fields"], item, 2)["id"] for each in (0, 1, 1)] == ["q3", "q3", "q4"]


def test_what_an_item_says_of_its_own_parts_goes_on_meaning_them() -> None:
    workspace = alone(session=SESSION)
    item = """\
phase: 再谈
id: again
steps:
  - topic: 甲
    id: greet
    transitions: [{to: bye}]
    actions: [{type: say, id: a, content: 甲。}]
  - topic: 乙
    id: bye
    actions: [{type: say, id: b, content: 乙。}]
"""
    made = put_in(workspace, LISTS["phase"], item, 1)
    assert [each["id"] for each in made["steps"]] == ["greet_2", "bye"]
    assert made["steps"][0]["transitions"] == [{"to": "bye"}]
