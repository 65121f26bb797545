"""The images wire of the OpenAI API and of what speaks it: words in, one picture out as base64. No address that an
answer names is ever fetched."""

from __future__ import annotations

import binascii
import json
from base64 import b64decode
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpcore2

from heartrule.llm.live import check_live
from heartrule.llm.pictures import LARGEST, DrawnPicture, NoPicture, accepted
from heartrule.llm.provider import BadRequest, Cut, TimedOut, TooLong
from heartrule.llm.providers.completion import fault_of
from heartrule.llm.providers.connections import Connections
from heartrule.llm.providers.openai_wire import endpoint, pooled, sent_along

MOST = 2 * LARGEST + 100_000
"""Bytes of an answer that are read."""


class OpenAIPictures:
    """``extra`` is merged into the request's body; a value of null takes a field out."""

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        size: str = "1024x1024",
        seconds: float = 20.0,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.model, self.seconds = model, seconds
        self._address = endpoint(base_url).removesuffix("/chat/completions") + "/images/generations"
        self._host = urlsplit(self._address).hostname or ""
        self._headers = sent_along(self._address, api_key, {})
        body = {"model": model, "n": 1, "size": size, "response_format": "b64_json", **(extra or {})}
        self._body = {name: value for name, value in body.items() if value is not None}
        self._pool: Connections | None = None

    @property
    def name(self) -> str:
        return f"{self.model}@{self._host}"

    async def draw(self, words: str, seconds: float) -> DrawnPicture:
        check_live(self._host)
        try:
            status, data = await self._post(json.dumps({**self._body, "prompt": words}).encode(), seconds)
        except httpcore2.TimeoutException:
            raise TimedOut() from None
        except (httpcore2.NetworkError, httpcore2.RemoteProtocolError):
            raise Cut() from None
        except httpcore2.ProtocolError:
            raise BadRequest("protocol") from None
        if status != 200:
            raise fault_of(status, data[:20_000].decode("utf-8", "replace"))
        return accepted(_picture(data))

    async def aclose(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.aclose()

    async def _post(self, content: bytes, seconds: float) -> tuple[int, bytes]:
        headers = [*self._headers, (b"Content-Length", str(len(content)).encode())]
        pool = self._pool = self._pool or pooled(self._address, 4)
        limits = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
        url = httpcore2.URL(self._address)
        request = httpcore2.Request("POST", url, headers=headers, content=content, extensions={"timeout": limits})
        response = await pool.handle_async_request(request)
        try:
            data = bytearray()
            async for chunk in response.aiter_stream():
                data += chunk
                if len(data) > MOST:
                    raise TooLong(str(MOST))
            return response.status, bytes(data)
        finally:
            await response.aclose()


def _picture(data: bytes) -> bytes:
    """The picture of an answer."""
    try:
        encoded = json.loads(data)["data"][0]["b64_json"]
        return b64decode(encoded, validate=True)
    except (ValueError, KeyError, IndexError, TypeError, binascii.Error, RecursionError):
        raise NoPicture("no_answer") from None
