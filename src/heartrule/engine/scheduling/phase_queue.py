"""What is planned in a phase, next first: put in, moved, skipped, sorted, and planned anew by a jump.

What was deferred keeps its place: ``after_topic`` at the head, ``before_topic`` in front of its topic, ``after_phase``
at the end. A topic stands in the queue once; ordering it again moves it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from heartrule.engine.scheduling import topics
from heartrule.engine.session.events import Fault, TopicChanged
from heartrule.engine.session.state import Cause, PhaseFrame, PlannedTopic
from heartrule.engine.work import Work, identity
from heartrule.language.nodes import Topic

DEFERRED = 50
"""Techniques that may wait for later at once; more is a loop that defers."""
ORDER = {"high": 0, "medium": 1, "low": 2}

Position = Literal["HEAD", "NEXT", "TAIL"]


def plan(work: Work, steps: Sequence[Topic]) -> list[PlannedTopic]:
    return [
        PlannedTopic(key=work.key("t"), kind="topic", ref=identity(topic), name=topic.topic, priority=topic.priority)
        for topic in steps
    ]


def defer(
    work: Work, planned: PlannedTopic, timing: Literal["before_topic", "after_topic", "after_phase"], to: str | None
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
            index = _behind_deferred(phase.queue)
        elif timing == "before_topic":
            topic = next((t for t in work.phase.steps if to in (t.id, t.topic)), None)
            ref = identity(topic) if topic else to
            index = next((i for i, p in enumerate(phase.queue) if p.ref == ref), -1)
            if index < 0:
                work.emit(Fault(what=f"no planned topic {to} to run {planned.ref} before"))
                return
            planned.to = ref
        phase.queue.insert(index, planned)
        work.emit(TopicChanged(key=planned.key, ref=planned.ref, state="planned", cause=str(planned.cause)))

    work.requeue(str(planned.cause), change)


def _behind_deferred(queue: Sequence[PlannedTopic]) -> int:
    """Where the techniques end that were deferred to the end of the running topic."""
    return next((i for i, p in enumerate(queue) if p.timing != "after_topic"), len(queue))


def _belongs(planned: PlannedTopic, ref: str) -> bool:
    """Whether it is the topic (an instance of it), or a technique that was deferred to its beginning."""
    return planned.ref == ref if planned.kind == "topic" else planned.to == ref


# directives


def refuses(work: Work, ref: str, position: Position) -> str:
    """Why a topic cannot be put into the queue, or nothing. A topic runs once, but for ``repeat`` and transitions."""
    running = work.state.running
    if running is not None and (running.kind, running.ref) == ("topic", ref):
        return "it is running"
    if any((frame.kind, frame.ref) == ("topic", ref) for frame in work.state.suspended):
        return "it was put aside and comes back"
    if not any(_belongs(planned, ref) for planned in work.phase_frame.queue):
        done = [known for known in work.phase_frame.finished if known.ref == ref and known.state == "completed"]
        if done:
            return "it has been gone through"
    if position == "HEAD" and running is not None and topics.too_deep(work.state):
        return topics.TOO_DEEP
    return ""


def insert(
    work: Work, topic: Topic, position: Position, cause: Cause, resume: Literal["after", "skip"] = "after"
) -> str:
    """``HEAD``: what is running is put aside, and the topic comes now. ``NEXT``: it comes when the running one has
    ended, with the techniques deferred to its end. ``TAIL``: behind all that is planned. One that is planned already is
    moved. Returns why it was refused, or nothing."""
    ref = identity(topic)
    why = refuses(work, ref, position)
    if why:
        return why
    with work.rescheduling(str(cause)):
        queue = work.phase_frame.queue
        moved = [planned for planned in queue if _belongs(planned, ref)]
        new = [] if moved else [planned.model_copy(update={"cause": cause}) for planned in plan(work, [topic])]
        if position == "HEAD":
            over = topics.put_aside(work, cause)
            for planned in moved or new:
                planned.urgent, planned.over, planned.resume = True, over, resume
        rest = [planned for planned in queue if planned not in moved]
        index = {"HEAD": 0, "NEXT": _behind_deferred(rest)}.get(position, before_the_end(rest))
        work.phase_frame.queue = [*rest[:index], *(moved or new), *rest[index:]]
    for planned in new:
        work.emit(TopicChanged(key=planned.key, ref=planned.ref, state="planned", cause=str(cause)))
    return ""


def before_the_end(queue: Sequence[PlannedTopic]) -> int:
    """Where the techniques begin that were deferred to the phase's end."""
    behind = [i for i, planned in enumerate(queue) if planned.timing != "after_phase"]
    return behind[-1] + 1 if behind else 0


