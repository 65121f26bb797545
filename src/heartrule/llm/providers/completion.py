"""One answer of the chat-completions wire: from its body to a reply, or to the error that it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from heartrule.llm.provider import (
    BadRequest,
    Empty,
    Filtered,
    Finish,
    Malformed,
    ProviderError,
    RateLimited,
    Reply,
    ServerError,
    Unauthorised,
)
from heartrule.llm.providers.usage import usage_of

FILTERED = ("content_filter", "data_inspection", "sensitive", "content_policy", "moderation")
"""What a complaint says where a filter is meant."""


def reply_of(data: bytes, model: str) -> Reply:
    """Of a whole body. ``model`` where it does not name its own. Raises Malformed, Filtered and Empty."""
    try:
        body = json.loads(data)
        choice = body["choices"][0]
        message = choice["message"]
        usage = body.get("usage")
        named = body.get("model")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise Malformed(f"{len(data)} bytes") from None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise Malformed(f"{len(data)} bytes")
    finish = "filtered" if message.get("refusal") else finish_of(choice.get("finish_reason"))
    return checked(made(text_of(message.get("content")), named or model, usage or choice.get("usage"), finish))


def made(text: str, model: object, usage: object, finish: Finish | None) -> Reply:
    used = usage_of(usage)
    return Reply(
        text=text,
        model=model if isinstance(model, str) else "",
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        cached=used.cached,
        finish=finish,
        reasoning=used.reasoning,
    )


def checked(reply: Reply) -> Reply:
    """The reply, if it says something. Raises Filtered and Empty."""
    if reply.finish == "filtered":
        raise Filtered(spent=replace(reply, text=""))
    if not reply.text.strip():
        raise Empty(spent=replace(reply, text=""))
    return reply


_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filtered",
    "sensitive": "filtered",
}


def finish_of(reason: object) -> Finish | None:
    """None where the provider does not say."""
    return _FINISHES.get(reason, "other") if isinstance(reason, str) and reason else None


def text_of(content: object) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def fault_of(status: int, complaint: str = "", retry_after: float | None = None) -> ProviderError:
    """What a status other than 200 means. The complaint is looked at for a filter, and kept out of the error."""
    if status in (401, 402, 403):
        return Unauthorised(str(status))
    if status == 429:
        return RateLimited(retry_after=retry_after)
    if status >= 500 or status in (408, 409, 425):
        return ServerError(str(status), retry_after=retry_after)
    if status == 400 and any(word in complaint.casefold() for word in FILTERED):
        return Filtered(str(status))
    return BadRequest(str(status))
