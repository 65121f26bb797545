"""What becomes of the words: what each row of the table leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heartrule.engine import flow, human
from heartrule.engine.actions import registry
from heartrule.engine.actions.base import Heard, Step
from heartrule.engine.events import Fault
from heartrule.engine.flow import Flow
from heartrule.engine.steps import danger, no_answer
from heartrule.engine.steps.case import Case
from heartrule.engine.understanding import late, late_correction, questions_back, remarks, settling, taken_back
from heartrule.engine.understanding.settling import Reply
from heartrule.engine.understanding.which_answer import Taken
from heartrule.engine.watching import crisis
from heartrule.engine.watching.awareness import Verdict
from heartrule.engine.work import Work
from heartrule.language.nodes import Action


def to_the_counsellor(case: Case) -> Flow:
    """Kept and shown; danger in them only alarms."""
    yield from ()
    human.keep(case.work, case.words.messages)


# danger and whoever is called


def interrupt_at_once(case: Case) -> Flow:
    """By rules alone: no model is waited for."""
    found = danger.urgent(case.work, list(case.danger.ruled))
    yield from _break_off(case, found, is_late=case.words.late)


def interrupt(case: Case) -> Flow:
    yield from _break_off(case, case.danger.found, is_late=case.is_late)


def call(case: Case) -> Flow:
    """What rules heard called comes; the words are kept from the question that waits."""
    no_answer.withhold(case, "called")
    yield from interrupt(case)


def take_up_gently(case: Case) -> Flow:
    """Something is said to them, and nothing is taken for an answer."""
    no_answer.withhold(case, no_answer.how(case))
    yield from _break_off(case, case.danger.found, is_late=case.is_late, gently=True)


def _break_off(case: Case, verdicts: list[Verdict], *, is_late: bool, gently: bool = False) -> Flow:
    """The words are withheld from the action that waits; something more urgent comes first. Only a question about risk
    is answered by them: it is not put again."""
    work = case.work
    work.withhold()
    settling.settle(work, None)
    told = [verdict for verdict in verdicts if verdict.ref == crisis.WATCHER]
    if case.waiting is not None and not is_late and told:
        explicit = any(verdict.verdict == "yes" and verdict.source == "rules" for verdict in told)
        crisis.answers(work, case.waiting.peek("output") or [], case.words.said, explicit=explicit)
    danger.carry_out(work, verdicts)
    yield from flow.run_on(work)
    _say_something(work, gently=gently)


def _say_something(work: Work, *, gently: bool = False) -> None:
    """Nothing came of what was to come first: the question is put again, so that nobody is left without a word."""
    if not work.state.ended and not any(message.sender == "ai" for message in work.messages):
        cried = gently or (work.lookout is not None and work.lookout.cried)
        flow.put_again(work, work.spoken("resume_gently", 0) if cried else "")


# another question than the one that waits


def choose_the_value(case: Case) -> Flow:
    """The words only say which of two things counts: they answer nothing else, and the question that waits is put once
    more."""
    work, found = case.work, case.danger.found
    assert isinstance(case.found, Reply)
    settling.settle(work, case.found)
    taken = danger.takes(work, found)
    danger.carry_out(work, found)
    if not taken and not work.state.ended:
        work.acknowledge = True
        if not settling.is_pending(work):
            flow.put_again(work)
    yield from flow.run_on(work)
    if taken:
        _say_something(work)


def to_the_earlier_question(case: Case) -> Flow:
    """They join the answer that they belong to, or put it right; what waits goes on waiting."""
    work, words, asked, found = case.work, case.words, case.words.earlier, case.danger.found
    risky, line = late_correction.take(work, asked, words.heard, words.numbers, case.reply)
    if asked is not None and words.repair is None:
        settling.add(work, asked.action, words.text)
    whose = asked.action if risky and asked is not None else next(iter(case.danger.alarms), None)
    if whose is not None and not crisis.runs(work):
        late.put_aside(work)
        found = danger.alarm(work, whose, words.said, found)
    elif not danger.takes(work, found):
        late_correction.say(work, line)
    danger.carry_out(work, found)
    yield from flow.run_on(work)


# the question that waits, put again


def explain(case: Case) -> Flow:
    """A short word of the scheme's, then the question again: neither a round nor a try is lost by it."""
    work, action = case.work, _waiting(case)
    late.note(work, replace(case.words.heard, repair=str(case.found))).asking = work.frame.memory.get("asking")
    remarks.answer(work, action, str(case.found))
    yield from _beside(case, case.danger.alarms)


