"""``user_say``: a suggested line that the person presses to go on."""

from __future__ import annotations

from typing import Literal

from heartrule.engine.actions.base import ActionType, Heard, Moves, Step
from heartrule.engine.prompting import fill
from heartrule.engine.state import Choice
from heartrule.engine.tasks import Answer
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Template


class Fields(Action):
    type: Literal["user_say"]
    content: Template


class UserSay(ActionType):
    name = "user_say"
    fields = Fields
    listens = True

    def enter(self, work: Work, action: Fields) -> Moves:
        return Step(wait="press", choices=_line(work, action))
        yield ()

    def hear(self, work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
        if heard.choice is None and heard.repair is not None:
            return Step(say=(work.spoken("press_again"),), wait="press", choices=_line(work, action))
        return Step(done=True)
        yield ()


def _line(work: Work, action: Fields) -> tuple[Choice, ...]:
    text = fill(work, action.content, to_person=True)
    return (Choice(value="go_on", label=text),)


USER_SAY = UserSay()
