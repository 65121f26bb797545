"""The topic scheduler: the queue of a phase, topics that start, are suspended, come back, are skipped, and end.

Deterministic; every change is recorded with its cause and the queue before and after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from heartrule.engine import scopes
from heartrule.engine.events import Fault, TopicChanged
from heartrule.engine.state import Finished, PhaseFrame, Planned, TopicFrame
from heartrule.engine.work import Work, identity, topic_of
from heartrule.language.nodes import Skill, Topic

DEPTH = 8
"""Topics that may wait for another at once; a call or an interruption beyond it is refused (safety excepted)."""
DEFERRED = 50
"""Techniques that may wait for later at once; more is a loop that defers."""
ORDER = {"high": 0, "medium": 1, "low": 2}


def plan(work: Work, topics: Sequence[Topic]) -> list[Planned]:
    return [
        Planned(key=work.key("t"), kind="topic", ref=identity(topic), name=topic.topic, priority=topic.priority)
        for topic in topics
    ]


def parameters(skill: Skill, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a call brings into the skill's scope: what was given, else the parameter's default."""
    wanted = {p.name: p.default if given.get(p.name) is None else given[p.name] for p in skill.parameters}
    return {name: value for name, value in wanted.items() if value is not None}


# starting and suspending


def start(work: Work, planned: Planned) -> None:
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
        started_at=work.world.now,
    )
    work.emit(TopicChanged(key=frame.key, ref=frame.ref, state="running", cause=planned.cause))
    body = work.body()
    scopes.open_scope(work, ("topic", frame.key), body.declare if body else (), frame.ref)
    for name, value in planned.params.items():
        scopes.write(work, name, value, strategy="set", source=planned.cause)


def suspend(work: Work, reason: str) -> None:
    """Put the running topic aside with its action, round, scope and answers. Its timeout rests."""
    frame = work.running
    frame.suspended = reason
    if frame.action and frame.action.wait:
        frame.action.wait.due = None
    work.state.suspended.append(frame)
    work.state.running = None
    work.emit(TopicChanged(key=frame.key, ref=frame.ref, state="suspended", cause=reason))


def interrupt(
    work: Work,
    ref: str | None,
    cause: str,
    resume: Literal["after", "skip"] = "after",
    awareness: str | None = None,
    params: Mapping[str, Any] | None = None,
) -> str:
    """Suspend what is running and run a technique now; why not, or nothing. A topic that the same awareness script had
    put there earlier, for something less urgent, gives way instead of waiting to be resumed."""
    skill = work.world.script.skills.get(ref) if ref else None
    if ref is None or skill is None:
        return "no such technique"
    running = work.state.running
    if running is not None:
        if awareness is not None and running.awareness == awareness:
            drop(work, running, f"gave way to {ref}")
            work.state.running = None
        else:
            suspend(work, cause)
    planned = Planned(
        key=work.key("t"),
        kind="skill",
        ref=ref,
        name=skill.skill,
        params=parameters(skill, params or {}),
        resume=resume,
        awareness=awareness,
        cause=cause,
    )
    start(work, planned)
    return ""


def call(work: Work, planned: Planned) -> bool:
    """Run a technique now; the caller comes back when it has ended. False when calls are nested too deep."""
    if len(work.state.suspended) >= DEPTH:
        work.emit(Fault(what=f"calls nested deeper than {DEPTH}: {planned.ref}"))
        return False
    suspend(work, planned.cause)
    start(work, planned)
    return True


def defer(
    work: Work, planned: Planned, timing: Literal["before_topic", "after_topic", "after_phase"], to: str | None
) -> None:
    """Put a technique into the queue: before a topic, after this one, or after the phase's last. Those that wait for
    the same moment keep the order in which they were deferred."""
    planned.timing = timing
    if sum(p.kind == "skill" for p in work.phase_frame.queue) >= DEFERRED:
        work.emit(Fault(what=f"more than {DEFERRED} techniques deferred: {planned.ref}"))
        return

    def change(phase: PhaseFrame) -> None:
        index = len(phase.queue)
        if timing == "after_topic":
            index = next((i for i, p in enumerate(phase.queue) if p.timing != "after_topic"), index)
        elif timing == "before_topic":
            topic = next((t for t in work.phase.steps if to in (t.id, t.topic)), None)
            ref = identity(topic) if topic else to
            index = next((i for i, p in enumerate(phase.queue) if p.ref == ref), -1)
            if index < 0:
                work.emit(Fault(what=f"no planned topic {to} to run {planned.ref} before"))
                return
            planned.to = ref
        phase.queue.insert(index, planned)
        work.emit(TopicChanged(key=planned.key, ref=planned.ref, state="planned", cause=planned.cause))

    work.requeue(planned.cause, change)


# for_each


def expand(work: Work, planned: Planned, topic: Topic) -> bool:
    """Replace a ``for_each`` topic by one instance an item. False when it is none, or already an instance."""
    each = topic.for_each
    if each is None or planned.item is not None:
        return False
    keys = [key for key, _ in scopes.keyed(each, scopes.lookup(work, each.in_))]

    def change(phase: PhaseFrame) -> None:
        phase.seen[planned.ref] = keys
        phase.queue[:0] = [_instance(work, planned, key) for key in keys]

    work.requeue(f"for_each {each.in_}", change)
    if not keys:
        skipped(work, planned, f"{each.in_}: no items")
    return True


def _instance(work: Work, planned: Planned, item: str) -> Planned:
    return planned.model_copy(update={"key": work.key("t"), "item": item, "name": f"{planned.name}（{item}）"})


