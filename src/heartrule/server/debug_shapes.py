"""What ``GET /sessions/{id}/debug`` answers with."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from heartrule.server.shapes import Count, Position, Shape

Level = Literal["full", "summary", "none"]


class DebugEvent(Shape):
    """A decision. ``data`` is as the history keeps it: what was decided, by whom (``source``, ``decision_source``) and
    why (``cause``, ``reason``, ``evidence``)."""

    number: Count
    kind: str
    action: str | None
    data: dict[str, Any]


class DebugAwareness(Shape):
    """What an awareness script came to in the turn, and in ``because`` why it acted or did not: ``acted``, ``no hit``,
    ``handled``, ``nothing ordered``, ``unsure``, or what it rests on (``cooldown``, ``expired``, ``budget``, …).
    Without a ``verdict`` it was not judged. ``orders`` are the directives that were carried out for it in the turn,
    ``refused`` those that were not."""

    awareness: str
    priority: str
    hook_point: str
    verdict: str
    source: str
    confidence: float | None
    evidence: str | None
    reason: str | None
    because: str
    orders: list[str]
    refused: list[str]


class DebugWrite(Shape):
    """``outcome``: written, or why it was not (``refused``, ``kept``, ``unconfirmed``, ``skipped``), ``reason`` in
    words of the script. ``path``: the field that it was about."""

    turn: Count
    operation: str
    old: Any
    value: Any
    source: str
    strategy: str
    evidence: str | None
    at: datetime
    outcome: str
    reason: str
    path: str


class DebugVariable(Shape):
    """A variable as it stood after the turn. ``changed``: in this turn. ``masked``: its value is not shown, here and in
    ``history`` (its last writes, oldest first)."""

    name: str
    scope: str
    scope_key: str
    type: str
    value: Any
    source: str
    strategy: str
    evidence: str | None
    updated_at: datetime
    changed: bool
    masked: bool
    history: list[DebugWrite]


class DebugInserted(Shape):
    """``length`` characters at ``offset`` of the layer are a variable's value; ``source`` is the action that wrote it.
    Characters are Unicode code points."""

    name: str
    scope: str
    scope_key: str
    source: str
    offset: Count
    length: Count


class DebugLayer(Shape):
    """A part of a prompt. Without ``text`` it is masked, and ``characters`` says how long it is."""

    role: Literal["system", "user", "assistant"]
    text: str | None
    characters: Count
    inserted: list[DebugInserted]


class DebugAttempt(Shape):
    """One try. ``because``: ``first``, or what became of the try before. ``provider`` was asked, ``model`` answered.
    ``cost`` is in billionths of ``currency``. What nobody told is null. ``raw`` is what came back, whole. ``form`` is
    the form of the prompt that was asked; ``prompt`` is it, where it is not the call's own."""

    number: Annotated[int, Field(ge=1)]
    because: str
    outcome: Literal["ok", "error", "timeout", "rejected", "cancelled"]
    code: str
    provider: str | None
    model: str | None
    fallback: bool
    seconds: float
    first_token: float | None
    tokens_in: Count | None
    cached: Count | None
    tokens_out: Count | None
    reasoning: Count | None
    cost: Count | None
    currency: str | None
    finish: str | None
    parse: list[str]
    problem: str
    raw: str | None
    form: Literal["first", "simplified", "mended", "continued"]
    prompt: list[DebugLayer]


class DebugChanged(Shape):
    """What an answer led to: names of variables written, numbers of exit decisions among ``decisions``, ``seq`` of
    messages."""

    variables: list[str]
    exits: list[Count]
    messages: list[Count]


class DebugCall(Shape):
    """A model call. ``template`` is the prompt file and its version. ``used``: the turn acted upon the answer.
    ``exact``: the prompt is the one that was sent, not what today's templates make of it. ``deadline`` is in seconds;
    it, ``max_tokens`` and ``tier`` are as the settings have them now."""

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
    prompt: list[DebugLayer]
    attempts: list[DebugAttempt]
    answer: Any
    changed: DebugChanged


class DebugRead(Shape):
    """An answer and how it was read: ``strategies`` in the order of their trial. ``raw`` is what came back."""

    raw: str | None
    strategies: list[str]
    outcome: str
    problem: str | None


class DebugRound(Shape):
    """A round of an interactive action; ``metrics`` are the model's words about how the person takes part, ``brief``
    what they said, in short."""

    turn: Count
    action: str
    type: str
    round: Count
    metrics: dict[str, str] | None
    progress_suggestion: str
    brief: str | None


class DebugResult(Shape):
    """What a round came to. ``exit_reason``: ``max_rounds_reached``, ``exit_criteria_met``, ``user_blocked``,
    ``off_topic``, or empty. ``parse_retries``: how many of ``answers`` could not be read."""

    of: DebugRound
    max_rounds: Count | None
    completed: bool
    exit_reason: str
    parse_error: bool
    parse_retries: Count
    answers: list[DebugRead]


class DebugMessage(Shape):
    seq: Annotated[int, Field(ge=1)]
    sender: Literal["person", "ai", "system", "human"]
    characters: Count
    withheld: bool


class DebugMemoryItem(Shape):
    id: str
    type: str
    importance: float | None
    topic: str
    content: str | None
    quote: str | None


class DebugMemory(Shape):
    """What an action recalled before its first words (``read``: by ``mode``, of ``looked`` items) or left to be
    remembered (``write``; ``again``: it says anew what the action had left before; ``gone``: what made room)."""

    action: str
    how: Literal["read", "write"]
    items: list[DebugMemoryItem]
    mode: str
    looked: Count
    again: bool
    gone: list[str]


class Debug(Shape):
    """One turn of a debug session. ``level`` is what is shown: ``summary`` leaves out what was said, written and asked,
    ``full`` shows it; ``masked``: prompts and what is known of the person are hidden all the same. ``whole``: the turn
    was worked out again and came to the same, which took ``milliseconds``; else ``reason`` says why not (``differs``,
    ``not_kept``, ``cannot_restore``) and ``detail`` where, prompts are missing and variables are today's. ``last`` is
    the session's newest turn. ``results`` are those of the turn's rounds, ``rounds`` the session's last, up to it."""

    model_config = ConfigDict(title="Debug")

    level: Level
    masked: bool
    turn: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]
    at: datetime
    input: str
    status: str
    whole: bool
    reason: str
    detail: str
    program: str
    milliseconds: float | None
    position: Position
    messages: list[DebugMessage]
    decisions: list[DebugEvent]
    awareness: list[DebugAwareness]
    variables: list[DebugVariable]
    calls: list[DebugCall]
    results: list[DebugResult]
    rounds: list[DebugRound]
    memories: list[DebugMemory]
