"""Two branches beside each other, or a recording and what the changed script made of it: which words, moves, variables
and prompts differ, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule.debugger.session import DebugSession
from heartrule.debugger.tape import Move
from heartrule.engine.session.events import ExitDecided, Marker, PhaseChanged, TopicChanged, VariableOperation
from heartrule.engine.session.io import Message


@dataclass(frozen=True, slots=True)
class Side:
    """A turn of one branch. ``path``: what it went through; ``calls``: by key, the template and the prompt's hash, who
    answered, and whether that had been an answer to another prompt."""

    move: int
    turn: int
    kind: str
    said: tuple[tuple[str, str], ...] = field(repr=False)
    path: tuple[str, ...]
    wrote: dict[str, Any] = field(repr=False)
    calls: dict[str, tuple[str, str, str, bool]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Turns at the same place of two branches. ``differs``: in which of words, moves, variables, prompts."""

    one: Side | None
    other: Side | None
    differs: tuple[str, ...]
    misfits: tuple[str, ...] = ()
    """Keys of calls of ``other`` whose recorded answers no longer fit."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``shared``: how many turns are the same from the beginning; ``pairs``: those that are not moves of both.
    ``variables``: by name, what each has in the end where that differs."""

    one: str
    other: str
    shared: int
    pairs: tuple[Pair, ...]
    variables: dict[str, tuple[Any, Any]] = field(repr=False)

    @property
    def same(self) -> bool:
        return not self.variables and not any(each.differs for each in self.pairs)


def compare(session: DebugSession, one: str, other: str) -> Comparison:
    """Two branches of a session, by name."""
    left = session.chain(session.head.branches[one].leaf)
    right = session.chain(session.head.branches[other].leaf)
    shared = 0
    while shared < min(len(left), len(right)) and left[shared].number == right[shared].number:
        shared += 1
    pairs = []
    for index in range(shared, max(len(left), len(right))):
        a = _side(session, left[index]) if index < len(left) else None
        b = _side(session, right[index]) if index < len(right) else None
        pairs.append(_pair(a, b))
    alike = next((index for index, each in enumerate(pairs) if each.differs), len(pairs))
    return Comparison(one, other, shared + alike, tuple(pairs), _ends(session, left, right))


def _side(session: DebugSession, move: Move) -> Side:
    turn = session.turn(move.number)
    events = [event for _, event in session.done(move.number).heard]
    return Side(
        move=move.number,
        turn=turn.state.seq,
        kind=move.given.kind,
        said=tuple((each.sender, each.text) for each in turn.messages),
        path=tuple(filter(None, map(_step, events))),
        wrote={event.name: event.value for event in events if isinstance(event, VariableOperation)},
        calls={
            key: (each.template, each.answer.prompt_hash, each.origin, each.misfit)
            for key, each in move.answers.items()
        },
    )


def _step(event: Any) -> str:
    if isinstance(event, Marker):
        return f"{event.edge} {event.topic}/{event.action} {event.outcome}".strip()
    if isinstance(event, TopicChanged):
        return f"{event.state} {event.ref}"
    if isinstance(event, PhaseChanged):
        return f"{event.state} {event.id}"
    if isinstance(event, ExitDecided) and event.should_exit:
        return f"exit {event.action} {event.decision_source}"
    return ""


def _pair(one: Side | None, other: Side | None) -> Pair:
    if one is None or other is None:
        return Pair(one, other, ("missing",))
    differs = []
    if one.said != other.said:
        differs.append("words")
    if one.path != other.path:
        differs.append("moves")
    if one.wrote != other.wrote:
        differs.append("variables")
    hashes = [[each[:2] for each in side.calls.values()] for side in (one, other)]
    misfits = tuple(key for key, each in other.calls.items() if each[3])
    if hashes[0] != hashes[1] or misfits:
        differs.append("prompts")
    return Pair(one, other, tuple(differs), misfits)


def _ends(session: DebugSession, left: Sequence[Move], right: Sequence[Move]) -> dict[str, tuple[Any, Any]]:
    held = [_values(session, each) for each in (left, right)]
    names = dict.fromkeys([*held[0], *held[1]])
    return {name: (held[0].get(name), held[1].get(name)) for name in names if held[0].get(name) != held[1].get(name)}


def _values(session: DebugSession, moves: Sequence[Move]) -> dict[str, Any]:
    if not moves:
        return {}
    cells = session.turn(moves[-1].number).variables.cells
    return {
        (name if scope in ("session", "global") else f"{scope}.{name}"): value.value
        for (scope, _), cell in sorted(cells.items())
        for name, value in sorted(cell.items())
    }


def transcript(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(each.sender, each.text) for each in messages]
