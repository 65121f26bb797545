"""A debug session as a file: what is taken in was written by anybody, and is one only if it holds together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from heartrule.debugger.head import Head
from heartrule.debugger.session_view import MoveCache
from heartrule.debugger.tape import Move, decode_input

_HEAD: TypeAdapter[Head] = TypeAdapter(Head)
_MOVE: TypeAdapter[Move] = TypeAdapter(Move)


def head_of(data: Mapping[str, Any], **more: Any) -> Head:
    """Raises ``ValueError``, ``KeyError``, ``TypeError`` or ``AttributeError`` for what is none."""
    head = _HEAD.validate_python(asdict(Head.of({**data, **more})))
    for each in head.log:
        if not (isinstance(each["text"], str) and isinstance(each["action"], str) and isinstance(each["move"], int)):
            raise ValueError("a log of something else")
    for each in head.queue:
        decode_input(each["given"])
        _aware(datetime.fromisoformat(each["at"]) if each["at"] is not None else head.virtual)
        if not isinstance(each["origin"], int | None) or not isinstance(each.get("key", ""), str):
            raise ValueError("a queue of something else")
    for at in (head.created_at, head.virtual, head.real, *(each.at for each in head.named)):
        _aware(at)
    return head


def moves_of(data: Any) -> dict[int, Move]:
    """Raises as ``head_of`` does. Each move stands behind an earlier one, or begins."""
    moves: dict[int, Move] = {}
    for each in data:
        move = _MOVE.validate_python(asdict(Move.of(each)))
        _aware(move.at)
        if move.number < 1 or move.number in moves:
            raise ValueError("two moves of one number")
        moves[move.number] = move
    if any(move.parent is not None and not move.number > move.parent for move in moves.values()):
        raise ValueError("a move before itself")
    return moves


def hold_together(head: Head, moves: Mapping[int, Move], texts: Collection[str]) -> bool:
    """Whether all that is named is there."""
    places = {None, *moves}
    branches = head.branches
    return (
        {move.parent for move in moves.values()} <= places
        and {each.leaf for each in branches.values()} | {each.open for each in branches.values()} <= places
        and {each.move for each in head.named} <= places
        and {head.text, *(move.text for move in moves.values()), *(each.text for each in head.named)} <= {*texts}
        and head.branch in branches
        and all(name.isascii() and name.isdecimal() for name in branches)
        and head.next > max(moves, default=0)
    )


def work_out(session: MoveCache) -> None:
    """All that it says it has come to. Raises whatever is wrong with it."""
    for branch in session.head.branches.values():
        if branch.leaf is not None:
            session.done(branch.leaf)
        if branch.open is not None:
            session.reach(session.moves[branch.open], branch.passed)
    session.here()


def _aware(at: datetime) -> None:
    if at.tzinfo is None:
        raise ValueError("a time without a zone")
