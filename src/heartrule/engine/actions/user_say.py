"""``user_say``: a suggested line that the person presses to go on."""

from __future__ import annotations

from typing import Literal

from heartrule.language.nodes import Action, Template


class Fields(Action):
    type: Literal["user_say"]
    content: Template
