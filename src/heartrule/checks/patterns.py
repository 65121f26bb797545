"""Patterns of output rules: RE2 only, whose time is linear in the text whatever the pattern."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2  # type: ignore[import-untyped]

LONGEST = 8_000
_MEMORY = 4 << 20


class BadPattern(ValueError):
    """RE2 cannot read the pattern; the text says why."""


@lru_cache(maxsize=512)
def compiled(pattern: str) -> Any:
    """The pattern compiled. Raises ``BadPattern``."""
    if len(pattern) > LONGEST:
        raise BadPattern(f"longer than {LONGEST} characters")
    try:
        return re2.compile(pattern, _options(_MEMORY))
    except (re2.error, UnicodeEncodeError) as error:
        raise BadPattern(str(error)) from None


def one_of(patterns: tuple[str, ...]) -> Any:
    """All of them at once: whether any is found."""
    return re2.compile("|".join(f"(?:{pattern})" for pattern in patterns), _options(_MEMORY * 4))


def _options(memory: int) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = memory
    return options
