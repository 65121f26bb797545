"""What happened, as events: each turn's in one fixed order, under numbers that are the same whenever they are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel

from heartrule.server import rendering, shapes
from heartrule.server.problems import Problem
from heartrule.sessions import Outcome
from heartrule.sessions.subscribers import News

STEP = 100_000
"""Numbers that a turn may use. The first is its start, the last three its end; what was said is between."""
CHOICE, PROGRESS, COMPLETED = STEP - 3, STEP - 2, STEP - 1

FRAME = 512
"""Bytes. A sentence with what surrounds it fits into one; what is longer takes the next multiple."""
KEEP_ALIVE = b": \n\n"


@dataclass(frozen=True, slots=True)
class Event:
    """``id`` None: an event that cannot be told again, and does not move the reader's place."""

    id: int | None
    name: str
    data: BaseModel = field(repr=False)

    def encoded(self) -> bytes:
        """As ``text/event-stream`` has it. JSON on one line: no line break of the data can end it. A comment before it
        makes it a multiple of ``FRAME`` bytes long: whoever sees encrypted frames go by learns nothing of what is said
        from how long they are."""
        head = f"id: {self.id}\n" if self.id is not None else ""
        data = json.dumps(self.data.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))
        event = f"{head}event: {self.name}\ndata: {data}\n\n".encode()
        return b":" + b"." * (-(len(event) + 2) % FRAME) + b"\n" + event


def first_of(seq: int) -> int:
    return seq * STEP


def last_of(seq: int) -> int:
    """The number of the last event of turn ``seq``; 0 before the first."""
    return seq * STEP + COMPLETED if seq else 0


def before(last: int) -> int:
    """The last turn of which someone who was told event ``last`` has been told all."""
    return last // STEP - (last % STEP != COMPLETED) if last >= STEP else 0


def started(session: str, seq: int) -> Event:
    head = shapes.TurnStart(id=rendering.turn_id(session, seq), seq=seq)
    return Event(first_of(seq), "turn.started", shapes.TurnStarted(turn=head))


def delta(news: News) -> Event:
    """More of a message that is still being written. Who comes back gets all there is of it, from its beginning."""
    return Event(None, "message.delta", rendering.delta(news))


def typing(name: str) -> Event:
    """The human who holds the session is writing."""
    return Event(None, "human.typing", shapes.HumanTyping(name=name))


def failed(problem: Problem, language: str) -> Event:
    """A turn was begun and does not stand; what was said is kept, and tried again when somebody sends it again, or by
    the sweep."""
    return Event(None, "error", problem.shape(language))


def turn_events(session: str, outcome: Outcome, after: int = 0) -> Iterator[Event]:
    """The events of a finished turn with a higher number than ``after``."""
    return (event for event in _of(session, outcome) if event.id is not None and event.id > after)


def _of(session: str, outcome: Outcome) -> Iterator[Event]:
    base = first_of(outcome.turn)
    yield started(session, outcome.turn)
    for place, record in enumerate(outcome.messages, 1):
        yield Event(base + min(place, CHOICE - 1), "message.completed", rendering.message(record))
    asked = rendering.request(outcome.request)
    if asked.choices:
        yield Event(base + CHOICE, "choice.requested", asked)
    yield Event(base + PROGRESS, "progress", rendering.progress(outcome.progress))
    yield Event(base + COMPLETED, "turn.completed", rendering.turn_end(session, outcome))
