"""W247: a jump back, or a topic that repeats without ``max``, whose condition nothing on the way can change: once it
holds, it holds for ever."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.topic_graph import END, TopicGraph, always
from heartrule.language.linting.view import View, listed
from heartrule.language.names import COUNTERS, Names, head_of
from heartrule.language.nodes import Action, Session, Transition
from heartrule.language.nodes.conditions import expressions, judges


def check(view: View) -> Iterator[Finding]:
    told = view.told_besides()
    for session in view.project.sessions:
        for transition, why in view.names.once(_jumps, session, view.ways(session), told):
            yield finding(
                "W247", view.project.at(transition, "to", value=True), what=Bilingual("跳转", "jump"), why=why
            )
    for body in view.bodies:
        repeat = body.steps.repeat
        if repeat is None or repeat.max is not None or always(repeat.until):
            continue
        if not _changes(view.names, repeat.until, body.steps.actions, told):
            place = view.project.at(repeat, "until")
            yield finding("W247", place, what=Bilingual("重复", "repetition"), why=_why(repeat.until))


def _jumps(
    names: Names, session: Session, ways: TopicGraph, told: frozenset[str]
) -> tuple[tuple[Transition, Bilingual], ...]:
    """The endless jumps of a session, and why they are."""
    return tuple(_each_jump(names, session, ways, told))


def _each_jump(
    names: Names, session: Session, ways: TopicGraph, told: frozenset[str]
) -> Iterator[tuple[Transition, Bilingual]]:
    for at, stop in enumerate(ways.stops):
        last = at + 1 == len(ways.stops) or ways.stops[at + 1].phase != stop.phase
        after = session.phases[stop.phase].transitions if last else []
        for transition, first in (*((t, False) for t in stop.topic.transitions), *((t, True) for t in after)):
            target = ways.target(stop.phase, transition.to, phases_first=first)
            if target is None or target == END or target > at:
                continue
            actions = [action for one in ways.stops[target : at + 1] for action in one.topic.actions]
            own = stop.topic.condition
            stays = not first and own is not None and not _changes(names, own, actions, told)
            entered = _entered(names, ways, actions, told, stop.phase if always(transition.condition) else None)
            if _left(entered, target, at, transition, stays):
                continue
            if always(transition.condition) or not _changes(names, transition.condition, actions, told):
                yield transition, _why(transition.condition)


def _entered(
    names: Names, ways: TopicGraph, actions: list[Action], told: frozenset[str], own: int | None
) -> TopicGraph:
    """The ways as they are once phases were entered whose conditions none of the actions can change. ``own``: the phase
    that jumps back whatever happens; that it may not be entered another time is no way out that anybody would see."""
    phases = [
        phase.model_copy(update={"condition": None})
        if phase.condition is not None and (number == own or not _changes(names, phase.condition, actions, told))
        else phase
        for number, phase in enumerate(ways.session.phases)
    ]
    kept = all(one is other for one, other in zip(phases, ways.session.phases, strict=True))
    return ways if kept else TopicGraph(ways.session.model_copy(update={"phases": phases}), ways.moved)


def _left(ways: TopicGraph, start: int, at: int, transition: Transition, stays: bool) -> bool:
    """Whether another way leads out of what is gone through again. ``stays``: the topic that jumps
    back has a condition that holds as long as it does so."""
    inside = range(start, at + 1)
    for number in inside:
        topic = ways.stops[number].topic
        out = {each for each in ways.edges[number] if each not in inside}
        if number == at and (stays or not ways.may_be_skipped(at)):
            # What follows when the condition does not hold is no other way.
            out &= set(_others(ways, at, transition))
        if out or any(action.on_timeout in ("end", "skip") for action in topic.actions if action.timeout):
            return True
    return False


def _others(ways: TopicGraph, at: int, transition: Transition) -> Iterator[int]:
    """Where the other transitions of a topic, or of its phase, lead."""
    stop = ways.stops[at]
    phase = ways.session.phases[stop.phase]
    for each, first in (*((t, False) for t in stop.topic.transitions), *((t, True) for t in phase.transitions)):
        if each is transition and always(each.condition):
            return  # Those behind it are never read.
        target = ways.target(stop.phase, each.to, phases_first=first)
        if each is not transition and target is not None:
            yield target


def _changes(names: Names, condition: Any, actions: list[Action], told: frozenset[str]) -> bool:
    """Whether anything that the condition reads can be another time what it is not now."""
    if next(judges(condition), None) is not None:
        return True
    read = {name for _, each in expressions(condition) for name in each.names}
    if read & COUNTERS or any(each.calls("days_since") for _, each in expressions(condition)):
        return True
    heads = {head_of(name) for name in read}
    written = {write.head for action in actions for write in names.writes(action)}
    return bool(heads & (written | told)) or any(action.traits.offers == "form" for action in actions)


def _why(condition: Any) -> Bilingual:
    names = sorted({name for _, each in expressions(condition) for name in each.names}) if condition else []
    if not names:
        return Bilingual("没有条件能让它停下", "no condition ends it")
    shown = listed(names)
    return Bilingual(f"中间没有一步改变 {clip(shown.zh)}", f"nothing on the way changes {clip(shown.en)}")
