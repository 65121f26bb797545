"""What proves a value: the words that say it, and what an output is to find out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from heartrule import parsing
from heartrule.language.nodes import Get, Set

EVIDENCE = 20
"""Characters of a quote that proves a value."""

_LEFT_OUT = re.compile(r"…+|\.{3,}")


def gets(output: Sequence[Get | Set]) -> list[Get]:
    return [item for item in output if isinstance(item, Get)]


def locate(quote: str, said: str) -> str | None:
    """The quote when it stands in what was said (spaces, width and punctuation aside), cut to its length limit. One
    that leaves something out (“…”) stands there when its parts do, in their order."""
    parts = [part for part in map(parsing.fold, _LEFT_OUT.split(quote)) if part]
    rest = parsing.fold(said)
    for part in parts:
        _, found, rest = rest.partition(part)
        if not found:
            return None
    return quote.strip()[:EVIDENCE] if parts else None


def alarming(value: Any) -> bool:
    """Whether a risk variable's value is a yes, or more than nothing."""
    return value > 0 if isinstance(value, int | float) else False


def is_stretch(output: Sequence[Get | Set]) -> bool:
    return sum(isinstance(item, Get) for item in output) > 1
