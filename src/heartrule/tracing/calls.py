"""Calls of a model as spans of the turn they were made for, named as the GenAI conventions of OpenTelemetry have it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress

from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode

from heartrule.engine.session.tasks import Attempt, Task
from heartrule.llm.prompt import render
from heartrule.prompts.template import TemplateError
from heartrule.tracing.turns import NANO, TracedTurn, current

_tracer = trace.get_tracer("heartrule")
Value = str | int | float | list[str]
KNOWN: Mapping[str, str] = {
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
    "api.deepseek.com": "deepseek",
    "api.mistral.ai": "mistral_ai",
    "api.groq.com": "groq",
    "api.perplexity.ai": "perplexity",
    "api.x.ai": "x_ai",
    "generativelanguage.googleapis.com": "gcp.gemini",
}
"""Hosts of the providers that the conventions have a name for; others go by their host."""
_FAULTS = ("error", "timeout", "rejected")


class Calls:
    """A listener of a model. ``content``: whether spans hold what was sent and answered, word for word."""

    def __init__(self, *, content: bool = False) -> None:
        self._content = content

    def attempt(self, task: Task, attempt: Attempt) -> None:
        """A span that was over before it was begun here: it gets the times it had."""
        turn = current()
        if turn is None or not attempt.provider:
            return
        host, _, model = attempt.provider.partition("/")
        begun = turn.at(attempt.began)
        span = _tracer.start_span(
            f"chat {model or host}",
            context=trace.set_span_in_context(turn.span),
            kind=SpanKind.CLIENT,
            start_time=begun,
            attributes=_told(turn, task, attempt, host, model),
            record_exception=False,
        )
        if attempt.first_token is not None:
            span.add_event("gen_ai.first_token", timestamp=begun + int(attempt.first_token * NANO))
        if attempt.outcome in _FAULTS:
            span.set_status(Status(StatusCode.ERROR))
        if self._content:
            span.set_attributes(_content(turn, task, attempt))
        span.end(begun + int(attempt.seconds * NANO))


def _told(turn: TracedTurn, task: Task, attempt: Attempt, host: str, model: str) -> dict[str, Value]:
    known: dict[str, Value | None] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": KNOWN.get(host, host),
        "gen_ai.request.model": model or host,
        "gen_ai.request.temperature": task.temperature,
        "gen_ai.output.type": "json",
        "gen_ai.conversation.id": turn.session,
        "server.address": host,
        "gen_ai.usage.input_tokens": attempt.tokens_in,
        "gen_ai.usage.output_tokens": attempt.tokens_out,
        "gen_ai.usage.cache_read.input_tokens": attempt.cached,
        "gen_ai.usage.reasoning.output_tokens": attempt.reasoning,
        "gen_ai.response.time_to_first_chunk": attempt.first_token,
        "gen_ai.response.finish_reasons": [attempt.finish] if attempt.finish else None,
        "gen_ai.response.model": attempt.model if attempt.outcome in ("ok", "rejected") else None,
        "error.type": attempt.code or attempt.outcome if attempt.outcome in _FAULTS else None,
        "heartrule.task": task.template,
        "heartrule.role": task.role,
        "heartrule.attempt": attempt.number,
        "heartrule.attempt.outcome": attempt.outcome,
        "heartrule.fallback": int(attempt.fallback),
    }
    return {name: value for name, value in known.items() if value is not None}


def _content(turn: TracedTurn, task: Task, attempt: Attempt) -> dict[str, str]:
    """What was sent the first time (what a later try adds to it is not kept), and what came back."""
    told = {}
    with suppress(TemplateError):
        sent = [_message(each.role, each.text) for each in render(task, turn.script).messages]
        told["gen_ai.input.messages"] = json.dumps(sent, ensure_ascii=False)
    if attempt.raw:
        answer = {**_message("assistant", attempt.raw), "finish_reason": attempt.finish or "stop"}
        told["gen_ai.output.messages"] = json.dumps([answer], ensure_ascii=False)
    return told


def _message(role: str, text: str) -> dict[str, object]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}
