"""Messages of the Debug Adapter Protocol on a pair of streams: a header with the length, then JSON."""

from __future__ import annotations

import asyncio
import json
from typing import Any

LARGEST = 16 * 1024 * 1024
HEADER = b"\r\n\r\n"


class Broken(Exception):
    """What came is no message of the protocol."""


async def read_message(stream: asyncio.StreamReader) -> dict[str, Any] | None:
    """The next message; None at the end. Raises ``Broken``."""
    try:
        head = await stream.readuntil(HEADER)
    except asyncio.IncompleteReadError as error:
        if error.partial.strip():
            raise Broken("the stream ended in the middle of a header") from None
        return None
    except asyncio.LimitOverrunError:
        raise Broken("a header without an end") from None
    length = _length(head)
    try:
        body = await stream.readexactly(length)
        message = json.loads(body)
    except asyncio.IncompleteReadError:
        raise Broken("the stream ended in the middle of a message") from None
    except ValueError:
        raise Broken("a message that is not JSON") from None
    if not isinstance(message, dict):
        raise Broken("a message that is no object")
    return message


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
            if length > LARGEST:
                raise Broken("a message that is too long")
            return length
    raise Broken("a header without a length")


def encode_message(message: dict[str, Any]) -> bytes:
    body = json.dumps(message, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body
