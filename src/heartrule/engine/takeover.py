"""A counsellor in the program's place: takes a session over, speaks, and hands it back.

Meanwhile the person's words are kept and the rules of P0 read them, so that it is on record what was said; nothing
else runs, no model is asked, and timers rest. What was waiting is put again when the program is back. Danger is not
left to the counsellor alone: all on duty are told at once, the numbers are shown where no human writes, and whoever
hands back hands over to the technique that the words call for, unless they say that they have cleared it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from heartrule.engine import flow
from heartrule.engine.action_types import registry
from heartrule.engine.awareness import alerts, awareness, crisis, directives
from heartrule.engine.flow import Flow
from heartrule.engine.repair import late_words
from heartrule.engine.session.events import HumanChanged, LateWords, Noticed
from heartrule.engine.session.io import Input, World
from heartrule.engine.session.noticing import Verdict
from heartrule.engine.session.state import Human, State
from heartrule.engine.submissions import submissions
from heartrule.engine.tasks.prompting import fill
from heartrule.engine.work import SAFETY, Work

REST = "a human holds the session"
"""Why nothing follows from what was noticed."""
CLEARED = "cleared by a human"
"""Why the crisis technique ends where who hands back says that the danger is over."""
ANSWER = timedelta(minutes=3)
"""How long words of danger may stand without a human's before the person is shown whom to call."""


def concerns(state: State, given: Input) -> bool:
    """Whether the script is not asked about this: it comes from a counsellor, or one holds the session. Its end is the
    person's to call at any time; whose a message is, is said with all others (``steps/claims.py``)."""
    theirs = given.kind in ("takeover", "human", "hand_back")
    return theirs or (state.human is not None and given.kind not in ("end", "message"))


def due(state: State) -> datetime | None:
    """When the person is to be shown whom to call, unless a human writes before."""
    since = state.human.unanswered if state.human is not None else None
    return None if since is None else since + ANSWER


def turn(work: Work, given: Input) -> Flow:
    """Whoever only looks in changes nothing, and so does a timer unless danger has stood too long."""
    match given.kind:
        case "timer":
            _show_numbers(work)
        case "takeover":
            _take_over(work, given)
        case "human":
            speak(work, given)
        case "hand_back":
            yield from _hand_back(work, given)
        case "choice":
            _keep_choice(work, given)
        case "form_draft" | "form_submit" | "form_cancel":
            _keep_told(work, submissions.keep(work, given))


def speak(work: Work, given: Input) -> None:
    """Kept under the speaker's name whatever happened since they were written."""
    for words in given.words:
        work.speak(words.text, given.who.name if given.who else "")
    if work.state.human is not None:
        work.state.human.unanswered = None


def _show_numbers(work: Work) -> None:
    held, at = work.state.human, due(work.state)
    if held is not None and at is not None and at <= work.world.now:
        held.unanswered = None
        work.note(f"{work.spoken('human_silent', 0)}\n{fill(work, '{%crisis_contacts%}', to_person=True)}")


def _take_over(work: Work, given: Input) -> None:
    who, held = given.who, work.state.human
    if who is None or (held is not None and held.id == who.id):
        return
    if held is not None and who.instead != held.id:
        work.emit(HumanChanged(change="taken_over", who=who.id, refused="another holds the session"))
        return
    if held is None:
        late_words.put_aside(work)
        _rest(work.state)
    work.state.human = Human(
        id=who.id,
        name=who.name,
        since=work.world.now,
        turn=work.state.seq,
        danger=held.danger if held is not None else [],
        unanswered=held.unanswered if held is not None else None,
    )
    work.emit(HumanChanged(change="taken_over", who=who.id))
    work.note(_sentence(work, "human_joins", who.name))


def _rest(state: State) -> None:
    """The waiting action has its whole time again once its question is put again."""
    frame = state.running.action if state.running else None
    if frame is not None and frame.wait is not None:
        frame.wait.due = None


