"""Words that mean something while an exercise is done: stop, or go on. See ``phrases/exercises.yaml``."""

from __future__ import annotations

from typing import Literal

from heartrule.parsing.phrase_files import phrases
from heartrule.parsing.text import MAX_READ, fold, normalise, words_of

_LONGEST = 40
_PHRASES = phrases("exercises")
_ORDER: tuple[Literal["stop", "ready"], ...] = ("stop", "ready")


def meant(text: str) -> Literal["stop", "ready"] | None:
    """Which of them ``text`` is when it is nothing but one, in Chinese or English. Words that may mean either stop."""
    if len(text) > MAX_READ:
        return None
    plain = normalise(text)
    said, words = fold(plain), words_of(plain)
    if len(said) > _LONGEST:
        return None
    for kind in _ORDER:
        if _PHRASES.is_one(kind, "zh", said) or _PHRASES.is_one(kind, "en", words):
            return kind
    return None
