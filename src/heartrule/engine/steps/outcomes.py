"""What becomes of the words: what each row of the table leads to. Most say what is to be done; what the waiting action
does with them may need answers first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heartrule.engine import flow, takeover
from heartrule.engine.action_types import registry
from heartrule.engine.awareness import crisis
from heartrule.engine.repair import conflict_question, late_correction, late_words, questions_back, remarks, taken_back
from heartrule.engine.repair.conflict_question import Reply
from heartrule.engine.repair.which_answer import TakenBack
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.events import Fault
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.steps import danger, no_answer
from heartrule.engine.steps.case import Case
from heartrule.engine.steps.effects import Acting, Alarm, Effects
from heartrule.language.nodes import Action


def act(case: Case) -> Acting:
    """What the row that claims the words wants to come of them."""
    assert case.claim is not None
    effects = case.claim.becomes(case)
    return effects if isinstance(effects, Effects) else (yield from effects)


def to_the_counsellor(case: Case) -> Effects:
    """Kept and shown; danger in them only alarms."""
    takeover.keep(case.work, case.words.messages)
    return Effects(goes_on=False)


# danger and whoever is called


def interrupt_at_once(case: Case) -> Effects:
    """By rules alone: no model is waited for."""
    found = danger.urgent(case.work, list(case.danger.ruled))
    return _break_off(case, found, is_late=case.words.late)


def interrupt(case: Case) -> Effects:
    return _break_off(case, case.danger.found, is_late=case.is_late)


def call(case: Case) -> Effects:
    """What rules heard called comes; the words are kept from the question that waits."""
    no_answer.withhold(case, "called")
    return interrupt(case)


def take_up_gently(case: Case) -> Effects:
    """Something is said to them, and nothing is taken for an answer."""
    no_answer.withhold(case, no_answer.how(case))
    return _break_off(case, case.danger.found, is_late=case.is_late, gently=True)


def _break_off(case: Case, verdicts: list[Verdict], *, is_late: bool, gently: bool = False) -> Effects:
    """The words are withheld from the action that waits; something more urgent comes first. Only a question about risk
    is answered by them: it is not put again."""
    work = case.work
    work.withhold()
    conflict_question.settle(work, None)
    told = [verdict for verdict in verdicts if verdict.ref == crisis.WATCHER]
    if case.waiting is not None and not is_late and told:
        explicit = any(verdict.verdict == "yes" and verdict.source == "rules" for verdict in told)
        crisis.answers(work, case.waiting.peek("output") or [], case.words.said, explicit=explicit)
    return Effects(urgent=verdicts, speaks="gently" if gently else "plainly")


# another question than the one that waits


def choose_the_value(case: Case) -> Effects:
    """The words only say which of two things counts: they answer nothing else, and the question that waits is put once
    more."""
    work, found = case.work, case.danger.found
    assert isinstance(case.found, Reply)
    conflict_question.settle(work, case.found)
    taken = danger.takes(work, found)
    return Effects(urgent=found, again=not taken, speaks="plainly" if taken else "")


def to_the_earlier_question(case: Case) -> Effects:
    """They join the answer that they belong to, or put it right; what waits goes on waiting."""
    work, words, asked, found = case.work, case.words, case.words.earlier, case.danger.found
    risky, line = late_correction.take(work, asked, words.heard, words.numbers, case.reply)
    if asked is not None and words.repair is None:
        conflict_question.add(work, asked.action, words.text)
    whose = asked.action if risky and asked is not None else next(iter(case.danger.alarms), None)
    if whose is not None and not crisis.runs(work):
        return Effects(alarm=Alarm(whose, words.said, aside=True), urgent=found)
    if not danger.takes(work, found):
        flow.say_before(work, line)
    return Effects(urgent=found)


# the question that waits, put again


def explain(case: Case) -> Effects:
    """A short word of the scheme's, then the question again: neither a round nor a try is lost by it."""
    work, action = case.work, _waiting(case)
    late_words.note(work, replace(case.words.heard, repair=str(case.found))).asking = work.frame.asking
    return _beside(case, case.danger.alarms, remarks.answer(work, action, str(case.found)))


