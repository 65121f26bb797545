"""How actions came to end: the decision on it, where there was one, and what the action's boundary says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heartrule.engine.session.events import Event, ExitDecided, Marker, TopicChanged

BROKEN_OFF = frozenset({"left", "lost"})
"""Outcomes of an action that was not gone through: its topic was left meanwhile, or the script no longer has it."""


@dataclass(frozen=True, slots=True)
class Ending:
    """``exit_class`` and ``source`` are of the decision; ``outcome`` is None for a part of a block, which has no
    boundary of its own."""

    topic: str
    action: str
    exit_class: str | None = None
    source: str | None = None
    outcome: str | None = None

    @property
    def line(self) -> str:
        how = self.exit_class or self.outcome or "–"
        return f"{self.topic}/{self.action}: {how}" + (f" ({self.source})" if self.source else "")


def endings(past: Sequence[Event], since: int) -> Iterator[Ending]:
    """Those that were decided, or came to pass, from the event ``since`` on. ``past``: all events so far."""
    topic = ""
    decided: dict[str, tuple[int, str, ExitDecided]] = {}
    for number, event in enumerate(past):
        match event:
            case TopicChanged(state="running"):
                topic = event.ref
            case Marker(edge="before"):
                topic = event.topic
                decided.pop(event.action or "", None)
            case ExitDecided(should_exit=True):
                decided[event.action or ""] = (number, topic, event)
            case Marker(edge="after"):
                decision = decided.pop(event.action or "", None)
                by = decision[2] if decision else None
                if number >= since:
                    exit_class, source = (by.exit_class, by.decision_source) if by else (None, None)
                    yield Ending(event.topic, event.action or "", exit_class, source, event.outcome)
    for number, topic, last in decided.values():
        if number >= since:
            yield Ending(topic, last.action or "", last.exit_class, last.decision_source)