def skip(work: Work, refs: Sequence[str], cause: str) -> bool:
    """Take topics out of the queue, with the techniques that stand before them. False when none of them is planned."""
    found = [planned for planned in work.phase_frame.queue if planned.ref in refs or planned.name in refs]
    gone = {planned.ref for planned in found if planned.kind == "topic"}
    leave(work, [p for p in work.phase_frame.queue if p in found or p.to in gone], cause)
    return bool(found)


def leave(work: Work, leaving: Sequence[PlannedTopic], cause: str) -> None:
    """These will not run."""
    keys = {planned.key for planned in leaving}

    def change(phase: PhaseFrame) -> None:
        phase.queue = [planned for planned in phase.queue if planned.key not in keys]

    work.requeue(cause, change)
    for planned in leaving:
        topics.skipped(work, planned, cause)


def reorder(work: Work, priorities: Mapping[str, str | int], cause: str) -> bool:
    """Give planned topics new priorities and sort by them; equal ones keep their order, and what was deferred keeps its
    place. False when none is planned."""

    def given(planned: PlannedTopic) -> str | int | None:
        return priorities.get(planned.ref, priorities.get(planned.name))

    def weight(group: list[PlannedTopic]) -> int:
        wanted = given(group[-1])
        return wanted if isinstance(wanted, int) else ORDER.get(group[-1].priority, 1)

    def change(phase: PhaseFrame) -> None:
        for planned in phase.queue:
            wanted = given(planned)
            planned.priority = wanted if isinstance(wanted, str) else planned.priority
        start, end = _head(phase.queue), before_the_end(phase.queue)
        groups = sorted(_groups(phase.queue[start:end]), key=weight)
        phase.queue[start:end] = [planned for group in groups for planned in group]

    known = [planned for planned in work.phase_frame.queue if given(planned) is not None]
    work.requeue(cause, change)
    return bool(known)


def _head(queue: Sequence[PlannedTopic]) -> int:
    """Where that ends which comes before anything else."""
    return next((i for i, p in enumerate(queue) if p.timing != "after_topic" and not p.urgent), len(queue))


def _groups(queue: Sequence[PlannedTopic]) -> list[list[PlannedTopic]]:
    """Topics, each behind the techniques that were deferred to its beginning."""
    groups: list[list[PlannedTopic]] = []
    held: list[PlannedTopic] = []
    for planned in queue:
        held.append(planned)
        if planned.timing != "before_topic":
            groups.append(held)
            held = []
    return [*groups, held] if held else groups


# jumps


def jump(work: Work, index: int, target: str) -> None:
    """Go on from a topic of the phase in the script's order. What was planned before it is skipped; deferred techniques
    stay with the topic they were deferred to. What was put aside comes back first and is not planned again."""
    aside = {each.ref for each in work.state.suspended if each.kind == "topic"}
    ahead = {identity(topic): topic for topic in work.phase.steps[index:] if identity(topic) not in aside}
    queue = work.phase_frame.queue
    queued = {p.ref: p for p in queue if p.kind == "topic" and p.item is None}
    kept = [queued.get(ref) or plan(work, [topic])[0] for ref, topic in ahead.items()]
    held = [p for p in queue if p.kind == "skill" and (p.to is None or p.to in ahead)]
    _replace(work, _with_techniques(kept, held), f"jump to {target}")


def _replace(work: Work, line: list[PlannedTopic], cause: str) -> None:
    """Another queue; what was in the old one and is not in it is skipped."""

    def change(phase: PhaseFrame) -> None:
        phase.queue = line

    for planned in [p for p in work.phase_frame.queue if p not in line]:
        topics.skipped(work, planned, cause)
    work.requeue(cause, change)


def _with_techniques(kept: list[PlannedTopic], held: list[PlannedTopic]) -> list[PlannedTopic]:
    """Each topic behind the techniques that were deferred to it; those to the end of the phase are last."""
    line: list[PlannedTopic] = []
    for planned in kept:
        line += [*(p for p in held if p.to == planned.ref), planned]
    return [*line, *(p for p in held if p.to is None)]