def answer_back(case: Case) -> Effects | Acting:
    """The scheme's line for what was asked back, then the question again."""
    work, action, kind = case.work, _waiting(case), str(case.found)
    if questions_back.goes_on(action):
        return _taken(case, case.words.heard, line=questions_back.line(work, kind))
    late_words.note(work, replace(case.words.heard, repair=kind)).asking = work.frame.asking
    return _beside(case, case.danger.alarms, questions_back.answer(work, action, kind))


def put_right(case: Case) -> Effects | Acting:
    """What was told before is put right, and said back; what waits is put again."""
    taken = case.found
    assert isinstance(taken, TakenBack)
    alarms = [*case.danger.alarms, *taken_back.settle(case.work, taken)]
    if questions_back.goes_on(_waiting(case)):
        case = replace(case, danger=replace(case.danger, alarms=alarms))
        return _taken(case, case.words.heard, line=taken.line)
    flow.put_again(case.work, taken.line)
    return _beside(case, alarms)


def _beside(case: Case, alarms: Sequence[str], step: Step | None = None) -> Effects:
    """The words answered nothing, and the question is put again: what is more urgent comes all the same."""
    alarm = Alarm(alarms[0], case.words.text) if alarms and not crisis.runs(case.work) else None
    return Effects(step=step, alarm=alarm, urgent=case.danger.found)


# the question that waits, answered


def to_the_waiting_action(case: Case) -> Acting:
    return _taken(case, case.words.heard)


def _taken(case: Case, heard: PersonInput, *, line: str = "") -> Acting:
    """The waiting action has the words; then whatever is more urgent than its reply. ``line``: what is said about them
    before, which is acknowledgement enough."""
    work, urgent = case.work, case.danger.found
    held, told = danger.takes(work, urgent), bool(case.danger.alarms) and not crisis.runs(work)
    if line:
        work.tell(line, action=work.frame.id)
    step = yield from _heard_by(case, heard, held=held, told=told)
    if line:
        step = replace(step, acknowledge=False)
    risk = step.risk and not crisis.runs(work) and not work.frame.risk_closed
    if case.danger.is_grave:
        crisis.raise_risk(work)
    return Effects(
        step=step,
        silent=risk or told or danger.takes(work, urgent),
        closes=risk and not step.near,
        alarm=Alarm(_whose(case, risk=risk), heard.text, near=step.near) if risk or told else None,
        urgent=urgent,
        speaks="plainly" if held else "",
    )


def _heard_by(case: Case, heard: PersonInput, *, held: bool, told: bool) -> Moves:
    """What the waiting action wants to come of the words. ``held``, ``told``: something more urgent comes before
    whatever it says."""
    work, action, frame = case.work, _waiting(case), case.work.frame
    asked = late_words.note(work, heard)
    asked.asking = frame.asking
    work.schedule.due = frame.wait.due if frame.wait is not None else None
    frame.wait = None
    work.flags.silent = told or held
    work.flags.interrupted = told or any(each.directives() for each in case.danger.found)
    heard = replace(heard, grave=case.danger.is_grave)
    step: Step = yield from registry()[action.type].hear(work, action, heard, case.reply)
    work.flags.silent = work.flags.interrupted = False
    asked.found = dict(QuestionState.of(frame).found)
    return step


def _whose(case: Case, *, risk: bool) -> str:
    """What has raised the alarm: the answer itself, or what was said beside it."""
    action = _waiting(case)
    return (action.id or action.type) if risk else case.danger.alarms[0]


def go_on_without(case: Case) -> Effects:
    """The script no longer has the action that was waiting (it was moved to another version): say so and go on."""
    work = case.work
    if work.state.running is not None and work.state.running.action is not None:
        work.emit(Fault(what="the waiting action is no longer in the script", action=work.frame.id))
        work.mark(work.running, "after", "lost")
        work.running.next = min(work.frame.index, len(body.actions)) if (body := work.body()) else 0
        work.running.action = None
    return Effects(speaks="plainly" if danger.takes(work, case.danger.found) else "")


def _waiting(case: Case) -> Action:
    assert case.waiting is not None
    return case.waiting
