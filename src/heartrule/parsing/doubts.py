"""How firmly an answer is meant: words of doubt, a range where one number is wanted, words by which people correct
themselves. They never decide a value."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from heartrule.language.patterns import compiled
from heartrule.language.texts.plain import packaged_yaml
from heartrule.parsing.text import MAX_READ, normalise

Doubt = Literal["hedge", "range", "correction"]


def holds(kind: Doubt, text: str) -> bool:
    """Whether ``text`` holds such words. Chinese and English are understood whatever the locale."""
    plain = normalise(text[:MAX_READ]).casefold().replace("’", "'")
    return any(each.search(plain) is not None for each in _patterns(kind))


@cache
def _patterns(kind: Doubt) -> tuple[Any, ...]:
    written = packaged_yaml("heartrule.parsing.phrases", "doubts.yaml")
    return tuple(compiled("|".join(f"(?:{each})" for each in language[kind])) for language in written.values())
