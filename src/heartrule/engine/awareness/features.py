"""What a linear classifier sees of a message: pieces of its folded text, and English words beside them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

CHINESE = range(1, 5)
"""Characters of a piece that holds at least one that is no ASCII."""
LATIN = range(2, 6)
"""Characters of a piece of ASCII."""
WORDS = range(1, 4)
"""English words in a row."""
LONGEST = 600
"""Characters of a message that are looked at from its beginning, and as many from its end."""
WORD = "\t"
"""Begins a feature that is made of words. No folded text holds a tab."""

_WORD = re.compile(r"[a-z0-9']+")


def features(folded: str) -> set[str]:
    """Of text as ``risk_text.normalise`` gives it. Bounded by ``LONGEST``."""
    text = folded.replace("\n", " ").strip()
    if len(text) > 2 * LONGEST:
        text = f"{text[:LONGEST]} {text[-LONGEST:]}"
    found = set(_words(text))
    text = f"^{text}$"
    size = len(text)
    for length in range(1, max(CHINESE.stop, LATIN.stop)):
        for at in range(size - length + 1):
            piece = text[at : at + length]
            if length in (LATIN if piece.isascii() else CHINESE):
                found.add(piece)
    return found


def _words(text: str) -> Iterator[str]:
    words = _WORD.findall(text)
    if words:
        words = ["^", *words, "$"]
    for length in WORDS:
        for at in range(len(words) - length + 1):
            yield WORD + " ".join(words[at : at + length])
