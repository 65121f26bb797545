"""Patterns written in scripts. They run in RE2 only, whose time is linear in the text whatever the pattern."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2  # type: ignore[import-untyped]

MAX_PATTERN = 2_000
_MEMORY = 2 << 20


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Any | None:
    """The compiled pattern, or None when it is none (which lint reports before anything runs)."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(pattern, options) if len(pattern) <= MAX_PATTERN else None
    except (re2.error, UnicodeEncodeError):
        return None


def storable(text: str) -> str:
    """``text`` without what UTF-8 and databases refuse: half surrogate pairs become ``\\ufffd``, NUL goes."""
    cleaned = text.replace("\x00", "")
    try:
        cleaned.encode()
    except UnicodeEncodeError:
        return cleaned.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return cleaned
