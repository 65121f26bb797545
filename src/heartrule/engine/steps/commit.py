"""The one place where what an input is to come to is done, in one order."""

from __future__ import annotations

from heartrule.engine import flow
from heartrule.engine.repair import conflict_question, late_words
from heartrule.engine.steps import danger
from heartrule.engine.steps.effects import Effects
from heartrule.engine.work import Work


def commit(work: Work, effects: Effects) -> None:
    """Done, in this order, here and nowhere else."""
    if effects.step is not None:
        flow.apply(work, effects.step, silent=effects.silent)
        if effects.closes and work.running.action is not None:
            work.frame.settled = True
    urgent = list(effects.urgent)
    if effects.alarm is not None:
        if effects.alarm.aside:
            late_words.put_aside(work)
        urgent = danger.alarm(work, effects.alarm, urgent)
    danger.carry_out(work, urgent)
    if effects.again and not work.state.ended:
        work.flags.acknowledge = True
        if not conflict_question.is_pending(work):
            flow.put_again(work)


def run_on(work: Work, effects: Effects) -> flow.Flow:
    """To the next wait. Nobody is left without a word where nothing came of what was to come first."""
    if effects.goes_on:
        yield from flow.run_on(work)
    danger.call_again(work)
    if effects.speaks and not work.state.ended and not any(each.sender == "ai" for each in work.messages):
        cried = effects.speaks == "gently" or (work.findings.lookout is not None and work.findings.lookout.cried)
        flow.put_again(work, work.spoken("resume_gently", 0) if cried else "")
