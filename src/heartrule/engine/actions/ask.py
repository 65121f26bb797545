"""``ask``: one literal question, one answer."""

from __future__ import annotations

from typing import Literal

from heartrule.language.nodes import Action, Get, Set, Template


class Fields(Action):
    type: Literal["ask"]
    content: Template
    output: list[Get | Set] = []
