"""What the operators and functions of the expression language mean, in three-valued logic.

Nothing here raises: what cannot be answered (ordering with null, a type that does not fit, division by zero, a result
too large to keep) is ``UNKNOWN``, and unknown stays unknown until ``and``/``or`` can do without it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, tzinfo
from enum import Enum
from itertools import islice
from typing import Any, Final, Literal

MAX_TEXT = 20_000
MAX_ITEMS = 10_000
MAX_NUMBER = 10**18
MAX_STEPS = 100_000
"""Comparisons of single values within one evaluation."""
_MAX_NESTING = 20


class Unknown(Enum):
    """The third truth value. It is falsy, so that an unknown condition never holds by accident."""

    UNKNOWN = "unknown"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown.UNKNOWN
Truth = bool | Unknown
_NUMERIC = re.compile(r"\s*[+-]?\d{1,15}(?:\.\d{1,15})?\s*")


class Steps:
    """Counts single comparisons; once spent, every further one is unknown."""

    __slots__ = ("left",)

    def __init__(self, left: int = MAX_STEPS) -> None:
        self.left = left

    def spend(self, steps: int = 1) -> bool:
        self.left -= steps
        return self.left >= 0


def known(value: Any) -> Any:
    """A looked-up value as the language sees it: JSON values, dates as ISO text, anything else unknown."""
    if value is None or isinstance(value, bool | str | list | dict | Unknown):
        return value
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else UNKNOWN
    if isinstance(value, datetime | date):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else UNKNOWN


def number(value: Any) -> int | float | None:
    """``value`` as a number: numbers themselves and plain decimal text; None for all else, truth values included."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if not isinstance(value, str) or len(value) > 40 or not _NUMERIC.fullmatch(value):
        return None
    return float(value) if "." in value else int(value)


def truth(value: Any) -> Truth:
    """What a value means where a condition is wanted: null is unknown, empty and zero are false."""
    if isinstance(value, bool | Unknown):
        return value
    if value is None:
        return UNKNOWN
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value[:8].strip().lower(), bool(value.strip()))
    return bool(value)


def negation(value: Any) -> Truth:
    held = truth(value)
    return held if held is UNKNOWN else not held


def conjunction(values: Iterable[Any]) -> Truth:
    """Kleene's and: false beats unknown, unknown beats true."""
    result: Truth = True
    for value in values:
        held = truth(value)
        if held is False:
            return False
        if held is UNKNOWN:
            result = UNKNOWN
    return result


def disjunction(values: Iterable[Any]) -> Truth:
    """Kleene's or: true beats unknown, unknown beats false."""
    result: Truth = False
    for value in values:
        held = truth(value)
        if held is True:
            return True
        if held is UNKNOWN:
            result = UNKNOWN
    return result


