"""A counsellor in the program's place: takes a session over, speaks, and hands it back.

Meanwhile the person's words are kept and the rules of P0 read them, so that it is on record what was said; nothing
else runs, no model is asked, and timers rest. What was waiting is put again when the program is back.
"""

from __future__ import annotations

from dataclasses import replace

from heartrule.engine import awareness, flow, late
from heartrule.engine.actions import registry
from heartrule.engine.events import HumanChanged, LateWords, Noticed
from heartrule.engine.flow import Flow
from heartrule.engine.io import Input
from heartrule.engine.state import Human
from heartrule.engine.work import Work

REST = "a human holds the session"
"""Why nothing follows from what was noticed."""


def concerns(work: Work, given: Input) -> bool:
    """Whether the script is not asked about this: it comes from a counsellor, or one holds the session. Its end is the
    person's to call at any time."""
    theirs = given.kind in ("takeover", "human", "hand_back")
    return theirs or (work.state.human is not None and given.kind != "end")


def turn(work: Work, given: Input) -> Flow:
    """Timers, and whoever only looks in, change nothing."""
    match given.kind:
        case "takeover":
            _take_over(work, given)
        case "human":
            speak(work, given)
        case "hand_back":
            yield from _hand_back(work, given)
        case "message":
            _keep(work, [words.text for words in given.words])
        case "choice":
            _keep_choice(work, given)


def speak(work: Work, given: Input) -> None:
    """Kept under the speaker's name whatever happened since they were written."""
    for words in given.words:
        work.speak(words.text, given.who.name if given.who else "")


def _take_over(work: Work, given: Input) -> None:
    who, held = given.who, work.state.human
    if who is None or (held is not None and held.id == who.id):
        return
    if held is not None and who.instead != held.id:
        work.emit(HumanChanged(change="taken_over", who=who.id, refused="another holds the session"))
        return
    if held is None:
        late.put_aside(work)
        _rest(work)
    work.state.human = Human(id=who.id, name=who.name, since=work.world.now, turn=work.state.seq)
    work.emit(HumanChanged(change="taken_over", who=who.id))
    work.note(_sentence(work, "human_joins", who.name))


def _rest(work: Work) -> None:
    """The waiting action has its whole time again once its question is put again."""
    frame = work.state.running.action if work.state.running else None
    if frame is not None and frame.wait is not None:
        frame.wait.due = None


def _hand_back(work: Work, given: Input) -> Flow:
    who, held = given.who, work.state.human
    if who is None or held is None or held.id != who.id:
        if who is not None:
            work.emit(HumanChanged(change="handed_back", who=who.id, refused="not the one who holds the session"))
        return
    work.state.human = None
    work.emit(HumanChanged(change="handed_back", who=held.id))
    work.note(_sentence(work, "human_leaves", held.name))
    _put_again(work, _sentence(work, "program_again", held.name))
    yield from flow.run_on(work)


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


def _keep(work: Work, texts: list[str]) -> None:
    for text in texts:
        work.receive(text, withheld=True)
    for verdict in awareness.by_rules(work, "\n".join(texts)):
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


def _keep_choice(work: Work, given: Input) -> None:
    """An option that was pressed just as the human came: what it says is kept, and answers nothing."""
    wait = work.frame.wait if work.state.running and work.state.running.action else None
    label = next((choice.label for choice in wait.choices if choice.value == given.choice), None) if wait else None
    if label is None:
        work.emit(LateWords(messages=[], outcome="kept"))
    else:
        work.receive(label, withheld=True, choice=True)
