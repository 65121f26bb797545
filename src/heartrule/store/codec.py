"""Values to bytes and back, before encryption. Any Python string survives: lone surrogates and NUL characters too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return list(value)
    # The value itself must not appear in the message.
    raise TypeError(f"a {type(value).__name__} cannot be stored")


# Unescaped on purpose: an escaped pair of surrogates would come back as the one character it encodes.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)
_ASCII = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=_plain)
_DECODER = json.JSONDecoder()


def encode_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def decode_text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def encode(value: object) -> bytes:
    return _ENCODER.encode(value).encode("utf-8", "surrogatepass")


def decode(data: bytes) -> Any:
    return _DECODER.decode(data.decode("utf-8", "surrogatepass"))


def encode_clear(value: object) -> str:
    """JSON for a column that is not encrypted; plain ASCII, so that every database takes it."""
    return _ASCII.encode(value)


def decode_clear(text: str) -> Any:
    return _DECODER.decode(text)
