"""Values that say what is meant in another way, and how they are written here: ``3 轮`` and ``三`` for 3, ``60%`` for
0.6, ``0~6`` for ``[0, 6]``, ``是`` for ``true``."""

from __future__ import annotations

import re
import unicodedata

_TRUTHS = {
    **dict.fromkeys(("是", "对", "要", "需要", "开", "总是", "必须", "必填", "always", "required"), "true"),
    **dict.fromkeys(("否", "不", "不是", "不要", "不需要", "关", "从不", "可选", "never", "optional"), "false"),
}
_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九十")} | {"两": 2, "〇": 0}
_COUNTED = re.compile(r"(\d{1,6})\s*(?:轮|次|个|遍|分|%|rounds?|times?|turns?)?")
_IN_WORDS = re.compile(r"([零〇一二两三四五六七八九十])\s*(?:轮|次|个|遍|分)?")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%")
_PAIR = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:~|-|–|—|至|到|,|、|\.\.)\s*(-?\d+(?:\.\d+)?)")
_BRACKETS = re.compile(r"[【［〔「](.*)[】］〕」]")


def truth(value: str) -> str | None:
    return _TRUTHS.get(value.strip().casefold())


def number(value: str) -> str | None:
    """A whole number that is written with full-width digits, with a unit, or in words."""
    plain = unicodedata.normalize("NFKC", value).strip()
    if found := _COUNTED.fullmatch(plain):
        return str(int(found[1]))
    if found := _IN_WORDS.fullmatch(plain):
        return str(_DIGITS[found[1]])
    return None


def share(value: str) -> str | None:
    """A percentage as a part of one."""
    found = _PERCENT.fullmatch(unicodedata.normalize("NFKC", value).strip())
    return f"{float(found[1]) / 100:g}" if found and float(found[1]) <= 100 else None


def pair(value: str) -> str | None:
    """From one number to another."""
    found = _PAIR.fullmatch(unicodedata.normalize("NFKC", value).strip())
    return f"[{found[1]}, {found[2]}]" if found else None


def names(value: str) -> str | None:
    """Names one after another, in brackets that YAML does not know or in none."""
    found = _BRACKETS.fullmatch(value.strip())
    parts = [part.strip() for part in re.split(r"[,，、;；+]", found[1] if found else value)]
    if not all(re.fullmatch(r"[\w./-]+( [\w./-]+)?", part) for part in parts) or (found is None and len(parts) < 2):
        return None
    return f"[{', '.join(parts)}]"
