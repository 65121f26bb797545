"""A stretch in its items' own questions, in their order: without a model, where no answer of one came, and where the
script wants the wording kept (``literal``). What is known, and what was refused, is left out."""

from __future__ import annotations

from typing import Any

from heartrule.engine.actions.base import Heard, Step
from heartrule.engine.calling.prompting import fill
from heartrule.engine.casefile import records
from heartrule.engine.interacting import asking, exit_policy, exit_reasons
from heartrule.engine.interacting.exit_policy import Decision
from heartrule.engine.scheduling import retries
from heartrule.engine.speaking.wording import acknowledgement, question_for, reask
from heartrule.engine.stretches.coverage import covered, is_required
from heartrule.engine.stretches.talk import Talk
from heartrule.engine.understanding.extraction import Extraction, gets
from heartrule.engine.work import Work
from heartrule.language.nodes import Get


def begin(work: Work, action: Any) -> Step:
    return _next(work, action, lead="")


def heard(work: Work, action: Any, said: Heard, found: Extraction, words: str = "") -> Step:
    """What comes after an answer to an item's own question. ``words``: what a model has said to it."""
    name = str(work.frame.memory.get("asking") or "")
    item = next((each for each in gets(action.output) if each.get == name), None)
    work.frame.round += 1
    if said.repair == "skip" and item is not None and not found.risk:
        records.note(work, "refusal", item.define or name, said.text, about=[name])
        if retries.tries_on(work):
            work.frame.memory["skipped"] = name
        return _next(work, action, lead=words or work.spoken("refused"), risk=found.risk)
    left = asking.give_up(work, action.output, found.missing, said.repair, name)
    again = item is not None and name in left and (is_required(action, item) or said.repair is not None)
    if item is not None and again and not _at_limit(work):
        reason = left[name]
        question = own_question(work, action, item)
        work.frame.memory["question"] = question
        return Step(
            say=(words or reask(work, question, reason, said.repair, action.output, name),),
            wait="message",
            risk=found.risk,
        )
    talk = Talk.of(work)
    if item is not None and name in found.missing:
        talk.given_up = [*talk.given_up, name]
        talk.keep(work)
    return _next(work, action, lead=words or acknowledgement(work), risk=found.risk)


def own_question(work: Work, action: Any, item: Get) -> str:
    """The item's own question, else one made of its meaning."""
    return fill(work, item.question, to_person=True) or question_for(work, action.output, item.get)


def ask(work: Work, action: Any, item: Get, lead: str = "", *, risk: bool = False) -> Step:
    """Put an item's own question."""
    question = own_question(work, action, item)
    work.frame.memory |= {"asking": item.get, "question": question}
    work.frame.memory.setdefault("first", question)
    return Step(say=("\n".join(filter(None, (lead, question))),), wait="message", risk=risk)


def _next(work: Work, action: Any, *, lead: str, risk: bool = False) -> Step:
    coverage = covered(work, action, Talk.of(work).given_up)
    if coverage.open and not _at_limit(work):
        return ask(work, action, coverage.open[0], lead, risk=risk)
    unset = asking.settle(work, action.output, action.tolist)
    why = exit_reasons.told(exit_reasons.NOTHING_LEFT, work.world.script.locale)
    exit_policy.record(work, Decision(True, why, "exit_criteria", "exit_criteria_met"), work.frame.round)
    outcome = "unfinished" if any(is_required(action, i) and i.get in unset for i in coverage.required) else "completed"
    risk = risk or asking.risk_open(work, action.output)
    begun = work.frame.round > 1
    if not begun:
        return Step(done=True, outcome="known")
    said = lead if lead and lead == work.spoken("refused") else ""
    return Step(say=(said,) if said else (), acknowledge=not said, done=True, outcome=outcome, risk=risk)


def _at_limit(work: Work) -> bool:
    return work.frame.round > (work.frame.max_rounds or 50)
