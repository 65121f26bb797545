"""What a panel is told of a field: with what it is edited, and what things in it are called."""

from __future__ import annotations

from typing import Any

from tests.authoring.material import REGISTRY, alone

from heartrule.authoring.fields import fields

FORM = """\
forms:
  - form: 睡眠
    id: sleep
    fields:
      - {id: q1, label: 睡得好吗, type: single, options: [{value: true, label: 好}, {value: 没有, label: 没有}]}
"""


def panel(text: str, path: tuple[Any, ...], lang: str = "zh-CN") -> dict[str, Any]:
    """Its fields by key."""
    told = fields(alone(session=text).now, "session.yaml", path, REGISTRY, lang)
    return {each["key"]: each for each in told["fields"]}


def test_a_value_that_may_be_words_a_number_or_a_truth_is_written_and_not_ticked() -> None:
    questions = {each["key"]: each for each in panel(FORM, (0, "forms", 0))["fields"]["item"]["fields"]}
    options = {each["key"]: each for each in questions["options"]["item"]["fields"]}
    assert options["value"]["control"] == "plain"
    assert questions["required"]["control"] == "boolean"


def test_what_is_missing_is_told_at_the_field_that_is_to_be_filled_in() -> None:
    text = "skills:\n  - skill: 练习\n    id: practice\n    goal: 练\n    actions:\n      - {type: say, id: a}\n"
    shown = panel(text, (0, "skills", 0, "actions", 0))
    assert {key: [each["code"] for each in own["findings"]] for key, own in shown.items() if own["findings"]} == {
        "content": ["E102"]
    }


def test_scripts_of_the_safety_project_have_their_names_to_choose_by() -> None:
    text = "sessions:\n  - session: 睡眠\n    id: sleep\n    phases: []\n"
    awareness = panel(text, (0, "sessions", 0))["awareness"]
    assert awareness["named"]["safety/suicide_risk"] == "自杀与自伤风险"
    assert set(awareness["named"]) <= set(awareness["options"])


def test_a_label_that_may_be_said_by_language_is_a_line_to_write() -> None:
    text = "sessions:\n  - session: 睡眠\n    id: sleep\n    phases: []\n"
    takeaway = {each["key"]: each for each in panel(text, (0, "sessions", 0))["summary"]["item"]["fields"]}
    assert takeaway["label"]["control"] == "line"
