"""Coverage: what a script has that a conversation can come to, and what conversations came to.

Counted on events alone, and on such as hold nothing that anybody said: a phase, a topic, an action's boundary, the ways
that a turn took (``engine/branches.py``). So a real session counts without being read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from heartrule.engine import branches
from heartrule.engine.session.events import BranchesTaken, Event, Marker, PhaseChanged, TopicChanged
from heartrule.engine.topic_plan import named
from heartrule.engine.work import identity
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import (
    NOWHERE,
    Action,
    Awareness,
    Get,
    Node,
    Phase,
    Place,
    Skill,
    Steps,
    Topic,
    Transition,
)
from heartrule.language.projects.project import LoadedProject

Kind = Literal["phase", "topic", "action", "branch", "awareness", "form"]
KINDS: tuple[Kind, ...] = ("phase", "topic", "action", "branch", "awareness", "form")
WAYS = ("then", "on_wish", "on_watch", "on_other", "on_unknown", "on_repeat")
"""What an awareness script may order, by what it came to."""
EVENTS: tuple[type[Event], ...] = (PhaseChanged, TopicChanged, Marker, BranchesTaken)
"""Events that are read. None holds anything that anybody said."""
Projects = Mapping[str, LoadedProject]
"""The projects that a script is made of, by id, as far as they are at hand: they know where keys stand."""
NONE: Projects = {}


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be reached. ``id`` begins with its project; of a branch it ends with the way: ``…: call``. A
    skill counts as a topic. ``place`` is of a file of that project, and does not tell items apart."""

    kind: Kind
    id: str
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def project(self) -> str:
        return self.id.partition("/")[0]

    @property
    def owner(self) -> str:
        """The id of what a branch belongs to; of anything else its own."""
        return self.id.rpartition(": ")[0] if self.kind == "branch" else self.id


def items(script: Script, projects: Projects = NONE) -> tuple[Item, ...]:
    """All that a session of ``script`` can come to, in the order of the script: its phases, then the skills, awareness
    scripts and forms that it reaches, those of the safety project too. Where a project is not at hand, a key stands
    where its node does."""
    found: dict[Item, None] = {}
    for each in (*_session(script, projects), *_skills(script, projects), *_watching(script, projects)):
        found.setdefault(each)
    for ref, form in sorted(script.forms.items()):
        found.setdefault(Item("form", ref, form.place))
    return tuple(found)


def _session(script: Script, projects: Projects) -> Iterator[Item]:
    for phase in script.session.phases:
        place = identity(phase)
        own = item_id(script, place)
        yield Item("phase", own, phase.place)
        yield from _conditions(phase, own, projects)
        yield from _transitions(phase.transitions, own)
        for topic in phase.steps:
            ref = identity(topic)
            yield from _steps(topic, ref, item_id(script, branches.topic_place(place, ref, skill=False)), projects)


def _skills(script: Script, projects: Projects) -> Iterator[Item]:
    for ref, skill in sorted(script.skills.items()):
        yield from _steps(skill, ref, ref, projects)


def _steps(steps: Topic | Skill, ref: str, own: str, projects: Projects) -> Iterator[Item]:
    yield Item("topic", own, steps.place)
    if isinstance(steps, Topic):
        yield from _conditions(steps, own, projects)
    if steps.repeat is not None:
        yield from _both(own, "repeat", _place(projects, own, steps, "repeat"))
    if steps.done_when is not None:
        yield from _both(own, "done_when", _place(projects, own, steps, "done_when"))
    if isinstance(steps, Topic):
        yield from _transitions(steps.transitions, own)
    for index, action in enumerate(steps.actions):
        for name, each in named_actions(action, ref, index):
            yield from _action(each, branches.action_place(own, ref, name), projects)


def named_actions(action: Action, ref: str, index: int) -> Iterator[tuple[str, Action]]:
    """An action of a topic, and the parts of a block of actions, each with the name that events give it."""
    name = action.id or named(ref, index)
    yield name, action
    for number, part in enumerate(action.peek("actions") or ()):
        if isinstance(part, Action):
            yield part.id or f"{name}.{number + 1}", part


def _action(action: Action, own: str, projects: Projects) -> Iterator[Item]:
    yield Item("action", own, action.place)
    yield from _conditions(action, own, projects)
    for index, choice in enumerate(action.peek("choices") or ()):
        yield _branch(own, branches.choice(index), choice.place)
    if action.timeout is not None:
        yield _branch(
            own, branches.TIMEOUT, _place(projects, own, action, "on_timeout" if action.on_timeout else "timeout")
        )
    if isinstance(action.peek("skill"), str):
        yield _branch(own, branches.CALL, _place(projects, own, action, "skill"))
    elif action.peek("may_use"):
        yield _branch(own, branches.CALL, _place(projects, own, action, "may_use"))
    for item in stretch_outputs(action):
        yield _branch(own, branches.output(item.get), item.place)


def stretch_outputs(action: Action) -> list[Get]:
    """What a stretch of talk finds out; nothing of any other action."""
    outputs = [item for item in action.peek("output") or () if isinstance(item, Get)]
    return outputs if action.traits.asks == "model" and len(outputs) > 1 else []


