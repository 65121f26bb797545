"""Topics on their way: they start, are put aside, give way to what is more urgent, are left, and end.

What is planned is in ``phase_queue.py``. Deterministic; every change is recorded with its cause, and what was planned,
put aside and running before and after.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from heartrule.engine import topic_plan
from heartrule.engine.session.events import Fault, PlanChanged, TopicChanged
from heartrule.engine.session.state import Cause, FinishedTopic, PlannedTopic, State, TopicFrame
from heartrule.engine.variables import scopes
from heartrule.engine.variables.topic_context import attempted, counted_as
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Action, Get, Skill

DEPTH = 8
"""Topics that may wait for another at once; a call or an interruption beyond it is refused (safety excepted)."""
TOO_DEEP = f"more than {DEPTH} topics would wait"


def parameters(skill: Skill, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a call brings into the skill's scope: what was given, else the parameter's default."""
    wanted = {p.name: p.default if given.get(p.name) is None else given[p.name] for p in skill.parameters}
    return {name: value for name, value in wanted.items() if value is not None}


# starting and suspending


def start(work: Work, planned: PlannedTopic) -> None:
    """Make ``planned`` the running topic, with a scope of its own."""
    project = planned.ref.partition("/")[0] if planned.kind == "skill" else work.world.script.project.id
    work.state.running = frame = TopicFrame(
        key=planned.key,
        kind=planned.kind,
        ref=planned.ref,
        name=planned.name,
        project=project,
        priority=planned.priority,
        item=planned.item,
        returns=planned.returns,
        resume=planned.resume,
        awareness=planned.awareness,
        cause=planned.cause,
        over=planned.over,
        started_at=work.world.now,
    )
    attempt(work, frame)
    work.emit(TopicChanged(key=frame.key, ref=frame.ref, state="running", cause=str(planned.cause)))
    body = work.body()
    scopes.open_scope(work, ("topic", frame.key), body.declare if body else (), frame.ref)
    for name, value in planned.params.items():
        scopes.write(work, name, value, strategy="set", source=str(planned.cause))


def attempt(work: Work, frame: TopicFrame) -> None:
    """The topic is gone through once more."""
    frame.attempts = attempted(work, frame) + 1
    work.state.attempts[counted_as(work, frame)] = frame.attempts


def as_written(work: Work, frame: TopicFrame) -> None:
    """A new pass begins with the actions that the script has."""
    if frame.plan is not None:
        before, frame.plan = topic_plan.ids(work.body(frame), frame.ref), None
        written = topic_plan.ids(work.body(frame), frame.ref)
        changed = PlanChanged(
            topic=frame.ref, topic_key=frame.key, cause="repeat", written=written, before=before, after=written
        )
        work.emit(changed)


def too_deep(state: State) -> bool:
    """Whether as many topics wait as may."""
    return len(state.suspended) >= DEPTH


def put_aside(work: Work, cause: Cause) -> str | None:
    """What is running waits, with its action, round, scope and answers; its timeout rests. The key of what something
    else now stands in the place of, None where nothing was broken off."""
    frame = work.state.running
    if frame is None:
        last = work.state.suspended[-1] if work.state.suspended else None
        return last.key if last is not None and last.gives_way else None
    frame.suspended = cause
    if frame.action and frame.action.wait:
        frame.action.wait.due = None
    work.state.suspended.append(frame)
    work.state.running = None
    work.emit(TopicChanged(key=frame.key, ref=frame.ref, state="suspended", cause=str(cause)))
    return frame.key


def suspend(work: Work, cause: Cause) -> str:
    """Put the running topic aside so that the next planned one comes first. Returns why it was refused, or nothing."""
    why = keeps(work.state)
    if why:
        return why
    with work.rescheduling(str(cause)):
        put_aside(work, cause)
    work.state.suspended[-1].gives_way = True
    return ""


def keeps(state: State) -> str:
    """Why the running topic cannot be put aside, or nothing."""
    if state.running is None:
        return "nothing is running"
    return TOO_DEEP if too_deep(state) else ""


def interrupt(
    work: Work,
    ref: str | None,
    cause: Cause,
    resume: Literal["after", "skip"] = "after",
    awareness: str | None = None,
    params: Mapping[str, Any] | None = None,
) -> str:
    """Suspend what is running and run a technique now; why not, or nothing. A topic that the same awareness script had
    put there earlier, for something less urgent, gives way instead of waiting to be resumed."""
    skill = work.world.script.skills.get(ref) if ref else None
    why = refuses(work, ref, awareness)
    if why or ref is None or skill is None:
        return why
    running = work.state.running
    instead = _instead(work.state, awareness)
    with work.rescheduling(str(cause)):
        if running is not None and instead:
            drop(work, running, f"gave way to {ref}")
            work.state.running, over = None, running.over
        else:
            over = put_aside(work, cause)
        planned = PlannedTopic(
            key=work.key("t"),
            kind="skill",
            ref=ref,
            name=skill.skill,
            params=parameters(skill, params or {}),
            resume=resume,
            awareness=awareness,
            cause=cause,
            over=over,
        )
        start(work, planned)
    return ""


def refuses(work: Work, ref: str | None, awareness: str | None = None) -> str:
    """Why a technique cannot interrupt now, or nothing."""
    if ref is None or ref not in work.world.script.skills:
        return "no such technique"
    waits = work.state.running is not None and not _instead(work.state, awareness)
    return TOO_DEEP if waits and too_deep(work.state) and ref.partition("/")[0] != SAFETY else ""


