"""Where a sentence comes from, and where a variable goes: sentence → call → prompt → variable → words of the person,
and from a variable forward to every prompt, sentence and condition that read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule.debugger import inspection
from heartrule.debugger.calls import calls, moves_of
from heartrule.debugger.session import DebugSession, NotPossible
from heartrule.debugger.tape import Move
from heartrule.debugger.texts import Spot, Text
from heartrule.engine.session.events import BranchesTaken, Event, Marker, VariableOperation
from heartrule.engine.session.io import Message
from heartrule.language.expressions import Expression
from heartrule.language.nodes import Action, Node
from heartrule.language.nodes.conditions import expressions
from heartrule.language.placeholders import names


@dataclass(frozen=True, slots=True)
class Origin:
    """The write that a value comes of: in which turn, by which action, by what means, proved by which words of which
    message."""

    name: str
    scope: str
    value: Any = field(repr=False)
    turn: int
    source: str
    strategy: str
    evidence: str | None = field(repr=False)
    message: int | None = None


@dataclass(frozen=True, slots=True)
class Through:
    """A call whose answer holds the sentence, with the variables that its prompt was filled with."""

    move: int
    turn: int
    key: str
    template: str
    variables: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Descent:
    """Of one message. ``written``: variables that the script's own words were filled with."""

    message: Message = field(repr=False)
    turn: int
    action: str | None
    spot: Spot | None
    through: tuple[Through, ...]
    written: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """What has read a variable, or may: ``kind`` prompt, sentence, or condition. ``turn`` 0: not come to yet."""

    kind: str
    turn: int
    what: str
    spot: Spot | None = None
    key: str = ""
    move: int = 0


def descent(session: DebugSession, number: int) -> Descent:
    """Raises ``NotPossible`` where nothing was said under that number."""
    for move in moves_of(session):
        for message in _messages(session, move):
            if message.number == number:
                return _descent(session, move, message)
    raise NotPossible("debug-no-place", str(number))


def _messages(session: DebugSession, move: Move) -> Sequence[Message]:
    open_ = session.open
    return session.here().work.messages if open_ is move else session.turn(move.number).messages


def _descent(session: DebugSession, move: Move, message: Message) -> Descent:
    text = session.texts[move.text]
    through = []
    turn = 0
    for each in calls(session, move):
        turn = each.turn
        if message.number in each.changed.messages:
            filled = dict.fromkeys((i.name, i.scope) for layer in each.layers for i in layer.inserted if i.scope)
            origins = [_origin(session, move, name, scope) for name, scope in filled]
            known = tuple(one for one in origins if one is not None)
            through.append(Through(move.number, each.turn, each.task.key, each.task.template, known))
    spot = next((s for s in text.spots if s.kind == "action" and s.id == message.action), None)
    written = []
    node = _node(text, spot)
    if node is not None and not through:
        for name in dict.fromkeys(each.name for _, said in _texts(node) for each in names(said)):
            origin = _origin(session, move, name.partition(".")[0], None)
            if origin is not None:
                written.append(origin)
    seq = turn or _turn_of(session, move)
    return Descent(message, seq, message.action, spot, tuple(through), tuple(written))


def _turn_of(session: DebugSession, move: Move) -> int:
    return session.here().work.state.seq if session.open is move else session.turn(move.number).state.seq


def _node(text: Text, spot: Spot | None) -> Action | None:
    if spot is None:
        return None
    script = text.script
    if spot.phase:
        for phase in script.session.phases:
            topic = phase.topics.get(spot.ref)
            if topic is not None and (phase.id or phase.phase) == spot.phase:
                return topic.actions[spot.index]
        return None
    skill = script.skills.get(spot.ref)
    return skill.actions[spot.index] if skill is not None else None


def _texts(node: Node) -> Iterator[tuple[str, str]]:
    for key, value in node.__dict__.items():
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, list):
            yield from ((key, each) for each in value if isinstance(each, str))


