"""One value told and nothing else: the value itself, a denial of one, or mere courtesy."""

from __future__ import annotations

from typing import Literal

from heartrule.parsing.numbers import Only, only_number
from heartrule.parsing.phrase_files import phrases
from heartrule.parsing.text import MAX_READ, fold, words_of

Telling = Literal["value", "correction", "denial", "courtesy"]
_PHRASES = phrases("single_values")


def is_telling(kind: Telling, text: str) -> bool:
    """Whether ``text``, in which the value is written ``0``, is nothing but such a phrase."""
    if len(text) > MAX_READ:
        return False
    return _PHRASES.is_one(kind, "zh", fold(text)) or _PHRASES.is_one(kind, "en", words_of(text))


def told_number(text: str, highest: float | None = None) -> Only | None:
    """The number that ``text`` tells, where it says nothing else."""
    only = only_number(text, highest)
    return only if only is not None and is_telling("value", only.around) else None


def corrects(text: str) -> bool:
    """Whether ``text`` takes something back for the number in it, and says nothing else."""
    only = only_number(text)
    return only is not None and is_telling("correction", only.around)


def denies(text: str) -> bool:
    """Whether ``text`` only says that something is not so, or is not this number."""
    if is_telling("denial", text):
        return True
    only = only_number(text)
    return only is not None and is_telling("denial", only.around)


def tells(text: str, words: str) -> bool:
    """Whether ``text`` says ``words`` and nothing else."""
    said, wanted = fold(text), fold(words)
    if not wanted or wanted not in said:
        return False
    if said == wanted:
        return True
    around, english = said.replace(wanted, "0", 1), f" {words_of(text)} ".replace(f" {words_of(words)} ", " 0 ", 1)
    return _PHRASES.is_one("value", "zh", around) or _PHRASES.is_one("value", "en", english.strip())
