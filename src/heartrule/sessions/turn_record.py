"""What happened in a turn and why, for whoever works on a script: told of the records, the turn worked out again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from heartrule.engine.session.variables import ScopeKey, Value, Variables
from heartrule.llm.policy import Policy
from heartrule.sessions.explanations import AwarenessOutcome, watched
from heartrule.sessions.replay import ReplayedTurn, asked_beside, replay
from heartrule.sessions.replay_check import Differs, NotKept
from heartrule.sessions.rows import memories_of, variables_of
from heartrule.sessions.scripts import Scripts
from heartrule.sessions.turn_calls import Call, calls_of
from heartrule.sessions.turn_memories import KINDS, MemoryAccess, rememberings
from heartrule.sessions.turn_prompts import layers
from heartrule.sessions.turn_results import Result, Round, results_of, rounds_of
from heartrule.sessions.views import CannotRestore, NoSuchSession
from heartrule.store.records import AttemptRecord, CallRecord, EventRecord, TurnRecord
from heartrule.store.store import Store

DECISIONS = (
    "perceived",
    "replied",
    "verified",
    "blocked",
    "fused",
    "asked_for",
    "case",
    "round",
    "exit",
    "judged",
    "strategy",
    "monitored",
    "advice_unused",
    "form_shown",
    "form_answered",
    "form_submitted",
    "awareness",
    "unasked",
    "directive",
    "escalated",
    "queue",
    "shortened",
    "instances",
    "plan",
    "topic",
    "announced",
    "phase",
    "milestone",
    "scope_opened",
    "scope_snapshot",
    "scope_cleaned",
    "late",
    "fault",
    "ended",
)
"""Kinds of events that say what was decided, beside what variables became."""
WRITES = 20
"""Writes of one variable that are told, the newest."""
EVENTS = 5_000
"""Variable events of a session that its history is read off, the newest."""


@dataclass(frozen=True, slots=True)
class Write:
    """One write of a variable, or one that was tried; ``operation`` ``delete`` means that its scope was cleaned.
    ``outcome``: written, or why it is not (``refused``, ``kept``, ``unconfirmed``, ``skipped``), with the ``reason``.
    ``path``: the field that it was about."""

    turn: int
    operation: str
    old: Any = field(repr=False)
    value: Any = field(repr=False)
    source: str
    strategy: str
    evidence: str | None = field(repr=False)
    at: datetime
    outcome: str = "written"
    reason: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Bubble:
    """A variable as it stood after the turn. ``changed``: in this turn. ``history``: its last writes, oldest first,
    those that were only tried among them. What was only ever tried has no value and no ``updated_at`` of its own."""

    name: str
    scope: str
    scope_key: str
    type: str
    value: Any = field(repr=False)
    source: str
    strategy: str
    evidence: str | None = field(repr=False)
    updated_at: datetime
    changed: bool
    history: tuple[Write, ...]


@dataclass(frozen=True, slots=True)
class TurnMessage:
    """A message of the turn, without its words."""

    number: int
    sender: str
    characters: int
    withheld: bool


@dataclass(frozen=True, slots=True)
class ExplainedTurn:
    """One turn. ``whole``: it was worked out again and came to the same; else ``reason`` says why not (``differs``,
    ``not_kept``, ``cannot_restore``), there are no prompts, and variables are as the session has them now."""

    turn: int
    last: int
    at: datetime
    input: str
    program: str
    whole: bool
    reason: str
    detail: str
    seconds: float | None
    position: Mapping[str, Any]
    status: str
    said: tuple[TurnMessage, ...]
    decisions: tuple[EventRecord, ...]
    watched: tuple[AwarenessOutcome, ...]
    variables: tuple[Bubble, ...]
    calls: tuple[Call, ...]
    results: tuple[Result, ...]
    rounds: tuple[Round, ...]
    memories: tuple[MemoryAccess, ...]


async def debugged(
    store: Store, scripts: Scripts, policy: Policy, session: str, turn: int | None = None
) -> ExplainedTurn | None:
    """Turn ``turn``, the last without it; None when there is none. Raises ``NoSuchSession``."""
    record = await store.session(session)
    if record is None:
        raise NoSuchSession(session)
    number = record.seq if turn is None else turn
    kept = await store.turn(session, number) if 1 <= number <= record.seq else None
    if kept is None:
        return None
    again, reason, detail = await _again(store, scripts, session, number)
    events = await store.events(session, turn=number)
    writes = await store.events(session, ("variable", "unwritten"), limit=EVENTS)
    known = again.result.variables if again else variables_of(await store.variables(session))
    attempts = await store.attempts(session, number)
    recorded = await store.calls(session, number)
    batch = await store.consumed(session, number)
    told = await store.events(session, ("round",), limit=EVENTS)
    return ExplainedTurn(
        turn=number,
        last=record.seq,
        at=kept.at,
        input=batch[0].entry.kind if batch else "",
        program=again.kept.grounds.program if again else "",
        whole=again is not None,
        reason=reason,
        detail=detail,
        seconds=again.seconds if again else None,
        position=kept.outcome["position"],
        status=kept.outcome["execution_status"],
        said=_said(kept),
        decisions=tuple(event for event in events if event.kind in DECISIONS),
        watched=watched(events),
        variables=_bubbles(known, writes, number),
        calls=_calls(again, recorded, attempts, events, kept, policy),
        results=results_of(events, recorded),
        rounds=rounds_of(told, number),
        memories=rememberings(events, await _remembered(store, session, again, events)),
    )


async def _remembered(
    store: Store, session: str, again: ReplayedTurn | None, events: Sequence[EventRecord]
) -> tuple[Variables, ...]:
    """What was remembered before the turn and after it; where that cannot be worked out, what is now. Nothing is read
    of a turn that used none of it."""
    if not any(event.kind in KINDS for event in events):
        return ()
    if again is not None:
        return again.world.memories, again.result.memories
    return (memories_of(await store.memories.seen(session)),)


def _calls(
    again: ReplayedTurn | None,
    recorded: Sequence[CallRecord],
    attempts: Sequence[AttemptRecord],
    events: Sequence[EventRecord],
    kept: TurnRecord,
    policy: Policy,
) -> tuple[Call, ...]:
    """With what was asked beside the turn about it, whose prompts are known from the turn too."""
    if again is None:
        return calls_of(None, recorded, attempts, events, kept.messages, policy, {})
    beside = asked_beside(again, recorded)
    prompts = layers(replace(again, asked=(*again.asked, *beside)))
    return calls_of(again, recorded, attempts, events, kept.messages, policy, prompts, beside)


async def _again(store: Store, scripts: Scripts, session: str, turn: int) -> tuple[ReplayedTurn | None, str, str]:
    try:
        async for done in replay(store, scripts, session, turn, turn):
            return done, "", ""
    except Differs as differs:
        return None, "differs", str(differs)
    except NotKept as missing:
        return None, "not_kept", str(missing)
    except CannotRestore as gone:
        return None, "cannot_restore", str(gone)
    return None, "not_kept", ""


def _said(kept: TurnRecord) -> tuple[TurnMessage, ...]:
    return tuple(TurnMessage(each.number, each.sender, len(each.text), each.withheld) for each in kept.messages)


def _bubbles(variables: Variables, events: Sequence[EventRecord], turn: int) -> tuple[Bubble, ...]:
    history: dict[tuple[str, str, str], list[Write]] = {}
    for event in events:
        if event.turn <= turn:
            data = event.data
            key = (data["scope"], data["scope_key"], data["name"])
            history.setdefault(key, []).append(_write(event))
    cells = {where: dict(cell) for where, cell in variables.cells.items()}
    for (scope, own, name), writes in history.items():
        if all(write.outcome != "written" for write in writes) and (not own or (scope, own) in cells):
            nothing = Value(None, "null", writes[-1].at, writes[-1].source, scope, writes[-1].strategy)
            cells.setdefault((scope, own), {}).setdefault(name, nothing)
    return tuple(
        _bubble(where, name, value, history.get((*where, name), []), turn)
        for where, cell in sorted(cells.items())
        for name, value in sorted(cell.items())
    )


def _write(event: EventRecord) -> Write:
    data = event.data
    return Write(
        turn=event.turn,
        operation=data.get("operation", "none"),
        old=data["old"],
        value=data["value"],
        source=data["source"],
        strategy=data["strategy"],
        evidence=data["evidence"],
        at=datetime.fromisoformat(data["at"]),
        outcome=data.get("outcome", "written"),
        reason=data.get("reason", ""),
        path=data.get("path", ""),
    )


def _bubble(where: ScopeKey, name: str, value: Value, writes: Sequence[Write], turn: int) -> Bubble:
    return Bubble(
        name=name,
        scope=where[0],
        scope_key=where[1],
        type=value.type,
        value=value.value,
        source=value.source,
        strategy=value.strategy,
        evidence=value.evidence,
        updated_at=value.updated_at,
        changed=any(write.turn == turn and write.outcome == "written" for write in writes),
        history=tuple(writes[-WRITES:]),
    )
