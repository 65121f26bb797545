"""Fields of a model's answer, read so that nothing it may write is an exception."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_NUMBER = re.compile(r"[0-9]+")
_SHARE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*([%％]?)")


def within(raw: Any, low: float, high: float) -> float | None:
    """A number, at its limit when it is beyond; None for anything else. JSON knows no largest number."""
    if isinstance(raw, bool) or not isinstance(raw, int | float) or raw != raw:
        return None
    return float(max(low, min(high, raw)))


def items(data: Mapping[str, Any] | None, key: str) -> list[Mapping[str, Any]]:
    """The objects of a list; whatever else stands there is left out."""
    found = (data or {}).get(key)
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []


def share(raw: Any) -> float | None:
    """How sure a model is, between 0 and 1; from 2 to 100 is taken for percent (``30``, ``"90%"``). None for anything
    else."""
    percent = False
    if isinstance(raw, str):
        match = _SHARE.fullmatch(raw.strip())
        raw, percent = (float(match[1]), bool(match[2])) if match else (None, False)
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not 0 <= raw <= 100 or 1 < raw < 2:
        return None
    return float(raw) / 100 if percent or raw > 1 else float(raw)


def number_of(raw: Any) -> int | None:
    """The number of a question, as a number or in words that hold one number (``"1"``, ``第1题``)."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int) or (isinstance(raw, float) and raw.is_integer()):
        return int(raw)
    found = _NUMBER.findall(raw) if isinstance(raw, str) and len(raw) <= 40 else []
    return int(found[0]) if len(found) == 1 else None
