"""What was written down of a turn, and whether working it out again comes to the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from heartrule.engine.session.io import Input, Turn
from heartrule.language.compiling.script import Script
from heartrule.sessions.replay_inputs import Grounds, digest, program, written_digest
from heartrule.sessions.rows import event_rows, message_rows, removed_of, status_after, variable_rows
from heartrule.sessions.views import outcome_data
from heartrule.store.codec import decode, encode
from heartrule.store.records import CallRecord, EventRecord, InboxEntry, SessionRecord, StoreError, TurnRecord


@dataclass(frozen=True, slots=True)
class TurnRecords:
    """One turn's records. ``batch``: the inputs that it consumed, in their order."""

    record: TurnRecord
    batch: tuple[InboxEntry, ...]
    calls: tuple[CallRecord, ...]
    events: tuple[EventRecord, ...]
    grounds: Grounds = field(repr=False)


class NotKept(StoreError):
    """Of this turn not enough was written down to work it out again: it is of an older version."""

    def __init__(self, turn: int) -> None:
        super().__init__(f"turn {turn} was written down by a version that did not keep what it rested on")
        self.turn = turn


class Differs(StoreError):
    """A turn worked out again is not what was written down. ``part`` and ``path`` say where; the texts hold no content,
    ``written`` and ``found`` do. ``by`` worked it out first, ``now`` again: another program may come to something else.
    """

    def __init__(self, turn: int, part: str, path: str, by: str, now: str, written: Any = None, found: Any = None):
        since = "" if by == now else f" (worked out by {by}, now by {now})"
        super().__init__(f"turn {turn}: {part} differ at {path}{since}")
        self.turn, self.part, self.path, self.by, self.now = turn, part, path, by, now
        self.written, self.found = written, found


def compare(script: Script, before: SessionRecord, given: Input, result: Turn, kept: TurnRecords) -> None:
    """Raises ``Differs`` at the first difference: what was said, what happened, how it ended, what it left."""
    status = status_after(before, given, result)
    parts: Mapping[str, tuple[Any, Any]] = {
        "messages": (
            [replace(message, id="") for message in kept.record.messages],
            [replace(message, id="") for message in message_rows(result, kept.batch)],
        ),
        "events": (kept.events, event_rows(result)),
        "outcome": (kept.record.outcome, outcome_data(script, status, result)),
        "variables": (kept.grounds.written, written_digest(variable_rows(result), sorted(removed_of(result)))),
        "state": (kept.grounds.state, digest(result.state.model_dump(mode="json"))),
    }
    for part, (written, found) in parts.items():
        told, again = encode(_ordered(written)), encode(_ordered(found))
        if told != again:
            one, other = decode(told), decode(again)
            path, there, here = next(_differences(one, other, part), (part, one, other))
            raise Differs(kept.record.seq, part, path, kept.grounds.program, program(), there, here)


def _ordered(value: Any) -> Any:
    """Records and mappings with their keys in order: two that are equal are the same bytes of JSON."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    kind: type = type(value)
    if names := _names(kind):
        return {name: _ordered(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {key: _ordered(value[key]) for key in sorted(value)}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_ordered(each) for each in value]
    return value


@cache
def _names(of: type) -> tuple[str, ...]:
    """Of the fields of a record; none where it is no record."""
    return tuple(sorted(each.name for each in fields(of))) if is_dataclass(of) else ()


def _differences(one: Any, other: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            yield from _differences(one.get(key), other.get(key), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (this, that) in enumerate(zip(one, other, strict=True)):
            yield from _differences(this, that, f"{path}[{index}]")
    elif one != other or type(one) is not type(other):
        yield path, one, other