def equal(left: Any, right: Any, steps: Steps, nesting: int = 0) -> Truth:
    """Equality by value. A numeric text equals its number, the text true equals true; other types never mix."""
    if left is UNKNOWN or right is UNKNOWN or nesting > _MAX_NESTING or not steps.spend():
        return UNKNOWN
    if left is None or right is None:
        return left is right
    if isinstance(left, bool) or isinstance(right, bool):
        return _same_truth(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    if isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            return False
        return conjunction(equal(a, b, steps, nesting + 1) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict) and isinstance(right, dict):
        if left.keys() != right.keys():
            return False
        return conjunction(equal(left[key], right[key], steps, nesting + 1) for key in left)
    a, b = number(left), number(right)
    return a is not None and b is not None and a == b


def _same_truth(left: Any, right: Any) -> bool:
    def plain(value: Any) -> Any:
        if isinstance(value, str):
            return {"true": True, "false": False}.get(value[:8].strip().lower())
        return value if isinstance(value, bool) else None

    return plain(left) is not None and plain(left) is plain(right)


def order(left: Any, right: Any, holds: Callable[[Any, Any], bool]) -> Truth:
    """``left < right`` and its kin: numbers with numbers, otherwise text with text (so ISO dates order too)."""
    a, b = number(left), number(right)
    if a is not None and b is not None:
        return holds(a, b)
    if isinstance(left, str) and isinstance(right, str):
        return holds(left, right)
    return UNKNOWN


def contains(container: Any, item: Any, steps: Steps) -> Truth:
    """Is ``item`` an item of the list, a part of the text, or a key of the object?"""
    if container is UNKNOWN or item is UNKNOWN or container is None:
        return UNKNOWN
    if isinstance(container, list):
        return disjunction(equal(each, item, steps) for each in islice(container, MAX_STEPS))
    if isinstance(item, int | float) and not isinstance(item, bool):
        item = plain_number(item)
    if not isinstance(item, str):
        return UNKNOWN
    if isinstance(container, dict):
        return item in container
    if isinstance(container, str):
        return item in container if steps.spend(1 + len(container) // 1000) else UNKNOWN
    return UNKNOWN


def plain_number(value: int | float) -> str:
    """As a person writes it: no trailing ``.0``, no binary noise, no exponent where it can be avoided."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        value = int(value) if value.is_integer() and abs(value) < MAX_NUMBER else value
    if isinstance(value, float):
        return f"{value:.15g}"
    try:
        return str(value)
    except ValueError:  # more digits than the interpreter is willing to write
        return "…"


def arithmetic(operator: str, left: Any, right: Any) -> Any:
    """Numbers; ``+`` also joins two texts or two lists."""
    a, b = number(left), number(right)
    if a is not None and b is not None:
        return _calculated(operator, a, b) if abs(a) <= MAX_NUMBER and abs(b) <= MAX_NUMBER else UNKNOWN
    if operator == "+" and isinstance(left, str) and isinstance(right, str):
        return left + right if len(left) + len(right) <= MAX_TEXT else UNKNOWN
    if operator == "+" and isinstance(left, list) and isinstance(right, list):
        return left + right if len(left) + len(right) <= MAX_ITEMS else UNKNOWN
    return UNKNOWN


def _calculated(operator: str, a: int | float, b: int | float) -> Any:
    if operator in "/%" and b == 0:
        return UNKNOWN
    match operator:
        case "+":
            result: int | float = a + b
        case "-":
            result = a - b
        case "*":
            result = a * b
        case "/":
            result = a / b
        case _:
            result = a % b
    return _settled(result)


def _settled(result: int | float) -> Any:
    """0.1 + 0.2 is 0.3 to a counsellor, and 6 / 2 is 3."""
    if not abs(result) <= MAX_NUMBER:
        return UNKNOWN
    if isinstance(result, float):
        result = float(f"{result:.15g}")
        return int(result) if result.is_integer() else result
    return result


def length(value: Any) -> Any:
    return len(value) if isinstance(value, str | list | dict) else UNKNOWN


def lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) and len(value) <= MAX_TEXT else UNKNOWN


def items(values: list[Any]) -> Iterator[Any]:
    """The items that ``any()`` and ``all()`` look at: those of the one list, or the arguments."""
    if len(values) == 1 and isinstance(values[0], list):
        return islice(values[0], MAX_STEPS)
    return iter(values)


def days_since(value: Any, now: datetime | None, zone: tzinfo | None) -> Any:
    """Whole calendar days from a date (ISO text) to today in ``zone``; negative for a day to come."""
    day = _day(value, zone)
    if day is None or now is None:
        return UNKNOWN
    return (_local(now, zone).date() - day).days


def _day(value: Any, zone: tzinfo | None) -> date | None:
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        return date.fromisoformat(value.strip()[:10]) if len(value.strip()) == 10 else _moment(value, zone)
    except (ValueError, OverflowError):
        return None


def _moment(value: str, zone: tzinfo | None) -> date:
    return _local(datetime.fromisoformat(value.strip()), zone).date()


def _local(moment: datetime, zone: tzinfo | None) -> datetime:
    """A moment without a zone is local already."""
    return moment.astimezone(zone or UTC) if moment.tzinfo else moment
