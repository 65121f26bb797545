"""Fields of a model's answer, read so that nothing it may write is an exception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def within(raw: Any, low: float, high: float) -> float | None:
    """A number, at its limit when it is beyond; None for anything else. JSON knows no largest number."""
    if isinstance(raw, bool) or not isinstance(raw, int | float) or raw != raw:
        return None
    return float(max(low, min(high, raw)))


def items(data: Mapping[str, Any] | None, key: str) -> list[Mapping[str, Any]]:
    """The objects of a list; whatever else stands there is left out."""
    found = (data or {}).get(key)
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []
