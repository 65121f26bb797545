"""``user_say``: a suggested line that the person presses to go on."""

from __future__ import annotations

from typing import ClassVar, Literal

from heartrule import parsing
from heartrule.engine.action_types import ActionType
from heartrule.engine.dialogue import rounds, speech
from heartrule.engine.dialogue.fixed_wording import before_question, just_said
from heartrule.engine.extraction import choice_match, selection
from heartrule.engine.session.io import World
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.state import Choice
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Template, VariableRules
from heartrule.language.nodes.traits import Traits
from heartrule.parsing.yes_no import read_yes_no


class Fields(Action):
    traits: ClassVar[Traits] = Traits(offers="press", waits=True, model="choice")

    type: Literal["user_say"]
    content: Template


class UserSay(ActionType):
    name = "user_say"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        work.frame.question = just_said(work)
        return Step(wait="press", choices=_line(work, action))
        yield ()

    def question(self, work: Work, action: Fields, heard: PersonInput) -> Task | None:
        """None where the words are the line, or a plain yes."""
        line = _line(work, action)
        if not work.model or heard.choice is not None or heard.repair == "repeat":
            return None
        if choice_match.only(heard.text, line) is not None or _is_yes(heard.text):
            return None
        return selection.question(work, action, line, press=True)

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        line = _line(work, action)
        read = selection.parse_answer(answer, line, heard.text) if heard.choice is None and not heard.grave else None
        if read is not None and read.unproved is None:
            pressed = read.place is not None
            answer = yield from speech.whole(work, answer, statement=pressed)
            words = rounds.text_of(answer.data if answer else None)
            if pressed:
                words = before_question(words)
                return Step(say=(words,) if words else (), done=True, acknowledge=not words)
            return Step(say=(words or work.spoken("press_again"),), wait="press", choices=line)
        if heard.choice is None and (heard.repair is not None or _not_yet(work.world, heard.text)):
            return Step(say=(work.spoken("press_again"),), wait="press", choices=line)
        return Step(done=True, acknowledge=heard.choice is None)

    def again(self, work: Work, action: Fields) -> Step:
        words = work.frame.question or work.spoken("press_again")
        return Step(say=(words,), wait="press", choices=_line(work, action))


_YES = 4
"""Letters of a yes that says no more than that; three times as many of an English one."""


def _is_yes(text: str) -> bool:
    said = parsing.fold(parsing.normalise(text))
    return len(said) <= _YES * (3 if said.isascii() else 1) and read_yes_no(text) is True


def _not_yet(world: World, text: str) -> bool:
    """A no, a question or a "wait" does not press the line."""
    said = parsing.normalise(text)
    no = parsing.parse_value(VariableRules(type="boolean"), text, world.script.locale, world.now)
    hesitant = said.endswith("?") or said.startswith(("等", "还没", "我还没", "先不", "wait", "not yet", "hold on"))
    return hesitant or (no is not None and no.value is False)


def _line(work: Work, action: Fields) -> tuple[Choice, ...]:
    text = fill(work, action.content, to_person=True)
    return (Choice(value="go_on", label=text),)


USER_SAY = UserSay()
