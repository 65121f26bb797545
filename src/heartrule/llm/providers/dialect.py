"""What a server of the OpenAI wire understands, learned from its refusals: one request body, many dialects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from heartrule.llm.provider import Request

Structured = Literal["json_schema", "json_object", "prompt"]
LEVELS: tuple[Structured, ...] = ("json_schema", "json_object", "prompt")

_STREAMING = re.compile(r"\bstream(?:s|ed|ing)?\b")
_FORMAT_WORDS = ("response_format", "json_schema", "json_object", "structured output", "structured_output", "guided")


@dataclass(slots=True)
class Dialect:
    """One model's. ``fixed``: the level is configured and never changes by itself."""

    structured: Structured = "json_schema"
    fixed: bool = False
    tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    streams: bool = True
    counts_streams: bool = True
    """Whether a stream can be asked to end with what was used."""
    quiet: Mapping[str, Any] = field(default_factory=dict)
    """What is sent along so that no time is spent on thinking."""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def body(self, model: str, request: Request, streamed: bool = False) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": each.role, "content": each.text} for each in request.messages],
        }
        if self.temperature:
            body["temperature"] = request.temperature
        if request.max_tokens is not None:
            body[self.tokens_field] = request.max_tokens
        if wanted := self._format(request):
            body["response_format"] = wanted
        if streamed:
            body["stream"] = True
            if self.counts_streams:
                body["stream_options"] = {"include_usage": True}
        return {**body, **self.quiet, **self.extra}

    def _format(self, request: Request) -> dict[str, Any] | None:
        """``json_object`` goes only with a prompt that says JSON; servers refuse it otherwise."""
        if request.schema is None or self.structured == "prompt":
            return None
        if self.structured == "json_schema":
            schema = {"name": "answer", "strict": False, "schema": request.schema}
            return {"type": "json_schema", "json_schema": schema}
        says_json = any("json" in each.text.casefold() for each in request.messages)
        return {"type": "json_object"} if says_json else None

    def learn(self, complaint: str, sent: Mapping[str, Any]) -> bool:
        """Adapt to a 400. True when the next body will differ from the one that was ``sent``."""
        said = complaint.casefold()
        if ("stream_options" in said or "include_usage" in said) and "stream_options" in sent:
            self.counts_streams = False
            return True
        if "max_completion_tokens" in said and "max_tokens" in sent:
            self.tokens_field = "max_completion_tokens"
            return True
        if "temperature" in said and "temperature" in sent:
            self.temperature = False
            return True
        if "response_format" in sent and not self.fixed and any(word in said for word in _FORMAT_WORDS):
            used = sent["response_format"]["type"]
            if self.structured == used:
                self.structured = LEVELS[LEVELS.index(used) + 1]
            return True
        if any(key in said and key in sent for key in self.quiet):
            self.quiet = {}
            return True
        if sent.get("stream") and _STREAMING.search(said):
            self.streams = False
            return True
        return False
