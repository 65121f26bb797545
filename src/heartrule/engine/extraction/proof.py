"""Whether a quote proves the value that a model gives with it. It proves nothing where it is cut out of a number, a
word or a denial, where the one number in it is another than the value, or where a text has nothing of what was said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from heartrule.language.nodes import VariableRules
from heartrule.parsing.common_words import says_something, shares
from heartrule.parsing.numbers import read_number
from heartrule.parsing.quote_places import holds_denial, stands
from heartrule.parsing.yes_no import read_yes_no

_TEN, _HUNDRED, _HALF = 10, 100, 0.5
_LEFT_OUT = re.compile(r"…+|\.{3,}")


def holds(rules: VariableRules, raw: Any, quote: str, said: str, question: str) -> bool:
    """Whether ``quote``, which is in ``said``, proves this value."""
    denies = raw is False or raw == 0 or holds_denial(_text_of(raw))
    if not all(stands(part, said, denies=denies) for part in _LEFT_OUT.split(quote) if part.strip()):
        return False
    return rules.type not in ("integer", "number") or _agrees(rules, raw, quote, question)


def _agrees(rules: VariableRules, raw: Any, quote: str, question: str) -> bool:
    """Whether the value is the number in the quote, where our reader finds exactly one that counts what was asked. What
    is out of its range is refused for that."""
    about = f"{question}\n{rules.define}"
    read = read_number(quote, rules.range[1] if rules.range else None, about)
    try:
        value = float(raw)
    except (TypeError, ValueError, OverflowError):
        return True
    if rules.range and not rules.range[0] <= value <= rules.range[1]:
        return True
    in_myriads = "万" in about  # of debts in 万元, 二十八万六 is 28.6
    return (
        read is None
        or read[0] == value
        or (in_myriads and read[0] == round(value * 10_000, 2))
        or _is_rounded(rules, value, read[0])
    )


def _is_rounded(rules: VariableRules, value: float, told: float) -> bool:
    """Whether a rating (a number with words at its ends) is what they told: seven and a half rounded where it is whole,
    or seventy of a hundred where ten was the most."""
    if rules.ends is None:
        return False
    most = rules.range[1] if rules.range else None
    if most == _TEN and _TEN < told <= _HUNDRED:
        told /= _TEN
    return abs(told - value) <= (_HALF if rules.type == "integer" else 0.0)


def grounded(rules: VariableRules, raw: Any, quote: Any, grounds: tuple[str, ...]) -> tuple[Any, list[Any]]:
    """The value without what has nothing of what was said, and what that was: a text whole, a list by its items. What
    is one of some options, or is no text, is left alone."""
    if rules.options:
        return raw, []
    if rules.type in (None, "text") and isinstance(raw, str):
        in_other_words = isinstance(quote, str) and _may_be_put_so(quote, raw)
        return (raw, []) if in_other_words or shares(raw, *grounds) else (None, [raw])
    if rules.type == "list" and isinstance(raw, list):
        strays = [each for each in raw if not _is_of(each, grounds)]
        return [each for each in raw if each not in strays], strays
    return raw, []


def _may_be_put_so(quote: str, raw: str) -> bool:
    """What says something may be put in other words (睡不着: 失眠), a yes in those of another yes (嗯: 愿意)."""
    plain = read_yes_no(quote)
    return says_something(quote) or (plain is not None and plain is read_yes_no(raw))


def _is_of(item: Any, grounds: tuple[str, ...]) -> bool:
    text = _text_of(item)
    return not text or shares(text, *grounds)


def _text_of(value: Any) -> str:
    """The texts of a value, with those inside it."""
    if isinstance(value, Mapping):
        return " ".join(filter(None, map(_text_of, value.values())))
    if isinstance(value, list):
        return " ".join(filter(None, map(_text_of, value)))
    return value if isinstance(value, str) else ""
