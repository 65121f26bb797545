"""A person's words: safety first, then the action that asked, or the answer they still belong to."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.engine import awareness, directives, flow, late
from heartrule.engine.actions import registry
from heartrule.engine.actions.base import Heard, Step
from heartrule.engine.awareness import Verdict
from heartrule.engine.events import Fault, LateWords
from heartrule.engine.flow import Flow
from heartrule.engine.io import Input
from heartrule.engine.prompting import fill
from heartrule.engine.state import Asked
from heartrule.engine.tasks import Answer, Task
from heartrule.engine.work import Work
from heartrule.language import readers


def hear(work: Work, given: Input) -> Flow:
    """One answer (a message or a burst of them) from the person."""
    text = "\n".join(words.text for words in given.words)
    numbers = [work.receive(words.text) for words in given.words]
    ruled = awareness.by_rules(work, text)
    if any(verdict.verdict == "yes" for verdict in ruled):
        urgent = _urgent(work, ruled)
        if urgent:
            work.withhold()
            _interrupt(work, urgent)
            yield from flow.run_on(work)
            return
        yield from _answer(work, given, text, numbers, [v for v in ruled if v.verdict == "no"], judge=False)
        return
    yield from _answer(work, given, text, numbers, ruled, judge=True)


def after_the_end(work: Work, given: Input) -> None:
    """Words that were on their way when the session ended: kept, and where they speak of danger, whom to call."""
    for words in given.words:
        work.receive(words.text)
    ruled = awareness.by_rules(work, "\n".join(words.text for words in given.words))
    acting = list(awareness.acting(work, ruled))
    if any(verdict.verdict == "yes" for verdict, _ in acting):
        work.tell(fill(work, "{%crisis_contacts%}", to_person=True))


def _urgent(work: Work, verdicts: list[Verdict]) -> list[Verdict]:
    """Verdicts that must act now, the graver first."""
    acting = [verdict for verdict, now in awareness.acting(work, verdicts) if now]
    grave = [verdict for verdict in acting if verdict.verdict == "yes"]
    return grave or acting


def _interrupt(work: Work, verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        directives.carry_out(work, verdict)


def _answer(work: Work, given: Input, text: str, numbers: list[int], ruled: list[Verdict], *, judge: bool) -> Flow:
    """Ask the safety judgement and the action's own call at once; then act on what they say."""
    asked = late.belonging(work, given.after) if late.is_late(work, given.after) else None
    is_late = late.is_late(work, given.after)
    heard = Heard(text=text, repair=readers.repair(text, work.world.script.locale))
    own = _own_question(work, heard, asked, is_late)
    risk = awareness.question(work) if judge else None
    tasks = tuple(task for task in (risk, own) if task is not None)
    answers: Mapping[str, Answer] = (yield tasks) if tasks else {}
    found: list[Verdict] = []
    if judge:
        verdicts = awareness.with_model(ruled, answers.get(risk.key)) if risk else ruled
        found = _urgent(work, verdicts)
        if any(verdict.verdict == "yes" for verdict in found):
            work.withhold()
            _interrupt(work, found)
            yield from flow.run_on(work)
            return
    reply = answers.get(own.key) if own else None
    if is_late:
        late.append(work, asked, text, numbers, reply)
        _interrupt(work, found)
        yield from flow.run_on(work)
        return
    yield from _act(work, heard, reply, found, grave=not judge)


def _own_question(work: Work, heard: Heard, asked: Asked | None, is_late: bool) -> Task | None:
    if is_late:
        return late.question(work, asked, heard.text) if asked else None
    action = flow.present_action(work)
    if action is None:
        return None
    return registry()[action.type].question(work, action, heard)


def _act(work: Work, heard: Heard, reply: Answer | None, urgent: list[Verdict], *, grave: bool = False) -> Flow:
    """Let the waiting action have the words; then whatever is more urgent than its reply; then on. ``grave``: the words
    speak of explicit intent, which is being handled already."""
    action = flow.present_action(work)
    if action is None:
        _lost(work)
    else:
        late.note(work, heard.text)
        work.frame.wait = None
        step: Step = yield from registry()[action.type].hear(work, action, heard, reply)
        risk = step.risk and not _in_crisis(work)
        if grave:
            directives.raise_risk(work)
        flow.apply(work, step, silent=risk or bool(urgent))
        if risk:
            if work.running.action is not None:
                work.frame.memory["settled"] = True
            cause = f"risk variable of {action.id or action.type}"
            why = directives.interrupt(work, directives.crisis(work), cause, "after", None, {})
            if why:
                work.emit(Fault(what=f"{directives.CRISIS}: {why}"))
        elif urgent:
            _interrupt(work, urgent)
    yield from flow.run_on(work)


def _in_crisis(work: Work) -> bool:
    frames = [*work.state.suspended, *([work.state.running] if work.state.running else [])]
    return any(frame.ref == directives.crisis(work) for frame in frames)


def _lost(work: Work) -> None:
    """The script no longer has the action that was waiting (it was moved to another version): say so and go on."""
    if work.state.running is not None and work.state.running.action is not None:
        work.emit(Fault(what="the waiting action is no longer in the script", action=work.frame.id))
        work.mark(work.running, "after", "lost")
        work.running.next = min(work.frame.index, len(body.actions)) if (body := work.body()) else 0
        work.running.action = None


def choose(work: Work, given: Input) -> Flow:
    """A choice was picked, or a suggested line pressed."""
    frame = work.state.running.action if work.state.running else None
    wait = frame.wait if frame else None
    label = next((c.label for c in wait.choices if c.value == given.choice), None) if wait else None
    if wait is None or label is None or late.is_late(work, given.after):
        work.emit(LateWords(messages=[], outcome="kept"))
        return
    work.receive(label, choice=True)
    yield from _act(work, Heard(text=label, choice=given.choice), None, [])