def _watching(script: Script, projects: Projects) -> Iterator[Item]:
    for ref, node in sorted(script.awareness.items()):
        yield Item("awareness", ref, node.place)
        for way in WAYS:
            if getattr(node, way):
                yield _branch(ref, way, _place(projects, ref, node, way))


def _conditions(node: Phase | Topic | Action, own: str, projects: Projects) -> Iterator[Item]:
    if node.condition is not None:
        yield from _both(own, "condition", _place(projects, own, node, "condition"))


def _transitions(transitions: Iterable[Transition], own: str) -> Iterator[Item]:
    for index, each in enumerate(transitions):
        yield _branch(own, branches.transition(index), each.place)
        if each.condition is not None:
            yield _branch(own, branches.condition(branches.transition(index), False), each.place)


def _place(projects: Projects, own: str, node: Node, key: str) -> Place:
    project = projects.get(own.partition("/")[0])
    return node.place if project is None else project.at(node, key)


def _both(own: str, of: str, place: Place) -> Iterator[Item]:
    for held in (True, False):
        yield _branch(own, branches.condition(of, held), place)


def _branch(own: str, way: str, place: Place) -> Item:
    return Item("branch", branches.branch(own, way), place)


def item_id(script: Script, place: str) -> str:
    """The id of what the engine calls so in a session of ``script``."""
    return place[1:] if place[:1] in ("@", "!") else f"{script.id}:{place}"


def uses(script: Script) -> frozenset[str]:
    """The skills and awareness scripts that scripts outside of the safety project name, by their full id: what a
    session would do without it is not asked."""
    return frozenset(_named(script))


def _named(script: Script) -> Iterator[str]:
    calling: list[tuple[str, Steps]] = [(script.project.id, topic) for p in script.session.phases for topic in p.steps]
    calling += [(ref.partition("/")[0], skill) for ref, skill in script.skills.items()]
    watching: list[tuple[str, Awareness]] = [(ref.partition("/")[0], node) for ref, node in script.awareness.items()]
    for home, steps in calling:
        for action in steps.actions:
            called = [skill] if isinstance(skill := action.peek("skill"), str) else []
            for name in (*called, *(use.skill for use in action.peek("may_use") or ())):
                found = script.skill(name, home)
                if found is not None and home != found[0].partition("/")[0]:
                    yield found[0]
    for home, node in watching:
        for directive in node.directives():
            found = script.skill(directive.technique, home) if directive.technique else None
            if found is not None and home != found[0].partition("/")[0]:
                yield found[0]
    switches = [switch.enable for phase in script.session.phases for switch in phase.switches]
    for reference in (*script.session.awareness, *(each for names in switches for each in names)):
        noticing = script.noticing(reference, script.project.id)
        if noticing is not None and noticing[0].partition("/")[0] != script.project.id:
            yield noticing[0]


# what was come to


def reached(script: Script, events: Iterable[Event]) -> frozenset[Item]:
    """What the events of one session came to, oldest first. What the script does not have is left out. A form is come
    to where an action puts it before the person."""
    known = {(item.kind, item.id): item for item in items(script)}
    found = {known[pair] for pair in _pairs(script, events) if pair in known}
    shown = [("form", form) for own, form in _showing(script) if Item("action", own) in found]
    return frozenset(found | {known[pair] for pair in shown if pair in known})


def _showing(script: Script) -> Iterator[tuple[str, str]]:
    """The actions that show a form, each with the form's full id."""
    topics = [
        (item_id(script, branches.topic_place(identity(phase), identity(topic), skill=False)), identity(topic), topic)
        for phase in script.session.phases
        for topic in phase.steps
    ]
    for own, ref, steps in (*topics, *((ref, ref, skill) for ref, skill in script.skills.items())):
        for index, action in enumerate(steps.actions):
            for name, each in named_actions(action, ref, index):
                form = each.peek("form")
                found = script.form(form, own.partition("/")[0]) if isinstance(form, str) else None
                if found is not None:
                    yield branches.action_place(own, ref, name), found[0]


def _pairs(script: Script, events: Iterable[Event]) -> Iterator[tuple[Kind, str]]:
    phase = ""
    for event in events:
        if isinstance(event, PhaseChanged) and event.state == "entered":
            phase = event.id
            yield "phase", item_id(script, phase)
        elif isinstance(event, TopicChanged) and event.state == "running":
            yield "topic", item_id(script, _topic_place(script, phase, event.ref))
        elif isinstance(event, Marker):
            phase = event.phase
            yield from _at(script, event)
        elif isinstance(event, BranchesTaken):
            for taken in event.taken:
                own, _, way = item_id(script, taken).rpartition(": ")
                yield ("action", own) if way == branches.PART else ("branch", item_id(script, taken))
                if taken.startswith("!") and not taken.endswith(": on_unknown"):
                    yield "awareness", own


def _topic_place(script: Script, phase: str, ref: str) -> str:
    return branches.topic_place(phase, ref, skill=ref in script.skills)


def _at(script: Script, event: Marker) -> Iterator[tuple[Kind, str]]:
    topic = _topic_place(script, event.phase, event.topic)
    yield "phase", item_id(script, event.phase)
    yield "topic", item_id(script, topic)
    if event.edge == "before" and event.action is not None:
        yield "action", item_id(script, branches.action_place(topic, event.topic, event.action))
