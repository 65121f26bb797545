"""The strategies of a session beside what came of them: the round before each decision, and the rounds whose words were
made under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule.store.records import EventRecord

KINDS = ("strategy", "round", "exit")
"""Kinds of events that this is read off."""


@dataclass(frozen=True, slots=True)
class Round:
    """What a person's answer showed. ``exit_class``: how the action ended with it, or what stood in its way."""

    turn: int
    round: int
    progress: str
    exit_class: str
    metrics: Mapping[str, str] = field(repr=False)

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "turn": self.turn,
            "round": self.round,
            "progress_suggestion": self.progress,
            "exit_class": self.exit_class,
            "metrics": dict(self.metrics),
        }


@dataclass(frozen=True, slots=True)
class StrategyDecision:
    """A decision. ``before``: the last round of its action until then. ``after``: the answers to words that were made
    under it, the oldest first."""

    number: int
    turn: int
    action: str
    before: Round | None
    after: tuple[Round, ...]

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "before": self.before.plain() if self.before else None,
            "after": [each.plain() for each in self.after],
        }


def compared(events: Sequence[EventRecord]) -> tuple[StrategyDecision, ...]:
    """All decisions that ``events`` tell of, whose rounds are among them."""
    rounds = [(event, _round(event, events)) for event in events if event.kind == "round"]
    return tuple(_compared(event, rounds) for event in events if event.kind == "strategy")


def _compared(decision: EventRecord, rounds: Sequence[tuple[EventRecord, Round]]) -> StrategyDecision:
    number = int(decision.data["number"])
    own = [(event, told) for event, told in rounds if event.action == decision.action]
    before = [told for event, told in own if (event.turn, event.number) < (decision.turn, decision.number)]
    return StrategyDecision(
        number=number,
        turn=decision.turn,
        action=decision.action or "",
        before=before[-1] if before else None,
        after=tuple(told for event, told in own if event.data.get("strategy") == number),
    )


def _round(event: EventRecord, events: Sequence[EventRecord]) -> Round:
    left = [each for each in events if each.kind == "exit" and _same_round(each, event)]
    return Round(
        turn=event.turn,
        round=event.data["current_round"],
        progress=event.data["progress_suggestion"],
        exit_class=(left[-1].data.get("exit_class") or "") if left else "",
        metrics=event.data["metrics"],
    )


def _same_round(left: EventRecord, event: EventRecord) -> bool:
    return (left.turn, left.action, left.data["round"]) == (event.turn, event.action, event.data["current_round"])
