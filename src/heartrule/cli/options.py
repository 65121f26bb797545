"""Which of the offered options a line means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from heartrule.engine.session.state import Choice

_TRAILING = re.compile(r"[\s.、。)）:：,，;；!！]+$")


def folded(text: str) -> str:
    """As it is compared: full-width and half-width alike, in one case, without what follows an enumerator."""
    plain = unicodedata.normalize("NFKC", text).casefold().strip()
    return _TRAILING.sub("", plain) or plain


def keys(choices: Sequence[Choice]) -> list[str]:
    """What stands before each option on the screen: its own value where all values are short (A, B or 0, 1), else its
    number."""
    values = [choice.value for choice in choices]
    short = all(len(value) <= 2 and value.isascii() and value.isalnum() for value in values)
    if short and len({folded(value) for value in values}) == len(values):
        return values
    return [str(number) for number in range(1, len(values) + 1)]


def picked(line: str, choices: Sequence[Choice]) -> Choice | None:
    """Values come before labels and labels before numbers; a text that two options share picks neither."""
    said = folded(line)
    numbers = {str(number): choice for number, choice in enumerate(choices, 1)}
    for texts in (
        [(folded(choice.value), choice) for choice in choices],
        [(folded(choice.label), choice) for choice in choices],
        list(numbers.items()),
    ):
        hits = [choice for text, choice in texts if text == said]
        if hits:
            return hits[0] if len(hits) == 1 else None
    return None
