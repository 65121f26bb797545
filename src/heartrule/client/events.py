"""Live events, as they come over the wire and as they are handed on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from heartrule.client.problem import Problem
from heartrule.server import shapes

LONGEST = 8_000_000
"""Bytes of one event."""
NUMBER = re.compile(r"[0-9]{1,18}")
SHAPES: dict[str, TypeAdapter[Any]] = {
    "turn.started": TypeAdapter(shapes.TurnStarted),
    "message.delta": TypeAdapter(shapes.MessageDelta),
    "message.completed": TypeAdapter(shapes.Message),
    "choice.requested": TypeAdapter(shapes.RequestShape),
    "progress": TypeAdapter(shapes.Progress),
    "turn.completed": TypeAdapter(shapes.TurnEnd),
    "human.typing": TypeAdapter(shapes.HumanTyping),
}


@dataclass(frozen=True, slots=True)
class Event:
    """``id`` increases within a session; None for what is only good for the moment. ``data`` has the shape that the API
    gives for ``name``; of names that this client does not know it is what the JSON holds."""

    id: int | None
    name: str
    data: Any = field(repr=False)


class Lines:
    """Events out of the pieces of ``text/event-stream``, however they are cut (HTML standard, 9.2.6)."""

    def __init__(self) -> None:
        self._rest = b""
        self._fields: dict[str, str] = {}
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[Event]:
        """The events that are whole now. Raises ``Problem`` for what is none."""
        self._rest += piece
        *lines, self._rest = self._rest.split(b"\n")
        if self._size + len(self._rest) > LONGEST:
            raise Problem("network")
        for raw in lines:
            line = raw.rstrip(b"\r").decode("utf-8", "replace")
            if line:
                self._field(line)
            elif "data" in self._fields:
                yield self._event()
            if not line:
                self._fields, self._size = {}, 0

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        self._size += len(line)
        if self._size > LONGEST:
            raise Problem("network")
        self._fields[name] = f"{self._fields[name]}\n{value}" if name == "data" and name in self._fields else value

    def _event(self) -> Event:
        name, number = self._fields.get("event", "message"), self._fields.get("id", "")
        shape = SHAPES.get(name, ANYTHING)
        try:
            data = shape.validate_json(self._fields["data"], extra="ignore")
        except ValidationError:
            raise Problem("network") from None
        return Event(int(number) if NUMBER.fullmatch(number) else None, name, data)


ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
