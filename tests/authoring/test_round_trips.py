"""What other editors have lost on the way through a picture of a text. Each is shown to be lost by a dump of the
changed data, too: a test that a naive writer passes would show nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import yaml
from tests.authoring.material import REGISTRY, shipped_project
from tests.authoring.test_documents import offsets, undone

from heartrule.authoring import project_map
from heartrule.authoring.fields import fields
from heartrule.authoring.operations import operate
from heartrule.authoring.splices import CannotEdit, into, spliced
from heartrule.authoring.workspace import Workspace

TEXT = """\
# Kept above everything.
sessions:
  - session: 'Single quotes'
    id: first   # behind the id


    phases:
      - phase: One
        id: one
        steps:
          - topic: "Double quotes"
            id: hello
            a_key_to_come: {kept: [1, 2]}
            actions:
              # above the action
              - {type: say, id: told, content: 'longer than a writer of eighty columns would have left it in one'}
              - type: use_skill
                id: call
                skill: not_there_yet
              - &shared
                type: say
                id: anchored
                content: |-
                  Lines,
                  as they are.
              - type: show_form
                id: form
                form: elsewhere/unknown
"""
TOPIC = [0, "sessions", 0, "phases", 0, "steps", 0]
Edit = Callable[[str, list[Any], Any], str]


def ours(text: str, path: list[Any], value: Any) -> str:
    made = operate(
        Workspace({"a.yaml": text}, REGISTRY, shipped_project),
        {"file": "a.yaml", "operation": {"kind": "set", "path": path, "value": value}},
    )
    return spliced(text, offsets(text, made["edit"]["changes"].get("a.yaml", [])))


def naive(text: str, path: list[Any], value: Any) -> str:
    """The data, changed and written anew; what it does not know is left out."""
    try:
        documents = [yaml.safe_load(text)]
    except yaml.YAMLError:
        return ""
    into(documents, tuple(path[:-1]))[path[-1]] = value
    for action in into(documents, tuple(TOPIC))["actions"]:
        if action.get("skill") == "not_there_yet" or "form" in action:
            action.pop("skill", None)
            action["form"] = ""
    into(documents, tuple(TOPIC)).pop("a_key_to_come", None)
    return str(yaml.safe_dump(documents[0], allow_unicode=True, width=80))


def opened(edit: Edit) -> str:
    """Looked at in every way, and one name changed."""
    if edit is ours:
        workspace = Workspace({"a.yaml": TEXT}, REGISTRY, shipped_project)
        for node in project_map.mapped(workspace.now)["nodes"]:
            fields(workspace.now, node["file"], tuple(node["path"]), REGISTRY, "en")
        assert workspace.texts["a.yaml"] == TEXT
    return edit(TEXT, [*TOPIC, "topic"], "Another")


def comments_stay(edit: Edit) -> None:
    after = opened(edit)
    assert all(each in after for each in ("# Kept above everything.", "# behind the id", "# above the action"))


def quotes_and_widths_stay(edit: Edit) -> None:
    after = opened(edit)
    assert "session: 'Single quotes'" in after
    assert 'topic: "Another"' in after
    assert max(map(len, after.split("\n"))) == max(map(len, TEXT.split("\n")))
    assert "\n\n\n" in after


def unknown_keys_stay(edit: Edit) -> None:
    assert "a_key_to_come: {kept: [1, 2]}" in opened(edit)


def unresolved_references_stay(edit: Edit) -> None:
    after = opened(edit)
    assert "skill: not_there_yet" in after
    assert "form: elsewhere/unknown" in after


def anchors_and_block_texts_stay(edit: Edit) -> None:
    after = opened(edit)
    assert "- &shared\n" in after
    assert "content: |-\n                  Lines,\n" in after


def what_is_undone_is_the_first_text(edit: Edit) -> None:
    after = edit(TEXT, [*TOPIC, "topic"], "Another")
    assert edit(after, [*TOPIC, "topic"], "Double quotes") == TEXT


def invalid_text_is_not_wiped(edit: Edit) -> None:
    """A part is broken: the rest is edited, the part stays."""
    broken = TEXT.replace("skill: not_there_yet", "skill: [not: {there")
    after = edit(broken, [*TOPIC, "topic"], "Another")
    assert "skill: [not: {there" in after
    assert after == broken.replace("Double quotes", "Another")


FAULTS = [
    comments_stay,
    quotes_and_widths_stay,
    unknown_keys_stay,
    unresolved_references_stay,
    anchors_and_block_texts_stay,
    what_is_undone_is_the_first_text,
    invalid_text_is_not_wiped,
]


@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_not_lost(fault: Callable[[Edit], None]) -> None:
    fault(ours)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_dump_of_the_data_loses_it(fault: Callable[[Edit], None]) -> None:
    with pytest.raises(AssertionError):
        fault(naive)


def test_an_undo_misses_no_part_of_an_edit_in_several_places() -> None:
    workspace = Workspace({"a.yaml": TEXT}, REGISTRY, shipped_project)
    asked = {"kind": "move", "path": [*TOPIC, "actions", 0], "to": [*TOPIC, "actions"], "index": 2}
    edits = operate(workspace, {"file": "a.yaml", "operation": asked})["edit"]["changes"]["a.yaml"]
    assert len(edits) == 2
    splices = offsets(TEXT, edits)
    after = spliced(TEXT, splices)
    assert after != TEXT
    assert spliced(after, undone(TEXT, splices)) == TEXT


def test_what_is_broken_can_itself_be_neither_moved_nor_copied() -> None:
    broken = TEXT.replace("skill: not_there_yet", "skill: [not: {there")
    workspace = Workspace({"a.yaml": broken}, REGISTRY, shipped_project)
    (locked,) = project_map.mapped(workspace.now)["locked"]
    assert locked["text"].startswith("              - type: use_skill")
    for kind in ("duplicate", "delete"):
        with pytest.raises(CannotEdit):
            operate(workspace, {"file": "a.yaml", "operation": {"kind": kind, "path": [0, "sessions", 0]}})


def test_actions_become_a_technique_with_their_comments() -> None:
    workspace = Workspace({"a.yaml": TEXT}, REGISTRY, shipped_project)
    asked = {
        "kind": "extract_to_technique",
        "path": [*TOPIC, "actions"],
        "first": 0,
        "last": 0,
        "id": "telling",
        "name": "Telling",
        "goal": "To tell",
    }
    edits = operate(workspace, {"file": "a.yaml", "operation": asked})["edit"]["changes"]["a.yaml"]
    after = spliced(TEXT, offsets(TEXT, edits))
    assert after.index("skill: telling") < after.index("skill: not_there_yet") < after.index("skills:")
    assert after.index("skills:") < after.index("# above the action") < after.index("id: told")
    workspace.write("a.yaml", after)
    assert not [each for each in workspace.now.findings if "telling" in str(each)]
