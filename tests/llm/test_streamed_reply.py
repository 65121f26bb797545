"""Every reply that is said to a person can be read while it is being written, in the order in which its schema asks."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from heartrule.engine.session.tasks import Task
from heartrule.llm.streamed_reply import StreamedReply
from heartrule.testing.talk import shipped
from heartrule.testing.walk import walk

SCRIPTS = ("cbt/first_assessment", "cbt/abc_intro", "cbt/abc_intro_en")


TEMPLATES = ("ai_ask", "ai_ask_open", "ai_say", "ai_say_open", "stretch")
"""Those that speak."""


@cache
def spoken() -> dict[str, Task]:
    """One task of each template that speaks."""
    return {each.task.template: each.task for script in SCRIPTS for each in walk(shipped(script)) if each.task.speaks}


def answered(task: Task, content: str) -> str:
    """All that the schema names, in its order."""
    properties: dict[str, Any] = dict(task.schema["properties"])
    found = {name: content if name == "content" else filled(shape) for name, shape in properties.items()}
    return json.dumps(found, ensure_ascii=False)


def filled(shape: dict[str, Any]) -> Any:
    if "enum" in shape:
        return shape["enum"][0]
    empty = {"object": {}, "array": [], "string": "有", "integer": 1, "number": 1, "boolean": True}
    return empty[shape.get("type", "string")]


def test_these_are_all() -> None:
    assert spoken().keys() == set(TEMPLATES)


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_first_sentence_is_there_before_the_second(template: str) -> None:
    task = spoken()[template]
    first, second = ("听起来很不容易。", "我们慢慢说。")
    if task.context.locale.startswith("en"):
        first, second = "That sounds hard. ", "Let us take our time."
    whole = answered(task, first + second)
    streamed = StreamedReply(task)
    before, _, behind = whole.partition(second)
    streamed.hear(before + second[:3])
    assert streamed.head is not None, "what it decides stands before its words"
    assert streamed.ready == first.strip()
    streamed.hear(second[3:] + behind)
    assert streamed.ready == (first + second).strip()


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_last_sentence_does_not_wait_for_what_stands_behind_it(template: str) -> None:
    task = spoken()[template]
    only = "That sounds hard." if task.context.locale.startswith("en") else "听起来很不容易。"
    before, _, behind = answered(task, only).partition(only)
    streamed = StreamedReply(task)
    streamed.hear(before + only + behind[:4])
    assert streamed.ready == only


def test_a_decision_that_is_missing_before_the_words_is_waited_for() -> None:
    """What decides whether the words are said at all may not come after them."""
    streamed = StreamedReply(spoken()["ai_ask"])
    streamed.hear('{"values": {}, "content": "听起来很不容易。我们慢慢说。", "EXIT": "NO", "exit_reason": "有"}')
    assert streamed.head is None
    assert streamed.ready == ""
