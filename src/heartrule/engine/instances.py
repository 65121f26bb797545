"""The instances of a ``for_each`` topic: one an item, known by its key; new items are appended, gone ones skipped."""

from __future__ import annotations

from heartrule.engine import scopes, topics
from heartrule.engine.state import PhaseFrame, Planned, TopicFrame
from heartrule.engine.work import Work
from heartrule.language.nodes import Topic


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
        topics.skipped(work, planned, f"{each.in_}: no items")
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
    model = Planned(key="", kind="topic", ref=frame.ref, name=topic.topic, priority=frame.priority)
    ordered = frame.over is not None
    model.urgent, model.over, model.resume = ordered, frame.over, frame.resume if ordered else "after"

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
