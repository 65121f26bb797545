"""The model calls of a turn: what was asked, what was tried, what came back, and what it changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from heartrule.engine.session.tasks import Task
from heartrule.language.compiling.script import Script
from heartrule.llm.policy import Policy
from heartrule.sessions.replay import ReplayedCall, ReplayedTurn
from heartrule.sessions.turn_prompts import Layer, forms
from heartrule.store.records import AttemptRecord, CallRecord, EventRecord, MessageRecord


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt at an answer. ``because`` says why it was made: ``first``, else what became of the one before;
    ``form`` which form of the prompt was asked, and ``prompt`` that form where it is not the call's own and can still
    be told. ``cost`` is in billionths of ``currency``; it and all counts are None where nobody told them."""

    number: int
    because: str
    outcome: str
    code: str
    provider: str | None
    model: str | None
    fallback: bool
    seconds: float
    first_token: float | None
    tokens_in: int | None
    cached: int | None
    tokens_out: int | None
    reasoning: int | None
    cost: int | None
    currency: str | None
    finish: str | None
    parse: tuple[str, ...]
    problem: str
    raw: str = field(repr=False)
    form: str = "first"
    prompt: tuple[Layer, ...] = ()


@dataclass(frozen=True, slots=True)
class CallEffects:
    """What an answer led to: names of variables written, numbers of exit decisions, numbers of messages."""

    variables: tuple[str, ...] = ()
    exits: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """``used``: the turn acted upon this answer; others were asked before more words arrived, or beside it.
    ``exact``: the prompt is the one that was sent. ``deadline`` in seconds; it, ``max_tokens`` and ``tier`` are what
    the policy says now."""

    key: str
    purpose: str
    template: str
    kind: str
    role: str
    status: str
    at: datetime
    used: bool
    exact: bool
    tier: str
    temperature: float | None
    deadline: float | None
    max_tokens: int | None
    prompt: tuple[Layer, ...]
    attempts: tuple[Try, ...]
    answer: Any = field(repr=False)
    changed: CallEffects


def calls_of(
    again: ReplayedTurn | None,
    recorded: Sequence[CallRecord],
    attempts: Sequence[AttemptRecord],
    events: Sequence[EventRecord],
    messages: Sequence[MessageRecord],
    policy: Policy,
    prompts: Mapping[str, tuple[Layer, ...]],
    beside: Sequence[ReplayedCall] = (),
) -> tuple[Call, ...]:
    """In the order in which they were asked; what the turn did not act upon comes first, what was asked beside it
    last. ``prompts`` by the key of the task."""
    told = (*(again.asked if again else ()), *beside)
    asked = {(each.call.key, each.call.prompt_hash): each for each in told}
    script = again.world.script if again else None
    known = [asked.get((call.key, call.prompt_hash)) for call in recorded]
    calls = [
        _call(call, one, [a for a in attempts if a.key == call.key], events, messages, policy, prompts, script)
        for call, one in zip(recorded, known, strict=True)
    ]
    idle = {each.call.key for each in beside}
    calls = [replace(call, used=False, changed=CallEffects()) if call.key in idle else call for call in calls]
    order = {key: number for number, key in enumerate(asked)}
    return tuple(call for _, call in sorted(zip(known, calls, strict=True), key=lambda both: _order(both[0], order)))


def _order(asked: ReplayedCall | None, order: Mapping[tuple[str, str], int]) -> int:
    return -1 if asked is None else order[(asked.call.key, asked.call.prompt_hash)]


def _call(
    call: CallRecord,
    asked: ReplayedCall | None,
    ledger: Sequence[AttemptRecord],
    events: Sequence[EventRecord],
    messages: Sequence[MessageRecord],
    policy: Policy,
    prompts: Mapping[str, tuple[Layer, ...]],
    script: Script | None,
) -> Call:
    task: Task | None = asked.task if asked else None
    own = [one for one in ledger if one.at == call.at] or list(ledger)
    return Call(
        key=call.key,
        purpose=call.template,
        template=asked.prompt.template if asked and asked.prompt else call.template,
        kind=task.kind if task else "",
        role=task.role if task else (own[-1].role if own else ""),
        status=call.status,
        at=call.at,
        used=asked is not None,
        exact=asked is not None and asked.exact,
        tier=policy.tier(task) if task else "",
        temperature=policy.temperature(task) if task else None,
        deadline=policy.seconds(task) if task else None,
        max_tokens=policy.tokens(task) if task else None,
        prompt=prompts.get(call.key, ()) if asked else (),
        attempts=_tries(call, own, forms(asked, script)),
        answer=call.data,
        changed=changed_by(call.data, events, messages) if asked and call.data else CallEffects(),
    )


def _tries(
    call: CallRecord, ledger: Sequence[AttemptRecord], prompts: Mapping[int, tuple[Layer, ...]]
) -> tuple[Try, ...]:
    """Each attempt as the call keeps it, with what the ledger counts of it."""
    tries: list[Try] = []
    because = "first"
    for kept in call.attempts:
        number = kept["number"]
        counted = next((one for one in reversed(ledger) if one.retry == number - 1), None)
        tries.append(_try(kept, counted, because, prompts.get(number, ())))
        because = tries[-1].code or tries[-1].outcome
    return tuple(tries)


def _try(kept: Mapping[str, Any], counted: AttemptRecord | None, because: str, prompt: tuple[Layer, ...]) -> Try:
    return Try(
        number=kept["number"],
        because=because,
        outcome=kept["outcome"],
        code=counted.cause if counted else "",
        provider=counted.provider if counted else None,
        model=(counted.model if counted else kept.get("model")) or None,
        fallback=counted.fallback if counted else False,
        seconds=kept.get("seconds", 0.0),
        first_token=counted.first_token if counted else None,
        tokens_in=kept.get("tokens_in"),
        cached=counted.cached if counted else None,
        tokens_out=kept.get("tokens_out"),
        reasoning=counted.reasoning if counted else None,
        cost=counted.cost if counted else None,
        currency=counted.currency if counted else None,
        finish=counted.finish if counted else None,
        parse=tuple(kept.get("parse", ())),
        problem=kept.get("cause", ""),
        raw=kept.get("raw", ""),
        form=kept.get("form", "first"),
        prompt=prompt,
    )


def changed_by(
    data: Mapping[str, Any], events: Sequence[EventRecord], messages: Sequence[MessageRecord]
) -> CallEffects:
    """What came of an answer with this ``data``."""
    offered = _offered(data)
    content = data.get("content")
    said = content.strip() if isinstance(content, str) else ""
    return CallEffects(
        variables=tuple(
            dict.fromkeys(e.data["name"] for e in events if e.kind == "variable" and e.data["name"] in offered)
        ),
        exits=tuple(e.number for e in events if e.kind == "exit") if "EXIT" in data else (),
        messages=tuple(m.number for m in messages if said and m.sender == "ai" and said in m.text),
    )


def _offered(data: Any) -> set[str]:
    """Names under which an answer gives values, however deep: ``values``, ``corrections``, ``also``, ``output``."""
    found: set[str] = set()
    for key, value in data.items() if isinstance(data, Mapping) else ():
        if isinstance(value, Mapping):
            found |= {str(key), *(str(name).partition(".")[0] for name in value)} | _offered(value)
        else:
            found.add(str(key))
    return found
