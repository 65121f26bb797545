"""One day in a person's words, as an ISO date: written out, or relative to now (昨天, 上周三, three days ago)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from heartrule.parsing.numbers import chinese_number
from heartrule.parsing.tense import Lean, lean
from heartrule.parsing.text import Clause, clauses, meant, normalise

_LONGEST = 300
_SPARE = 1
_NUMERAL = "[0-9〇零一二两三四五六七八九十]"
_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_WEEKDAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday"
_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve"
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), 1)}
_WEEKDAYS = {name: number for number, name in enumerate(_WEEKDAY_NAMES.split())}
_CHINESE_WEEKDAYS = (
    {name: n for n, name in enumerate("一二三四五六日")} | {"天": 6, "末": 6} | {str(n + 1): n for n in range(7)}
)
_DAYS = {
    "大前天": -3, "前天": -2, "前晚": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "昨夜": -1,
    "今天": 0, "今日": 0, "今早": 0, "今晚": 0,
    "大后天": 3, "后天": 2, "明天": 1, "明日": 1, "明早": 1, "明晚": 1,
    "the day before yesterday": -2, "the day after tomorrow": 2,
    "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1,
}  # fmt: skip
_SMALL = {word: number for number, word in enumerate(_COUNTS.split())} | {"a": 1}
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"

_YMD = re.compile(
    r"(?<![0-9])(?P<y>[0-9]{4}) ?([-/.]) ?(?P<m>[0-9]{1,2}) ?\2 ?(?P<d>[0-9]{1,2})(?![0-9])(?:t[0-9:.+z-]*)?"
)
_CHINESE = re.compile(
    rf"(?:(?P<y>{_NUMERAL}{{4}}|[0-9]{{2}}) ?年|(?P<rel>今年|去年|前年"
    rf"|明年))? ?(?P<m>{_NUMERAL}{{1,2}}) ?月 ?(?:份)?(?P<d>{_NUMERAL}{{1,3}}) ?[日号]?"
)
_DAY_MONTH = re.compile(rf"\b(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH},? ?(?P<y>[0-9]{{4}})?\b")
_MONTH_DAY = re.compile(rf"\b{_MONTH} (?:the )?(?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y>[0-9]{{4}})\b)?")
_SLASHED = re.compile(r"(?<![0-9/])(?P<a>[0-9]{1,2})/(?P<b>[0-9]{1,2})/(?P<y>[0-9]{4})(?![0-9/])")
_NAMED = re.compile(
    "|".join(rf"\b{name}\b" if name.isascii() else name for name in sorted(_DAYS, key=len, reverse=True))
)
_AGO = re.compile(rf"(?P<n>{_NUMERAL}{{1,3}}) ?(?:个)?(?P<unit>天|日|周|星期|礼拜)(?:之|以)?(?P<way>前|后)")
_AGO_ENGLISH = re.compile(
    r"\b(?P<n>[0-9]{1,3}|a|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve) (?P<unit>day|week)s? (?P<way>ago|from now|later)\b"
)
_MONTHS_AWAY = {
    "上上个月": -2, "上个月": -1, "上月": -1, "这个月": 0, "本月": 0, "当月": 0, "下个月": 1, "下月": 1,
    "last": -1, "this": 0, "next": 1,
}  # fmt: skip
_OF_MONTH = re.compile(
    rf"(?P<rel>(?:上上个|上个|上|这个|本|当|下个|下)月)(?:份)?的? ?(?P<d>[0-9]{{1,2}}|{_NUMERAL}{{1,3}}) ?[日号]"
)
_OF_MONTH_ENGLISH = re.compile(r"\b(?:the )?(?P<d>[0-9]{1,2})(?:st|nd|rd|th)? of (?P<rel>last|this|next) month\b")
_WEEKDAY = re.compile(r"(?P<way>上上|上|这|本|下下|下)(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天1-7])")
_LAST = re.compile(r"\blast (?P<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b")
_FILLING = re.compile(
    "我|是|在|的|了|吧|啊|呢|大概|大约|应该|可能|就|从|开始|那天|左右|晚上|早上|上午|下午|中午|凌晨|傍晚|出生|生日|生的|发生|去|到|来|做|第一次|最后一次|日期|时候|[上下]一?次|预约|复诊|见面|打算|计划|约|记得|好像|嗯|有"
    r"|\b(?:i|it|was|is|on|since|the|my|about|around|maybe|think|happened|born|birthday"
    r"|started|in|of|at|morning|evening|afternoon|night|a|date|probably|just|from"
    r"|next|last|time|appointment|will|be|we|meet)\b"
)


class At(NamedTuple):
    """The person's own day, and which way a day without a year lies."""

    day: date
    lean: Lean


