"""Everything in a project that has a name, and everywhere it is named: what a definition, references and a renaming are
made of. A place is only given where the very name stands there in the text, so that it can be written over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from heartrule.authoring.positions import Position, Range, on_one_line
from heartrule.authoring.workspace import Snapshot
from heartrule.language.compiling.reach import orders, techniques
from heartrule.language.linting.rules.unknown_skill import key_of
from heartrule.language.linting.view import Body, View
from heartrule.language.names import NameUse, Write, head_of
from heartrule.language.nodes import Action, Node, Phase, Session, Skill, Topic, Variable
from heartrule.language.projects.project import LoadedProject
from heartrule.language.references import Referable, identity, pick, split
from heartrule.language.texts.source import Path

Kind = Literal["session", "phase", "topic", "action", "skill", "awareness", "form", "variable"]
Role = Literal["declared", "written", "read", "named"]
_BRACE = re.compile(r"\$?\{{1,2}\s*")
MEANT: tuple[Role, ...] = ("declared", "written")
"""Where somebody who asks for a definition is led, the first that there is."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """``key`` tells things apart: the project of a script, the phase of a topic, the topic of a variable of its own."""

    kind: Kind
    name: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """``title``: where the name is shown to people and is not what references are made of."""

    thing: Symbol
    role: Role
    file: str
    range: Range
    title: bool = False


@lru_cache(maxsize=4)
def occurrences(snapshot: Snapshot) -> tuple[Occurrence, ...]:
    """All of them, by file and place."""
    found = [*_defined(snapshot), *_referred(snapshot), *_variables(snapshot)]
    return tuple(sorted(dict.fromkeys(found), key=lambda each: (each.file, each.range)))


def at(snapshot: Snapshot, file: str, position: Position) -> Occurrence | None:
    """What is named at a place."""
    own = [each for each in occurrences(snapshot) if each.file == file and each.range.holds(position)]
    return min(own, key=lambda each: (each.title, each.range.end.column - each.range.start.column), default=None)


def occurrences_of(snapshot: Snapshot, thing: Symbol) -> tuple[Occurrence, ...]:
    return tuple(each for each in occurrences(snapshot) if each.thing == thing)


def definitions(snapshot: Snapshot, thing: Symbol) -> tuple[Occurrence, ...]:
    """Where a thing is defined; of a variable that nothing declares, where it is first written."""
    own = sorted(occurrences_of(snapshot, thing), key=lambda each: each.title)
    first = (next((each for each in own if each.role == role), None) for role in (*MEANT, "read", "named"))
    return tuple(each for each in first if each is not None)[:1]


# scripts and their parts


def _defined(snapshot: Snapshot) -> Iterator[Occurrence]:
    project = snapshot.project
    for session in project.sessions:
        yield from _definition(snapshot, session, Symbol("session", identity(session), project.id), "session")
        for phase in session.phases:
            yield from _definition(snapshot, phase, phase_of(session, phase), "phase")
            for topic in phase.steps:
                yield from _definition(snapshot, topic, topic_of(session, phase, topic), "topic")
    for body in snapshot.view.bodies:
        for action in body.steps.actions:
            if action.id:
                thing = Symbol("action", action.id, _own(body))
                yield from _definition(snapshot, action, thing, "")
    for skill in project.skills:
        yield from _definition(snapshot, skill, Symbol("skill", identity(skill), project.id), "skill")
    for watcher in project.awareness:
        yield from _definition(snapshot, watcher, Symbol("awareness", identity(watcher), project.id), "awareness")
    for form in project.forms:
        yield from _definition(snapshot, form, Symbol("form", identity(form), project.id), "form")


def _definition(snapshot: Snapshot, node: Node, thing: Symbol, title: str) -> Iterator[Occurrence]:
    own = node.peek("id")
    if own:
        yield from _place(snapshot, node, ("id",), str(own), thing, "declared")
    if title and (name := node.peek(title)):
        yield from _place(snapshot, node, (title,), str(name), thing, "declared", title=bool(own))


def phase_of(session: Session, phase: Phase) -> Symbol:
    return Symbol("phase", identity(phase), identity(session))


def topic_of(session: Session, phase: Phase, topic: Topic) -> Symbol:
    return Symbol("topic", identity(topic), f"{identity(session)}/{identity(phase)}")


def _own(body: Body) -> str:
    """What tells the names of one body from those of others."""
    above = f"{identity(body.session)}/{identity(body.phase)}/" if body.session and body.phase else ""
    return f"{above}{identity(body.steps)}"


def _referred(snapshot: Snapshot) -> Iterator[Occurrence]:
    view = snapshot.view
    for _, action in view.actions():
        for keys, kind, written in _calls(action):
            yield from _reference(snapshot, action, keys, kind, written)
    for node in view.ordering():
        for directive, reference in techniques(node):
            yield from _reference(snapshot, directive, (key_of(directive, reference),), "skill", reference)
        for directive in orders(node):
            if directive.awareness is not None:
                yield from _reference(snapshot, directive, ("awareness",), "awareness", directive.awareness)
            for keys, name in (
                *([(("topic",), directive.topic)] if directive.topic is not None else []),
                *((("topics", index), name) for index, name in enumerate(directive.topics or ())),
            ):
                yield from _topic(snapshot, directive, keys, name)
    for session in view.project.sessions:
        for index, reference in enumerate(session.awareness):
            yield from _reference(snapshot, session, ("awareness", index), "awareness", reference)
        for phase in session.phases:
            for switch in phase.switches:
                for key, names in (("enable", switch.enable), ("disable", switch.disable)):
                    for index, reference in enumerate(names):
                        yield from _reference(snapshot, switch, (key, index), "awareness", reference)
            for transition in (*phase.transitions, *(each for topic in phase.steps for each in topic.transitions)):
                target = _target(session, phase, transition.to)
                if target is not None:
                    yield from _place(snapshot, transition, ("to",), transition.to, target, "named")


def _calls(action: Action) -> Iterator[tuple[Path, Kind, str]]:
    if isinstance(skill := action.peek("skill"), str):
        yield ("skill",), "skill", skill
    for index, use in enumerate(action.peek("may_use") or ()):
        yield ("may_use", index, "skill"), "skill", use.skill
        yield ("may_use", index), "skill", use.skill
    if isinstance(form := action.peek("form"), str):
        yield ("form",), "form", form


def _reference(snapshot: Snapshot, node: Node, keys: Path, kind: Kind, written: str) -> Iterator[Occurrence]:
    home, rest = split(written, snapshot.project.id)
    found = _picked(snapshot, kind, written, home, rest)
    if found is None:
        return
    project, named = found
    offset = len(written) - len(rest)
    yield from _place(
        snapshot, node, keys, rest, Symbol(kind, identity(named), project.id), "named", offset, named.id != rest
    )


def _picked(
    snapshot: Snapshot, kind: Kind, written: str, home: str, rest: str
) -> tuple[LoadedProject, Referable] | None:
    shelf = {"skill": "skills", "awareness": "awareness", "form": "forms"}[kind]
    homes = (home,) if "/" in written else (home, "safety")
    for name in homes:
        project = snapshot.other(name)
        found: Referable | None = pick(getattr(project, shelf), rest) if project is not None else None
        if project is not None and found is not None:
            return project, found
    return None


def _topic(snapshot: Snapshot, node: Node, keys: Path, name: str) -> Iterator[Occurrence]:
    for session in snapshot.project.sessions:
        for phase in session.phases:
            for topic in phase.steps:
                if name in (topic.id, topic.topic):
                    yield from _place(snapshot, node, keys, name, topic_of(session, phase, topic), "named")
                    return


def _target(session: Session, phase: Phase, to: str) -> Symbol | None:
    """What a transition leads to: a topic of its phase, else a phase."""
    for topic in phase.steps:
        if to in (topic.id, topic.topic):
            return topic_of(session, phase, topic)
    return next((phase_of(session, each) for each in session.phases if to in (each.id, each.phase)), None)


# variables


def _variables(snapshot: Snapshot) -> Iterator[Occurrence]:
    view, local = snapshot.view, _local(snapshot)
    for variable in view.variables():
        thing = local.get(id(variable), Symbol("variable", variable.var))
        yield from _place(snapshot, variable, ("var",), variable.var, thing, "declared")
    for body in view.bodies:
        nodes: tuple[Node, ...] = (body.steps, *body.steps.actions, *_parts(body))
        for node in nodes:
            for read in view.names.reads(node):
                yield from _read(snapshot, read, _meant(view, body, read.head, local))
            for write in view.names.writes(node):
                yield from _written(snapshot, write, _meant(view, body, write.head, local))
        if isinstance(body.steps, Skill):
            for parameter in body.steps.parameters:
                thing = Symbol("variable", parameter.name, _own(body))
                yield from _place(snapshot, parameter, ("name",), parameter.name, thing, "declared")
    for session in snapshot.project.sessions:
        for above in (session, *session.phases):
            yield from _beside(snapshot, above)
        for each in session.summary:
            for key, name in (("var", each.var), ("then", each.then)):
                if name:
                    yield from _place(snapshot, each, (key,), head_of(name), Symbol("variable", head_of(name)), "read")
    for watcher in (*snapshot.project.awareness, *snapshot.project.forms):
        yield from _beside(snapshot, watcher)


def _parts(body: Body) -> Iterator[Action]:
    for action in body.steps.actions:
        yield from action.peek("actions") or ()


def _beside(snapshot: Snapshot, node: Node) -> Iterator[Occurrence]:
    """Names in what stands outside of topics: they mean whatever can be seen where it comes to."""
    for read in snapshot.view.names.reads(node):
        yield from _read(snapshot, read, Symbol("variable", read.head))
    for write in snapshot.view.names.writes(node):
        yield from _written(snapshot, write, Symbol("variable", write.head))


def _local(snapshot: Snapshot) -> dict[int, Symbol]:
    """The declarations that nothing outside of their topic or skill can mean."""
    names, outside = snapshot.view.names, set[str]()
    for node in (*snapshot.project.awareness, *snapshot.project.forms):
        outside |= {read.head for read in names.reads(node)} | {write.head for write in names.writes(node)}
    return {
        id(variable): Symbol("variable", variable.var, _own(body))
        for body in snapshot.view.bodies
        for variable in body.steps.declare
        if (variable.scope or "topic") == "topic" and variable.var not in outside
    }


def _meant(view: View, body: Body, head: str, local: dict[int, Symbol]) -> Symbol:
    if isinstance(body.steps, Skill) and any(each.name == head for each in body.steps.parameters):
        return Symbol("variable", head, _own(body))
    declared = view.declaration(body, head)
    if declared is not None and isinstance(declared[1], Variable) and id(declared[1]) in local:
        return local[id(declared[1])]
    return Symbol("variable", head)


def _read(snapshot: Snapshot, read: NameUse, thing: Symbol) -> Iterator[Occurrence]:
    before = len(read.name.partition(".")[0]) + 1 if read.scope is not None else 0
    yield from _place(snapshot, read.node, read.keys, read.head, thing, "read", read.offset + before, offset_in=before)


def _written(snapshot: Snapshot, write: Write, thing: Symbol) -> Iterator[Occurrence]:
    before = write.name.find(write.head)
    yield from _place(snapshot, write.node, write.keys, write.head, thing, "written", max(before, 0))


def _place(
    snapshot: Snapshot,
    node: Node,
    keys: Path,
    written: str,
    thing: Symbol,
    role: Role,
    offset: int = 0,
    title: bool = False,
    offset_in: int = 0,
) -> Iterator[Occurrence]:
    """The occurrence, where the name stands in the text just as it is meant. ``offset_in``: how far into what was
    written the name begins."""
    place = snapshot.project.within(node, offset, *keys)
    lines = snapshot.lines(place.file)
    if not 0 < place.line <= len(lines):
        return
    line, begins = lines[place.line - 1], place.column - 1
    if (brace := _BRACE.match(line, begins - offset_in)) is not None:  # a placeholder is read where its brace stands
        begins += brace.end() - brace.start()
    if line[begins : begins + len(written)] == written:
        yield Occurrence(thing, role, place.file, on_one_line(place.line, begins + 1, len(written)), title)
