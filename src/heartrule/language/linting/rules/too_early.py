"""W248: a variable that is read where nothing can have given it a value yet. W258: one that nothing ever gives one.
W421: the result of a technique that is called for later, read before it has run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.topic_graph import TopicGraph
from heartrule.language.linting.view import Body, View
from heartrule.language.names import COUNTERS, NameUse, Write, aliases
from heartrule.language.nodes import Action, Phase, Scope, Session, Variable

_Declared = tuple[Scope, Variable] | None
_LAST = 1_000_000
"""A topic's own conditions of its end are read behind its actions."""
_AT_THE_END = ("repeat", "done_when", "transitions")


@dataclass(frozen=True, slots=True)
class _Write:
    """``at`` and ``index`` are the numbers of the topic and the action; ``seen`` the topics in which it can have been
    written, where that is put off until later."""

    at: int
    index: int
    write: Write
    seen: frozenset[int] | None = None


@dataclass(slots=True)
class _Flow:
    """What a session writes, and where."""

    ways: TopicGraph
    writes: dict[str, list[_Write]] = field(default_factory=dict)

    def add(self, at: int, index: int, action: Action, write: Write) -> None:
        seen = self._put_off(at, action)
        self.writes.setdefault(write.head, []).append(_Write(at, index, write, seen))

    def _put_off(self, at: int, action: Action) -> frozenset[int] | None:
        """The topics that come behind a technique that is called for later; not those that do so only when they are
        gone through once more."""
        ways, here = self.ways, self.ways.stops[at].phase
        match action.peek("timing"):
            case "after_topic":
                return frozenset(ways.behind(at)) - {at}
            case "after_phase":
                behind = [each for each in ways.behind(at) if ways.stops[each].phase != here]
                return frozenset(each for each in ways.reached(behind) if ways.stops[each].phase != here)
            case "before_topic":
                target = ways.target(here, str(action.peek("to")))
                return frozenset(ways.reached([target])) if target is not None else None
        return None

    def before(self, name: str, stop: int, action: int) -> bool:
        """Whether something can have written the name before that action begins, or in it."""
        for each in self.writes.get(name, ()):
            if each.seen is not None:
                if stop in each.seen:
                    return True
                continue
            topic = self.ways.stops[each.at].topic
            if each.at == stop and (each.index <= action or topic.repeat is not None or topic.for_each is not None):
                return True
            if stop in self.ways.behind(each.at):
                return True
        return False


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    given = _given(view)
    for session in view.project.sessions:
        ways = view.ways(session)
        numbers = {id(stop.topic): at for at, stop in enumerate(ways.stops)}
        flow = _Flow(ways)
        for body in view.of(session):
            for index, action in enumerate(body.steps.actions):
                for write in view.names.writes(action):
                    flow.add(numbers[id(body.steps)], index, action, write)
        for body in view.of(session):
            yield from _early(view, body, flow, numbers[id(body.steps)], given)
        for phase in session.phases:
            yield from _before_phase(view, session, phase, flow, numbers, given)


def _before_phase(
    view: View, session: Session, phase: Phase, flow: _Flow, numbers: dict[int, int], given: set[str]
) -> Iterator[Finding]:
    """What a phase's own condition reads before its first topic begins."""
    told = set(given)
    declared = {
        variable.var: (variable.scope or "session", variable) for variable in (*session.declare, *phase.declare)
    }
    for read in view.names.reads(phase) if phase.steps else ():
        if read.keys[0] == "condition" and not _is_excused(read, told, declared.get(read.head)):
            yield from _told(view, read, flow, numbers[id(phase.steps[0])], -1, told, declared.get(read.head))


def _early(view: View, body: Body, flow: _Flow, stop: int, given: set[str]) -> Iterator[Finding]:
    told = set(aliases(body.steps))
    for index, node in ((_LAST, body.steps), *enumerate(body.steps.actions)):
        own = set(aliases(node))
        for read in view.names.reads(node):
            if read.head in given or read.head in own or "depends_on" in read.keys or read.keys[0] == "declare":
                continue
            declared = view.declaration(body, read.head)
            if not _is_excused(read, told, declared):
                place = index if index != _LAST or read.keys[0] in _AT_THE_END else -1
                yield from _told(view, read, flow, stop, place, told, declared)


def _is_excused(read: NameUse, told: set[str], declared: _Declared) -> bool:
    """Whether there is a value, or none is needed, or it has been told."""
    if read.head in told or read.name in COUNTERS or _asks_whether(read):
        return True
    return declared is not None and (
        declared[0] == "global" or declared[1].value is not None or declared[1].listen is not None
    )


def _told(
    view: View, read: NameUse, flow: _Flow, stop: int, place: int, told: set[str], declared: _Declared
) -> Iterator[Finding]:
    writes = flow.writes.get(read.head, ())
    if flow.before(read.head, stop, place) or (not writes and declared is None):
        return
    told.add(read.head)
    where = view.project.within(read.node, read.offset, *read.keys)
    if writes and all(each.seen is not None for each in writes):
        line = min(each.write.node.place.line for each in writes)
        yield finding("W421", where, name=clip(read.name), line=line)
    elif writes:
        line = min(each.write.node.place.line for each in writes)
        yield finding("W248", where, name=clip(read.name), line=line)
    else:
        yield finding("W258", where, name=clip(read.name))


def _asks_whether(read: NameUse) -> bool:
    """Whether it is read in order to know if there is a value."""
    return "known_as" in read.keys or (read.expression is not None and read.expression.asks_whether())


def _given(view: View) -> set[str]:
    """Names that have a value before the session begins, or are told at any time."""
    found = set(view.told_besides())
    for session in view.project.sessions:
        found |= {name for name, guess in view.guesses(session).items() if guess.scope == "global"}
    return found
