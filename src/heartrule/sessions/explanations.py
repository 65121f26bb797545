"""Why a session went as it did: of each turn, what every awareness script came to and why it acted or did not, what was
ordered, what became of the topic queue, which actions were left, and what monitors advised and plans changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from heartrule.sessions import strategies
from heartrule.sessions.views import NoSuchSession
from heartrule.store.records import EventRecord, Gone
from heartrule.store.store import Store

KINDS = (
    "awareness",
    "unasked",
    "directive",
    "escalated",
    "queue",
    "announced",
    "exit",
    "judged",
    "strategy",
    "monitored",
    "plan",
    "shortened",
    "advice_unused",
    "case",
    "replied",
    "blocked",
    "fault",
)
"""Kinds of events that are told; of replies those that were made once more."""
ACTED, NO_HIT, HANDLED, NOTHING, UNSURE = "acted", "no hit", "handled", "nothing ordered", "unsure"
"""Why a script acted or did not, where its event does not say so itself."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Something that was decided. ``because`` says of an awareness script's verdict why it acted or did not."""

    kind: str
    action: str | None
    data: Mapping[str, Any] = field(repr=False)
    because: str = ""


@dataclass(frozen=True, slots=True)
class TurnWhy:
    """One turn. ``input`` is what it came of; empty where that is not known any more."""

    turn: int
    at: datetime
    input: str
    reasons: tuple[Reason, ...]

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "turn": self.turn,
            "at": self.at.isoformat(),
            "input": self.input,
            "reasons": [
                {"kind": each.kind, "action": each.action, **each.data}
                | ({"because": each.because} if each.because else {})
                for each in self.reasons
            ],
        }


async def whys(
    store: Store, session: str, turn: int | None = None, awareness: str | None = None
) -> tuple[TurnWhy, ...]:
    """Of every turn in which something was decided, or of one; all that is told, or only what belongs to one awareness
    script (its id, with or without its project). Raises ``NoSuchSession``."""
    try:
        events = await store.events(session, KINDS, turn=turn)
        if any(event.kind == "strategy" for event in events):
            events = with_rounds(events, await store.events(session, strategies.KINDS))
        inputs = {item.turn: item.entry.kind for item in await store.inbox(session)}
        times = {each: await _at(store, session, each) for each in dict.fromkeys(event.turn for event in events)}
    except Gone:
        raise NoSuchSession(session) from None
    found = []
    for number, told in groupby(events, key=lambda event: event.turn):
        reasons = tuple(_told(list(told), awareness))
        if reasons:
            found.append(TurnWhy(number, times[number], inputs.get(number, ""), reasons))
    return tuple(found)


def with_rounds(events: Sequence[EventRecord], all_of_them: Sequence[EventRecord]) -> tuple[EventRecord, ...]:
    """``events`` with what each strategy was followed by, which only later turns can tell."""
    known = {(each.turn, each.number): each.plain() for each in strategies.compared(all_of_them)}
    return tuple(
        replace(event, data={**event.data, **known[(event.turn, event.data["number"])]})
        if event.kind == "strategy"
        else event
        for event in events
    )


async def _at(store: Store, session: str, turn: int) -> datetime:
    record = await store.turn(session, turn)
    if record is None:
        raise NoSuchSession(session)
    return record.at


def _told(events: Sequence[EventRecord], awareness: str | None = None) -> Iterator[Reason]:
    """Of the events of one turn."""
    for event in events:
        data = event.data if awareness is None else _of(event, awareness)
        if data is not None and not (event.kind == "replied" and not event.data.get("redone")):
            because = _because(event.data, events) if event.kind == "awareness" else ""
            yield Reason(event.kind, event.action, data, because)


