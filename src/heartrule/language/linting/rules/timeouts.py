"""E228: a ``timeout`` that is no length of time between a second and a day."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.view import View
from heartrule.language.nodes import Place
from heartrule.language.spellings import conversions

_LENGTH = re.compile(r"\s*(\d{1,6})\s*([smh])\s*")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_DAY = 86_400
_IN_WORDS = re.compile(
    r"\s*(\d{1,6})\s*(秒钟?|分钟?|个?小时|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?|rs?)?)\s*", re.IGNORECASE
)
_UNITS = {"秒": "s", "分": "m", "个": "h", "小": "h"}
_TURNS = re.compile(r"\s*(\d{1,4}|[一二两三四五六七八九十])\s*(?:轮|次|回|rounds?|times?|turns?)\s*")


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if action.timeout is None:
            continue
        if seconds(action.timeout) is None:
            place = view.project.at(action, "timeout", value=True)
            yield finding("E228", place, mend=mended(view, place, action.timeout), value=clip(action.timeout))


def mended(view: View, place: Place, text: str, *, turns: bool = False) -> Mend | None:
    """The mend of a length of time in words; ``turns``: a number of turns may stand there as well."""
    counted = _TURNS.fullmatch(text) if turns else None
    if counted is not None:
        return view.replaced(place, text, f"{conversions.number(counted[1])} turns")
    match = _IN_WORDS.fullmatch(text)
    unit = match[2][0].lower() if match else ""
    short = f"{match[1]}{_UNITS.get(unit, unit)}" if match else ""
    return view.replaced(place, text, short) if seconds(short) is not None else None


def seconds(text: str) -> int | None:
    """How long that is; None when it is no length of time between a second and a day."""
    match = _LENGTH.fullmatch(text)
    found = int(match[1]) * _SECONDS[match[2]] if match else 0
    return found if 1 <= found <= _DAY else None
