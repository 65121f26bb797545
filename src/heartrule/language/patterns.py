"""Patterns written in scripts. They run in RE2 only, whose time is linear in the text whatever the pattern."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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


_WORD = re.compile(r"<(\w+)>")


def joined(written: str | Sequence[str], words: Mapping[str, Sequence[str]]) -> str:
    """One pattern out of alternatives, each ``<name>`` replaced by its words. Raises ``KeyError`` with a name that
    there is none of, or that stands for itself."""
    return _joined(written, words, ())


def _joined(written: str | Sequence[str], words: Mapping[str, Sequence[str]], within: tuple[str, ...]) -> str:
    def word(found: re.Match[str]) -> str:
        name = found[1]
        if name in within:
            raise KeyError(name)
        return f"(?:{_joined(words[name], words, (*within, name))})"

    return _WORD.sub(word, written if isinstance(written, str) else "|".join(written))


def storable(text: str) -> str:
    """``text`` without what UTF-8 and databases refuse: half surrogate pairs become ``\\ufffd``, NUL goes."""
    cleaned = text.replace("\x00", "")
    try:
        cleaned.encode()
    except UnicodeEncodeError:
        return cleaned.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return cleaned
