"""Without a model, a question that the person asks back is answered with the scheme's own line, and is no answer.

Once for each kind of question while the same question of ours is waiting: whoever asks it again is taken at their word.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from heartrule import parsing
from heartrule.engine.action_types import registry
from heartrule.engine.extraction import choice_match
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.moves import PersonInput, Step
from heartrule.engine.session.tasks import Answer
from heartrule.engine.variables import scopes
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Action
from heartrule.parsing.questions import invites_questions, question_back


class AskedBack(ActionState):
    """The kinds of questions that were answered while ``question`` was waiting."""

    section: ClassVar[str] = "asked back"

    question: str = Field(default="", repr=False)
    kinds: list[str] = []


def kind_of(work: Work, action: Action, heard: PersonInput, reply: Answer | None) -> str | None:
    """The kind of question, where these words are nothing else and nobody but the rules can answer it. None in the
    safety project, whose techniques stay with whoever does not plainly say no."""
    if heard.choice is not None or heard.repair is not None or (reply is not None and reply.data is not None):
        return None
    if work.running.project == SAFETY or invites_questions(_question(work)):
        return None
    kind = question_back(heard.text)
    if kind is None or kind in _answered(work) or is_an_answer(work, action, heard.text):
        return None
    return kind


def goes_on(action: Action) -> bool:
    """Whether any reply will do for it: after the line it goes on as if it had been one."""
    return action.traits.says == "model"


def line(work: Work, kind: str) -> str:
    return work.spoken(f"asked_{kind}", 0)


def answer(work: Work, action: Action, kind: str) -> Step:
    """The line, then the waiting question again, with its choices. That costs no round and no try."""
    noted, kinds = AskedBack.of(work.frame), [*_answered(work), kind]
    noted.question, noted.kinds = _question(work), kinds
    step = registry()[action.type].again(work, action)
    return replace(step, say=("\n".join((line(work, kind), *step.say)),))


def _question(work: Work) -> str:
    return work.frame.question


def _answered(work: Work) -> list[str]:
    """What has been asked back of the question that is waiting."""
    noted = AskedBack.of(work.frame)
    return noted.kinds if noted.question == _question(work) else []


def is_an_answer(work: Work, action: Action, text: str) -> bool:
    """A label may well be a question, and the script's own rules may know what to make of one."""
    if registry()[action.type].knows(work, action, text):
        return True
    wait = work.frame.wait
    if wait is not None and choice_match.picked(work, text, wait.choices) is not None:
        return True
    for item in gets(action.peek("output") or []):
        rules = scopes.rules_for(scopes.definition(work, item.get)[1], item)
        if rules.type not in (None, "text") and parsing.parse_value(
            rules, text, work.world.script.locale, work.world.now
        ):
            return True
    return False
