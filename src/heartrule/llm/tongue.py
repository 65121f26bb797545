"""Whether words meant for a person are in the language of the conversation. Crude on purpose: by writing system."""

from __future__ import annotations

from heartrule.engine.tasks import Context

_FEW = 12
"""Letters below which nothing is concluded: “OK”, a name, an abbreviation."""


def in_tongue(content: object, context: Context) -> bool:
    """False only for a text of some length in the wrong writing system, when the person does not use it either."""
    if not isinstance(content, str) or _fits(content, context.locale):
        return True
    last = next((line.text for line in reversed(context.history) if line.speaker == "person"), "")
    if _letters(last) < 4:
        return False
    return _fits(content, "zh" if _han(last) * 2 > _letters(last) else "en")


def _fits(text: str, locale: str) -> bool:
    letters = _letters(text)
    if letters < _FEW:
        return True
    share = _han(text) / letters
    if locale.lower().startswith("zh"):
        return share >= 0.2
    return share <= 0.5 if locale.lower().startswith("en") else True


def _letters(text: str) -> int:
    return sum(character.isalpha() for character in text)


def _han(text: str) -> int:
    return sum("\u3400" <= character <= "\u9fff" for character in text)
