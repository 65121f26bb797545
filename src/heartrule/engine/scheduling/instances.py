"""The instances of a ``for_each`` topic: one an item, known by its key. Items that appear while it runs are appended,
such as have gone are skipped, and such as are named again have their instance already. Whatever is decided is recorded.

An instance is a topic of its own, with a scope, rounds and passes of its own: what is asked about one item is done, or
put aside, before another's turn comes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrule.engine.scheduling import topics
from heartrule.engine.session.events import InstancesChanged, VariableOperation
from heartrule.engine.session.state import PhaseFrame, PlannedTopic, TopicFrame
from heartrule.engine.variables.definitions import keyed, known_by, lookup
from heartrule.engine.work import Work, topic_of
from heartrule.language.nodes import ForEach, Topic


def expand(work: Work, planned: PlannedTopic, topic: Topic) -> bool:
    """Replace a ``for_each`` topic by one instance an item. False when it is none, or already an instance."""
    each = topic.for_each
    if each is None or planned.item is not None:
        return False
    keys, beyond = _parted(each, lookup(work, each.in_))
    made = [_instance(work, planned, key) for key in keys]
    cause = f"for_each {each.in_}"

    def change(phase: PhaseFrame) -> None:
        phase.seen[planned.ref] = keys
        phase.queue[:0] = made

    work.requeue(cause, change)
    work.emit(InstancesChanged(topic=planned.ref, cause=cause, before=[], after=keys, added=keys, beyond=beyond))
    if not keys:
        topics.skipped(work, planned, f"{each.in_}: no items")
    return True


def grow(work: Work, frame: TopicFrame, topic: Topic) -> None:
    """After an instance: items that have appeared meanwhile are appended, behind all others of the topic."""
    each = topic.for_each
    phase = work.phase_frame
    if each is None or frame.item is None or frame.ref not in phase.seen:
        return
    work.schedule.closed.append((frame.ref, frame.item, len(work.events)))
    seen = phase.seen[frame.ref]
    fresh, _ = _fresh(each, lookup(work, each.in_), seen)
    if not fresh:
        return
    made, cause = [_instance(work, _model(frame, topic), key) for key in fresh], f"for_each {each.in_} grew"

    def change(phase: PhaseFrame) -> None:
        last = max((i for i, p in enumerate(phase.queue) if p.ref == frame.ref), default=-1)
        phase.queue[last + 1 : last + 1] = made
        phase.seen[frame.ref] = [*seen, *fresh]

    work.requeue(cause, change)
    work.emit(InstancesChanged(topic=frame.ref, cause=cause, before=seen, after=[*seen, *fresh], added=fresh))


def _instance(work: Work, planned: PlannedTopic, item: str) -> PlannedTopic:
    return planned.model_copy(update={"key": work.key("t"), "item": item, "name": f"{planned.name}（{item}）"})


def _model(frame: TopicFrame, topic: Topic) -> PlannedTopic:
    """What the instances of a topic that runs are made after."""
    model = PlannedTopic(key="", kind="topic", ref=frame.ref, name=topic.topic, priority=frame.priority)
    ordered = frame.over is not None
    model.urgent, model.over, model.resume = ordered, frame.over, frame.resume if ordered else "after"
    return model


def vanished(work: Work, planned: PlannedTopic, topic: Topic) -> bool:
    """Whether the item that an instance stands for is no longer in the list."""
    each = topic.for_each
    if each is None or planned.item is None:
        return False
    return planned.item not in dict(keyed(each, lookup(work, each.in_)))


# what a turn has brought


def noted(work: Work) -> None:
    """Record what this turn's writes of a list mean for the topic that goes through it, while it does: who is to come,
    who was named again, who has gone, and who finds no room."""
    if work.state.phase is None or not work.phase_frame.seen:
        return
    written = [event for event in work.events if isinstance(event, VariableOperation) and event.operation != "delete"]
    for ref in [ref for ref in work.phase_frame.seen if written and _goes_on(work, ref)]:
        topic = topic_of(work.phase, ref)
        if topic is not None and topic.for_each is not None:
            for event in written:
                if event.name == topic.for_each.in_:
                    _note(work, ref, topic.for_each, event)


def _goes_on(work: Work, ref: str) -> bool:
    begun = any(frame.ref == ref for frame in work.state.frames)
    return begun or any(planned.ref == ref for planned in work.phase_frame.queue)


def _note(work: Work, ref: str, each: ForEach, written: VariableOperation) -> None:
    seen = work.phase_frame.seen[ref]
    before, after = _items(each, written.old), _items(each, written.value)
    coming, beyond = _fresh(each, written.value, seen)
    coming, beyond = ([key for key in found if key not in before] for found in (coming, beyond))
    own = _written_within(work, ref, written)
    again = [key for key, item in after.items() if key in before and before[key] != item and key != own]
    gone = [key for key in before if key not in after]
    if coming or beyond or again or gone:
        work.emit(
            InstancesChanged(
                topic=ref,
                cause=f"{each.in_} was written by {written.source}",
                before=seen,
                after=seen,
                coming=coming,
                again=again,
                vanished=gone,
                beyond=beyond,
            )
        )


def _written_within(work: Work, ref: str, written: VariableOperation) -> str | None:
    """The item whose instance wrote it: the first that ended after it, else the one that runs."""
    at = next((index for index, event in enumerate(work.events) if event is written), 0)
    ended = next((item for other, item, events in work.schedule.closed if other == ref and events > at), None)
    return ended or (work.state.running.item if work.state.running is not None else None)


def _items(each: ForEach, items: Any) -> Mapping[str, Any]:
    """All of them by key, also those beyond ``max``; of equal keys the last."""
    return {known_by(each, index, item): item for index, item in enumerate(items if isinstance(items, list) else [])}


def _parted(each: ForEach, items: Any) -> tuple[list[str], list[str]]:
    """Keys that there is room for, and the others."""
    keys = list(_items(each, items))
    return keys[: each.max], keys[each.max :]


def _fresh(each: ForEach, items: Any, seen: Sequence[str]) -> tuple[list[str], list[str]]:
    """The same for those which have not been met yet. A topic that has met as many as it may has no more room."""
    fresh, room = [key for key in _items(each, items) if key not in seen], max(0, each.max - len(seen))
    return fresh[:room], fresh[room:]
