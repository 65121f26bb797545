"""The chat-completions wire that most of the world speaks (DeepSeek, Qwen, GLM, Kimi, Ark, Ollama, vLLM, OpenAI).

One call is one request: nothing is retried and no redirect is followed in here, connections are kept and shared, what
is read is bounded, and nothing of what is sent or received is logged or put into an error.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2

from heartrule.llm.live import check_live
from heartrule.llm.provider import (
    BadRequest,
    Cut,
    Heard,
    ProviderError,
    Refused,
    Reply,
    Request,
    TimedOut,
    TooLong,
    Unsupported,
)
from heartrule.llm.providers.chunks import Chunks
from heartrule.llm.providers.completion import fault_of, reply_of
from heartrule.llm.providers.connections import Connections
from heartrule.llm.providers.dialect import Dialect, Structured
from heartrule.llm.providers.events import Events

ANSWER_LIMIT = 2_000_000
"""Bytes of an answer that are read; ours have about 2,000."""
STREAM_LIMIT = 8_000_000
"""Bytes of a streamed answer, of which every token takes 200, thoughts included."""
LINGER = 0.1
"""Seconds that a stream may take to end after it said it was done. One that does not costs its connection."""
KEPT_SECONDS = 30.0
"""For which a connection is kept that nobody uses."""
_VERSION = re.compile(r"^v\d+\w*$")


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
        self._headers = sent_along(self._address, api_key, headers or {})
        self._connections = connections
        self._pool: Connections | None = None

    @property
    def name(self) -> str:
        return f"{self._host}/{self.model}"

    def __repr__(self) -> str:
        return f"OpenAIWire({self.name!r})"

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        check_live(self._host)
        streamed = heard is not None and self.dialect.streams
        body = self.dialect.body(self.model, request, streamed)
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        chunks = Chunks(self.model, heard or _nobody, asyncio.get_running_loop().time, ANSWER_LIMIT)
        try:
            async with asyncio.timeout(request.timeout):
                status, headers, data = await self._post(content, chunks if streamed else None)
        except (TimeoutError, httpcore2.TimeoutException):
            raise TimedOut(spent=chunks.spent) from None
        except (httpcore2.ConnectError, httpcore2.ProxyError, httpcore2.UnsupportedProtocol, OSError):
            raise Refused from None
        except (httpcore2.NetworkError, httpcore2.RemoteProtocolError):
            raise Cut(spent=chunks.spent) from None
        except httpcore2.ProtocolError:
            raise BadRequest("protocol") from None
        if status != 200:
            raise self._refusal(status, headers, data or b"", body)
        if data is None:
            return chunks.reply()
        reply = reply_of(data, self.model)
        if heard is not None:
            heard(reply.text)
        return reply

    async def aclose(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.aclose()

    async def _post(self, content: bytes, chunks: Chunks | None) -> tuple[int, Mapping[bytes, bytes], bytes | None]:
        """Status, headers, and the body unless ``chunks`` has taken it."""
        headers = [*self._headers, (b"Content-Length", str(len(content)).encode())]
        pool = self._pool = self._pool or pooled(self._address, self._connections)
        request = httpcore2.Request("POST", self._url, headers=headers, content=content)
        response = await pool.handle_async_request(request)
        try:
            found = {name.lower(): value for name, value in response.headers}
            if chunks is None or response.status != 200:
                return response.status, found, await _read(response)
            return response.status, found, await _stream(response, chunks)
        finally:
            await response.aclose()

    def _refusal(
        self, status: int, headers: Mapping[bytes, bytes], data: bytes, sent: Mapping[str, Any]
    ) -> ProviderError:
        complaint = data[:20_000].decode("utf-8", "replace")
        if status in (400, 422) and self.dialect.learn(complaint, sent):
            return Unsupported(str(status))
        return fault_of(status, complaint, _retry_after(headers))


def endpoint(base_url: str) -> str:
    """The address of chat completions under ``base_url``. A version is added only where the path has none."""
    parts = urlsplit(base_url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the base URL must look like https://host/v1")
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    if not any(_VERSION.match(part) for part in path.split("/")):
        path += "/v1"
    return parts._replace(path=f"{path}/chat/completions", fragment="").geturl()


def sent_along(address: str, api_key: str, more: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """The headers, encoded once. ``identity``: what is compressed cannot be bounded by its length."""
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


def pooled(address: str, connections: int) -> Connections:
    """Connections to the server of an address. Proxies come from the environment, as everywhere."""
    parts = urlsplit(address)
    proxy = None
    if not proxy_bypass(parts.hostname or "") and (found := getproxies().get(parts.scheme)):
        proxy_parts = urlsplit(found)
        auth = (proxy_parts.username, proxy_parts.password or "") if proxy_parts.username else None
        bare = proxy_parts._replace(netloc=proxy_parts.netloc.rpartition("@")[2]).geturl()
        proxy = httpcore2.Proxy(bare, auth=auth)
    return Connections(connections, KEPT_SECONDS, proxy, secure=parts.scheme == "https")


async def _read(response: httpcore2.Response) -> bytes:
    data = bytearray()
    async for chunk in response.aiter_stream():
        data += chunk
        if len(data) > ANSWER_LIMIT:
            raise TooLong(str(ANSWER_LIMIT))
    return bytes(data)


async def _stream(response: httpcore2.Response, chunks: Chunks) -> bytes | None:
    """Gives ``chunks`` every event. The body, where a server has answered with a whole one all the same."""
    events, whole, size = Events(), bytearray(), 0
    start, limit = b"", STREAM_LIMIT
    async with aclosing(response.aiter_stream()) as parts:
        async for part in parts:
            size += len(part)
            if not start and (start := part.lstrip(_BEFORE)[:1]) in _OF_A_WHOLE:
                limit = ANSWER_LIMIT
            if size > limit:
                raise TooLong(str(limit), spent=chunks.spent)
            if start in _OF_A_WHOLE:
                whole += part
                continue
            for data in events.feed(part):
                chunks.take(data)
            if chunks.done:
                await _let_go(parts)
                return None
    if start in _OF_A_WHOLE:
        return bytes(whole)
    for data in events.end():
        chunks.take(data)
    return None


_BEFORE = b"\xef\xbb\xbf \t\r\n"
_OF_A_WHOLE = (b"{", b"[", b"<", b"")
"""How a body begins that is no stream of events."""


async def _let_go(parts: AsyncGenerator[bytes]) -> None:
    """To the end of the body, so that the connection can be used again."""
    try:
        async with asyncio.timeout(LINGER):
            async for _ in parts:
                pass
    except (TimeoutError, httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException):
        pass


def _nobody(piece: str) -> None:
    """Hears nothing."""


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
