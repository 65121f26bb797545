"""Which writing system a text is in. Crude on purpose."""

from __future__ import annotations

from heartrule.locales import is_chinese

_FEW = 12
"""Letters below which nothing is concluded: “OK”, a name, an abbreviation."""


def fits(text: str, locale: str) -> bool:
    """False only for a text of some length in the wrong writing system for ``locale``."""
    count = letters(text)
    if count < _FEW:
        return True
    share = han(text) / count
    if is_chinese(locale):
        return share >= 0.2
    return share <= 0.5 if locale.lower().startswith("en") else True


def meant_for(text: str, locale: str, heard: str) -> bool:
    """``fits``, or in the language that the person used last (``heard``)."""
    if fits(text, locale):
        return True
    if letters(heard) < 4:
        return False
    return fits(text, "zh" if han(heard) * 2 > letters(heard) else "en")


def letters(text: str) -> int:
    return sum(character.isalpha() for character in text)


def han(text: str) -> int:
    return sum("\u3400" <= character <= "\u9fff" for character in text)
