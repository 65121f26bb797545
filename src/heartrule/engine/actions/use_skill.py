"""``use_skill``: runs a technique as a temporary topic, now or later."""

from __future__ import annotations

from typing import Literal

from heartrule.language.nodes import Action, ForEach, Json, Node


class Returned(Node):
    get: str
    set: str


class Fields(Action):
    type: Literal["use_skill"]
    skill: str
    input: dict[str, Json] = {}
    output: list[Returned] = []
    for_each: ForEach | None = None
    timing: Literal["now", "before_topic", "after_topic", "after_phase"] = "now"
    to: str | None = None
    resume: Literal["after", "skip"] = "after"
