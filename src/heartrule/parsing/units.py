"""What a number counts: the unit it is said in, the unit that was asked for, and what the one comes to in the other."""

from __future__ import annotations

import re
from dataclasses import dataclass

from heartrule.parsing.text import normalise

UNIT = re.compile(
    r"\s*(?:(?:个(?P<inner>半)(?:小时|钟头|钟|月|星期|礼拜)?|个月|个小时|个钟头|个钟|个星期|个礼拜|个"
    r"|分钟|分|小时|钟头|天|周岁|周|星期|礼拜|年级|年|岁"
    r"|次|遍|回|级|度|点|口|人|位|杯|瓶|支|根|块|元"
    r"|斤|公斤|千克|毫克|毫升|克|米|厘米|秒|成|名|层|期|轮|件|家|趟|倍|%|percent|points?\b|times?\b|hours?\b|hrs?\b|h\b"
    r"|minutes?\b|mins?\b|days?\b|weeks?\b|months?\b|years?\b|kg\b|cm\b|km\b|people\b)(?P<half>半)?)?"
)
"""The unit behind a number, where it is one of the common ones."""

_KINDS = {
    "second": "秒",
    "minute": "分钟|minutes?|mins?",
    "hour": "小时|钟头|个钟|钟|hours?|hrs?|h",
    "day": "天|日|days?",
    "week": "周|星期|礼拜|weeks?",
    "month": "月|months?",
    "year": "年|years?",
    "age": "岁|周岁|虚岁",
    "score": "分|级|度|points?|颗星",
    "clock": "点",
    "times": "次|遍|回|趟|times?",
    "people": "人|口|位|名|people|persons?",
    "share": "%|成|百分|percent",
    "money": "元|块|钱",
}
_KIND = tuple((kind, re.compile(f"(?:个半?)?(?:{words})半?")) for kind, words in _KINDS.items())
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_MONTHS = {"month": 1, "year": 12}
_NEVER = {("day", "hour"), ("week", "hour"), ("week", "minute"), ("day", "minute"), ("hour", "day"), ("minute", "day")}
"""Nobody who is asked for hours means three times twenty-four by three days."""
_STEP = 4
"""Quarters: 90 minutes are one hour and a half; what twenty minutes come to in hours nobody would say."""

_UNNAMED = ("score", "clock", "age", "money", "share", *_SECONDS, *_MONTHS)
"""Nobody counts these by 个 alone."""

_HOW_MANY = re.compile(
    r"(?<![这那近前好过头去])几(?![乎率何])(?P<zh>个?[\u4e00-\u9fff]?)|多少(?P<much>个?[\u4e00-\u9fff]?)"
    r"|how many (?:more )?(?P<en>[a-z]+)"
)
_NOT_COUNTED = re.compile("[的了呢吧有会能都也还是觉受对时相才为]")
_OLD = re.compile(r"(?:今年|现在|你|您|孩子|他|她)多大(?!的|程度)|多大(?:年|岁)|年龄|岁数|\bhow old\b|\bage\b")
_SCALE = re.compile(
    r"\b[01]\b ?(?:分)?[^0-9\n]{0,20}\b(?:5|10|100)\b"
    r"|[01] ?(?:到|至|-|~|–) ?(?:5|10|100)\b|打个?分|评分|分数|总分|分值|强度|程度"
    r"|\bscale\b|\bscore\b"
)
_SHARE = re.compile("百分|%|percent|几成")
_NUMBER_OF = re.compile(
    "([天日周月年次人杯支根片分])数|以([天日周月年分元])计|单位(?:是|为|：|:)? ?([\u4e00-\u9fff]{1,2})"
)
_STOCK = re.compile(
    "[今明昨前后每白那这几某]天|[这上下每]一?[周月年次]|[今去前明]年|本[周月年]|上个月|最近[一两二三]周|过去[一两二三]?[个]?[周月]|一次|有时|一点"
    "|聊天|天气|早点|晚点|个人|[本病]人|别人|来访者|第一次|每个月|半天|当年"
    r"|\b(?:this|last|past|next|every|each|one) (?:day|week|month|year|time)\b|\ba (?:day|week|month)\b|\bper \w+"
)
_NAMED = re.compile(
    r"小时|钟头|分钟|周岁|岁|天数|\bhours?\b|\bminutes?\b|\bdays?\b|\bweeks?\b|\bmonths?\b|\byears?\b|\btimes\b"
)


