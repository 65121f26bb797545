"""What would happen if somebody said this: a turn worked out from where the session stands, and let go again. For
awareness rules and risk files; nothing of the session changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heartrule.debugger.session import DebugSession
from heartrule.debugger.tape import Move
from heartrule.engine.awareness.awareness import by_rules
from heartrule.engine.session.events import DirectiveApplied, Noticed, Unasked
from heartrule.engine.session.io import Input, Words


@dataclass(frozen=True, slots=True)
class AwarenessResult:
    """What one awareness script came to: by the rules at once (``rules``), and in the turn."""

    awareness: str
    priority: str
    verdict: str
    source: str
    reason: str = field(repr=False)
    evidence: str | None = field(repr=False)
    confidence: float | None
    acted: bool
    rest: str


@dataclass(frozen=True, slots=True)
class Trial:
    """``unasked``: scripts that are on and were not judged, by the cause."""

    words: str = field(repr=False)
    found: tuple[AwarenessResult, ...]
    directives: tuple[Mapping[str, Any], ...]
    unasked: Mapping[str, list[str]]
    said: tuple[str, ...] = field(repr=False)


async def tried(session: DebugSession, words: str, awareness: str = "") -> Trial:
    """``awareness``: only what belongs to this script is told."""
    leaf = session.branch.leaf
    seen = session.turn(leaf).state.messages if leaf is not None else 0
    given = Input("message", (Words(words, seen),), after=seen)
    model = session.head.answering.by != "none"
    move = Move(0, leaf, session.head.text, given, session.now(), model)
    while (reached := session.reach(move)).turn is None:
        for key, answer in (await session.answered(reached.tasks)).items():
            move = move.answered(key, answer)
    turn = reached.turn
    events = [event for _, event in reached.heard]
    found = [
        AwarenessResult(
            e.awareness, e.priority, e.verdict, e.source, e.reason, e.evidence, e.confidence, e.acted, e.rest
        )
        for e in turn.events
        if isinstance(e, Noticed) and awareness in ("", e.awareness)
    ]
    told = {each.awareness for each in found}
    found += [
        AwarenessResult(v.ref, v.node.priority, v.verdict, v.source, v.reason, v.evidence, None, False, "rules only")
        for v in by_rules(session.here().work, words)
        if v.ref not in told and awareness in ("", v.ref) and v.verdict != "no"
    ]
    directives = tuple(
        {"directive": e.directive, "cause": e.cause, "refused": e.refused, **e.detail}
        for e in events
        if isinstance(e, DirectiveApplied) and (not awareness or awareness in e.cause)
    )
    unasked: dict[str, list[str]] = {}
    for each in events:
        if isinstance(each, Unasked):
            unasked |= {why: list(names) for why, names in each.awareness.items()}
    said = tuple(each.text for each in turn.messages if each.sender == "ai")
    return Trial(words, tuple(found), directives, unasked, said)
