"""The embeddings wire of the OpenAI API and of what speaks it: texts in, vectors of meaning out. Who cannot be reached
gives none, and is asked again later; nothing of what is sent is logged or put into an error."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpcore2

from heartrule.llm.live import check_live
from heartrule.llm.providers.connections import Connections
from heartrule.llm.providers.openai_wire import endpoint, pooled, sent_along
from heartrule.memory.embeddings import small

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 64
"""Texts of one request."""
MOST = 20_000_000
"""Bytes of an answer that are read."""
LONGEST = 2_000
"""Characters of a text that are sent."""
PATIENCE = 1.0
"""Seconds that a turn waits for the vector of what was said: without it the rest of memory answers."""


class OpenAIEmbeddings:
    """``extra`` is merged into the request's body; a value of null takes a field out."""

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        seconds: float = 20.0,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self._model, self._seconds = model, seconds
        self._address = endpoint(base_url).removesuffix("/chat/completions") + "/embeddings"
        self._host = urlsplit(self._address).hostname or ""
        self._headers = sent_along(self._address, api_key, {})
        self._body = {name: value for name, value in {"model": model, **(extra or {})}.items() if value is not None}
        self._pool: Connections | None = None

    @property
    def name(self) -> str:
        return f"{self._model}@{self._host}"

    async def vectors(self, texts: Sequence[str]) -> bytes | None:
        """All of them one behind the other; None where one could not be had."""
        made: list[bytes] = []
        for at in range(0, len(texts), BATCH):
            found = await self._batch(texts[at : at + BATCH], self._seconds)
            if found is None:
                return None
            made += [each.tobytes() for each in found]
        return b"".join(made)

    async def vector(self, text: str) -> NDArray[np.int8] | None:
        found = await self._batch([text], PATIENCE)
        return found[0] if found else None

    async def aclose(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.aclose()

    async def _batch(self, texts: Sequence[str], seconds: float) -> list[NDArray[np.int8]] | None:
        check_live(self._host)
        sent = [text[:LONGEST].encode(errors="replace").decode() or " " for text in texts]
        try:
            async with asyncio.timeout(seconds):
                status, data = await self._post(json.dumps({**self._body, "input": sent}).encode())
        except (TimeoutError, OSError, httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError):
            return None
        return _vectors(data, len(texts)) if status == 200 else None

    async def _post(self, content: bytes) -> tuple[int, bytes]:
        headers = [*self._headers, (b"Content-Length", str(len(content)).encode())]
        pool = self._pool = self._pool or pooled(self._address, 4)
        request = httpcore2.Request("POST", httpcore2.URL(self._address), headers=headers, content=content)
        response = await pool.handle_async_request(request)
        try:
            data = bytearray()
            async for chunk in response.aiter_stream():
                data += chunk
                if len(data) > MOST:
                    return 413, b""
            return response.status, bytes(data)
        finally:
            await response.aclose()


def _vectors(data: bytes, count: int) -> list[NDArray[np.int8]] | None:
    """Of an answer, in the order of the texts."""
    try:
        rows = sorted(json.loads(data)["data"], key=lambda each: each["index"])
        found = [small([float(number) for number in row["embedding"]]) for row in rows]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    lengths = {len(each) for each in found}
    return found if len(found) == count and len(lengths) == 1 and lengths != {0} else None
