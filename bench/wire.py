"""HTTP as plain as it gets, to ask with while others are measured: a client of the usual kind takes as much of a shared
machine as the server that it asks."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, Self

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Wire:
    """One connection that is kept."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str) -> None:
        self._reader, self._writer, self._host = reader, writer, host

    @classmethod
    async def to(cls, address: str) -> Self:
        host, port = address.removeprefix("http://").split(":")
        return cls(*await asyncio.open_connection(host, int(port)), host)

    async def post(self, path: str, body: Any, token: str = "") -> Any:
        """The answer's JSON. Any other answer than a good one ends the measurement."""
        data = json.dumps(body).encode()
        lines = [f"POST /api/v1{path} HTTP/1.1", f"Host: {self._host}", "Content-Type: application/json"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        self._writer.write("\r\n".join([*lines, f"Content-Length: {len(data)}", "", ""]).encode() + data)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        answer = await self._reader.readexactly(int(length[1]) if length else 0)
        if not head.startswith(b"HTTP/1.1 2"):
            raise SystemExit(f"{path}: {head.decode()}{answer.decode()}")
        return json.loads(answer)

    def close(self) -> None:
        self._writer.close()