def grow(work: Work, frame: TopicFrame, topic: Topic) -> None:
    """After an instance: items that have appeared meanwhile are appended."""
    each = topic.for_each
    phase = work.phase_frame
    if each is None or frame.item is None or frame.ref not in phase.seen:
        return
    seen = phase.seen[frame.ref]
    fresh = [key for key, _ in scopes.keyed(each, scopes.lookup(work, each.in_)) if key not in seen]
    fresh = fresh[: max(0, each.max - len(seen))]
    if not fresh:
        return
    model = Planned(key="", kind="topic", ref=frame.ref, name=topic.topic, priority=topic.priority)

    def change(phase: PhaseFrame) -> None:
        last = max((i for i, p in enumerate(phase.queue) if p.ref == frame.ref), default=-1)
        phase.queue[last + 1 : last + 1] = [_instance(work, model, key) for key in fresh]
        phase.seen[frame.ref] = [*seen, *fresh]

    work.requeue(f"for_each {each.in_} grew", change)


def vanished(work: Work, planned: Planned, topic: Topic) -> bool:
    """Whether the item that an instance stands for is no longer in the list."""
    each = topic.for_each
    if each is None or planned.item is None:
        return False
    return planned.item not in dict(scopes.keyed(each, scopes.lookup(work, each.in_)))


# leaving


def skipped(work: Work, planned: Planned, cause: str) -> None:
    """A planned topic that will not run."""
    _finished(work, Finished(key=planned.key, ref=planned.ref, name=planned.name, state="skipped", cause=cause))
    work.emit(TopicChanged(key=planned.key, ref=planned.ref, state="skipped", cause=cause))


def drop(work: Work, frame: TopicFrame, cause: str) -> None:
    """A started topic that will not be finished: its scope goes, with a snapshot."""
    _finished(work, Finished(key=frame.key, ref=frame.ref, name=frame.name, state="skipped", cause=cause))
    if frame.action is not None:
        work.mark(frame, "after", "left")
    work.emit(TopicChanged(key=frame.key, ref=frame.ref, state="skipped", cause=cause))
    scopes.close_scope(work, ("topic", frame.key), frame.name)


def drop_all(work: Work, cause: str) -> None:
    """Leave everything that is running, suspended or planned in this phase."""
    if work.state.running is not None:
        drop(work, work.state.running, cause)
        work.state.running = None
    while work.state.suspended:
        drop(work, work.state.suspended.pop(), cause)
    for planned in work.phase_frame.queue:
        skipped(work, planned, cause)
    work.requeue(cause, lambda phase: phase.queue.clear())


def _finished(work: Work, entry: Finished) -> None:
    """One entry for each, so that a topic that runs over and over does not make the state grow."""
    frame = work.phase_frame
    others = [known for known in frame.finished if (known.ref, known.name) != (entry.ref, entry.name)]
    frame.finished = [*others, entry]


def finish(work: Work) -> list[tuple[str, Any]]:
    """The running topic has ended. Returns what it hands back to its caller: (ours, value)."""
    frame = work.running
    handed = [(item.ours, value) for item in frame.returns if (value := _returned(work, item.theirs)) is not None]
    _finished(
        work,
        Finished(key=frame.key, ref=frame.ref, name=frame.name, state="completed", unfinished=bool(frame.unfinished)),
    )
    work.emit(
        TopicChanged(key=frame.key, ref=frame.ref, state="completed", cause=frame.cause, unfinished=frame.unfinished)
    )
    scopes.close_scope(work, ("topic", frame.key), frame.name)
    work.state.running = None
    body = topic_of(work.phase, frame.ref) if frame.kind == "topic" else None
    if body is not None:
        grow(work, frame, body)
    return handed


def _returned(work: Work, name: str) -> Any:
    """What a technique found. A return that it never set is not taken from elsewhere."""
    body = work.body()
    own = isinstance(body, Skill) and name in scopes.own_names(body)
    return scopes.lookup(work, f"topic.{name}" if own else name)


# directives


def insert(work: Work, planned: Planned, position: str, cause: str) -> None:
    """``HEAD`` and ``NEXT`` go before, ``TAIL`` behind what is planned."""

    def change(phase: PhaseFrame) -> None:
        phase.queue.insert(len(phase.queue) if position == "TAIL" else 0, planned)

    work.requeue(cause, change)
    work.emit(TopicChanged(key=planned.key, ref=planned.ref, state="planned", cause=cause))


def skip_planned(work: Work, refs: Sequence[str], cause: str) -> bool:
    """False when none of them is planned."""
    wanted = set(refs)
    found = [p for p in work.phase_frame.queue if p.ref in wanted or p.name in wanted]
    for planned in found:
        work.requeue(cause, lambda phase, gone=planned: phase.queue.remove(gone))  # type: ignore[misc]
        skipped(work, planned, cause)
    return bool(found)


def reorder(work: Work, priorities: Mapping[str, str | int], cause: str) -> bool:
    """Give planned topics new priorities and sort by them; equal ones keep their order. False when none is planned."""

    def weight(planned: Planned) -> int:
        given = priorities.get(planned.ref, priorities.get(planned.name, planned.priority))
        return given if isinstance(given, int) else ORDER.get(given, 1)

    work.requeue(cause, lambda phase: phase.queue.sort(key=weight))
    return any(planned.ref in priorities or planned.name in priorities for planned in work.phase_frame.queue)
