"""``recap``: says back what was noted and, where ``confirm`` names a variable, asks whether it is right.

- type: recap
  content: 我记下了这些：
  variables: [事情, 心情词]
  confirm: 记对了
  question: 记得对吗？
"""

from __future__ import annotations

from typing import ClassVar, Literal

from heartrule import parsing
from heartrule.engine.action_types import ActionType
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.tasks import Answer
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables.scopes import lookup, write
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Action, Template, VariableRules
from heartrule.language.nodes.traits import Traits

PATIENCE = 2
"""How often the question is put."""


class Fields(Action):
    traits: ClassVar[Traits] = Traits(says="own", waits=True, model="", literal="content")

    type: Literal["recap"]
    content: Template
    variables: list[str]
    confirm: str | None = None
    question: Template = ""


class Recap(ActionType):
    name = "recap"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        words = "\n".join([fill(work, action.content, to_person=True), *_rows(work, action)])
        if action.confirm is None:
            return Step(say=(words,), done=True)
        work.frame.round = 1
        work.frame.question = question = fill(work, action.question, to_person=True)
        return Step(say=(f"{words}\n{question}",), wait="message")
        yield ()

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        found = parsing.parse_value(VariableRules(type="boolean"), heard.text, work.world.script.locale, work.world.now)
        if found is None and work.frame.round < PATIENCE:
            work.frame.round += 1
            return Step(say=(work.frame.question,), wait="message")
        if found is not None and action.confirm is not None:
            write(work, action.confirm, found.value, strategy="rules", evidence=found.evidence[:20])
        return Step(done=True, acknowledge=True, outcome="completed" if found else "unfinished")
        yield ()


def _rows(work: Work, action: Fields) -> list[str]:
    """One line for each variable that has a value."""
    locale = work.world.script.locale
    held = [(name, lookup(work, name)) for name in action.variables]
    return [f"- {name}：{placeholders.format_value(value, locale)}" for name, value in held if value is not None]


RECAP = Recap()
