"""A stretch in its items' own questions, in their order: without a model, where no answer of one came, and where the
script wants the wording kept (``literal``). What is known, and what was refused, is left out."""

from __future__ import annotations

from typing import Any

from heartrule.engine.asking import ask_rounds
from heartrule.engine.casefile import records
from heartrule.engine.dialogue import exit_policy, exit_reasons
from heartrule.engine.dialogue.exit_policy import Decision
from heartrule.engine.dialogue.fixed_wording import acknowledgement, question_for, reask
from heartrule.engine.extraction.extraction import ExtractionResult
from heartrule.engine.session.moves import PersonInput, Step
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.stretches.coverage import come_to, covered, is_required
from heartrule.engine.stretches.talk import Talk
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language.nodes import Get


def begin(work: Work, action: Any) -> Step:
    return _next(work, action, lead="")


def heard(work: Work, action: Any, said: PersonInput, found: ExtractionResult, words: str = "") -> Step:
    """What comes after an answer to an item's own question. ``words``: what a model has said to it."""
    come_to(work, found.found)
    name = str(work.frame.asking or "")
    item = next((each for each in gets(action.output) if each.get == name), None)
    work.frame.round += 1
    if item is None:
        ask_rounds.give_up(work, action.output, found.missing, said.repair, name)
        return _next(work, action, lead=words or acknowledgement(work), risk=found.risk)
    if said.repair == "skip" and not found.risk:
        return _refused(work, action, item, said, words)
    left = ask_rounds.give_up(work, action.output, found.missing, said.repair, name)
    again = name in left and (is_required(action, item) or said.repair is not None)
    if again and not _at_limit(work):
        question = own_question(work, action, item)
        work.frame.question = question
        asks = words or reask(work, question, left[name], said.repair, action.output, name)
        return Step(say=(asks,), wait="message", risk=found.risk)
    if name in found.missing:
        _let_be(work, name)
    return _next(work, action, lead=words or acknowledgement(work), risk=found.risk)


def _refused(work: Work, action: Any, item: Get, said: PersonInput, words: str) -> Step:
    """They will not say; the refusal is on record, and the next one is asked for."""
    records.note(work, "refusal", item.define or item.get, said.text, about=[item.get])
    return _next(work, action, lead=words or work.spoken("refused"))


def _let_be(work: Work, name: str) -> None:
    """Nobody could answer it; it is not asked again."""
    talk = Talk.of(work.frame)
    talk.given_up = [*talk.given_up, name]


def own_question(work: Work, action: Any, item: Get) -> str:
    """The item's own question, else one made of its meaning."""
    return fill(work, item.question, to_person=True) or question_for(work, action.output, item.get)


def ask(work: Work, action: Any, item: Get, lead: str = "", *, risk: bool = False) -> Step:
    """Put an item's own question."""
    question = own_question(work, action, item)
    come_to(work, [item.get])
    work.frame.asking, work.frame.question = item.get, question
    state = QuestionState.of(work.frame)
    state.first = state.first or question
    return Step(say=("\n".join(filter(None, (lead, question))),), wait="message", risk=risk)


def _next(work: Work, action: Any, *, lead: str, risk: bool = False) -> Step:
    talk = Talk.of(work.frame)
    coverage = covered(work, action, [*talk.given_up, *talk.moot])
    if coverage.open and not _at_limit(work):
        return ask(work, action, coverage.open[0], lead, risk=risk)
    unset = ask_rounds.settle(work, action.output, action.tolist)
    why = exit_reasons.reason_text(exit_reasons.NOTHING_LEFT, work.world.script.locale)
    exit_policy.record(work, Decision(True, why, "exit_criteria", "exit_criteria_met"), work.frame.round)
    outcome = "unfinished" if any(is_required(action, i) and i.get in unset for i in coverage.required) else "completed"
    risk = risk or ask_rounds.risk_open(work, action.output)
    begun = work.frame.round > 1
    if not begun:
        return Step(done=True, outcome="known")
    said = lead if lead and lead == work.spoken("refused") else ""
    return Step(say=(said,) if said else (), acknowledge=not said, done=True, outcome=outcome, risk=risk)


def _at_limit(work: Work) -> bool:
    return work.frame.round > (work.frame.max_rounds or 50)