def _hand_back(work: Work, given: Input) -> Flow:
    who, held = given.who, work.state.human
    if who is None or held is None or held.id != who.id:
        if who is not None:
            work.emit(HumanChanged(change="handed_back", who=who.id, refused="not the one who holds the session"))
        return
    work.state.human = None
    gone = bool(who.vanished)
    work.emit(HumanChanged(change="handed_back", who=held.id, closed=bool(who.closed), vanished=gone))
    work.note(_sentence(work, "human_vanished" if gone else "human_leaves", held.name))
    if gone and (held.danger or any(frame.project == SAFETY for frame in alerts.frames(work.state))):
        directives.escalate(work, "desk", work.spoken("human_vanished_alarm", 0), "vanished")
    if who.closed:
        _close(work, held)
    else:
        _go_on(work, held)
    yield from flow.run_on(work)


def _go_on(work: Work, held: Human) -> None:
    """With what the person told of danger, where they did; else with what was waiting. A technique that is under way
    already puts its question again, and what it asks about is taken as told."""
    lead = _sentence(work, "program_again", held.name)
    told = _told(work.world, held)
    called = [verdict for verdict in told if not _under_way(work, verdict)]
    if len(called) < len(told):
        crisis.raise_risk(work)
    if not called:
        _put_again(work, lead)
        return
    work.tell(lead)
    for verdict in called:
        directives.carry_out(work, verdict)


def _close(work: Work, held: Human) -> None:
    """The human has cleared the danger: nothing is asked about it again. What was talked about before comes back; words
    of danger from now on are heard as ever."""
    lead = _sentence(work, "program_again", held.name)
    under_way = any(frame.project == SAFETY for frame in alerts.frames(work.state))
    if held.danger or under_way or work.state.handled.open:
        crisis.close(work, CLEARED)
    if work.state.running is None:
        work.tell(lead)
    else:
        _put_again(work, lead)


def _told(world: World, held: Human) -> list[Verdict]:
    """The gravest last, so that it comes first: what is called later puts aside what was called before."""
    known = world.script.awareness
    refs = sorted((ref for ref in held.danger if ref in known), key=lambda ref: ref == crisis.WATCHER)
    return [Verdict(ref, known[ref], "yes", "rules") for ref in refs]


def _under_way(work: Work, verdict: Verdict) -> bool:
    hit = {awareness.target(work.world, directive, verdict.ref) for directive in verdict.node.then}
    return any(frame.ref in hit for frame in alerts.frames(work.state))


def _put_again(work: Work, lead: str) -> None:
    """The waiting question once more, below the words by which the program is known."""
    action, frame = flow.present_action(work), work.state.running.action if work.state.running else None
    if action is None or frame is None or frame.wait is None:
        work.tell(lead)
        return
    step = registry()[action.type].again(work, action)
    first = "\n".join((lead, *step.say[:1]))
    flow.apply(work, replace(step, say=(first, *step.say[1:])))


def _sentence(work: Work, key: str, name: str) -> str:
    return work.spoken(key, 0).replace("{name}", name)


def keep(work: Work, texts: Sequence[str]) -> None:
    """The person's words while a human holds the session: on record, and heard by nobody but them and the rules."""
    for text in texts:
        work.receive(text, withheld=True)
    _keep_told(work, awareness.by_rules(work, "\n".join(texts)))


def _keep_told(work: Work, verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        work.emit(
            Noticed(
                awareness=verdict.ref,
                verdict=verdict.verdict,
                source=verdict.source,
                evidence=verdict.evidence,
                reason=verdict.reason,
                handled=verdict.verdict != "no",
                rest=REST if verdict.verdict != "no" else "",
            )
        )
        if verdict.verdict == "yes":
            _alarm(work, verdict)


def _alarm(work: Work, verdict: Verdict) -> None:
    """Remembered until the program is back. Those on duty are told once until a human has written."""
    held = work.state.human
    if held is None:
        return
    held.danger = held.danger if verdict.ref in held.danger else [*held.danger, verdict.ref]
    if held.unanswered is None:
        held.unanswered = work.world.now
        directives.escalate(work, "desk", work.spoken("human_alarm", 0), f"awareness {verdict.ref} {verdict.verdict}")


def _keep_choice(work: Work, given: Input) -> None:
    """An option that was pressed just as the human came: what it says is kept, and answers nothing."""
    wait = work.frame.wait if work.state.running and work.state.running.action else None
    label = next((choice.label for choice in wait.choices if choice.value == given.choice), None) if wait else None
    if label is None:
        work.emit(LateWords(messages=[], outcome="kept"))
    else:
        work.receive(label, withheld=True, choice=True)