def _heard(session: DebugSession, upto: Move) -> Iterator[tuple[Move, int, Event]]:
    for move in session.chain(upto.parent):
        seq = session.turn(move.number).state.seq
        for _, event in session.done(move.number).heard:
            yield move, seq, event
    if session.open is upto:
        here = session.here()
        yield from ((upto, here.work.state.seq, event) for _, event in here.heard)
    else:
        seq = session.turn(upto.number).state.seq
        yield from ((upto, seq, event) for _, event in session.done(upto.number).heard)


def _origin(session: DebugSession, move: Move, name: str, scope: str | None) -> Origin | None:
    """The last write of a variable up to the end of a move."""
    last: tuple[int, VariableOperation] | None = None
    for _, seq, event in _heard(session, move):
        if isinstance(event, VariableOperation) and event.name == name and scope in (None, event.scope):
            last = (seq, event)
    if last is None:
        return None
    seq, event = last
    said = _said(session, move, event.evidence, seq)
    return Origin(name, event.scope, event.value, seq, event.source, event.strategy, event.evidence, said)


def _said(session: DebugSession, upto: Move, evidence: str | None, turn: int) -> int | None:
    """The message of the person's that holds these words, the last one up to that turn."""
    if not evidence:
        return None
    found = None
    for move in [*session.chain(upto.parent), upto]:
        if _turn_of(session, move) > turn:
            break
        for message in _messages(session, move):
            if message.sender == "person" and evidence in message.text:
                found = message.number
    return found


def readers(session: DebugSession, name: str) -> tuple[Reader, ...]:
    """All that has read a variable on this branch, and what of the script would."""
    found: list[Reader] = []
    gone: dict[str, int] = {}
    taken: dict[str, int] = {}
    for move in moves_of(session):
        seq = _turn_of(session, move)
        for each in calls(session, move):
            if any(i.name == name for layer in each.layers for i in layer.inserted):
                found.append(Reader("prompt", seq, each.task.template, key=each.task.key, move=move.number))
        heard = session.here().heard if session.open is move else session.done(move.number).heard
        for _, event in heard:
            if isinstance(event, Marker) and event.edge == "before" and event.action:
                gone.setdefault(event.action, seq)
            if isinstance(event, BranchesTaken):
                for way in event.taken:
                    taken.setdefault(way, seq)
    for spot in session.text.spots:
        node = _node(session.text, spot) if spot.kind == "action" else None
        if node is None:
            continue
        if any(each.name.partition(".")[0] == name for _, said in _texts(node) for each in names(said)):
            found.append(Reader("sentence", gone.get(spot.id, 0), spot.id, spot))
        if node.condition is not None and _reads(node.condition, name):
            when = next((seq for way, seq in taken.items() if spot.id in way and ": condition" in way), 0)
            found.append(Reader("condition", when, spot.id, spot))
    return tuple(found)


def _reads(condition: Any, name: str) -> bool:
    return any(
        name in {each.partition(".")[0] for each in expression.names}
        for _, expression in expressions(condition)
        if isinstance(expression, Expression)
    )


def history(session: DebugSession) -> list[tuple[int, Event]]:
    """Everything that has happened on the branch, by turn."""
    found = [
        (session.turn(move.number).state.seq, event)
        for move in session.chain(session.branch.leaf)
        for _, event in session.done(move.number).heard
    ]
    if session.open is not None:
        here = session.here()
        found += [(here.work.state.seq, event) for _, event in here.heard]
    return found


def variables(session: DebugSession) -> tuple[inspection.VariableView, ...]:
    """All variables where the session stands, with what became of each."""
    here = session.here()
    last = [event for _, event in here.heard]
    if session.open is None and session.branch.leaf is not None:
        last = [event for _, event in session.done(session.branch.leaf).heard]
    return inspection.variables(here.work, history(session), last)
