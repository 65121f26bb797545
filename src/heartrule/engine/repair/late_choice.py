"""A choice that is picked when its time was up and something else waits: it counts as words would that were sent to it,
and is said to have come. One that was picked already stands."""

from __future__ import annotations

from typing import Any

from heartrule.engine.repair import late_words
from heartrule.engine.session.events import LateWords
from heartrule.engine.session.state import PastQuestion
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import scopes
from heartrule.engine.variables.evidence import EVIDENCE, alarming
from heartrule.engine.work import Work


def take(work: Work, after: int | None, choice: str | None) -> tuple[str | None, str]:
    """The action that it was picked in, where it makes a variable marked ``risk`` a yes; None else, and where it is no
    such choice. And what is to be said about it."""
    asked = late_words.belonging(work.state, after) if late_words.is_late_choice(work.state, after) else None
    if asked is None or asked.texts:
        work.emit(LateWords(messages=[], outcome="kept"))
        return None, ""
    with late_words.standing(work, asked) as there:
        found = _picked(work, asked, choice)
        if found is None:
            work.emit(LateWords(messages=[], outcome="kept"))
            return None, ""
        name, value, label = found
        where, rules = scopes.definition(work, name)
        number = work.receive(label, choice=True)
        asked.texts.append(label)
        is_open = where in there
        taken = is_open and scopes.write(work, name, value, strategy="set", evidence=label[:EVIDENCE])
    work.emit(LateWords(action=asked.action, messages=[number], outcome="appended" if taken else "kept"))
    if rules is not None and rules.risk and alarming(value):
        return asked.action, ""
    return None, work.spoken("choice_late" if taken else "choice_too_late", 0).replace("{label}", label)


def _picked(work: Work, asked: PastQuestion, choice: str | None) -> tuple[str, Any, str] | None:
    """The variable, its value and the label, as the action offered them."""
    action = work.action_at(asked.index) if asked.stage < len(work.world.script.session.phases) else None
    if action is None or action.traits.offers != "choice":
        return None
    for option in action.peek("choices") or []:
        if str(option.value) == choice:
            return str(action.peek("var")), option.value, fill(work, option.label, to_person=True)
    return None
