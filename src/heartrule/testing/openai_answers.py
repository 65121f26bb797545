"""What a server of the OpenAI wire answers, whole or in chunks, and everything that can be wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

Kind = Literal[
    "none",
    "400",
    "401",
    "403",
    "408",
    "429",
    "500",
    "502",
    "503",
    "529",
    "no_json_schema",
    "no_json_object",
    "no_max_tokens",
    "no_stream",
    "no_stream_options",
    "filtered",
    "reset",
    "reset_after",
    "cut",
    "stall",
    "stall_after",
    "error_after",
    "empty",
    "not_json",
    "not_wire",
    "fenced",
    "missing",
    "wrong_schema",
    "wrong_language",
    "truncated",
    "duplicate_chunk",
    "huge",
    "unending",
]
Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """One call's misbehaviour. ``none`` is a good answer.

    Of the connection: ``stall`` waits ``seconds`` before it answers, ``stall_after`` in the middle; ``reset`` drops the
    connection unread, ``reset_after`` in the middle; ``cut`` ends it there; ``error_after`` says there that something
    went wrong. Of the text: ``missing`` leaves out ``content``, ``wrong_schema`` is another object,
    ``duplicate_chunk`` says one piece twice, ``huge`` is 1 MB of text that is no JSON, ``unending`` goes on for ever.
    ``502`` is a page in HTML, ``not_wire`` one that claims to be well. For what never reaches a server see
    ``unreachable``."""

    kind: Kind
    seconds: float = 0.0
    retry_after: float | str | None = None


@dataclass(slots=True)
class Chance:
    """Each call goes wrong with the probability ``rate``, in one of ``faults``: the same ones for the same seed."""

    rate: float
    faults: Sequence[Fault]
    seed: int = 1

    def __iter__(self) -> Iterator[Fault]:
        random = Random(self.seed)
        while True:
            bad = random.random() < self.rate
            which = random.randrange(len(self.faults))
            yield self.faults[which] if bad else Fault("none")


COMPLAINTS = {
    "no_json_schema": "This response_format type json_schema is unavailable now",
    "no_json_object": "response_format is not supported",
    "no_max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    "no_stream": "Streaming is not supported for this model",
    "no_stream_options": "Extra inputs are not permitted: stream_options",
}
_HTML = b"<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>"


def refusal(fault: Fault) -> tuple[int, list[str], bytes] | None:
    """Status, further headers and body of a fault that is told before any answer."""
    if fault.kind.isdigit():
        more = [] if fault.retry_after is None else [f"Retry-After: {fault.retry_after}"]
        if fault.kind == "502":
            return 502, ["Content-Type: text/html", *more], _HTML
        return int(fault.kind), more, _error(f"fault {fault.kind}")
    if fault.kind in COMPLAINTS:
        return 400, [], _error(COMPLAINTS[fault.kind])
    if fault.kind == "not_wire":
        return 200, [], b"<html>welcome to the hotel</html>"
    return None


def completion(text: str, finish: str = "stop", model: str = "stub") -> bytes:
    """A body of the wire that says ``text``."""
    choices = [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}]
    return _dumped({"object": "chat.completion", "model": model, "choices": choices, "usage": USAGE})


def chunks(pieces: Sequence[str], finish: str, body: Body) -> Iterator[bytes]:
    """The same as events: one to begin with, one for each piece, one that ends it, what was used if that was asked
    for, and the last word."""
    usage = bool((body.get("stream_options") or {}).get("include_usage"))
    yield _event(body, {"role": "assistant", "content": ""}, None, usage)
    for piece in pieces:
        yield _event(body, {"content": piece}, None, usage)
    yield _event(body, {}, finish, usage)
    if usage:
        yield b"data: " + _dumped({**_chunk(body), "choices": [], "usage": USAGE}) + b"\n\n"
    yield b"data: [DONE]\n\n"


ERROR_EVENT = b'data: {"error":{"message":"The server had an error","type":"server_error","code":null}}\n\n'
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 64}}


def finish_for(kind: Kind) -> str:
    return {"filtered": "content_filter", "truncated": "length"}.get(kind, "stop")


def cut_up(text: str, size: int) -> list[str]:
    """``text`` in pieces of ``size`` characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def spoilt(kind: str, text: str, size: int = 4) -> str:
    """What is said instead of ``text``, of which a chunk holds ``size`` characters."""
    match kind:
        case "empty":
            return ""
        case "not_json":
            return "我觉得可以继续聊聊这件事。"
        case "fenced":
            return f"好的，这是结果：\n```json\n{text}\n```\n"
        case "truncated":
            return text[: len(text) * 2 // 3]
        case "huge":
            return "字" * 350_000
        case "missing":
            return json.dumps({k: v for k, v in json.loads(text).items() if k != "content"}, ensure_ascii=False)
        case "wrong_schema":
            return json.dumps({"answer": {"text": text}, "confidence": "high"}, ensure_ascii=False)
        case "wrong_language":
            return json.dumps(json.loads(text) | {"content": "I hear that this has been a hard week for you."})
        case "duplicate_chunk":
            pieces = cut_up(text, size)
            middle = len(pieces) // 2
            return "".join([*pieces[: middle + 1], *pieces[middle:]])
        case _:
            return text


def _chunk(body: Body) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": str(body.get("model", "stub")),
    }


def _event(body: Body, delta: Mapping[str, str], finish: str | None, usage: bool) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    more = {"usage": None} if usage else {}
    return b"data: " + _dumped({**_chunk(body), "choices": choices, **more}) + b"\n\n"


def _error(message: str) -> bytes:
    return _dumped({"error": {"message": message, "type": "invalid_request_error"}})


def _dumped(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