@dataclass(frozen=True, slots=True)
class AskedUnit:
    """``kinds``: what may be counted, the likeliest first; empty where nobody can tell. ``about``: the question and
    what it is to find out, in normal form."""

    kinds: tuple[str, ...]
    about: str


NOBODY_ASKS = AskedUnit((), "")


def asked(about: str) -> AskedUnit:
    """What ``about``, the question and what it is to find out, asks to have counted. A unit that is asked for in so
    many words (几个小时) goes before one that is only named."""
    plain = normalise(about).casefold()
    kinds = [_kind_asked(found) for found in _HOW_MANY.finditer(plain)]
    found = list(dict.fromkeys(each for each in kinds if each))
    if not found and _OLD.search(plain):
        found = ["age"]
    if not found:
        rest = _STOCK.sub(" ", plain)
        found = [kind(next(filter(None, each.groups()))) for each in _NUMBER_OF.finditer(rest)]
        found = found or [kind(each.group().removesuffix("数")) for each in _NAMED.finditer(rest)]
    if not found and _SCALE.search(plain):
        found = ["score"]
    if found and _SHARE.search(plain):
        found.append("share")
    return AskedUnit(tuple(dict.fromkeys(found)), plain)


def kind(unit: str) -> str:
    """What sort of unit it is: the same for 小时, 钟头 and hours. A word that is none of ours is a sort of its own."""
    return next((name for name, words in _KIND if words.fullmatch(unit)), unit.removeprefix("个") or "thing")


def comes_to(value: int | float, unit: str, wanted: AskedUnit, highest: float | None) -> int | float | None:
    """``value`` in what was asked for; None where it counts something else. A bare number counts what was asked for."""
    if not unit or not wanted.kinds:
        return value
    said = kind(unit)
    if said == "share":
        return _share(value, unit, highest) if {"share", "score"} & set(wanted.kinds) else None
    if said in wanted.kinds or "place" in wanted.kinds:
        return value
    if said == "thing":
        return None if set(wanted.kinds) <= set(_UNNAMED) else value
    if said == "year" and "age" in wanted.kinds and "old" in wanted.about:
        return value
    converted = (_converted(value, said, each) for each in wanted.kinds)
    return next((each for each in converted if each is not None), None)


def _share(value: int | float, unit: str, highest: float | None) -> int | float | None:
    """八成 is 8 of ten and 80 of a hundred; a percentage of any other scale nobody can tell."""
    if highest == 100:
        return value * 10 if unit.startswith("成") else value
    if unit.startswith("成"):
        return value if highest == 10 else None
    return value if highest in (None, 1) else None


def _converted(value: int | float, said: str, wanted: str) -> int | float | None:
    for sizes in (_SECONDS, _MONTHS):
        if said in sizes and wanted in sizes and (said, wanted) not in _NEVER:
            made = value * sizes[said] / sizes[wanted]
            return made if (made * _STEP).is_integer() else None
    return None


def _kind_asked(found: re.Match[str]) -> str:
    english = found["en"]
    if english:
        return kind(english)
    said = found["zh"] or found["much"] or ""
    if found.string[: found.start()].endswith("第"):
        return "place"
    unit = UNIT.match(said + found.string[found.end() : found.end() + 2])
    known = unit.group().strip() if unit is not None else ""
    if known and known != "个":
        return kind(known)
    if said.startswith("个"):
        return "thing"
    return "" if not said or _NOT_COUNTED.match(said) else kind(said)
