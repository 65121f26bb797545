"""``user_say``: a suggested line that the person presses to go on."""

from __future__ import annotations

from typing import Literal

from heartrule import readers
from heartrule.engine.actions.base import ActionType, Heard, Moves, Step
from heartrule.engine.calling.prompting import fill
from heartrule.engine.calling.tasks import Answer
from heartrule.engine.speaking.wording import just_said
from heartrule.engine.state import Choice
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Template, VariableRules


class Fields(Action):
    type: Literal["user_say"]
    content: Template


class UserSay(ActionType):
    name = "user_say"
    fields = Fields
    listens = True

    def enter(self, work: Work, action: Fields) -> Moves:
        work.frame.memory["question"] = just_said(work)
        return Step(wait="press", choices=_line(work, action))
        yield ()

    def hear(self, work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
        if heard.choice is None and (heard.repair is not None or _not_yet(work, heard.text)):
            return Step(say=(work.spoken("press_again"),), wait="press", choices=_line(work, action))
        return Step(done=True, acknowledge=heard.choice is None)
        yield ()

    def again(self, work: Work, action: Fields) -> Step:
        words = str(work.frame.memory.get("question") or "") or work.spoken("press_again")
        return Step(say=(words,), wait="press", choices=_line(work, action))


def _not_yet(work: Work, text: str) -> bool:
    """A no, a question or a "wait" does not press the line."""
    said = readers.normalise(text)
    no = readers.read(VariableRules(type="boolean"), text, work.world.script.locale, work.world.now)
    hesitant = said.endswith("?") or said.startswith(("等", "还没", "我还没", "先不", "wait", "not yet", "hold on"))
    return hesitant or (no is not None and no.value is False)


def _line(work: Work, action: Fields) -> tuple[Choice, ...]:
    text = fill(work, action.content, to_person=True)
    return (Choice(value="go_on", label=text),)


USER_SAY = UserSay()
