"""``say``: said as it is, placeholders filled, no model."""

from __future__ import annotations

from typing import Literal

from heartrule.language.nodes import Action, Template


class Fields(Action):
    type: Literal["say"]
    content: Template
