"""What proves a value: the words that say it, and what an output is to find out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from heartrule import parsing
from heartrule.language.nodes import Get, Set

EVIDENCE = 20
"""Length of a quote that proves a value: a sign of Chinese counts one, a word of letters two."""

_PIECES = re.compile(r"[^\W\u2e80-\U0003ffff]+(?:['’-][^\W\u2e80-\U0003ffff]+)*|\S")

_LEFT_OUT = re.compile(r"…+|\.{3,}")


def gets(output: Sequence[Get | Set]) -> list[Get]:
    return [item for item in output if isinstance(item, Get)]


def locate(quote: str, said: str) -> str | None:
    """The quote when it stands in what was said (spaces, width and punctuation aside), cut to its length limit behind a
    whole word. One that leaves something out (“…”) stands there when its parts do, in their order."""
    return shortened(quote.strip()) if occurs(quote, said) else None


def occurs(quote: str, said: str) -> bool:
    """Whether a quote of any length is in what was said, as ``locate`` finds it."""
    parts = [part for part in map(parsing.fold, _LEFT_OUT.split(quote)) if part]
    rest = parsing.fold(said)
    for part in parts:
        _, found, rest = rest.partition(part)
        if not found:
            return False
    return bool(parts)


def shortened(quote: str) -> str:
    """As much of a quote as may be kept as a proof, of whole words."""
    come_to = 0
    for piece in _PIECES.finditer(quote):
        come_to += _weight(piece[0])
        if come_to > EVIDENCE:
            return quote[: piece.start()].rstrip()
    return quote


def length(text: str) -> int:
    """How much is said, the same for either script: a sign of Chinese counts one, a word of letters two."""
    return sum(_weight(piece[0]) for piece in _PIECES.finditer(text))


def _weight(piece: str) -> int:
    return 2 if piece[0].isalnum() and piece[0] < "\u2e80" else 1


def alarming(value: Any) -> bool:
    """Whether a risk variable's value is a yes, or more than nothing."""
    return value > 0 if isinstance(value, int | float) else False


def is_stretch(output: Sequence[Get | Set]) -> bool:
    return sum(isinstance(item, Get) for item in output) > 1
