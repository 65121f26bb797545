"""A turn as a debug session may see it: whole, in outline, or with what is private masked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from heartrule.engine.session.events import Event
from heartrule.server import rendering
from heartrule.server.debug_shapes import (
    Debug,
    DebugAttempt,
    DebugAwareness,
    DebugCall,
    DebugChanged,
    DebugEvent,
    DebugLayer,
    DebugMemory,
    DebugMemoryItem,
    DebugMessage,
    DebugRead,
    DebugResult,
    DebugRound,
    DebugVariable,
    DebugWrite,
    Level,
)
from heartrule.server.settings import LEVELS, ServerSettings
from heartrule.sessions.explanations import AwarenessOutcome
from heartrule.sessions.turn_calls import Call, Try
from heartrule.sessions.turn_memories import MemoryAccess
from heartrule.sessions.turn_prompts import Layer
from heartrule.sessions.turn_record import Bubble, ExplainedTurn
from heartrule.sessions.turn_results import Result, Round
from heartrule.store.records import EventRecord, SessionRecord

DEBUG = "debug"
"""Under this name a session's own notes say at which level it is debugged."""
CLEAR = frozenset(
    {
        "acted",
        "after",
        "again",
        "asked",
        "awareness",
        "before",
        "by_words",
        "calls",
        "cause",
        "check",
        "choice",
        "confidence",
        "current_round",
        "decision_source",
        "degraded",
        "directive",
        "exit_class",
        "foreseen",
        "form",
        "found",
        "handled",
        "how",
        "id",
        "hook_point",
        "kept",
        "key",
        "left",
        "level",
        "max_rounds",
        "messages",
        "mode",
        "name",
        "number",
        "of",
        "offered",
        "needed",
        "orchestrate",
        "outcome",
        "parse_error",
        "priority",
        "progress_suggestion",
        "redone",
        "ref",
        "refused",
        "replaces",
        "rest",
        "round",
        "scope",
        "scope_key",
        "should_exit",
        "source",
        "speculative",
        "state",
        "task",
        "template",
        "to",
        "type",
        "suggestion",
        "topic",
        "topic_key",
        "unanswered",
        "unfinished",
        "unused",
        "verdict",
        "vetoed",
        "was",
        "what",
        "where",
        "why",
        "written",
    }
)
"""Parts of a decision that hold ids, numbers and words of the script, and nothing that anybody said."""
_WORDS = {
    kind.model_fields["kind"].default: frozenset(name for name, field in kind.model_fields.items() if not field.repr)
    for kind in Event.__subclasses__()
}
"""By kind, the parts that do hold such words: under the same name they may be clear in another kind."""


def level_of(record: SessionRecord, settings: ServerSettings) -> Level:
    """What is shown of this session: no more than it was made for, and no more than the server allows now."""
    own = record.metadata.get(DEBUG)
    wanted: Level = own if own in LEVELS else "none"
    return min(wanted, settings.debug, key=LEVELS.index)


def shown(found: ExplainedTurn, level: Level, settings: ServerSettings) -> Debug:
    """``level`` is ``full`` or ``summary``."""
    full, masked = level == "full", not settings.development
    return Debug(
        level=level,
        masked=masked,
        turn=found.turn,
        last=found.last,
        at=found.at,
        input=found.input,
        status=found.status,
        whole=found.whole,
        reason=found.reason,
        detail=found.detail,
        program=found.program,
        milliseconds=None if found.seconds is None else round(found.seconds * 1000, 3),
        position=rendering.position(found.position),
        messages=[
            DebugMessage(seq=each.number, sender=each.sender, characters=each.characters, withheld=each.withheld)
            for each in found.said
        ],
        decisions=[_event(event, full) for event in found.decisions],
        awareness=[_watched(each, full) for each in found.watched],
        variables=[_variable(bubble, full and not (masked and bubble.scope == "global")) for bubble in found.variables],
        calls=[_call(call, full, masked) for call in found.calls],
        results=[_result(each, full) for each in found.results],
        rounds=[_round(each, full) for each in found.rounds],
        memories=[_memory(each, full and not masked) for each in found.memories],
    )


def _memory(each: MemoryAccess, clear: bool) -> DebugMemory:
    items = [asdict(item) | ({} if clear else {"content": None, "quote": None}) for item in each.items]
    data = asdict(each) | {"gone": list(each.gone)}
    return DebugMemory(**{**data, "items": [DebugMemoryItem(**item) for item in items]})


def _event(event: EventRecord, full: bool) -> DebugEvent:
    clear = CLEAR - _WORDS.get(event.kind, frozenset())
    data: Mapping[str, Any] = event.data if full else {k: v for k, v in event.data.items() if k in clear}
    return DebugEvent(number=event.number, kind=event.kind, action=event.action, data=dict(data))


def _watched(watched: AwarenessOutcome, clear: bool) -> DebugAwareness:
    data = asdict(watched)
    if not clear:
        data |= {"evidence": None, "reason": None}
    return DebugAwareness(**{**data, "orders": list(watched.orders), "refused": list(watched.refused)})


def _variable(bubble: Bubble, clear: bool) -> DebugVariable:
    data = asdict(bubble)
    history = [DebugWrite(**(each if clear else _without(each))) for each in data.pop("history")]
    return DebugVariable(**(data if clear else _without(data)), masked=not clear, history=history)


def _without(data: Mapping[str, Any]) -> dict[str, Any]:
    """Without what was said, and what it came to."""
    hidden = ("old", "value", "evidence")
    return {key: None if key in hidden else value for key, value in data.items()}


def _call(call: Call, full: bool, masked: bool) -> DebugCall:
    return DebugCall(
        key=call.key,
        purpose=call.purpose,
        template=call.template,
        kind=call.kind,
        role=call.role,
        status=call.status,
        at=call.at,
        used=call.used,
        exact=call.exact,
        tier=call.tier,
        temperature=call.temperature,
        deadline=call.deadline,
        max_tokens=call.max_tokens,
        prompt=[_layer(layer, full and not masked) for layer in call.prompt],
        attempts=[_attempt(each, full, masked) for each in call.attempts],
        answer=call.answer if full else None,
        changed=DebugChanged(
            variables=list(call.changed.variables), exits=list(call.changed.exits), messages=list(call.changed.messages)
        ),
    )


def _round(of: Round, full: bool) -> DebugRound:
    return DebugRound(**(asdict(of) if full else asdict(of) | {"metrics": None, "brief": None}))


def _result(result: Result, full: bool) -> DebugResult:
    return DebugResult(
        of=_round(result.of, full),
        max_rounds=result.max_rounds,
        completed=result.completed,
        exit_reason=result.exit_reason,
        parse_error=result.parse_error,
        parse_retries=result.parse_retries,
        answers=[
            DebugRead(
                raw=each.raw if full else None,
                strategies=list(each.strategies),
                outcome=each.outcome,
                problem=each.problem if full else None,
            )
            for each in result.answers
        ],
    )


def _layer(layer: Layer, clear: bool) -> DebugLayer:
    inserted = [asdict(each) for each in layer.inserted] if clear else []
    text = layer.text if clear else None
    return DebugLayer(role=layer.role, text=text, characters=len(layer.text), inserted=inserted)


def _attempt(each: Try, full: bool, masked: bool) -> DebugAttempt:
    data = asdict(each) | {"prompt": [_layer(layer, full and not masked) for layer in each.prompt]}
    if not full:
        data |= {"raw": None, "problem": each.code}
    return DebugAttempt(**{**data, "parse": list(each.parse)})