Reading = tuple[date | None, int, int]
"""A day (None when it cannot be told), and where it stands in the clause."""


def read_date(text: str, now: datetime | None = None, about: str = "") -> tuple[str, str] | None:
    """The one day meant, as an ISO date, and the words that say it. Relative days need ``now`` (local time).
    ``about``: what is asked for, which tells the year of a day that is told without one; where nothing does, it is the
    last such day, unless one to come is nearer."""
    plain = normalise(text).casefold()
    if not plain or len(plain) > _LONGEST:
        return None
    today = At(now.date(), lean(about, text)) if now else None
    found: dict[date, str] = {}
    for clause in _whole_dates(plain):
        for day, start, end in _readings(clause.text, today):
            if day is None or not _stands_alone(clause, start, end):
                return None
            found.setdefault(day, clause.text.strip())
    if len(found) != 1:
        return None
    day, words = next(iter(found.items()))
    return day.isoformat(), words


_COMMA_YEAR = re.compile(r"(?<=[0-9a-z]), ?(?=[0-9]{4}\b)")
_SHORT_MONTH = re.compile(r"\b(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.(?= ?[0-9])")
_CLOCK = re.compile(r"(?<=[0-9])t[0-9]{1,2}:[0-9:.+z-]*")


def _whole_dates(plain: str) -> Iterator[Clause]:
    return clauses(_CLOCK.sub("", _COMMA_YEAR.sub(" ", _SHORT_MONTH.sub(r"\1", plain))))


def _readings(text: str, today: At | None) -> Iterator[Reading]:
    taken: list[tuple[int, int]] = []
    for pattern, reader in _READERS:
        for found in pattern.finditer(text):
            start, end = found.span()
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            taken.append((start, end))
            yield _safely(reader, found, today), start, end


def _safely(
    reader: Callable[[re.Match[str], At | None], date | None], found: re.Match[str], today: At | None
) -> date | None:
    try:
        return reader(found, today)
    except (ValueError, OverflowError):
        return None


def _stands_alone(clause: Clause, start: int, end: int) -> bool:
    before, after = clause.text[:start], clause.text[end:]
    if not meant(clause, start, end) or re.match(r" ?(?:之前|以前|前|之后|以后|到|至|~|-|或)", after):
        return False
    rest = _FILLING.sub("", before) + _FILLING.sub("", after)
    return sum(character.isalnum() for character in rest) <= _SPARE * (5 if clause.text.isascii() else 1)


def _written(found: re.Match[str], today: At | None) -> date:
    return date(int(found["y"]), int(found["m"]), int(found["d"]))


def _written_chinese(found: re.Match[str], today: At | None) -> date | None:
    month, day = _small(found["m"]), _small(found["d"])
    if month is None or day is None:
        return None
    if found["y"]:
        year = _year(found["y"])
        return None if year is None else date(year, month, day)
    if today is None:
        return None
    if found["rel"]:
        return date(today.day.year + {"今年": 0, "去年": -1, "前年": -2, "明年": 1}[found["rel"]], month, day)
    return _without_year(month, day, today)


def _year(written: str) -> int | None:
    year = int(written) if written.isdecimal() else chinese_number(written)
    if not isinstance(year, int):
        return None
    return year + 2000 if year < 50 else year + 1900 if year < 100 else year


