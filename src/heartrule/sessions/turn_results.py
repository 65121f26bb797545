"""The results of a turn's interactive actions, one record each: what the model made of the round, how it was read, and
whether the action went on (seed 004's ``ActionResult``); and the rounds of the whole session before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from heartrule.store.records import CallRecord, EventRecord

KEPT = 50
"""Rounds of the session that are told, the newest."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """One answer and how it was read: the strategies in the order in which they were tried; ``problem`` is empty for
    the one that was used."""

    raw: str = field(repr=False)
    strategies: tuple[str, ...]
    outcome: str
    problem: str


@dataclass(frozen=True, slots=True)
class Round:
    """A round as the history keeps it. ``brief``: what the person said, in the model's words."""

    turn: int
    action: str
    type: str
    round: int
    metrics: Mapping[str, str] = field(repr=False)
    progress_suggestion: str
    brief: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Result:
    """``parse_retries``: answers that could not be read, of all that came (``answers``). ``exit_reason`` is the class
    of the ending, or of what stands in its way; empty when there is none."""

    of: Round
    max_rounds: int | None
    completed: bool
    exit_reason: str
    parse_error: bool
    parse_retries: int
    answers: tuple[ReadAnswer, ...]


def results_of(events: Sequence[EventRecord], calls: Sequence[CallRecord]) -> tuple[Result, ...]:
    """Of one turn, in their order."""
    return tuple(_result(event, events, calls) for event in events if event.kind == "round")


def rounds_of(events: Sequence[EventRecord], turn: int) -> tuple[Round, ...]:
    """Up to ``turn``, oldest first."""
    return tuple(_round(event) for event in events if event.kind == "round" and event.turn <= turn)[-KEPT:]


def _round(event: EventRecord) -> Round:
    data = event.data
    return Round(
        turn=event.turn,
        action=event.action or "",
        type=data["type"],
        round=data["current_round"],
        metrics=data["metrics"],
        progress_suggestion=data["progress_suggestion"],
        brief=data.get("brief", ""),
    )


def _result(event: EventRecord, events: Sequence[EventRecord], calls: Sequence[CallRecord]) -> Result:
    of = _round(event)
    ending = next(
        (e.data for e in events if e.kind == "exit" and (e.action, e.data["round"]) == (event.action, of.round)), None
    )
    answers = _answers(of, calls)
    return Result(
        of=of,
        max_rounds=event.data["max_rounds"],
        completed=bool(ending and ending["should_exit"]),
        exit_reason=(ending and ending["exit_class"]) or "",
        parse_error=event.data["parse_error"],
        parse_retries=sum(each.outcome == "rejected" for each in answers),
        answers=answers,
    )


def _answers(of: Round, calls: Sequence[CallRecord]) -> tuple[ReadAnswer, ...]:
    """What came back to the question that the round was read from: the last that its type's template asked."""
    asked = [call for call in calls if call.template == of.type and call.status in ("answered", "failed")]
    tried = asked[-1].attempts if asked else []
    return tuple(
        ReadAnswer(each["raw"], tuple(each["parse"]), each["outcome"], each["cause"]) for each in tried if each["raw"]
    )
