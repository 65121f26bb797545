"""Without a model, a question that the person asks back is answered with the scheme's own line, and is no answer.

Once for each kind of question while the same question of ours is waiting: whoever asks it again is taken at their word.
"""

from __future__ import annotations

from dataclasses import replace

from heartrule import readers
from heartrule.engine import flow
from heartrule.engine.actions import registry
from heartrule.engine.actions.base import Heard
from heartrule.engine.calling.tasks import Answer
from heartrule.engine.scoping import scopes
from heartrule.engine.understanding import picking
from heartrule.engine.understanding.extraction import gets
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Action
from heartrule.readers.questions import invites_questions, question_back

GO_ON = ("ai_say",)
"""Actions that any reply will do for: after the line they go on as if it had been one."""


def put(work: Work, action: Action, heard: Heard, reply: Answer | None) -> str | None:
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


def line(work: Work, kind: str) -> str:
    return work.spoken(f"asked_{kind}", 0)


def answer(work: Work, action: Action, kind: str) -> None:
    """Say the line, then put the waiting question again, with its choices. That costs no round and no try."""
    work.frame.memory["asked_back"] = {"of": _question(work), "kinds": [*_answered(work), kind]}
    step = registry()[action.type].again(work, action)
    flow.apply(work, replace(step, say=("\n".join((line(work, kind), *step.say)),)))


def _question(work: Work) -> str:
    return str(work.frame.memory.get("question", ""))


def _answered(work: Work) -> list[str]:
    """What has been asked back of the question that is waiting."""
    noted = work.frame.memory.get("asked_back", {})
    return list(noted["kinds"]) if noted and noted["of"] == _question(work) else []


def is_an_answer(work: Work, action: Action, text: str) -> bool:
    """A label may well be a question, and the script's own rules may know what to make of one."""
    if registry()[action.type].knows(work, action, text):
        return True
    wait = work.frame.wait
    if wait is not None and picking.picked(work, text, wait.choices) is not None:
        return True
    for item in gets(action.peek("output") or []):
        rules = scopes.rules_for(scopes.definition(work, item.get)[1], item)
        if rules.type not in (None, "text") and readers.read(rules, text, work.world.script.locale, work.world.now):
            return True
    return False
