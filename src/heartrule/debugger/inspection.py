"""What can be seen of a turn's working copy where it is held: the stack, the variables, the value of an expression."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from heartrule.debugger.texts import Spot, Text
from heartrule.engine.session.events import Event, Unwritten, VariableOperation
from heartrule.engine.session.state import TopicFrame
from heartrule.engine.session.variables import ScopeKey
from heartrule.engine.variables import scopes
from heartrule.engine.work import Work
from heartrule.language.expressions import UNKNOWN, parse


@dataclass(frozen=True, slots=True)
class Frame:
    """One level of where the session stands, the innermost first. ``spot``: where it is written."""

    kind: str
    id: str
    name: str
    spot: Spot | None
    scope: ScopeKey | None
    round: int | None = None
    max_rounds: int | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class VariableWrite:
    """One write of a variable, or one that was tried (``outcome`` other than ``written``)."""

    turn: int
    value: Any = field(repr=False)
    source: str
    strategy: str
    evidence: str | None = field(repr=False)
    at: datetime
    outcome: str = "written"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class VariableView:
    """A variable as it stands. ``seen``: it can be read from where the session stands, and no inner one hides it."""

    name: str
    scope: str
    scope_key: str
    type: str
    value: Any = field(repr=False)
    source: str
    strategy: str
    evidence: str | None = field(repr=False)
    updated_at: datetime
    seen: bool
    changed: bool
    history: tuple[VariableWrite, ...]


def frames(text: Text, work: Work) -> tuple[Frame, ...]:
    """The stack: the running action and topic (or technique), who called or was interrupted, the phase, the session."""
    state = work.state
    found: list[Frame] = []
    if state.running is not None:
        found += _topic(text, work, state.running, "")
    for waiting in reversed(state.suspended):
        found += _topic(text, work, waiting, str(waiting.suspended or "waits"))
    if state.phase is not None:
        phase = state.phase
        found.append(Frame("phase", phase.id, phase.id, text.node("phase", phase.id), ("phase", phase.key)))
    session = work.world.script
    found.append(
        Frame("session", session.id, session.session.session, text.node("session", session.id), ("session", ""))
    )
    return tuple(found)


def _topic(text: Text, work: Work, frame: TopicFrame, because: str) -> list[Frame]:
    kind = "technique" if frame.kind == "skill" else "topic"
    scope: ScopeKey = ("topic", frame.key)
    own = Frame(kind, frame.ref, frame.name, text.node(kind, frame.ref), scope, because=because)
    action = frame.action
    if action is None:
        return [own]
    spot = spot_of(text, frame)
    name = spot.name if spot is not None else action.type
    return [Frame("action", action.id, name, spot, scope, action.round, action.max_rounds, because), own]


def spot_of(text: Text, frame: TopicFrame) -> Spot | None:
    """Where the action that a topic or technique stands at is written."""
    action = frame.action
    if action is None:
        return None
    index: int | None = action.index
    if frame.plan is not None:
        placed = frame.plan[action.index] if action.index < len(frame.plan) else None
        index = placed.written if placed is not None else None
    return None if index is None else text.of(frame.ref, index, frame.kind)


def variables(
    work: Work, events: Iterable[tuple[int, Event]], changed: Iterable[Event] = ()
) -> tuple[VariableView, ...]:
    """All there are. ``events``: everything that has happened, by turn; ``changed``: of it, what is new."""
    told: dict[tuple[str, str, str], list[VariableWrite]] = {}
    for turn, event in events:
        if isinstance(event, VariableOperation | Unwritten):
            told.setdefault((event.scope, event.scope_key, event.name), []).append(_written(turn, event))
    new = {(e.scope, e.scope_key, e.name) for e in changed if isinstance(e, VariableOperation)}
    chain = work.chain()
    visible: set[tuple[ScopeKey, str]] = set()
    names: set[str] = set()
    for where in chain:
        own = work.variables.cells.get(where, {})
        visible |= {(where, name) for name in own if name not in names}
        names |= set(own)
    return tuple(
        VariableView(
            *(name, where[0], where[1], value.type, value.value, value.source, value.strategy, value.evidence),
            updated_at=value.updated_at,
            seen=(where, name) in visible,
            changed=(*where, name) in new,
            history=tuple(told.get((*where, name), ())),
        )
        for where, cell in sorted(work.variables.cells.items())
        for name, value in sorted(cell.items())
    )


def _written(turn: int, event: VariableOperation | Unwritten) -> VariableWrite:
    tried = isinstance(event, Unwritten)
    return VariableWrite(
        turn=turn,
        value=event.value,
        source=event.source,
        strategy=event.strategy,
        evidence=event.evidence,
        at=event.at,
        outcome=event.outcome if isinstance(event, Unwritten) else "written",
        reason=event.reason if tried and isinstance(event, Unwritten) else "",
    )


def evaluate(work: Work, source: str) -> Any:
    """The value of an expression of the script's own language, seen from where the session stands; ``UNKNOWN`` where it
    has none. Raises ``ExpressionError``."""
    return parse(source).evaluate(lambda name: scopes.lookup(work, name), work.world.now)


def shown(value: Any) -> Any:
    """As JSON has it: what is unknown is null."""
    return None if value is UNKNOWN else value


def depth(work: Work) -> int:
    """How many topics and techniques wait for one another here."""
    return len(work.state.suspended) + (work.state.running is not None)


def last_of(found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return found[-1] if found else {}