def answer_back(case: Case) -> Flow:
    """The scheme's line for what was asked back, then the question again."""
    work, action, kind = case.work, _waiting(case), str(case.found)
    if action.type in questions_back.GO_ON:
        yield from _taken(case, case.words.heard, line=questions_back.line(work, kind))
        return
    late.note(work, replace(case.words.heard, repair=kind)).asking = work.frame.memory.get("asking")
    questions_back.answer(work, action, kind)
    yield from _beside(case, case.danger.alarms)


def put_right(case: Case) -> Flow:
    """What was told before is put right, and said back; what waits is put again."""
    taken = case.found
    assert isinstance(taken, Taken)
    alarms = [*case.danger.alarms, *taken_back.settle(case.work, taken)]
    if _waiting(case).type in questions_back.GO_ON:
        case = replace(case, danger=replace(case.danger, alarms=alarms))
        yield from _taken(case, case.words.heard, line=taken.line)
        return
    flow.put_again(case.work, taken.line)
    yield from _beside(case, alarms)


def _beside(case: Case, alarms: Sequence[str]) -> Flow:
    """The words answered nothing, and the question has been put again: what is more urgent comes all the same."""
    found = case.danger.found
    if alarms and not crisis.runs(case.work):
        found = danger.alarm(case.work, alarms[0], case.words.text, found)
    danger.carry_out(case.work, found)
    yield from flow.run_on(case.work)


# the question that waits, answered


def to_the_waiting_action(case: Case) -> Flow:
    yield from _taken(case, case.words.heard)


def _taken(case: Case, heard: Heard, *, line: str = "") -> Flow:
    """The waiting action has the words; then whatever is more urgent than its reply; then on. ``line``: what is said
    about them before, which is acknowledgement enough."""
    work, action, urgent, grave = case.work, _waiting(case), case.danger.found, case.danger.is_grave
    held = danger.takes(work, urgent)
    if line:
        work.tell(line, action=work.frame.id)
    asked, frame = late.note(work, heard), work.frame
    asked.asking = frame.memory.get("asking")
    work.due = frame.wait.due if frame.wait is not None else None
    frame.wait = None
    told = bool(case.danger.alarms) and not crisis.runs(work)
    work.silent, work.interrupted = told or held, told or any(each.directives() for each in urgent)
    step: Step = yield from registry()[action.type].hear(work, action, replace(heard, grave=grave), case.reply)
    work.silent = work.interrupted = False
    step = replace(step, acknowledge=False) if line else step
    asked.found = dict(frame.memory.get("found", {}))
    risk = step.risk and not crisis.runs(work) and not frame.memory.get("risk_closed")
    if grave:
        crisis.raise_risk(work)
    flow.apply(work, step, silent=risk or told or danger.takes(work, urgent))
    if risk and work.running.action is not None:
        work.frame.memory["settled"] = True
    if risk or told:
        whose = (action.id or action.type) if risk else case.danger.alarms[0]
        urgent = danger.alarm(work, whose, heard.text, urgent)
    danger.carry_out(work, urgent)
    yield from flow.run_on(work)
    if held:
        _say_something(work)


def go_on_without(case: Case) -> Flow:
    """The script no longer has the action that was waiting (it was moved to another version): say so and go on."""
    work = case.work
    if work.state.running is not None and work.state.running.action is not None:
        work.emit(Fault(what="the waiting action is no longer in the script", action=work.frame.id))
        work.mark(work.running, "after", "lost")
        work.running.next = min(work.frame.index, len(body.actions)) if (body := work.body()) else 0
        work.running.action = None
    yield from flow.run_on(work)
    if danger.takes(work, case.danger.found):
        _say_something(work)


def _waiting(case: Case) -> Action:
    assert case.waiting is not None
    return case.waiting
