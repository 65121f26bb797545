"""Snapshots before and behind every action (seed 000 §7.3, §11.1.4). None is stored: each is worked out when it is
opened, and is the same whenever that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from heartrule.debugger.session import DebugSession, NotPossible
from heartrule.debugger.tape import Move
from heartrule.engine.session.events import Marker
from heartrule.engine.session.io import Message


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A place: in a move, behind so many of its events. ``id`` names both."""

    id: str
    move: int
    passed: int
    turn: int
    action: str
    kind: str
    topic: str
    phase: str
    type: str
    round: int
    outcome: str
    at: datetime


@dataclass(frozen=True, slots=True)
class OpenedSnapshot:
    """A snapshot with all that seed 000 asks of it."""

    snapshot: Snapshot
    session: str
    variables: Mapping[str, Mapping[str, Any]] = field(repr=False)
    messages: tuple[Message, ...] = field(repr=False)
    calls: tuple[Mapping[str, Any], ...] = field(repr=False)
    parameters: Mapping[str, Any] = field(default_factory=dict, repr=False)


def place(id_: str) -> tuple[int, int]:
    move, _, passed = id_.partition(".")
    if not move.isdigit() or not passed.isdigit():
        raise NotPossible("debug-no-place", id_)
    return int(move), int(passed)


def snapshots(session: DebugSession) -> Iterator[Snapshot]:
    """Of the present branch, the first one first."""
    for move in session.chain(session.branch.leaf):
        turn = session.turn(move.number).state.seq
        for number, event in session.done(move.number).heard:
            if isinstance(event, Marker):
                yield _snapshot(move, number, turn, event)
    move_open = session.open
    if move_open is not None:
        here = session.here()
        for number, marker in here.markers:
            yield _snapshot(move_open, number, here.work.state.seq, marker)


def _snapshot(move: Move, number: int, turn: int, event: Marker) -> Snapshot:
    return Snapshot(
        id=f"{move.number}.{number}",
        move=move.number,
        passed=number,
        turn=turn,
        action=event.action or "",
        kind=event.edge,
        topic=event.topic,
        phase=event.phase,
        type=event.type,
        round=event.round,
        outcome=event.outcome,
        at=move.at,
    )


def opened(session: DebugSession, id_: str) -> OpenedSnapshot:
    """Raises ``NotPossible`` where there is no such snapshot."""
    number, passed = place(id_)
    move = session.moves.get(number)
    if move is None:
        raise NotPossible("debug-no-place", id_)
    reached = session.reach(move, passed - 1, lambda work, event, at: {"kind": "look"})
    event = next((each for at, each in reached.heard if at == passed), None)
    if not isinstance(event, Marker):
        raise NotPossible("debug-no-place", id_)
    work = reached.work
    before = [m for each in session.chain(move.parent) for m in session.turn(each.number).messages]
    variables = {
        f"{scope} {key}".strip(): {name: value.value for name, value in cell.items()}
        for (scope, key), cell in sorted(work.variables.cells.items())
    }
    calls = tuple(
        {"key": task.key, "template": task.template, "status": given.answer.status, "answer": given.answer.data}
        for task in reached.asked
        if (given := move.answers.get(task.key)) is not None
    )
    return OpenedSnapshot(
        snapshot=_snapshot(move, passed, work.state.seq, event),
        session=session.head.id,
        variables=variables,
        messages=(*before, *work.messages),
        calls=calls,
        parameters={"type": event.type, "index": event.index, "round": event.round},
    )
