"""``say``: said as it is, placeholders filled, no model."""

from __future__ import annotations

from typing import Literal

from heartrule.engine.actions.base import ActionType, Moves, Step
from heartrule.engine.calling.prompting import fill
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Template


class Fields(Action):
    type: Literal["say"]
    content: Template


class Say(ActionType):
    name = "say"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        return Step(say=(fill(work, action.content, to_person=True),), done=True)
        yield ()


SAY = Say()