def _instead(state: State, awareness: str | None) -> bool:
    """Whether what is running was put there by the same awareness script."""
    running = state.running
    return running is not None and awareness is not None and running.awareness == awareness


def call(work: Work, planned: PlannedTopic) -> bool:
    """Run a technique now; the caller comes back when it has ended. False when calls are nested too deep."""
    if too_deep(work.state):
        work.emit(Fault(what=f"calls nested deeper than {DEPTH}: {planned.ref}"))
        return False
    with work.rescheduling(str(planned.cause)):
        put_aside(work, planned.cause)
        start(work, planned)
    return True


def come_back(work: Work) -> TopicFrame:
    """The topic that was put aside last runs again."""
    with work.rescheduling("resumed"):
        frame = work.state.running = work.state.suspended.pop()
    frame.because, frame.suspended, frame.gives_way = frame.suspended, None, False
    work.emit(TopicChanged(key=frame.key, ref=frame.ref, state="running", cause="resumed"))
    return frame


# leaving


def leave(work: Work, index: int) -> None:
    """The technique that the running topic has called at ``index`` takes its place. What was still to be asked stays
    unfinished; a topic of which nothing is left is gone through all the same."""
    frame, body = work.running, work.body()
    frame.left = True
    if body is None or index + 1 >= len(body.actions):
        return
    called = work.world.script.skill(str(body.actions[index].peek("skill")), frame.project)
    frame.left_for = called[0] if called else str(body.actions[index].peek("skill"))
    asked = [name for action in body.actions[index + 1 :] for name in _asked(action)]
    frame.unfinished = sorted({*frame.unfinished, *(name for name in asked if scopes.lookup(work, name) is None)})


def _asked(action: Action) -> list[str]:
    """What an action is to find out."""
    gets = [item.get for item in action.peek("output") or [] if isinstance(item, Get)]
    return gets + ([str(action.peek("var"))] if action.peek("choices") else [])


def skipped(work: Work, planned: PlannedTopic, cause: str) -> None:
    """A planned topic that will not run."""
    _finished(work, FinishedTopic(key=planned.key, ref=planned.ref, name=planned.name, state="skipped", cause=cause))
    work.emit(TopicChanged(key=planned.key, ref=planned.ref, state="skipped", cause=cause))


def drop(work: Work, frame: TopicFrame, cause: str) -> None:
    """A started topic that will not be finished: its scope goes, with a snapshot."""
    _finished(work, FinishedTopic(key=frame.key, ref=frame.ref, name=frame.name, state="skipped", cause=cause))
    if frame.action is not None:
        work.mark(frame, "after", "left")
    work.emit(TopicChanged(key=frame.key, ref=frame.ref, state="skipped", cause=cause))
    scopes.close_scope(work, ("topic", frame.key), frame.name)


def withdraw(work: Work, frame: TopicFrame) -> None:
    """The running topic has only just begun and is planned anew: as if it had not, with its scope gone."""
    work.state.attempts[counted_as(work, frame)] = frame.attempts - 1
    scopes.close_scope(work, ("topic", frame.key), frame.name)
    work.state.running = None


def drop_all(work: Work, cause: str) -> None:
    """Leave everything that is running, suspended or planned in this phase."""
    with work.rescheduling(cause):
        if work.state.running is not None:
            drop(work, work.state.running, cause)
            work.state.running = None
        while work.state.suspended:
            drop(work, work.state.suspended.pop(), cause)
        for planned in work.phase_frame.queue:
            skipped(work, planned, cause)
        work.phase_frame.queue.clear()


def replaced(work: Work, frame: TopicFrame) -> TopicFrame | None:
    """A topic has ended that something was put aside for: with ``resume: skip`` that does not come back. What was left
    so."""
    gone = next((each for each in work.state.suspended if each.key == frame.over), None)
    if frame.resume != "skip" or gone is None:
        return None
    with work.rescheduling(f"left for {frame.ref}"):
        work.state.suspended.remove(gone)
        drop(work, gone, f"left for {frame.ref}")
    return gone


def _finished(work: Work, entry: FinishedTopic) -> None:
    """One entry for each, so that a topic that runs over and over does not make the state grow."""
    frame = work.phase_frame
    others = [known for known in frame.finished if (known.ref, known.name) != (entry.ref, entry.name)]
    frame.finished = [*others, entry]


def finish(work: Work) -> list[tuple[str, Any]]:
    """The running topic has ended, or a technique has come in the place of what was left of it. What it hands back to
    its caller: (ours, value)."""
    frame = work.running
    state: Literal["completed", "skipped"] = "skipped" if frame.left_for else "completed"
    cause = f"left for {frame.left_for}" if frame.left_for else ""
    handed = [(item.ours, value) for item in frame.returns if (value := _returned(work, item.theirs)) is not None]
    _finished(
        work,
        FinishedTopic(
            key=frame.key, ref=frame.ref, name=frame.name, state=state, cause=cause, unfinished=bool(frame.unfinished)
        ),
    )
    changed = TopicChanged(
        key=frame.key, ref=frame.ref, state=state, cause=cause or str(frame.cause), unfinished=frame.unfinished
    )
    work.emit(changed)
    scopes.close_scope(work, ("topic", frame.key), frame.name)
    work.state.running = None
    return handed


def _returned(work: Work, name: str) -> Any:
    """What a technique found. A return that it never set is not taken from elsewhere."""
    body = work.body()
    own = isinstance(body, Skill) and name in scopes.own_names(body)
    return scopes.lookup(work, f"topic.{name}" if own else name)
