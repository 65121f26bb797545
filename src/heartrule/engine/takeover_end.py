"""A counsellor leaves: the program goes on at once, or says nothing until the person does, or the session ends here.

The one place for all of it. Whoever comes back to the program is told first, once, who speaks now. What was told the
human in explicit words is not handed back unheard, unless they say that they have cleared it. While the program is
quiet nothing waits for an answer: what the person says then is heard as ever, and answers the question of before only
where that is sure; else that is put again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heartrule.engine import exits, flow
from heartrule.engine.action_types import registry
from heartrule.engine.awareness import awareness, crisis, directives
from heartrule.engine.flow import Flow
from heartrule.engine.scheduling import topics
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.events import HumanChanged
from heartrule.engine.session.io import Input, Who, World
from heartrule.engine.session.state import Human, Quiet, State, TopicFrame
from heartrule.engine.tasks import feedback
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.work import SAFETY, Work

CLEARED = "cleared by a human"
"""Why the crisis technique ends where who hands back says that the danger is over."""
BY_THE_COUNSELLOR = "ended by the counsellor"
"""Why a session ended that a counsellor has ended."""


def hand_back(work: Work, given: Input) -> Flow:
    who, held = given.who, work.state.human
    if who is None or held is None or held.id != who.id:
        if who is not None:
            work.emit(HumanChanged(change="handed_back", who=who.id, refused="not the one who holds the session"))
        return
    for words in given.words:
        work.speak(words.text, held.name)
    work.state.human = None
    was_grave = bool(held.danger) or work.state.handled.times > 0 or work.state.is_in(SAFETY)
    then = who.then if who.then != "fit" else "wait" if was_grave else ""
    work.emit(_event(who, then))
    if then == "end":
        _end(work, who, held, was_grave=was_grave)
    elif then == "wait":
        _wait(work, who, held)
    else:
        yield from _at_once(work, who, held)


def sentence(work: Work, key: str, name: str) -> str:
    return work.spoken(key, 0).replace("{name}", name)


def told_a_human(state: State) -> Sequence[str]:
    """The P0 scripts whose explicit words the person has said to a human, and nobody has cleared or taken up since."""
    if state.human is not None:
        return state.human.danger
    return state.quiet.danger if state.quiet is not None else ()


def _event(who: Who, then: str) -> HumanChanged:
    return HumanChanged(
        change="ended" if then == "end" else "handed_back",
        who=who.id,
        closed=bool(who.closed),
        vanished=bool(who.vanished),
        waits=then == "wait",
    )


def _tell_the_model(work: Work, who: Who, held: Human) -> None:
    """Their words stand in what prompts show; that they dealt with it stands nowhere else."""
    if work.model:
        feedback.give(work, sentence(work, "after_human_cleared" if who.closed else "after_human", held.name))


# at once


def _at_once(work: Work, who: Who, held: Human) -> Flow:
    work.note(sentence(work, "human_vanished" if who.vanished else "human_leaves", held.name))
    if who.vanished and (held.danger or work.state.is_in(SAFETY)):
        directives.escalate(work, "desk", work.spoken("human_vanished_alarm", 0), "vanished")
    _tell_the_model(work, who, held)
    if who.closed:
        _close(work, held)
    else:
        _go_on(work, held)
    yield from flow.run_on(work)


def _go_on(work: Work, held: Human) -> None:
    """With what the person told of danger, where they did; else with what was waiting. A technique that is under way
    already puts its question again, and what it asks about is taken as told."""
    lead = sentence(work, "program_again", held.name)
    told = _danger_verdicts(work.world, held.danger)
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
    lead = sentence(work, "program_again", held.name)
    _clear(work, held)
    if work.state.running is None:
        work.tell(lead)
    else:
        _put_again(work, lead)


def _clear(work: Work, held: Human) -> None:
    if held.danger or work.state.is_in(SAFETY) or work.state.handled.open:
        crisis.close(work, CLEARED)


def _danger_verdicts(world: World, danger: list[str]) -> list[Verdict]:
    """The gravest last, so that it comes first: what is called later puts aside what was called before."""
    known = world.script.awareness
    refs = sorted((ref for ref in danger if ref in known), key=lambda ref: ref == crisis.WATCHER)
    return [Verdict(ref, known[ref], "yes", "rules") for ref in refs]


def _under_way(work: Work, verdict: Verdict) -> bool:
    hit = {awareness.target(work.world, directive, verdict.ref) for directive in verdict.node.then}
    return any(frame.ref in hit for frame in work.state.frames)


def _put_again(work: Work, lead: str) -> None:
    """The waiting question once more, below the words by which the program is known."""
    action, frame = flow.present_action(work), work.state.running.action if work.state.running else None
    if action is None or frame is None or frame.wait is None:
        work.tell(lead)
        return
    step = registry()[action.type].again(work, action)
    first = "\n".join((lead, *step.say[:1]))
    flow.apply(work, replace(step, say=(first, *step.say[1:])))


# when the person writes


def _wait(work: Work, who: Who, held: Human) -> None:
    """Nothing is asked. Who told of danger that nobody has cleared is shown whom to call until they write."""
    work.state.quiet = Quiet(name=held.name, danger=[] if who.closed else held.danger)
    if who.closed:
        _clear(work, held)
        if work.state.running is None and work.state.suspended:
            _rest(topics.come_back(work))
    left = sentence(work, "human_leaves_quiet", held.name)
    open_danger = not who.closed and (held.danger or work.state.is_in(SAFETY))
    work.note("\n".join((left, _contacts(work))) if open_danger else left)
    _tell_the_model(work, who, held)


def _rest(frame: TopicFrame) -> None:
    if frame.action is not None and frame.action.wait is not None:
        frame.action.wait.due = None


def come_back(work: Work) -> list[Verdict]:
    """The person has written, or pressed something: who speaks now is said first. What they told the human of danger
    counts as said now."""
    quiet, work.state.quiet = work.state.quiet, None
    if quiet is None:
        return []
    if not quiet.known:
        work.tell(sentence(work, "program_here", quiet.name))
    return _danger_verdicts(work.world, quiet.danger)


def add_told_to_human(told: list[Verdict], ruled: list[Verdict]) -> list[Verdict]:
    """What rules hear in the words, raised to what was told before."""
    refs = {verdict.ref for verdict in told}
    return [*told, *(verdict for verdict in ruled if verdict.ref not in refs)]


# the end


def _end(work: Work, who: Who, held: Human, *, was_grave: bool) -> None:
    """In the counsellor's own words instead of the script's; who was in danger is shown whom to call."""
    left = sentence(work, "human_ends", held.name)
    running, in_safety = work.state.running, work.state.is_in(SAFETY)
    if who.closed:
        _clear(work, held)
    elif in_safety and running is not None and running.project == SAFETY:
        work.state.ended_in = running.ref
    work.note("\n".join((left, _contacts(work))) if was_grave else left)
    exits.end(work, BY_THE_COUNSELLOR)


def _contacts(work: Work) -> str:
    return f"{work.spoken('human_left_numbers', 0)}\n{fill(work, '{%crisis_contacts%}', to_person=True)}"
