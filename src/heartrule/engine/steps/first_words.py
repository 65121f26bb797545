"""The first words behind a human who has handed back and left the program quiet: nothing was asked since, so they
answer what had been asked before only where that is sure. All others are kept from it, and it is put again, gently;
behind a mere good-bye nothing is."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.engine import flow
from heartrule.engine.awareness import crisis
from heartrule.engine.repair import late_words
from heartrule.engine.session.state import Quiet
from heartrule.engine.steps import danger
from heartrule.engine.steps.case import Case
from heartrule.engine.steps.effects import Acting, Alarm, Effects
from heartrule.parsing.farewells import takes_leave


def are_for_us(case: Case) -> bool:
    """Whether they mean the program, or its question: what mends the conversation does; so do words in which a model
    has found what was asked, or to which it has worded the reply itself. Nobody's yes or no to a human's good-bye
    counts in a topic about danger."""
    if _takes_leave(case):
        return False
    if case.words.repair is not None:
        return True
    if case.in_safety or case.waiting is None or case.reply is None or case.reply.data is None:
        return False
    return case.waiting.traits.says == "model" or _finds(case.reply.data)


def take_up(case: Case) -> Acting:
    """Withheld from the question that waited. What is more urgent comes first; else that is put again."""
    work, found, alarms = case.work, case.danger.found, case.danger.alarms
    work.withhold()
    late_words.put_aside(work)
    if case.danger.is_grave:
        crisis.raise_risk(work)
    alarm = Alarm(alarms[0], case.words.text) if alarms and not crisis.runs(work) else None
    if alarm is None and not danger.takes(work, found) and _takes_leave(case):
        work.tell(work.spoken("behind_human_bye", 0))
        work.state.quiet = Quiet(name="", known=True)
    elif alarm is None and not danger.takes(work, found):
        yield from flow.take_up(work, work.spoken("resume_gently" if case.in_safety else "behind_human", 0))
    return Effects(alarm=alarm, urgent=found)


def _takes_leave(case: Case) -> bool:
    """Whether they only thank, or say good-bye: the human who went is meant. In a topic about danger nobody is let go
    without the question that waits."""
    return not case.in_safety and takes_leave(case.words.text)


def _finds(data: Mapping[str, object]) -> bool:
    values = data.get("values")
    given = values.values() if isinstance(values, Mapping) else ()
    return any(each.get("value") is not None for each in given if isinstance(each, Mapping))
