"""Patterns of output rules: RE2 only, whose time is linear in the text whatever the pattern."""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod
from typing import Any

import re2  # type: ignore[import-untyped]

LONGEST = 8_000


class BadPattern(ValueError):
    """RE2 cannot read the pattern; the text says why."""


MEMORY = 4 << 20
_COUNTS = re.compile(r"(\)?)\{(\d*),?(\d*)\}")
_A_CHARACTER = 12
"""Instructions at most, of a compiled pattern, for a character of what is written."""
_INSTRUCTION = 96
"""Bytes that RE2 allows for each of them."""


def is_sound(pattern: str, memory: int = MEMORY) -> bool:
    """Whether RE2 takes a pattern within so many bytes, as far as reading it tells, which takes a tenth of the time of
    compiling it. False: only compiling tells, since it cannot be read, or might grow too large."""
    found = [(group, max(int(least or 1), int(most or 1), 1)) for group, least, most in _COUNTS.findall(pattern)]
    written = len(pattern) + sum(count for _, count in found)
    size = _A_CHARACTER * written * prod(count for group, count in found if group)
    if "\\p" in pattern or "\\P" in pattern or size * _INSTRUCTION > memory:
        return False
    try:
        re2.Set.SearchSet(_options(memory)).Add(pattern)
    except (re2.error, UnicodeEncodeError):
        return False
    return True


@lru_cache(maxsize=512)
def compiled(pattern: str) -> Any:
    """The pattern compiled. Raises ``BadPattern``."""
    if len(pattern) > LONGEST:
        raise BadPattern(f"longer than {LONGEST} characters")
    try:
        return re2.compile(pattern, _options(MEMORY))
    except (re2.error, UnicodeEncodeError) as error:
        raise BadPattern(str(error)) from None


def one_of(patterns: tuple[str, ...]) -> Any:
    """All of them at once: whether any is found."""
    return re2.compile("|".join(f"(?:{pattern})" for pattern in patterns), _options(MEMORY * 4))


def _options(memory: int) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = memory
    return options
