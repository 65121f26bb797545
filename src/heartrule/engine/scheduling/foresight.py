"""Which conditions this turn will have read, and which hook points it will have come to, when the action that waits
ends with it.

They are followed in the order of ``flow`` as far as no one can tell that they are not reached: up to the first place
that is entered in any case and waits for the person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from heartrule.engine.installed_types import traits_of
from heartrule.engine.scheduling import sensitive
from heartrule.engine.session.state import TopicFrame
from heartrule.engine.variables import scopes
from heartrule.engine.work import Work, topic_of
from heartrule.language.expressions import Expression
from heartrule.language.nodes import Action, Phase, Steps, Topic, Transition
from heartrule.language.nodes.conditions import All, Any_, Condition, Judge, Not
from heartrule.language.nodes.written_names import writes

FORESEEN = 12
"""Questions of conditions that are judged ahead at most."""


class HookPoint(str):
    """Where scripts may watch: ``answer``, ``topic_start``, ``topic_end``, ``before TYPE``, ``after TYPE``."""


ANSWER, TOPIC_START, TOPIC_END = HookPoint("answer"), HookPoint("topic_start"), HookPoint("topic_end")
_Met = Condition | HookPoint


class _Stops(Exception):
    """The turn goes no further than here, or nobody can say where."""


def questions(work: Work, unsettled: Collection[str]) -> list[Judge]:
    """The questions of the conditions ahead that can still make a difference. ``unsettled``: names whose values this
    turn may change, so that nothing can be said of conditions that read them."""
    action = present(work)
    if action is None:
        return []
    names = {*COUNTED, *unsettled, *writes(action)}
    met = (each for each in _met(work, names) if not isinstance(each, HookPoint))
    asked = (judge for condition in met for judge in _open(work, condition, names))
    return list(islice(dict.fromkeys(asked), FORESEEN))


def hook_points(work: Work, unsettled: Collection[str]) -> list[str]:
    """The hook points that the turn can come to, the nearest first."""
    action = present(work)
    if action is None:
        return []
    names = {*COUNTED, *unsettled, *writes(action)}
    return [str(each) for each in dict.fromkeys(each for each in _met(work, names) if isinstance(each, HookPoint))]


COUNTED = ("attempts", "exit", "round", "suspended", "completed", "skipped", "planned", "elapsed", "left")
"""What goes on when a topic is repeated, another one begins, or an action is entered."""


def present(work: Work) -> Action | None:
    """The action that the running topic stands at."""
    running = work.state.running
    return work.action_at(running.action.index) if running is not None and running.action is not None else None


def _met(work: Work, unsettled: set[str]) -> Iterator[_Met]:
    """Conditions and hook points in the order in which they are come to. What is written on the way is added to
    ``unsettled``."""
    try:
        yield from _rest(work, unsettled)
    except _Stops:
        return


def _rest(work: Work, unsettled: set[str]) -> Iterator[_Met]:
    """The running topic's rest, then that of those which called it, then what is planned, then the next phases."""
    for depth, frame in enumerate(work.state.frames[::-1]):
        if depth and not called(frame):
            return
        body = work.body(frame)
        if body is None or frame.action is None:
            return
        yield HookPoint(f"after {frame.action.type}")
        yield from _actions(work, body.actions[frame.action.index + 1 :], unsettled)
        yield from _end(body, frame)
    if work.phase_frame.then is not None:
        yield TOPIC_START
        return
    for planned in work.phase_frame.queue:
        topic = topic_of(work.phase, planned.ref) if planned.kind == "topic" else None
        if topic is None:
            return
        yield from _topic(work, topic, unsettled)
    yield from _phases(work, unsettled)


def called(frame: TopicFrame) -> bool:
    """Whether it goes on behind the action it stands at, rather than putting its question again."""
    return frame.action is not None and traits_of(frame.action.type).calls and frame.action.wait is None


