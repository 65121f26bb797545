"""``user_option``: the person picks one of the choices."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heartrule.engine.actions.base import ActionType, Heard, Moves, Step
from heartrule.engine.extraction import alarming
from heartrule.engine.prompting import fill
from heartrule.engine.scopes import definition, write
from heartrule.engine.state import Choice
from heartrule.engine.tasks import Answer
from heartrule.engine.wording import just_said
from heartrule.engine.work import Work
from heartrule.language import readers
from heartrule.language.nodes import Action, Json, Node, Template


class Option(Node):
    value: Json
    label: Template


class Fields(Action):
    type: Literal["user_option"]
    var: str
    choices: list[Option] = Field(min_length=1, max_length=50)


class UserOption(ActionType):
    name = "user_option"
    fields = Fields
    listens = True

    def enter(self, work: Work, action: Fields) -> Moves:
        work.frame.memory["question"] = just_said(work)
        return Step(wait="choice", choices=_choices(work, action))
        yield ()

    def hear(self, work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
        offered = _choices(work, action)
        picked = heard.choice
        if picked is None:
            pairs = [(choice.value, choice.label) for choice in offered]
            picked = readers.match_choice(heard.text, pairs, work.world.script.locale)
        for option, choice in zip(action.choices, offered, strict=True):
            if choice.value == picked:
                write(work, action.var, option.value, strategy="set", evidence=choice.label[:20])
                rules = definition(work, action.var)[1]
                return Step(done=True, risk=rules is not None and rules.risk and alarming(option.value))
        return Step(say=(_asked_to_choose(work, action),), wait="choice", choices=offered)
        yield ()

    def again(self, work: Work, action: Fields) -> Step:
        words = str(work.frame.memory.get("question") or "") or _asked_to_choose(work, action)
        return Step(say=(words,), wait="choice", choices=_choices(work, action))


def _asked_to_choose(work: Work, action: Fields) -> str:
    return fill(work, action.fallback, to_person=True) or work.spoken("choose_again")


def _choices(work: Work, action: Fields) -> tuple[Choice, ...]:
    return tuple(
        Choice(value=str(option.value), label=fill(work, option.label, to_person=True)) for option in action.choices
    )


USER_OPTION = UserOption()
