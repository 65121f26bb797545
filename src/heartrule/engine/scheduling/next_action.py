"""Which action the script comes to for certain when the one that waits has ended, before it waits again.

Nobody can tell behind a technique, a transition, a ``repeat``, a ``for_each``, or a condition that is not decided yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heartrule.engine.scheduling import foresight, sensitive
from heartrule.engine.session.state import PlannedTopic
from heartrule.engine.tasks.strategies import unstarted
from heartrule.engine.work import Work, identity, topic_of
from heartrule.language.nodes import Action, Phase, Skill, Topic
from heartrule.language.nodes.conditions import Condition
from heartrule.language.nodes.written_names import writes


@dataclass(frozen=True, slots=True)
class Place:
    """An action where it stands. ``topic`` is the key of its topic, or the phase and the topic where that has none yet;
    ``name`` is what its frame will be called. ``running``: it is the one that waits."""

    topic: str
    name: str
    action: Action
    body: Topic | Skill
    phase: Phase
    index: int
    running: bool = False

    @property
    def key(self) -> str:
        return f"{self.topic} {self.name}"


class _Unsure(Exception):
    """From here on nobody can tell."""


def here(work: Work) -> Place | None:
    """The action that waits."""
    action, body = foresight.present(work), work.body() if work.state.running else None
    if action is None or body is None or work.frame.wait is None:
        return None
    return Place(work.running.key, work.frame.id, action, body, work.phase, work.frame.index, running=True)


def next_adaptive(work: Work) -> Place | None:
    """The ``adaptive`` action that is certainly come to without a wait before it."""
    present = foresight.present(work)
    if present is None:
        return None
    unsettled = {*foresight.COUNTED, *writes(present)}
    try:
        for place in _rest(work, unsettled):
            if place.action.peek("adaptive"):
                return place
            if foresight.waits(place.action):
                return None
    except _Unsure:
        pass
    return None


def certain(work: Work) -> Iterator[Place]:
    """The actions that are come to in any case behind the one that waits, in their order, whether they wait or not;
    among them silent ones that may be passed over."""
    present = foresight.present(work)
    if present is None:
        return
    try:
        yield from _rest(work, {*foresight.COUNTED, *writes(present)})
    except _Unsure:
        return


def _rest(work: Work, unsettled: set[str]) -> Iterator[Place]:
    """The rest of the running topic, of those that called it, of what is planned, and of the next phase."""
    for depth, frame in enumerate(work.state.frames[::-1]):
        body = work.body(frame)
        elsewhere = frame.gives_way or frame.left or (depth and not foresight.called(frame))
        if body is None or frame.action is None or elsewhere:
            raise _Unsure
        if depth and body.actions[frame.action.index].peek("resume") == "skip":
            raise _Unsure
        yield from _actions(work, frame.key, frame.ref, body, work.phase, frame.action.index + 1, unsettled)
        _ends(body)
        if frame.resume == "skip":
            raise _Unsure
    if work.phase_frame.then is not None:
        raise _Unsure
    for planned in work.phase_frame.queue:
        yield from _planned(work, planned, unsettled)
    yield from _phases(work, unsettled)


def _planned(work: Work, planned: PlannedTopic, unsettled: set[str]) -> Iterator[Place]:
    topic = topic_of(work.phase, planned.ref) if planned.kind == "topic" else None
    if topic is None:
        raise _Unsure
    yield from _topic(work, planned.key, topic, work.phase, unsettled)


def _topic(work: Work, key: str, topic: Topic, phase: Phase, unsettled: set[str]) -> Iterator[Place]:
    if topic.for_each is not None or sensitive.is_ahead(work, topic):
        raise _Unsure
    if _holds(work, topic.condition, unsettled):
        yield from _actions(work, key, identity(topic), topic, phase, 0, unsettled)
        _ends(topic)


def _phases(work: Work, unsettled: set[str]) -> Iterator[Place]:
    if work.phase.transitions:
        raise _Unsure
    for phase in work.world.script.session.phases[work.phase_frame.index + 1 :]:
        if not _holds(work, phase.condition, unsettled):
            continue
        for topic in phase.steps:
            key = unstarted(identity(phase), identity(topic))
            yield from _topic(work, key, topic, phase, unsettled)
        if phase.transitions:
            raise _Unsure


def _actions(
    work: Work, key: str, ref: str, body: Topic | Skill, phase: Phase, first: int, unsettled: set[str]
) -> Iterator[Place]:
    for index, action in enumerate(body.actions[first:], first):
        if _comes(work, action, unsettled):
            yield Place(key, action.id or f"{ref}#{index + 1}", action, body, phase, index)
            unsettled.update(writes(action))


def _comes(work: Work, action: Action, unsettled: set[str]) -> bool:
    """Whether it comes. One that says nothing and waits for nothing may: it makes no odds to what stands behind it, as
    long as nobody counts on what it writes."""
    if action.traits.passes_at_once and action.condition is not None:
        return foresight.truth(work, action.condition, unsettled) is not False
    return _holds(work, action.condition, unsettled)


def _holds(work: Work, condition: Condition | None, unsettled: set[str]) -> bool:
    known = True if condition is None else foresight.truth(work, condition, unsettled)
    if known is None:
        raise _Unsure
    return known


def _ends(body: Topic | Skill) -> None:
    """Whether what follows it is what stands behind it."""
    if body.repeat is not None or (isinstance(body, Topic) and body.transitions):
        raise _Unsure