def _small(written: str) -> int | None:
    value = int(written) if written.isdecimal() else chinese_number(written)
    return value if isinstance(value, int) else None


_NEAR = 183
"""Days that a day told without its year lies back at most, where nothing says that it has been."""


def _without_year(month: int, day: int, at: At) -> date | None:
    """The last such day or the next one, as it is asked for; None where nobody can tell which, and of a birthday."""
    near: list[date] = []
    for year in range(at.day.year - 8, at.day.year + 9):
        try:
            near.append(date(year, month, day))
        except ValueError:
            continue
    last = max((each for each in near if each <= at.day), default=None)
    following = min((each for each in near if each >= at.day), default=None)
    if at.lean == "past":
        return last
    if at.lean == "future":
        return following
    if at.lean == "birth" or last is None or following is None:
        return None
    back = (at.day - last).days
    return last if back <= min(_NEAR, (following - at.day).days) else None


def day_without_year(text: str) -> bool:
    """Whether a month and a day are told and no year."""
    plain = normalise(text).casefold()
    if not plain or len(plain) > _LONGEST:
        return False
    found = [each for pattern in (_CHINESE, _DAY_MONTH, _MONTH_DAY) for each in pattern.finditer(plain) if each["d"]]
    return any(not each["y"] and not each.groupdict().get("rel") for each in found)


def _english(found: re.Match[str], today: At | None) -> date | None:
    month, day = _MONTHS[found["month"]], int(found["d"])
    if found["y"]:
        return date(int(found["y"]), month, day)
    return None if today is None else _without_year(month, day, today)


def _slashed(found: re.Match[str], today: At | None) -> date | None:
    """05/03/2024 is two days; 25/03/2024 is one."""
    a, b, year = int(found["a"]), int(found["b"]), int(found["y"])
    if a == b:
        return date(year, a, b)
    if a > 12:
        return date(year, b, a)
    return date(year, a, b) if b > 12 else None


def _named(found: re.Match[str], today: At | None) -> date | None:
    return None if today is None else today.day + timedelta(days=_DAYS[found.group()])


def _ago(found: re.Match[str], today: At | None) -> date | None:
    written = found["n"]
    count = _SMALL[written] if written in _SMALL else _small(written)
    if count is None or today is None:
        return None
    days = count * (1 if found["unit"] in ("天", "日", "day") else 7)
    return today.day + timedelta(days=-days if found["way"] in ("前", "ago") else days)


def _weekday(found: re.Match[str], today: At | None) -> date | None:
    """Weeks begin on Monday."""
    if today is None:
        return None
    monday = today.day - timedelta(days=today.day.weekday())
    weeks = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}[found["way"]]
    return monday + timedelta(weeks=weeks, days=_CHINESE_WEEKDAYS[found["day"]])


def _of_month(found: re.Match[str], today: At | None) -> date | None:
    """上个月3号, the 3rd of last month."""
    day = _small(found["d"])
    if today is None or day is None:
        return None
    months = today.day.year * 12 + today.day.month - 1 + _MONTHS_AWAY[found["rel"].removesuffix("份")]
    return date(months // 12, months % 12 + 1, day)


def _last(found: re.Match[str], today: At | None) -> date | None:
    if today is None:
        return None
    return today.day - timedelta(days=(today.day.weekday() - _WEEKDAYS[found["day"]] - 1) % 7 + 1)


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], At | None], date | None]], ...] = (
    (_YMD, _written), (_OF_MONTH, _of_month), (_OF_MONTH_ENGLISH, _of_month),
    (_CHINESE, _written_chinese), (_DAY_MONTH, _english), (_MONTH_DAY, _english),
    (_SLASHED, _slashed), (_AGO, _ago), (_AGO_ENGLISH, _ago), (_WEEKDAY, _weekday), (_LAST, _last), (_NAMED, _named),
)  # fmt: skip
