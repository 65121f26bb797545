"""Lengths of time as scripts write them: ``30s``, ``5m``, ``1h30m``, and in words: ``40 分钟``, ``一个半小时``,
``40 minutes``, ``half an hour``."""

from __future__ import annotations

import re
import unicodedata
from datetime import timedelta
from functools import lru_cache

_UNITS = {
    1: r"s|sec|secs|seconds?|秒钟?",
    60: r"m|min|mins|minutes?|分钟?",
    3_600: r"h|hr|hrs|hours?|个?小时|个?钟头",
}
_PART = re.compile(
    r"(?P<number>\d{1,6}(?:\.\d{1,2})?|[零一二两三四五六七八九十]{1,3}|半|an?\b|half an\b)\s*(?P<more>个半)?\s*"
    rf"(?:{'|'.join(f'(?P<s{size}>{words})' for size, words in _UNITS.items())})(?![a-z])\s*(?:and\b|,|零|又)?\s*"
)
_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九十")} | {"两": 2}
_WORDS = {"半": 0.5, "a": 1.0, "an": 1.0, "half an": 0.5}
_QUARTER = re.compile(r"([一二两三1-3])刻钟")
_MOST = 1_000_000
_TURNS = re.compile(r"\s*([1-9]\d{0,3})\s*turns?\s*")


@lru_cache(maxsize=1_024)
def length(text: str) -> timedelta | None:
    """The length of time, or None when the text is not one."""
    plain = unicodedata.normalize("NFKC", text).strip().lower()
    if quarters := _QUARTER.fullmatch(plain):
        return timedelta(minutes=15 * _number(quarters[1]))
    at, seconds, below = 0, 0.0, _MOST
    while at < len(plain):
        part = _PART.match(plain, at)
        size = next((size for size in _UNITS if part is not None and part[f"s{size}"]), 0)
        # Larger units go before smaller ones, each once.
        if part is None or not 0 < size < below:
            return None
        seconds += (_number(part["number"]) + (0.5 if part["more"] else 0)) * size
        at, below = part.end(), size
    return timedelta(seconds=round(seconds)) if plain else None


def turns(text: str) -> int | None:
    """A number of turns (``3 turns``), as ``every`` and ``cooldown`` may be counted too; None when it is none."""
    found = _TURNS.fullmatch(text)
    return int(found[1]) if found else None


def short(span: timedelta) -> str:
    """As it is written here: ``1h30m``."""
    left, parts = int(span.total_seconds()), []
    for size, unit in ((3_600, "h"), (60, "m"), (1, "s")):
        if left >= size:
            parts.append(f"{left // size}{unit}")
            left %= size
    return "".join(parts) or "0s"


def _number(written: str) -> float:
    if written in _WORDS:
        return _WORDS[written]
    if written[0].isdecimal():
        return float(written)
    tens, ten, ones = written.partition("十")
    return (_DIGITS.get(tens, 1) * 10 if ten else _DIGITS.get(tens, 0)) + (_DIGITS.get(ones, 0) if ten else 0)
