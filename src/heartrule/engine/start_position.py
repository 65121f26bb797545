"""A session that begins in the middle: at an action of a topic or technique, as if all before it had been gone through.

For trying a part of a script. Conditions of what lies before, and of the topic and phase themselves, are not looked at;
what the session would know by then is what it is given.
"""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.engine import flow
from heartrule.engine.scheduling import instances, sensitive, topics
from heartrule.engine.session.state import PlannedTopic
from heartrule.engine.variables import scopes
from heartrule.engine.work import Work, topic_of
from heartrule.language.nodes.node import Json


def place(work: Work, values: Mapping[str, Json], phase: int | None, ref: str, index: int) -> str:
    """Put a session that has not begun before the action ``index`` of the topic ``ref`` of a phase, or of the technique
    ``ref`` (``phase`` None) in the first phase; the next turn goes on from there. Values are written where they are
    declared, seen from that place. Returns why it cannot be, or nothing."""
    flow.begin(work, {})
    number = phase or 0
    flow.enter_phase(work, number, work.world.script.session.phases[number])
    if phase is None:
        planned = PlannedTopic(key=work.key("t"), kind="skill", ref=ref, name=work.world.script.skills[ref].skill)
    else:
        planned = _take(work, ref)
        topic = topic_of(work.phase, ref)
        if topic is not None and topic.for_each is not None:
            listed = topic.for_each.in_
            _write(work, values, only=listed)
            values = {name: value for name, value in values.items() if name != listed}
            instances.expand(work, planned, topic)
            if not any(each.ref == ref for each in work.phase_frame.queue):
                return f"{ref}: for_each {listed}"
            planned = _take(work, ref)
    topics.start(work, planned)
    sensitive.agreed(work)
    _write(work, values)
    work.running.next = index
    return ""


def _take(work: Work, ref: str) -> PlannedTopic:
    """The first of the topic's in the queue; what was planned before it falls away."""
    queue = work.phase_frame.queue
    first = next(at for at, each in enumerate(queue) if each.ref == ref)
    planned = queue[first]
    work.requeue("start", lambda frame: frame.queue.__delitem__(slice(0, first + 1)))
    return planned


def _write(work: Work, values: Mapping[str, Json], only: str | None = None) -> None:
    for name, value in values.items():
        if only in (None, name):
            scopes.write(work, name, value, strategy="set", source="start")
