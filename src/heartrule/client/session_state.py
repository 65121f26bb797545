"""What is known of a session that is being held, whichever way its requests are sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from heartrule.client import calls
from heartrule.client.calls import Call
from heartrule.server import shapes


@dataclass(slots=True)
class SessionView:
    """``turn`` is the last one, None before the first; ``seen`` the number of the newest message that came with it."""

    id: str
    token: str = field(repr=False)
    turn: shapes.Turn | None = field(default=None, repr=False)
    seen: int | None = None

    @property
    def said(self) -> list[str]:
        """What was said to the person in the last turn."""
        return [each.content for each in (self.turn.messages if self.turn else ()) if each.sender != "person"]

    @property
    def request(self) -> shapes.RequestShape | None:
        """What the session awaits."""
        return self.turn.request if self.turn else None

    @property
    def is_over(self) -> bool:
        return self.turn is not None and self.turn.execution_status != "waiting_input"

    def note(self, turn: shapes.Turn) -> shapes.Turn:
        """A turn that has come. One that is older than what is known changes nothing."""
        if self.turn is None or turn.turn.seq >= self.turn.turn.seq:
            self.turn = turn
        newest = max((message.seq for message in turn.messages), default=0)
        self.seen = max(self.seen or 0, newest)
        return turn

    def given(self, kind: str, key: str | None = None, after: int | None = None, **more: Any) -> Call[shapes.Turn]:
        """A turn's request, under a key of its own unless one is given. ``after``: what the person had seen, by default
        all that has come."""
        seen = None if kind in ("start", "resume") else self.seen if after is None else after
        return calls.turn(self.id, self.token, key or made_key(), {"type": kind, **more}, after=seen)


def made_key() -> str:
    return uuid4().hex


def turn_end(turn: shapes.Turn) -> shapes.TurnEnd:
    """The turn without its messages, as its event has it."""
    return shapes.TurnEnd.model_construct(**{name: getattr(turn, name) for name in shapes.TurnEnd.model_fields})
