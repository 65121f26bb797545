"""``ai_think``: the model works something out; nothing is shown."""

from __future__ import annotations

from typing import Literal

from heartrule.language.nodes import Action, Get, Json, Node, Set, Template


class Decide(Node):
    var: str
    options: list[Json]
    default: Json


class Fields(Action):
    type: Literal["ai_think"]
    content: Template
    input: list[str] = []
    output: list[Get | Set] = []
    decide: Decide | None = None
