"""One turn, one trace. Without an SDK that somebody set up nothing is recorded and next to nothing done.

Attributes are ids, names of scripts and settings, and numbers; what anybody said is not among them unless ``Calls`` is
told so.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from opentelemetry import trace
from opentelemetry.trace import Span, Status, StatusCode

from heartrule import logs
from heartrule.language.compiling.script import Script
from heartrule.llm.clock import Clock

_tracer = trace.get_tracer("heartrule")
NANO = 1_000_000_000


@dataclass(slots=True)
class TracedTurn:
    """The turn under way. ``outcome`` is what became of it; the clock's ``origin`` is ``wall`` in the world."""

    span: Span
    session: str
    script: Script | None = field(repr=False)
    origin: float
    wall: int
    outcome: str = ""
    rounds: int = 0

    def at(self, moment: float) -> int:
        """A moment of the clock, in nanoseconds since 1970."""
        return self.wall + int((moment - self.origin) * NANO)


_current: ContextVar[TracedTurn | None] = ContextVar("heartrule_turn", default=None)


def current() -> TracedTurn | None:
    """The turn that is being worked out here, when it is recorded."""
    return _current.get()


def hashed(session: str) -> str:
    """A session's name in traces: the same every time, and no way back to the id that opens it."""
    return hashlib.sha256(f"trace:{session}".encode()).hexdigest()[:16]


@contextmanager
def traced_turn(
    session: str, number: int, kind: str, script: Script | None, name: str, clock: Clock
) -> Iterator[TracedTurn]:
    """The root span of a turn, begun here and now; whoever works it out says its ``outcome``. What is raised is told by
    its kind alone."""
    began = time.perf_counter()
    with (
        logs.traced() as trace_id,
        _tracer.start_as_current_span(
            "heartrule.turn",
            context=trace.set_span_in_context(trace.INVALID_SPAN),
            record_exception=False,
            set_status_on_exception=False,
        ) as span,
    ):
        recorded = span.is_recording()
        turn = TracedTurn(span, hashed(session) if recorded else "", script, clock.now(), time.time_ns())
        token = _current.set(turn if recorded else None)
        if recorded:
            span.set_attributes(
                {
                    "heartrule.session": turn.session,
                    "heartrule.script": name,
                    "heartrule.turn": number,
                    "heartrule.input": kind,
                    "heartrule.trace": trace_id,
                }
            )
        try:
            yield turn
        except BaseException as error:
            turn.outcome = type(error).__name__.lower()
            if turn.outcome not in NO_FAULTS:
                span.set_attribute("error.type", type(error).__qualname__)
                span.set_status(Status(StatusCode.ERROR))
            raise
        finally:
            _current.reset(token)
            if recorded:
                span.set_attributes({"heartrule.outcome": turn.outcome, "heartrule.rounds": turn.rounds})
            logs.event(
                "turn",
                session=hashed(session),
                turn=number,
                input=kind,
                rounds=turn.rounds,
                outcome=turn.outcome,
                ms=round((time.perf_counter() - began) * 1000),
            )


NO_FAULTS = ("joined", "outdated", "cancellederror")
"""Ways for a turn not to stand that are no faults: more words came, another process was first, it was put down."""
