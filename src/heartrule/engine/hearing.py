"""A person's words: safety first, then the action that asked, or the answer they still belong to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from heartrule import readers
from heartrule.engine import flow
from heartrule.engine.actions import registry
from heartrule.engine.actions.base import Heard, Step
from heartrule.engine.calling.prompting import fill
from heartrule.engine.calling.speculation import settled
from heartrule.engine.calling.tasks import Answer, Task
from heartrule.engine.events import Fault
from heartrule.engine.flow import Flow
from heartrule.engine.io import Input
from heartrule.engine.scoping import dependencies
from heartrule.engine.state import Asked
from heartrule.engine.understanding import (
    beside_danger,
    extraction,
    late,
    late_choice,
    late_correction,
    questions_back,
    remarks,
    settling,
    taken_back,
)
from heartrule.engine.understanding.perception import Perception, perceive
from heartrule.engine.understanding.settling import Reply
from heartrule.engine.watching import awareness, crisis, directives, joints, lookout, pieces
from heartrule.engine.watching.awareness import Verdict
from heartrule.engine.work import SAFETY, Work
from heartrule.readers.remarks import remark

WITHHELD = {"called": 2, "cried": 1, "told": 1, "cried out": 3}
"""Times that words are withheld from one question for what they call, or would have called; the next are its answer.
``told``: a script of P0 heard danger in them; ``cried out``: and they are nothing beside it."""
TOLD = ("told", "cried out")
_CLAUSES = re.compile(r"[，,。.！!？?；;、\n]+")


def hear(work: Work, given: Input) -> Flow:
    """One answer (a message or a burst of them) from the person."""
    text = "\n".join(words.text for words in given.words)
    lookout.begin(work, text, heard=True)
    before = pieces.before(work, text, given.after)
    numbers = [work.receive(words.text) for words in given.words]
    ruled = awareness.by_rules(work, text, before)
    if any(verdict.verdict == "yes" for verdict in ruled) and _takes(work, awareness.pressing(work, ruled)):
        yield from _break_off(work, _urgent(work, ruled), text, is_late=late.is_late(work, given.after))
        return
    yield from _answer(work, given, text, numbers, ruled)


def after_the_end(work: Work, given: Input) -> None:
    """Words that were on their way when the session ended: kept, and where they speak of danger, whom to call."""
    for words in given.words:
        work.receive(words.text)
    ruled = awareness.by_rules(work, "\n".join(words.text for words in given.words))
    acting = list(awareness.acting(work, ruled))
    if any(verdict.verdict == "yes" for verdict, _ in acting):
        work.tell(fill(work, "{%crisis_contacts%}", to_person=True))


def _urgent(work: Work, verdicts: list[Verdict]) -> list[Verdict]:
    """Record all verdicts; those that must act now. A grave one leaves no room for a gentle question."""
    acting = [verdict for verdict, now in awareness.acting(work, verdicts) if now]
    grave = [verdict for verdict in acting if verdict.verdict == "yes"]
    return grave if _takes(work, grave) else acting


def _takes(work: Work, verdicts: list[Verdict]) -> bool:
    """Whether something else comes than the reply to what was said."""
    return any(
        directives.takes_the_floor(work, verdict) and not _gives_way(work, verdict, verdicts) for verdict in verdicts
    )


def _gives_way(work: Work, verdict: Verdict, verdicts: list[Verdict]) -> bool:
    """Nothing comes between a person in danger and the crisis technique."""
    if _is_safety(verdict) or not directives.wants_the_floor(verdict):
        return False
    if verdict.node.priority != "P0" and any(
        other.node.priority == "P0" and directives.takes_the_floor(work, other) for other in verdicts
    ):
        return True
    return crisis.runs(work) or any(_is_safety(other) and directives.takes_the_floor(work, other) for other in verdicts)


def _is_safety(verdict: Verdict) -> bool:
    return verdict.ref.partition("/")[0] == SAFETY


def _carry_out(work: Work, verdicts: list[Verdict]) -> None:
    if _takes(work, verdicts):
        late.put_aside(work)
    waiting = [(verdict, _gives_way(work, verdict, verdicts)) for verdict in verdicts]
    for verdict, gives_way in waiting:
        if gives_way:
            directives.give_way(work, verdict)
        else:
            directives.carry_out(work, verdict)
        if work.state.ended:
            return


def _break_off(work: Work, verdicts: list[Verdict], text: str, *, is_late: bool, gently: bool = False) -> Flow:
    """The words are withheld from the action that waits; something more urgent comes first. Only a question about risk
    is answered by them: it is not put again."""
    work.withhold()
    settling.settle(work, None)
    action = flow.present_action(work)
    told = [verdict for verdict in verdicts if verdict.ref == crisis.WATCHER]
    if action is not None and not is_late and told:
        explicit = any(verdict.verdict == "yes" and verdict.source == "rules" for verdict in told)
        crisis.answers(work, action.peek("output") or [], text, explicit=explicit)
    _carry_out(work, verdicts)
    yield from flow.run_on(work)
    _say_something(work, gently=gently)


def _say_something(work: Work, *, gently: bool = False) -> None:
    """Nothing came of what was to come first: the question is put again, so that nobody is left without a word."""
    if not work.state.ended and not any(message.sender == "ai" for message in work.messages):
        cried = gently or (work.lookout is not None and work.lookout.cried)
        flow.put_again(work, work.spoken("resume_gently", 0) if cried else "")


def _answer(work: Work, given: Input, text: str, numbers: list[int], ruled: list[Verdict]) -> Flow:
    """Ask the safety judgement and the action's own call at once; then act on what they say. Explicit words are never
    too late for the crisis technique: what they say holds now, whatever they were sent to."""
    grave = any(verdict.verdict == "yes" for verdict in ruled)
    is_late = late.is_late(work, given.after) and not (grave and _in_safety(work)) and not _is_for_now(work, text)
    asked = late.belonging(work, given.after) if is_late else None
    heard = Heard(text=text, repair=repair_in(text, work.world.script.locale))
    if heard.repair == "unknown" and not is_late and extraction.reads(work, flow.present_action(work), text):
        heard = replace(heard, repair=None)
    chosen = None if is_late else settling.reply(work, heard)
    if chosen is not None and chosen.is_all:
        yield from _chosen(work, chosen, text, ruled)
        return
    if chosen is not None:
        heard = Heard(text=chosen.rest, repair=repair_in(chosen.rest, work.world.script.locale))
    own = _own_question(work, heard, asked, is_late)
    risk = awareness.question(work)
    perception = _perceiving(work, heard, asked, is_late)
    tasks = tuple(task for task in (risk, *perception.tasks, own) if task is not None)
    answers: Mapping[str, Answer] = (yield tasks) if tasks else {}
    judged = awareness.with_model(ruled, answers.get(risk.key)) if risk else ruled
    found = _urgent(work, awareness.weighed(work, judged, text))
    if any(verdict.verdict == "yes" for verdict in found) and _takes(work, found):
        yield from _break_off(work, found, text, is_late=is_late)
        return
    if chosen is not None:
        settling.settle(work, chosen)
    yield from perception.settle(work, answers)
    found = [*found, *joints.owed(work), *joints.answered(work)]
    reply: Answer | None = None
    if own is not None:
        beside = bool(perception.tasks) and not _takes(work, found)
        again = partial(_own_question, work, heard, asked, is_late)
        reply = yield from settled(work, own, answers, again, beside=beside)
    stands = perception.alarms or (grave and _in_safety(work))
    hollow = "" if stands else _is_no_answer(work, own, reply, found, ruled, asked, heard)
    if hollow or (not stands and _is_beside(work, found)):
        if hollow and not is_late:
            _withhold(work, hollow)
        yield from _break_off(work, found, text, is_late=is_late, gently=hollow not in ("", "called"))
        return
    if is_late:
        risky, line = late_correction.take(work, asked, heard, numbers, reply)
        if asked is not None and heard.repair is None:
            settling.add(work, asked.action, heard.text)
        whose = asked.action if risky and asked is not None else next(iter(perception.alarms), None)
        if whose is not None and not crisis.runs(work):
            late.put_aside(work)
            found = _alarm(work, whose, text, found)
        elif not _takes(work, found):
            late_correction.say(work, line)
        _carry_out(work, found)
        yield from flow.run_on(work)
        return
    yield from _act(work, heard, reply, found, grave=grave, alarms=perception.alarms)


def _chosen(work: Work, chosen: Reply, text: str, ruled: list[Verdict]) -> Flow:
    """The words only say which of two things counts: they answer nothing else, and the question that waits is put once
    more."""
    risk = awareness.question(work)
    answers: Mapping[str, Answer] = (yield (risk,)) if risk is not None else {}
    judged = awareness.with_model(ruled, answers.get(risk.key)) if risk else ruled
    found = _urgent(work, awareness.weighed(work, judged, text))
    if any(verdict.verdict == "yes" for verdict in found) and _takes(work, found):
        yield from _break_off(work, found, text, is_late=False)
        return
    settling.settle(work, chosen)
    taken = _takes(work, found)
    _carry_out(work, found)
    if not taken and not work.state.ended:
        work.acknowledge = True
        if not settling.is_pending(work):
            flow.put_again(work)
    yield from flow.run_on(work)
    if taken:
        _say_something(work)


def _is_for_now(work: Work, text: str) -> bool:
    """Whether the waiting action takes these words whatever their sender had seen."""
    action = flow.present_action(work)
    return action is not None and registry()[action.type].takes(work, action, text)


def _in_safety(work: Work) -> bool:
    return work.state.running is not None and work.state.running.project == SAFETY


def _is_beside(work: Work, found: list[Verdict]) -> bool:
    """Words to which the safety project has a word of its own while its question waits: they answer nothing, whatever a
    model reads in them."""
    return any(
        _is_safety(each) and each.node.priority != "P0" and directives.takes_the_floor(work, each) for each in found
    )


def _is_no_answer(
    work: Work,
    own: Task | None,
    reply: Answer | None,
    found: list[Verdict],
    ruled: list[Verdict],
    asked: Asked | None,
    heard: Heard,
) -> str:
    """Words by which rules call something else, while no model can tell whether there is an answer in them as well:
    stored whole, a cry would become a name. Not so of what is read strictly: a choice, asking back, and whatever
    answers a question about risk; nor for ever, unless they mean nothing else. How they are none; empty: they may be
    one."""
    understood = reply.data is not None if reply is not None else own is None and work.model
    how = "" if understood or heard.repair is not None else _how(work, found, ruled)
    if not how:
        return ""
    if asked is not None:
        keeps = late.about_risk(work, asked) or _keeps(work, how, late.wanted(work, asked), "", heard, ruled)
        return "" if keeps else how
    action, running = flow.present_action(work), work.state.running
    wait = running.action.wait if running is not None and running.action is not None else None
    if action is None or wait is None or (wait.choices and wait.kind != "press"):
        return ""
    if wait.choices and questions_back.is_an_answer(work, action, heard.text):
        return ""
    output = action.peek("output") or []
    wanted = [(item.get, dependencies.rules_of(work, item)) for item in extraction.gets(output)]
    question = str(work.frame.memory.get("question", ""))
    if late.concerns_risk(work, output) or _keeps(work, how, wanted, question, heard, ruled):
        return ""
    return how if _withheld(work).get(how, 0) < WITHHELD[how] or remark(heard.text) is not None else ""


def _how(work: Work, found: list[Verdict], ruled: list[Verdict]) -> str:
    """What the words are instead of an answer (a key of ``WITHHELD``)."""
    if any(_called(work, verdict, found) for verdict in found):
        return "called"
    if _in_safety(work):
        return ""
    if work.lookout is not None and work.lookout.cried:
        return "cried"
    told = _told(work, ruled)
    if not told:
        return ""
    return "told" if beside_danger.rest(lookout.begin(work).text, told) else "cried out"


def _told(work: Work, ruled: list[Verdict]) -> list[str | None]:
    """The words in which rules of P0 have heard danger that comes before the reply. A script that never acts at once
    is about no danger."""
    heard = [verdict for verdict in ruled if verdict.verdict != "no" and verdict.node.then]
    told = [verdict for verdict in heard if directives.takes_the_floor(work, verdict)]
    return [verdict.evidence for verdict in told]


def _keeps(
    work: Work, how: str, wanted: list[beside_danger.Wanted], question: str, heard: Heard, ruled: list[Verdict]
) -> bool:
    """Whether words of danger may be the answer to what was asked all the same."""
    rest = beside_danger.rest(heard.text, _told(work, ruled))
    return how in TOLD and beside_danger.may_answer(work, wanted, question, rest)


def _withheld(work: Work) -> dict[str, int]:
    """How often words were withheld from the question that waits, by why."""
    noted = work.frame.memory.get("withheld", {})
    return dict(noted["times"]) if noted and noted["of"] == work.frame.memory.get("question") else {}


def _withhold(work: Work, how: str) -> None:
    frame = work.state.running.action if work.state.running is not None else None
    if frame is not None:
        times = _withheld(work)
        frame.memory["withheld"] = {"of": frame.memory.get("question"), "times": times | {how: times.get(how, 0) + 1}}


def _called(work: Work, verdict: Verdict, verdicts: list[Verdict]) -> bool:
    """Whether rules heard it in these words, and it takes the floor. An expression is not about the words."""
    heard = verdict.node.priority == "P1" and verdict.source == "rules" and verdict.node.noticing is not None
    return heard and directives.takes_the_floor(work, verdict) and not _gives_way(work, verdict, verdicts)


def repair_in(text: str, locale: str) -> str | None:
    """The repair phrase that the words are; of several in a row the first."""
    whole = readers.repair(text, locale)
    if whole is not None:
        return whole
    first, *others = [part for part in _CLAUSES.split(text) if part.strip()] or [""]
    found = readers.repair(first, locale) if others else None
    return found if found and all(readers.repair(part, locale) for part in others) else None


def _perceiving(work: Work, heard: Heard, asked: Asked | None, is_late: bool) -> Perception:
    """What is to be perceived besides what the question finds out that the words belong to."""
    earlier = (late.names(work, asked) if asked is not None else []) if is_late else None
    return perceive(work, heard, flow.present_action(work), earlier)


def _own_question(work: Work, heard: Heard, asked: Asked | None, is_late: bool) -> Task | None:
    if is_late:
        return late.question(work, asked, heard.text) if asked else None
    action = flow.present_action(work)
    if action is None:
        return None
    return registry()[action.type].question(work, action, heard)


def _act(
    work: Work,
    heard: Heard,
    reply: Answer | None,
    urgent: list[Verdict],
    *,
    grave: bool = False,
    alarms: Sequence[str] = (),
) -> Flow:
    """Let the waiting action have the words; then whatever is more urgent than its reply; then on. ``grave``: the words
    speak of explicit intent, which is being handled already. ``alarms``: variables marked ``risk`` that they have made
    a yes, whatever was asked."""
    action, held = flow.present_action(work), _takes(work, urgent)
    free = action is not None and not grave and not held
    back = questions_back.put(work, action, heard, reply) if action and free else None
    taken = taken_back.put(work, action, heard, reply) if action and free and not back else None
    beside = remarks.put(work, action, heard, reply) if action and free and not (back or taken) else None
    if taken is not None:
        alarms = [*alarms, *taken_back.settle(work, taken)]
    if action is None:
        _lost(work)
    elif back and action.type not in questions_back.GO_ON:
        asked = late.note(work, replace(heard, repair=back))
        asked.asking = work.frame.memory.get("asking")
        questions_back.answer(work, action, back)
        _beside(work, alarms, heard.text, urgent)
    elif beside:
        late.note(work, replace(heard, repair=beside)).asking = work.frame.memory.get("asking")
        remarks.answer(work, action, beside)
        _beside(work, alarms, heard.text, urgent)
    elif taken and not taken.rest and action.type not in questions_back.GO_ON:
        flow.put_again(work, taken.line)
        _beside(work, alarms, heard.text, urgent)
    else:
        if back or taken:
            work.tell(taken.line if taken else questions_back.line(work, str(back)), action=work.frame.id)
        heard = replace(heard, text=taken.rest) if taken and taken.rest else heard
        asked, frame = late.note(work, heard), work.frame
        asked.asking = frame.memory.get("asking")
        work.due = frame.wait.due if frame.wait is not None else None
        frame.wait = None
        told = bool(alarms) and not crisis.runs(work)
        work.silent, work.interrupted = told or _takes(work, urgent), told or any(each.directives() for each in urgent)
        step: Step = yield from registry()[action.type].hear(work, action, replace(heard, grave=grave), reply)
        work.silent = work.interrupted = False
        step = replace(step, acknowledge=False) if back or taken else step
        asked.found = dict(frame.memory.get("found", {}))
        risk = step.risk and not crisis.runs(work) and not frame.memory.get("risk_closed")
        if grave:
            crisis.raise_risk(work)
        flow.apply(work, step, silent=risk or told or _takes(work, urgent))
        if risk and work.running.action is not None:
            work.frame.memory["settled"] = True
        if risk or told:
            urgent = _alarm(work, (action.id or action.type) if risk else alarms[0], heard.text, urgent)
        _carry_out(work, urgent)
    yield from flow.run_on(work)
    if held:
        _say_something(work)


def _beside(work: Work, alarms: Sequence[str], text: str, urgent: list[Verdict]) -> None:
    """The words answered nothing, and the question has been put again: what is more urgent comes all the same."""
    if alarms and not crisis.runs(work):
        urgent = _alarm(work, alarms[0], text, urgent)
    _carry_out(work, urgent)


def _alarm(work: Work, whose: str, text: str, urgent: list[Verdict]) -> list[Verdict]:
    """A variable marked ``risk`` was answered with yes, or not clearly: the crisis technique comes before everything
    else. What is left of what was urgent."""
    crisis.call(work, f"risk variable of {whose}", text)
    return [verdict for verdict in urgent if not directives.wants_the_floor(verdict)]


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
        whose = late_choice.take(work, given.after, given.choice)
        if whose is not None and not crisis.runs(work):
            late.put_aside(work)
            _alarm(work, whose, "", [])
        yield from flow.run_on(work)
        return
    lookout.begin(work)
    settling.settle(work, None)
    work.receive(label, choice=True)
    yield from _act(work, Heard(text=label, choice=given.choice), None, [])
