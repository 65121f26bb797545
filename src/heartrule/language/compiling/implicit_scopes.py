"""The scope of a name that is written without a declaration.

An explicit ``scope`` wins; else a name containing 全局 or 用户基础 is global, 会话 or 累积 is session; else it is
topic, except that when another topic or phase reads the name, it gets the narrowest scope that covers its readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from heartrule.language.names import SCOPES, Names, NameUse, Write, aliases
from heartrule.language.nodes import Phase, Scope, Session, Skill, Topic, Variable

_BY_NAME: tuple[tuple[str, Scope], ...] = (
    ("全局", "global"),
    ("用户基础", "global"),
    ("会话", "session"),
    ("累积", "session"),
)
_BEFORE_TOPIC = ("condition", "for_each")
_NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Guess:
    """The scope chosen for a name, why, the write that it was chosen for, and the read that widened it."""

    scope: Scope
    why: Literal["explicit", "name", "read", "own"]
    write: Write
    read: NameUse | None = None


@dataclass(frozen=True, slots=True)
class _At:
    """A place in the flow: phase and topic by number, -1 where it belongs to the level above; and the action's."""

    phase: int = _NOWHERE
    topic: int = _NOWHERE
    action: int = _NOWHERE


@dataclass(slots=True)
class _Flow:
    names: Names
    reads: dict[str, list[tuple[_At, NameUse]]] = field(default_factory=dict)
    writes: dict[str, list[tuple[_At, Write]]] = field(default_factory=dict)
    declared: dict[str, list[_At]] = field(default_factory=dict)

    def read(self, at: _At, found: Iterable[NameUse], own: frozenset[str] = frozenset()) -> None:
        for each in found:
            if each.head not in own:
                self.reads.setdefault(each.head, []).append((at, each))

    def declare(self, at: _At, variables: Iterable[Variable]) -> None:
        for variable in variables:
            scope = variable.scope
            where = at if scope in (None, "topic") else _At(at.phase) if scope == "phase" else _At()
            self.declared.setdefault(variable.var, []).append(where)

    def is_declared(self, name: str, at: _At) -> bool:
        """Whether a declaration of ``name`` can be seen from ``at``."""
        return any(
            where.phase in (_NOWHERE, at.phase) and where.topic in (_NOWHERE, at.topic)
            for where in self.declared.get(name, ())
        )


def inferred(
    session: Session, skills: Iterable[Skill], variables: Iterable[Variable], names: Names | None = None
) -> dict[str, Guess]:
    """The scope of each name that ``session`` and ``skills`` write and nothing declares. ``variables`` are those that
    the projects declare."""
    names = names or Names()
    flow = _flow(session, variables, names)
    found: dict[str, Guess] = {}
    for name, all_writes in flow.writes.items():
        for at, write in all_writes:
            if not flow.is_declared(name, at):
                _keep(found, name, _guess(flow, name, at, write))
    for skill in skills:
        own = {variable.var for variable in skill.declare} | {p.name for p in skill.parameters} | set(skill.returns)
        for action in skill.actions:
            for write in names.writes(action):
                outside = write.head in own or flow.is_declared(write.head, _At())
                said = None if outside or write.head in aliases(action) else _said(write)
                if said is not None:
                    _keep(found, write.head, said)
    return found


def said_in(skill: Skill, name: str) -> Scope | None:
    """The scope that a technique's own writes of ``name``, or the name itself, ask for; None where they do not."""
    names = Names()
    found = (_said(write) for action in skill.actions for write in names.writes(action) if write.head == name)
    return next((guess.scope for guess in found if guess is not None), None)


def _keep(found: dict[str, Guess], name: str, guess: Guess) -> None:
    before = found.get(name)
    if before is None or SCOPES.index(guess.scope) > SCOPES.index(before.scope):
        found[name] = guess


def _said(write: Write) -> Guess | None:
    """What the write itself or the name says."""
    first = write.name.partition(".")[0]
    named = next((scope for scope in SCOPES if scope == first and "." in write.name), None)
    if write.scope or named:
        return Guess(write.scope or named or "topic", "explicit", write)
    for part, scope in _BY_NAME:
        if part in write.head:
            return Guess(scope, "name", write)
    return None


def _guess(flow: _Flow, name: str, at: _At, write: Write) -> Guess:
    said = _said(write)
    if said is not None:
        return said
    guess = Guess("topic", "own", write)
    for where, read in flow.reads.get(name, ()):
        if read.scope is not None:
            scope: Scope = read.scope if read.scope != "global" else "topic"
        elif where.phase == _NOWHERE or (where.phase != at.phase and not _own(flow, name, where)):
            scope = "session"
        elif where.phase == at.phase and where.topic != at.topic and not _own(flow, name, where):
            scope = "phase"
        else:
            continue
        if SCOPES.index(scope) > SCOPES.index(guess.scope):
            guess = Guess(scope, "read", write, read)
    return guess


def _own(flow: _Flow, name: str, where: _At) -> bool:
    """Whether what is read at ``where`` is declared or was written there before."""
    if flow.is_declared(name, where):
        return True
    return where.topic != _NOWHERE and any(
        (at.phase, at.topic) == (where.phase, where.topic) and at.action < where.action
        for at, _ in flow.writes.get(name, ())
    )


def _flow(session: Session, variables: Iterable[Variable], names: Names) -> _Flow:
    flow = _Flow(names)
    for variable in variables:
        flow.declared.setdefault(variable.var, []).append(_At())
    flow.declare(_At(), session.declare)
    flow.read(_At(), (read for read in names.reads(session) if read.keys[0] != "declare"))
    for number, phase in enumerate(session.phases):
        _phase(flow, number, phase)
    return flow


def _phase(flow: _Flow, number: int, phase: Phase) -> None:
    here = _At(number)
    flow.declare(here, phase.declare)
    for read in flow.names.reads(phase):
        flow.read(_At() if read.keys[0] == "condition" else here, [read])
    for index, topic in enumerate(phase.steps):
        _topic(flow, _At(number, index), topic)


def _topic(flow: _Flow, here: _At, topic: Topic) -> None:
    flow.declare(here, topic.declare)
    own = frozenset(aliases(topic))
    for read in flow.names.reads(topic):
        flow.read(_At(here.phase) if read.keys[0] in _BEFORE_TOPIC else here, [read], own)
    for index, action in enumerate(topic.actions):
        at = _At(here.phase, here.topic, index)
        mine = own | frozenset(aliases(action))
        flow.read(at, flow.names.reads(action), mine)
        for write in _unaliased(flow.names.writes(action), mine):
            flow.writes.setdefault(write.head, []).append((at, write))


def _unaliased(found: Iterable[Write], own: frozenset[str]) -> Iterator[Write]:
    return (write for write in found if write.head not in own)
