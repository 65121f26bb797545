"""``say``: said as it is, placeholders filled, no model."""

from __future__ import annotations

from typing import ClassVar, Literal

from heartrule.engine.action_types import ActionType
from heartrule.engine.session.moves import Moves, Step
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Template
from heartrule.language.nodes.traits import Plan, Traits


class Fields(Action):
    traits: ClassVar[Traits] = Traits(
        says="own",
        model="",
        literal="content",
        plan=Plan(
            new=frozenset({"content"}), changed=frozenset({"content"}), skipped=True, moved=True, shown=("content",)
        ),
    )

    type: Literal["say"]
    content: Template


class Say(ActionType):
    name = "say"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        return Step(say=(fill(work, action.content, to_person=True),), done=True)
        yield ()


SAY = Say()