def _actions(work: Work, actions: Sequence[Action], unsettled: set[str]) -> Iterator[_Met]:
    for action in actions:
        if action.condition is not None:
            yield action.condition
        if action.condition is None or truth(work, action.condition, unsettled) is not False:
            yield HookPoint(f"before {action.type}")
            if not waits(action):
                yield HookPoint(f"after {action.type}")
        if action.condition is None and waits(action):
            raise _Stops
        unsettled.update(writes(action))


def waits(action: Action) -> bool:
    """Whether the turn ends with this action, or goes where its script says."""
    return action.traits.calls or action.may_wait()


def _end(body: Steps, frame: TopicFrame) -> Iterator[_Met]:
    if isinstance(body, Topic) and not frame.left:
        yield TOPIC_END
    if body.repeat is not None and not frame.left:
        yield body.repeat.until
    if body.done_when is not None:
        yield body.done_when
    if isinstance(body, Topic):
        yield from _transitions(body.transitions)


def _transitions(transitions: Sequence[Transition]) -> Iterator[_Met]:
    for transition in transitions:
        if transition.condition is None:
            yield from _somewhere(transition)
            raise _Stops
        yield transition.condition
        yield from _somewhere(transition)


def _somewhere(transition: Transition) -> Iterator[_Met]:
    """Wherever it leads to, a topic begins there, unless it is the end."""
    if transition.to != "end":
        yield TOPIC_START


def _topic(work: Work, topic: Topic, unsettled: set[str]) -> Iterator[_Met]:
    if topic.for_each is not None:
        yield TOPIC_START
        raise _Stops
    if topic.condition is None:
        yield TOPIC_START
        if sensitive.is_ahead(work, topic):
            raise _Stops
        yield from _actions(work, topic.actions, unsettled)
        return
    yield topic.condition
    if truth(work, topic.condition, unsettled) is not False:
        yield TOPIC_START
        if sensitive.is_ahead(work, topic):
            return
        yield from _hook_points_only(_actions(work, topic.actions, set(unsettled)))


def _hook_points_only(met: Iterator[_Met]) -> Iterator[_Met]:
    """What may be come to or not: conditions there are asked about when they are."""
    try:
        yield from (each for each in met if isinstance(each, HookPoint))
    except _Stops:
        return


def _phases(work: Work, unsettled: set[str]) -> Iterator[_Met]:
    yield from _transitions(work.phase.transitions)
    phases: Sequence[Phase] = work.world.script.session.phases[work.phase_frame.index + 1 :]
    for phase in phases:
        if phase.condition is not None:
            yield phase.condition
            yield TOPIC_START
            continue
        for topic in phase.steps:
            yield from _topic(work, topic, unsettled)
        raise _Stops


def _open(work: Work, condition: Condition, unsettled: Collection[str]) -> Iterator[Judge]:
    """The questions of a condition that is not decided whatever they come to."""
    if truth(work, condition, unsettled) is None:
        yield from _judges(work, condition, unsettled)


def _judges(work: Work, condition: Condition, unsettled: Collection[str]) -> Iterator[Judge]:
    match condition:
        case Judge():
            yield condition
        case All() | Any_():
            for part in condition.all if isinstance(condition, All) else condition.any:
                yield from _open(work, part, unsettled)
        case Not():
            yield from _judges(work, condition.not_, unsettled)
        case _:
            return


def truth(work: Work, condition: Condition, unsettled: Collection[str]) -> bool | None:
    """True or false where that is certain; None where it is unknown, or may still come out either way."""
    match condition:
        case Expression():
            if not _reads(condition).isdisjoint(unsettled):
                return None
            return condition.truth(lambda name: scopes.lookup(work, name), work.world.now)
        case Not():
            inner = truth(work, condition.not_, unsettled)
            return None if inner is None else not inner
        case All():
            parts = [truth(work, part, unsettled) for part in condition.all]
            return False if False in parts else None if None in parts else True
        case Any_():
            parts = [truth(work, part, unsettled) for part in condition.any]
            return True if True in parts else None if None in parts else False
        case _:
            return None


def _reads(expression: Expression) -> set[str]:
    """The bare names of what it reads; a name within a scope counts as itself too."""
    return {part for name in expression.names for part in (name, name.partition(".")[0], name.rpartition(".")[2])}
