"""What the engine asks of a language model, and what it gets back. Typed both ways; no prompt is built here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["judge", "extract", "generate", "analyse"]
Role = Literal["understand", "generate", "judge"]
PICTURE = "ai_pic"
"""The template of what asks for a picture. The answer's ``picture`` is a ``data:`` address."""


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance of the transcript as a prompt shows it."""

    speaker: Literal["ai", "person", "system", "human"]
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Context:
    """What all tasks of a turn share. Laid out in this order, so that prompts keep a common prefix."""

    scheme: str | None
    locale: str
    values: Mapping[str, str] = field(repr=False)
    """System variables, read in templates as ``{%name%}``: who, user, role_rules, script_rules, time, …"""
    variables: Mapping[str, str] = field(repr=False)
    """Script variables visible at this place, read in templates as ``{name}``."""
    history: tuple[Line, ...]
    """Oldest first; the person's newest words are the last lines."""
    earlier: tuple[Line, ...] = field(default=(), repr=False)
    """What was said before ``history``, in a session that a model leads. Templates show it with ``whole_history``."""


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to ask.

    ``key`` is unique in its turn and the same whenever the turn is worked out again. ``template`` names the prompt
    file (``ai_ask``, ``ai_say``, ``ask``, ``ai_think``, ``judge``, ``risk``). ``values`` are this task's own system
    variables, over those of the context. ``schema`` is a JSON Schema of the answer, always an object; ``required`` are
    the keys without which an answer is of no use and is asked for again.
    """

    key: str
    kind: Kind
    role: Role
    template: str
    context: Context
    values: Mapping[str, str] = field(repr=False)
    schema: Mapping[str, Any]
    required: tuple[str, ...] = ()
    temperature: float = 0.3
    seconds: float | None = None
    """How long this answer is still waited for once the others of its checkpoint are there (alone: from the start).
    None: as long as its role may take."""
    instead: str = ""
    """The key of the task whose answer this one takes the place of: nobody waits for that one any longer."""
    tier: str | None = None
    """The tier of models that the script wants for this: fast, balanced or quality."""
    variant: str = ""
    """Which of the template's variants is meant: ``<template>_<variant>`` of the script's scheme, where it has one."""
    speaks: bool = False
    """Whether ``content`` may be shown sentence by sentence once the fields before it have been acted upon."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at an answer, as the call record keeps it. ``raw`` is what came back, whole.

    Numbers are None where nobody told them. ``cached`` is part of ``tokens_in``, ``reasoning`` of ``tokens_out``;
    ``cost`` is in billionths of ``currency``; ``seconds`` and ``first_token`` are counted from the request.
    """

    number: int
    outcome: Literal["ok", "error", "timeout", "rejected", "cancelled"]
    cause: str = ""
    raw: str = field(default="", repr=False)
    parse: tuple[str, ...] = ()
    """Parse strategies tried, in order: direct, trimmed, fenced, repaired."""
    model: str = ""
    seconds: float = 0.0
    tokens_in: int | None = None
    tokens_out: int | None = None
    provider: str = ""
    """Who was asked; empty when nobody was. ``model`` is who answered."""
    code: str = ""
    """The cause in a word or two that quote nothing: ``server_error:503``, ``not_json``."""
    fallback: bool = False
    """Whether another than the preferred provider was asked."""
    cached: int | None = None
    reasoning: int | None = None
    finish: str | None = None
    """Why the model stopped: stop, length, filtered, other."""
    first_token: float | None = None
    cost: int | None = None
    currency: str | None = None
    began: float = 0.0
    """When it was asked, on the clock of whoever asked."""
    form: Literal["first", "simplified", "mended", "continued"] = "first"
    """Which form of the prompt was asked: the task's own, less of it, with what was wrong with the answer before, or
    for the rest of an answer of which words had been shown."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a task. ``data`` is the parsed object when ``status`` is ``answered``, its fields before ``content``
    when it is ``speaking`` (the rest is still being written), else None.

    ``absent``: no provider is configured. ``failed``: providers were asked and none gave a usable answer in time.
    """

    key: str
    status: Literal["answered", "speaking", "failed", "absent"]
    data: Mapping[str, Any] | None = field(default=None, repr=False)
    attempts: tuple[Attempt, ...] = field(default=(), repr=False)
    prompt_hash: str = ""
