"""Lengths of time as scripts write them: ``30s``, ``5m``, ``2h``."""

from __future__ import annotations

import re
from datetime import timedelta

_FORM = re.compile(r"\s*(\d{1,6})\s*(s|m|h)\s*")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def duration(text: str) -> timedelta | None:
    """The length of time, or None when the text is not one."""
    found = _FORM.fullmatch(text)
    return timedelta(seconds=int(found[1]) * _SECONDS[found[2]]) if found else None
