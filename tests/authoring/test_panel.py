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
