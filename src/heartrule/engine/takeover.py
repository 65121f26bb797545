"""A counsellor in the program's place: takes a session over, and speaks. ``takeover_end.py`` has how it ends.

Meanwhile the person's words are kept and the rules of P0 read them, so that it is on record what was said; nothing
else runs, no model is asked, and timers rest. Danger is not left to the counsellor alone: all on duty are told at once,
and the numbers are shown where no human writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from heartrule.engine import takeover_end
from heartrule.engine.awareness import awareness, directives, fragments
from heartrule.engine.flow import Flow
from heartrule.engine.repair import late_words
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.events import HumanChanged, LateWords, Noticed
from heartrule.engine.session.io import Input
from heartrule.engine.session.state import Human, State
from heartrule.engine.submissions import submissions
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.work import Work

REST = "a human holds the session"
"""Why nothing follows from what was noticed."""
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
            yield from takeover_end.hand_back(work, given)
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
        danger=list(takeover_end.told_a_human(work.state)),
        unanswered=held.unanswered if held is not None else None,
    )
    work.state.takeovers += 1
    work.state.quiet = None
    work.emit(HumanChanged(change="taken_over", who=who.id))
    work.note(takeover_end.sentence(work, "human_joins", who.name))


def _rest(state: State) -> None:
    """The waiting action has its whole time again once its question is put again."""
    frame = state.running.action if state.running else None
    if frame is not None and frame.wait is not None:
        frame.wait.due = None


def keep(work: Work, texts: Sequence[str]) -> None:
    """The person's words while a human holds the session: on record, and heard by nobody but them and the rules."""
    said = "\n".join(texts)
    verdicts = awareness.by_rules(work, said, fragments.before(work, said, None))
    for text in texts:
        work.receive(text, withheld=True)
    _keep_told(work, verdicts)


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