@dataclass(frozen=True, slots=True)
class AwarenessOutcome:
    """What an awareness script came to in a turn, and why it acted or did not. ``verdict`` is empty where it was not
    judged. ``orders``: the directives that were carried out for it in the turn, and those that were refused."""

    awareness: str
    because: str
    priority: str = ""
    hook_point: str = ""
    verdict: str = ""
    source: str = ""
    confidence: float | None = None
    evidence: str | None = field(default=None, repr=False)
    reason: str = field(default="", repr=False)
    orders: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def watched(events: Sequence[EventRecord]) -> tuple[AwarenessOutcome, ...]:
    """All scripts that a turn's events tell of: those that were judged, those that were not, and those that ordered
    what an earlier turn had found."""
    reasons = list(_told(events))
    found = [_judged(reason, reasons) for reason in reasons if reason.kind == "awareness"]
    for reason in reasons:
        if reason.kind == "unasked":
            found += [AwarenessOutcome(ref, cause) for cause, refs in _unasked(reason.data) for ref in refs]
    late = dict.fromkeys(_ordering(reason) for reason in reasons if reason.kind == "directive")
    known = {each.awareness for each in found}
    return (*found, *(_ordered_late(ref, reasons) for ref in late if ref and ref not in known))


def _judged(reason: Reason, reasons: Sequence[Reason]) -> AwarenessOutcome:
    data = reason.data
    orders, refused = _orders(data["awareness"], reasons)
    return AwarenessOutcome(
        awareness=data["awareness"],
        because=reason.because,
        priority=data.get("priority", "P0"),
        hook_point=data.get("hook_point", ""),
        verdict=data["verdict"],
        source=data["source"],
        confidence=data.get("confidence"),
        evidence=data.get("evidence"),
        reason=data.get("reason", ""),
        orders=orders,
        refused=refused,
    )


def _ordered_late(ref: str, reasons: Sequence[Reason]) -> AwarenessOutcome:
    orders, refused = _orders(ref, reasons)
    first = next(each.data["refused"] for each in reasons if each.kind == "directive" and _ordering(each) == ref)
    return AwarenessOutcome(ref, ACTED if orders else str(first), orders=orders, refused=refused)


def _ordering(reason: Reason) -> str:
    """The script that a directive is of."""
    return str(reason.data.get("cause", "")).partition(" ")[0]


def _orders(ref: str, reasons: Sequence[Reason]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    own = [each.data for each in reasons if each.kind == "directive" and _ordering(each) == ref]
    done = tuple(each["directive"] for each in own if not each.get("refused"))
    return done, tuple(each["directive"] for each in own if each.get("refused"))


def _of(event: EventRecord, awareness: str) -> Mapping[str, Any] | None:
    """What of an event belongs to this script; None: nothing."""
    match event.kind:
        case "awareness":
            return event.data if is_called(event.data["awareness"], awareness) else None
        case "unasked":
            own = {cause: [ref for ref in refs if is_called(ref, awareness)] for cause, refs in _unasked(event.data)}
            kept = {cause: refs for cause, refs in own.items() if refs}
            return {**event.data, "awareness": kept} if kept else None
        case "directive" | "queue" | "escalated":
            words = str(event.data.get("cause", "")).split()
            return event.data if any(is_called(word, awareness) for word in words) else None
        case _:
            return None


def _unasked(data: Mapping[str, Any]) -> Iterable[tuple[str, Sequence[str]]]:
    refs: Mapping[str, Sequence[str]] = data["awareness"]
    return refs.items()


def is_called(ref: str, name: str) -> bool:
    """Whether a script's full id is what somebody calls it."""
    return name in (ref, ref.partition("/")[2])


def _because(data: Mapping[str, Any], events: Sequence[EventRecord]) -> str:
    """In the event's own words where it has some (``rest``), else read off what followed in the same turn."""
    if data.get("acted"):
        return ACTED
    if data.get("rest"):
        return str(data["rest"])
    if data["verdict"] == "no":
        return NO_HIT
    if data.get("handled"):
        return HANDLED
    cause = f"{data['awareness']} {data['verdict']}"
    ordered = [each.data for each in events if each.kind == "directive" and each.data.get("cause") == cause]
    if not ordered:
        return UNSURE if data["verdict"] == "unknown" else NOTHING
    return ACTED if any(not each.get("refused") for each in ordered) else str(ordered[0]["refused"])
