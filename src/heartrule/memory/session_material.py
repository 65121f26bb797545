"""What was said in a session and came of it, as whoever remembers it gets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """A message. ``reply`` was said by the program, or whoever speaks in its place."""

    number: int
    text: str = field(repr=False)
    at: datetime
    reply: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """A topic as it ran: from its first message to its last. ``over``: it has ended. ``ref``: where it stands in the
    script."""

    name: str
    ref: str
    first: int
    last: int
    over: bool


@dataclass(frozen=True, slots=True)
class ProvenValue:
    """A value that the person's words prove. ``label``: what it is called for people; ``now``: it has not been written
    over since."""

    name: str
    label: str
    shown: str = field(repr=False)
    quote: str = field(repr=False)
    message: int
    at: datetime
    now: bool = True


@dataclass(frozen=True, slots=True)
class CaseEntry:
    """A record of the case file."""

    kind: str
    text: str = field(repr=False)
    quote: str = field(repr=False)
    message: int
    number: int
    by: Literal["person", "ai"] = "person"
    about: Sequence[str] = ()
    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)
    done: bool = False
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class FormScore:
    """What a form came to."""

    form: str
    name: str
    label: str
    value: float
    band: str
    message: int
    at: datetime


@dataclass(frozen=True, slots=True)
class TopicReading:
    """What a model has made of a topic, held against what was said: nothing in it is without a quote."""

    stretch: str
    first: int
    data: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class SessionMaterial:
    """A session as far as it has gone. ``said`` holds nothing that was withheld or taken back."""

    session: str
    name: str
    locale: str
    began: datetime
    said: Sequence[SaidMessage]
    stretches: Sequence[Stretch] = ()
    found: Sequence[ProvenValue] = ()
    noted: Sequence[CaseEntry] = ()
    scored: Sequence[FormScore] = ()
    readings: Sequence[TopicReading] = ()
    ended: datetime | None = None

    def topic(self, message: int) -> Stretch | None:
        """The topic that ran when it was said, the innermost first."""
        return next((each for each in reversed(self.stretches) if each.first <= message <= each.last), None)
