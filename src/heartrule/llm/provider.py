"""The door to a language model: one request, one reply, and errors that say what went wrong but not what was said.

A provider makes exactly one call. It never retries, never logs and keeps no content; waiting, retrying and degrading
belong to ``run.py``. Any implementation must pass the conformance suite in ``tests/llm/conformance.py``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol


@dataclass(frozen=True, slots=True)
class PromptMessage:
    role: Literal["system", "user", "assistant"]
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """One call. ``timeout`` is in seconds and bounds the whole call, from connecting to the last byte."""

    messages: tuple[PromptMessage, ...]
    schema: Mapping[str, Any] | None = field(default=None, repr=False)
    temperature: float = 0.3
    max_tokens: int | None = None
    timeout: float = 15.0

    @property
    def hash(self) -> str:
        return prompt_hash(self.messages, self.schema, self.temperature)


Finish = Literal["stop", "length", "filtered", "other"]


@dataclass(frozen=True, slots=True)
class Reply:
    """``finish``: why the model stopped, ``length`` when it ran into ``max_tokens``. ``cached``: input tokens that the
    provider read from its prefix cache (part of ``tokens_in``); ``reasoning``: output tokens that were thought and not
    said (part of ``tokens_out``); ``first_token``: seconds from the request to the first of them. Whatever the provider
    does not tell is None, never 0."""

    text: str = field(repr=False)
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cached: int | None = None
    finish: Finish | None = "stop"
    reasoning: int | None = None
    first_token: float | None = None


Heard = Callable[[str], None]
"""Is given each piece of an answer's text as it arrives, in order. It neither raises nor waits."""


class Provider(Protocol):
    """Somewhere a prompt can be sent."""

    @property
    def name(self) -> str:
        """For records: which provider, never a key."""
        ...

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        """The whole reply, whether or not somebody has ``heard`` it as it came: a provider that cannot tell a text
        piece by piece leaves ``heard`` alone, any other has told all of it when it returns. Raises ``ProviderError``
        and nothing else, but for cancellation and ``NeverDegrade``; pieces may have been heard before."""
        ...

    async def aclose(self) -> None: ...


def prompt_hash(messages: Sequence[PromptMessage], schema: Mapping[str, Any] | None, temperature: float) -> str:
    """SHA-256 over everything that decides an answer, as 64 hex digits."""
    said = [[message.role, message.text] for message in messages]
    body = _ENCODER.encode([said, schema, temperature])
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


class NeverDegrade(Exception):
    """A fault of the set-up (a live call in a test, a missing recording): it must be seen, not degraded around."""


class ProviderError(Exception):
    """``code`` names the fault in call records. Texts hold codes, statuses and lengths, never content. ``spent``: what
    the provider counted all the same, as a reply without text."""

    code: ClassVar[str] = "error"
    again: ClassVar[bool] = True
    """Whether the same call may be made once more."""
    blames: ClassVar[bool] = True
    """Whether the fault counts against the provider's health (the breaker)."""
    at_once: ClassVar[bool] = False
    """Whether the next try needs no waiting."""

    def __init__(self, detail: str = "", *, retry_after: float | None = None, spent: Reply | None = None) -> None:
        self.detail = detail
        self.retry_after = retry_after
        self.spent = spent
        super().__init__(f"{self.code}: {detail}" if detail else self.code)

    @property
    def cause(self) -> str:
        return f"{self.code}:{self.detail}" if self.detail else self.code


class Refused(ProviderError):
    """Nobody answered at the address: refused, unreachable, no such name, no TLS."""

    code = "refused"


class RateLimited(ProviderError):
    """429. ``retry_after`` in seconds when the provider said it."""

    code = "rate_limited"


class ServerError(ProviderError):
    """5xx (and 408, 409, 425). ``detail`` is the status."""

    code = "server_error"


class BadRequest(ProviderError):
    """The provider will not take this request (400, 404, 413, 422 …); asking again would give the same."""

    code = "bad_request"
    again = False
    blames = False


class Unsupported(ProviderError):
    """The provider does not know something the request used, has taken note, and will ask differently: try at once."""

    code = "unsupported"
    blames = False
    at_once = True


class Unauthorised(ProviderError):
    """401, 402, 403: key missing, wrong, without rights or without money."""

    code = "unauthorised"
    again = False


class TimedOut(ProviderError):
    code = "timeout"


class Cut(ProviderError):
    """The connection ended in the middle of the answer."""

    code = "cut"


class Empty(ProviderError):
    """A well-formed answer without text."""

    code = "empty"
    blames = False


class TooLong(ProviderError):
    """The answer went beyond what we read (``detail``: the limit in bytes)."""

    code = "too_long"
    blames = False


class Filtered(ProviderError):
    """The provider's own filter withheld the answer."""

    code = "filtered"
    again = False
    blames = False


class Malformed(ProviderError):
    """The body is not what the wire promises."""

    code = "malformed"
