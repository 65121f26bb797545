"""The time that words ask about: "last week", "三个月前", "in May"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_NUMBERS = {
    "一": 1,
    "两": 2,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "半": 0.5,
    "几": 3,
    "a": 1,
    "an": 1,
    "one": 1,
}
_NUMBERS |= {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "few": 3, "couple": 2}
_UNITS = {"天": 1, "周": 7, "星期": 7, "礼拜": 7, "月": 30, "年": 365, "day": 1, "week": 7, "month": 30, "year": 365}
_AGO = re.compile(r"([一两二三四五六半几]|\d+)\s*个?\s*(天|周|星期|礼拜|月|年)\s*(?:前|以前|之前)")
_AGO_EN = re.compile(r"\b(a|an|one|two|three|four|five|six|few|couple|\d+)(?: of)? (day|week|month|year)s? ago\b")
_LAST = re.compile(r"(?:上个?|last )(周|星期|礼拜|月|week|month|year)|(去年|昨天|前天|yesterday)")
_DATE = re.compile(r"(20\d\d)[-年/.](1[0-2]|0?[1-9])(?:[-月/.](3[01]|[12]\d|0?[1-9]))?")
_ONE = {"去年": 365, "昨天": 1, "前天": 2, "yesterday": 1}
_PAST = re.compile(
    r"上次|上回|之前(?:说|聊|提|讲|谈)|以前(?:说|聊|提|讲|谈)|那次|还记得|记不记得|我(?:说|提|讲)过|聊过|谈过|跟你(?:说|讲)过|"
    r"前相?比|以前相?比|比起|\bcompared (?:with|to)\b|\bthan (?:\w+ ){1,3}ago\b|"
    r"\b(?:last time|remember (?:when|what|that|how|my|the)|i (?:told|mentioned|said)|we (?:talked|spoke|discussed)|"
    r"as i said|earlier you|you said)\b"
)
_COMPARED = re.compile(
    r"[比较].{0,12}(?:好|差|怎|吗|呢|高|低|变)|前相?比|比起|分数?|量表|得分|"
    r"\b(?:compared|than|next to|scores?|scale|better|worse|higher|lower|changed)\b"
)
_ASKS = re.compile(
    r"[?？]|吗|呢|没有[。!！.]?$|怎么样|怎样|如何|多少|是不是|有没有|^(?:am|is|are|was|were|did|do|does|have|has|how|what)\b"
)
WIDE = 0.5
"""How much of the time that lies between may be missed on either side."""


@dataclass(frozen=True, slots=True)
class Span:
    first: datetime
    last: datetime

    @property
    def middle(self) -> datetime:
        return self.first + (self.last - self.first) / 2


def past(text: str) -> bool:
    """Whether it speaks of what was talked about before."""
    return _PAST.search(text.casefold()) is not None


def compared(text: str) -> bool:
    """Whether it asks how scores have gone, or how things are beside how they were."""
    return _COMPARED.search(text.casefold()) is not None


def asks(text: str) -> bool:
    """Whether it is put as a question."""
    return _ASKS.search(text.casefold().strip()) is not None


def span(text: str, now: datetime) -> Span | None:
    """None where no time is named."""
    plain = text.casefold()
    if found := _DATE.search(plain):
        return _of_date(found)
    if found := _AGO.search(plain) or _AGO_EN.search(plain):
        number = _NUMBERS.get(found[1]) or float(found[1])
        return _about(now, number * _UNITS[found[2]], _UNITS[found[2]])
    if found := _LAST.search(plain):
        days = _UNITS[found[1]] if found[1] else _ONE[found[2]]
        return _about(now, days, days)
    return None


def _of_date(found: re.Match[str]) -> Span | None:
    year, month = int(found[1]), int(found[2])
    try:
        first = datetime(year, month, int(found[3] or 1), tzinfo=UTC)
    except ValueError:
        return None
    if found[3]:
        return Span(first, first + timedelta(days=1))
    return Span(first, datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC))


def _about(now: datetime, days: float, unit: int) -> Span:
    at, around = now - timedelta(days=days), timedelta(days=max(1.0, unit * WIDE))
    return Span(at - around, at + around)
