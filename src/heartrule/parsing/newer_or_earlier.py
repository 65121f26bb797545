"""Which of two things that were told counts, the newer or the earlier one, as a person says it."""

from __future__ import annotations

from typing import Literal

from heartrule.parsing.phrase_files import phrases
from heartrule.parsing.text import MAX_READ, fold, words_of
from heartrule.parsing.yes_no import read_yes_no

Chosen = Literal["newer", "earlier"]
_PHRASES = phrases("newer_or_earlier")
_KINDS: tuple[Chosen, ...] = ("newer", "earlier")


def chosen(text: str) -> Chosen | None:
    """Which one, where ``text`` says nothing else; None when it is not plain. A yes is the newer one, because that is
    what the question offers."""
    if len(text) > MAX_READ:
        return None
    said, words = fold(text), words_of(text)
    for kind in _KINDS:
        if _PHRASES.is_one(kind, "zh", said) or _PHRASES.is_one(kind, "en", words):
            return kind
    plain = read_yes_no(text)
    return None if plain is None else "newer" if plain else "earlier"
