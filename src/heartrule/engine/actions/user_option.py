"""``user_option``: the person picks one of the choices."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heartrule.language.nodes import Action, Json, Node, Template


class Option(Node):
    value: Json
    label: Template


class Fields(Action):
    type: Literal["user_option"]
    var: str
    choices: list[Option] = Field(min_length=1, max_length=50)
