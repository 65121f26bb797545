"""The chat-completions wire that most of the world speaks (DeepSeek, Qwen, GLM, Kimi, Ark, Ollama, vLLM, OpenAI).

One call is one request: nothing is retried and no redirect is followed in here, connections are kept and shared, what
is read is bounded, and nothing of what is sent or received is logged or put into an error.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2

from heartrule.llm.live import check_live
from heartrule.llm.provider import (
    BadRequest,
    Cut,
    Empty,
    Filtered,
    Finish,
    Heard,
    Malformed,
    ProviderError,
    RateLimited,
    Refused,
    Reply,
    Request,
    ServerError,
    TimedOut,
    TooLong,
    Unauthorised,
    Unsupported,
)
from heartrule.llm.providers.connections import Connections
from heartrule.llm.providers.dialect import Dialect, Structured
from heartrule.llm.providers.usage import usage_of

ANSWER_LIMIT = 2_000_000
"""Bytes of an answer that are read; ours have about 2,000."""
KEPT_SECONDS = 30.0
"""For which a connection is kept that nobody uses."""
_VERSION = re.compile(r"^v\d+\w*$")
_FILTERED = ("content_filter", "data_inspection", "sensitive", "content_policy", "moderation")


class OpenAIWire:
    """``base_url`` with or without ``/v1``; ``structured``: how answers are held to JSON, ``auto`` learns it."""

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        structured: Structured | None = None,
        extra: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        connections: int = 200,
    ) -> None:
        self.model = model
        self.dialect = Dialect(structured or "json_schema", fixed=structured is not None, extra=extra or {})
        self._address = endpoint(base_url)
        self._host = urlsplit(self._address).hostname or ""
        self._url = httpcore2.URL(self._address)
        self._headers = _headers(self._address, api_key, headers or {})
        self._connections = connections
        self._pool: Connections | None = None

    @property
    def name(self) -> str:
        return f"{self._host}/{self.model}"

    def __repr__(self) -> str:
        return f"OpenAIWire({self.name!r})"

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        check_live(self._host)
        body = self.dialect.body(self.model, request)
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        try:
            async with asyncio.timeout(request.timeout):
                status, headers, data = await self._post(content)
        except (TimeoutError, httpcore2.TimeoutException):
            raise TimedOut from None
        except (httpcore2.ConnectError, httpcore2.ProxyError, httpcore2.UnsupportedProtocol, OSError):
            raise Refused from None
        except (httpcore2.NetworkError, httpcore2.RemoteProtocolError):
            raise Cut from None
        except httpcore2.ProtocolError:
            raise BadRequest("protocol") from None
        if status != 200:
            raise self._refusal(status, headers, data, body)
        return _reply(data, self.model)

    async def aclose(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.aclose()

    async def _post(self, content: bytes) -> tuple[int, Mapping[bytes, bytes], bytes]:
        headers = [*self._headers, (b"Content-Length", str(len(content)).encode())]
        pool = self._pool = self._pool or _pool(self._address, self._connections)
        request = httpcore2.Request("POST", self._url, headers=headers, content=content)
        response = await pool.handle_async_request(request)
        try:
            found = {name.lower(): value for name, value in response.headers}
            return response.status, found, await _read(response)
        finally:
            await response.aclose()

    def _refusal(
        self, status: int, headers: Mapping[bytes, bytes], data: bytes, sent: Mapping[str, Any]
    ) -> ProviderError:
        complaint = data[:20_000].decode("utf-8", "replace")
        if status in (401, 402, 403):
            return Unauthorised(str(status))
        if status == 429:
            return RateLimited(retry_after=_retry_after(headers))
        if status >= 500 or status in (408, 409, 425):
            return ServerError(str(status), retry_after=_retry_after(headers))
        if status in (400, 422) and self.dialect.learn(complaint, sent):
            return Unsupported(str(status))
        if status == 400 and any(word in complaint.casefold() for word in _FILTERED):
            return Filtered(str(status))
        return BadRequest(str(status))


def endpoint(base_url: str) -> str:
    """The address of chat completions under ``base_url``. A version is added only where the path has none."""
    parts = urlsplit(base_url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the base URL must look like https://host/v1")
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    if not any(_VERSION.match(part) for part in path.split("/")):
        path += "/v1"
    return parts._replace(path=f"{path}/chat/completions", fragment="").geturl()


def _headers(address: str, api_key: str, more: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Encoded once. ``identity``: what is compressed cannot be bounded by its length."""
    plain = {
        "Host": urlsplit(address).netloc.rpartition("@")[2],
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "User-Agent": "heartrule",
        **({"Authorization": f"Bearer {api_key}"} if api_key else {}),
        **more,
    }
    if not all(part.isprintable() and part.isascii() for pair in plain.items() for part in pair):
        raise ValueError("the API key and headers may hold printable ASCII only")
    return [(name.encode(), value.encode()) for name, value in plain.items()]


def _pool(address: str, connections: int) -> Connections:
    """Proxies come from the environment, as everywhere."""
    parts = urlsplit(address)
    proxy = None
    if not proxy_bypass(parts.hostname or "") and (found := getproxies().get(parts.scheme)):
        proxy_parts = urlsplit(found)
        auth = (proxy_parts.username, proxy_parts.password or "") if proxy_parts.username else None
        bare = proxy_parts._replace(netloc=proxy_parts.netloc.rpartition("@")[2]).geturl()
        proxy = httpcore2.Proxy(bare, auth=auth)
    return Connections(connections, KEPT_SECONDS, proxy)


async def _read(response: httpcore2.Response) -> bytes:
    data = bytearray()
    async for chunk in response.aiter_stream():
        data += chunk
        if len(data) > ANSWER_LIMIT:
            raise TooLong(str(ANSWER_LIMIT))
    return bytes(data)


def _retry_after(headers: Mapping[bytes, bytes]) -> float | None:
    """Seconds, from either spelling (a number or a date) or the millisecond header some servers send."""
    if (milliseconds := _number(headers.get(b"retry-after-ms"))) is not None:
        return milliseconds / 1000
    said = headers.get(b"retry-after")
    if said is None:
        return None
    if (seconds := _number(said)) is not None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(said.decode("ascii", "replace")).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _number(said: bytes | None) -> float | None:
    try:
        number = float(said) if said is not None else None
    except ValueError:
        return None
    return number if number is not None and 0 <= number < float("inf") else None


def _reply(data: bytes, model: str) -> Reply:
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
    used = usage_of(usage or choice.get("usage"))
    text = _text(message.get("content"))
    reply = Reply(
        text=text,
        model=named if isinstance(named, str) and named else model,
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        cached=used.cached,
        finish="filtered" if message.get("refusal") else _finish(choice.get("finish_reason")),
        reasoning=used.reasoning,
    )
    if reply.finish == "filtered":
        raise Filtered(spent=replace(reply, text=""))
    if not text.strip():
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


def _finish(reason: object) -> Finish | None:
    """None where the provider does not say."""
    return _FINISHES.get(reason, "other") if isinstance(reason, str) and reason else None


def _text(content: object) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""
