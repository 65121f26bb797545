"""E228: a ``timeout`` that is no length of time between a second and a day."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.view import View

_LENGTH = re.compile(r"\s*(\d{1,6})\s*([smh])\s*")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_DAY = 86_400


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if action.timeout is None:
            continue
        if seconds(action.timeout) is None:
            place = view.project.at(action, "timeout", value=True)
            yield finding("E228", place, value=clip(action.timeout))


def seconds(text: str) -> int | None:
    """How long that is; None when it is no length of time between a second and a day."""
    match = _LENGTH.fullmatch(text)
    found = int(match[1]) * _SECONDS[match[2]] if match else 0
    return found if 1 <= found <= _DAY else None
