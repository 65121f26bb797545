"""One number in a person's words: digits, Chinese numerals, English number words.

Read only when the words hold exactly one number and are about little else. A span (7到8, 七八), a bound
(不到7), a number that belongs to a date or a word (十分难过, 5岁的时候), and several numbers are not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from heartrule.parsing.bare_numbers import Mention, stands_alone, thing_behind
from heartrule.parsing.text import clauses, normalise
from heartrule.parsing.units import NOBODY_ASKS, UNIT, AskedUnit, asked, comes_to

_LONGEST = 300
_DIGITS = {d: n for n, d in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_CHINESE = "零〇一二两三四五六七八九十百千万亿"
_HALF = "半"

_MENTION = re.compile(
    r"(?P<out>(?P<part>[0-9]{1,3}(?:\.[0-9]{1,3})?) ?(?:/|out of|分之) ?(?P<whole>[0-9]{1,3})(?![0-9/]))"
    r"|(?P<digits>(?:(?<![0-9a-z\u4e00-\u9fff) ])-|(?<=[^0-9a-z)] )-|负|零下"
    r"|minus )?[0-9][0-9,]*(?:\.[0-9]+)?) ?(?P<power>k\b|[十百千万亿]?(?![零一二两三四五六七八九]))"
    rf"|(?P<percent>百分之(?P<of>[{_CHINESE}点]+|[0-9.]+))"
    rf"|(?P<numeral>(?:负|零下)?(?:[{_CHINESE}]+(?:点[零〇一二三四五六七八九]+)?"
    rf"|{_HALF}(?=个|天|小时|年|分|$|[^\u4e00-\u9fff])))"
    r"|\b(?P<english>(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|half)"
    r"(?:[ -](?:one|two|three|four|five|six|seven|eight|nine|hundred|and a half))*)\b"
)
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ENGLISH = {word: number for number, word in enumerate(_SMALL.split())}
_ENGLISH |= {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}

_EMPHASIS = re.compile(r"分(?:钟|左右|上下|吧|了|的?$|[^\u4e00-\u9fff]|$|满|以|多|到|半|制)")
_SCALE = re.compile(
    r"(?:满分|总分) ?(?:是|为)? ?[0-9十百]{1,4} ?分?(?:的?话|制|里面|中)?|[0-9十百]{1,4} ?分(?:为)?(?:满分"
    r"|制)(?:的?话|里面|中)?|\(?\b(?:on a scale of|from) ?[0-9]{1,2} ?(?:to|-) ?[0-9]{1,3}\b\)?"
)


@dataclass(frozen=True, slots=True)
class Only:
    """The one number of a clause, with its unit. ``around``: the clause with ``0`` in its place."""

    value: int | float
    unit: str
    around: str


def only_number(text: str, highest: float | None = None) -> Only | None:
    """The only number in ``text``, where that is one clause which does not ask, whatever it says of the number."""
    plain = normalise(text).casefold()
    found = list(clauses(plain)) if len(plain) <= _LONGEST else []
    if len(found) != 1 or found[0].asks:
        return None
    said = found[0].text
    mentions = list(_mentions(said, highest))
    if len(mentions) != 1 or mentions[0] is None:
        return None
    one = mentions[0]
    return Only(_scaled(one, highest), one.unit, f"{said[: one.start]} 0 {said[one.end :]}")


_UNIT_ASKED = re.compile(r"(?:几|多少|how many )")


def unit_asked(question: str) -> str:
    """The unit that a question asks for (几个小时, how many hours); "" where it names none."""
    plain = normalise(question).casefold()
    found = (UNIT.match(plain, each.end()) for each in _UNIT_ASKED.finditer(plain))
    return next((unit.group().strip() for unit in found if unit is not None and unit.group().strip()), "")


def read_number(text: str, highest: float | None = None, about: str = "") -> tuple[int | float, str] | None:
    """The one number meant, and the words that say it. ``highest`` is the top of its scale: it tells what ``70%`` and
    ``7/10`` come to. ``about``: the question and what it is to find out; a number that counts something else than they
    ask for is none, and one in another unit is what it comes to in theirs (90 minutes are an hour and a half)."""
    plain = _plain(text)
    if not plain:
        return None
    wanted = asked(about)
    found: list[tuple[int | float, str]] = []
    for clause in clauses(plain):
        for mention in _mentions(clause.text, highest, wanted):
            value = None if mention is None else _counted(mention, wanted, highest)
            if mention is None or value is None or not stands_alone(clause, mention, wanted):
                return None
            found.append((value, clause.text.strip()))
    values = {value for value, _ in found}
    return found[0] if len(values) == 1 else None


def read_asked(text: str, about: str, highest: float | None = None) -> tuple[int | float, str] | None:
    """Of several numbers the one in the unit that is asked for (睡了七个小时，中间醒了两次), where every other
    counts something else."""
    wanted, found = asked(about), dict[int | float, str]()
    for clause in clauses(_plain(text)):
        for mention in _mentions(clause.text, highest, wanted):
            if mention is None or not mention.unit:
                return None
            value = _counted(mention, wanted, highest) if _is_named(mention, wanted) else None
            if value is None:
                continue
            if not stands_alone(clause, mention, wanted):
                return None
            found[value] = clause.text.strip()
    return next(iter(found.items())) if len(found) == 1 else None


def _plain(text: str) -> str:
    """The words without the scale they name (满分10分的话), cut before a reason; empty where there are too many."""
    plain = normalise(text).casefold()
    if len(plain) > _LONGEST:
        return ""
    plain = _BECAUSE.sub(",", _SCALE.sub(lambda found: "," if found.start() else "", plain))
    return _ONE_WORD.sub(lambda found: _SPELLED[found.group()], plain)


_BECAUSE = re.compile(r"(?<=[^,]) ?(?:因为|\bbecause\b|\bcos\b)")
_SPELLED = {"廿": "二十", "卅": "三十", "仨": "三个", "俩": "两个"}
_ONE_WORD = re.compile("[廿卅]|(?<![我你他她它咱们])[俩仨](?!人)")


def _is_named(mention: Mention, wanted: AskedUnit) -> bool:
    return bool(wanted.kinds) or _COUNTED.sub("", mention.unit) in wanted.about


_COUNTED = re.compile(r"^个|s$|半$")


def _counted(mention: Mention, wanted: AskedUnit, highest: float | None) -> int | float | None:
    """What the mention comes to in what was asked for; None where it counts something else."""
    value = comes_to(_scaled(mention, highest), mention.unit, wanted, highest)
    return None if value is None else _whole(value)


def _scaled(mention: Mention, highest: float | None) -> int | float:
    return mention.value / 100 if mention.percent and highest is not None and highest <= 1 else mention.value


def _mentions(text: str, highest: float | None, wanted: AskedUnit = NOBODY_ASKS) -> Iterator[Mention | None]:
    """Every number in ``text``; None for one that cannot be told."""
    used = 0
    for found in _MENTION.finditer(text):
        start, end = found.start(), found.start() + len(found.group().rstrip())
        if start < used:
            continue
        if found["numeral"] and _mere_word(text, start, end, found["numeral"], wanted):
            continue
        value = _value(found, highest)
        if value is None or (found["digits"] and _part_of_word(text, start, end)):
            yield None
            continue
        unit = UNIT.match(text, end)
        used = unit.end() if unit else end
        said = unit.group().strip() if unit else ""
        if unit is not None and (unit["half"] or unit["inner"]):
            if said.startswith("点"):
                yield None
                continue
            value += 0.5
        if found["english"] in ("one", "half") and text[end:].strip():
            yield None
            continue
        plain_one = found["numeral"] in ("一", "半") or found["english"] in ("one", "half")
        percent = bool(found["percent"]) or "%" in said or "percent" in said
        said = said or ("%" if found["percent"] else thing_behind(text, used, wanted))
        yield Mention(_whole(value), start, used, percent, not plain_one, said)


def _whole(value: int | float) -> int | float:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _mere_word(text: str, start: int, end: int, numeral: str, wanted: AskedUnit) -> bool:
    """Numerals inside ordinary words: 十分难过, 一点, 万一, 千万, 百感交集."""
    if numeral in ("百", "千", "万", "亿", "千万", "万千", "百万", "万万", "千百"):
        return True
    rest = text[end:]
    if numeral in ("十", "万") and rest.startswith("分"):
        return emphatic(text, start)
    before = text[max(0, start - 1) : start]
    if numeral == "一" and before == "有" and rest.startswith("天"):
        return True
    if numeral == "一" and (before in tuple("万统唯不第某每同专") or _ONE_WORDS.match(rest)):
        return before != "第"
    whole = start == 0 and not rest.strip()
    return not whole and rest[:1] >= "\u4e00" and rest[:1] not in wanted.kinds and not _FOLLOWS.match(rest)


def emphatic(text: str, start: int) -> bool:
    """Whether 十分 or 万分 at ``start`` means "very" and counts nothing."""
    return text.startswith(("十分", "万分"), start) and _EMPHASIS.match(text, start + 1) is None


_ONE_WORDS = re.compile(
    "半|般|些|直|样|起|定|切|下|旦|边|方面|种|开始|点|向|贯|味|度|块|团|塌|无|心|时|会|生|辈子|日|律|个人|旁|路|股|阵|再|来"
)
_FOLLOWS = re.compile(
    "个|分|小时|钟头|天|周|星期|礼拜|月|年|岁|次|遍|回|级|度|点|口|人|位|杯|瓶|支|根|块|元|斤|公斤|千克|克|米|厘米|秒|成|名|层|期|轮|件|家|趟"
    "|左右|上下|吧|了|的|多|几|到|至|或|半|以|不|号|日|楼|班|届|是|啊|呢|呀|和|来|出头|余|分之"
)


def _part_of_word(text: str, start: int, end: int) -> bool:
    """A7, mp3, 4s, 7:30, 1.2.3, 2024-03: digits that are no quantity."""
    before, after = text[max(0, start - 1) : start], text[end : end + 2]
    if (before.isascii() and before.isalpha()) or before in ("/", ".", "#", "@", "_"):
        return True
    if after[:1] in ("/", ".", "_", "@", ":") and after[1:2].isdigit():
        return True
    return after[:1].isascii() and after[:1].isalpha() and _UNIT_WORD.match(text, end) is None


_UNIT_WORD = re.compile(
    r"(?:k|percent|points?|times?|hours?|hrs?|h|minutes?|mins?|days?|weeks?|months?|years?|kg"
    r"|cm|km|out|to|or|and)\b"
)


def _value(found: re.Match[str], highest: float | None) -> int | float | None:
    if found["out"]:
        return _fraction(found["part"], found["whole"], highest, reverse="分之" in found["out"])
    if found["digits"]:
        return _arabic(found["digits"], found["power"])
    if found["percent"]:
        of = found["of"]
        return _arabic(of, "") if of[0].isdigit() else chinese_number(of)
    if found["english"]:
        return _english(found["english"].replace("-", " "))
    return chinese_number(found["numeral"])


def _fraction(part: str, whole: str, highest: float | None, *, reverse: bool) -> int | float | None:
    """7/10 is 7 on a scale of ten."""
    value, top = (float(whole), float(part)) if reverse else (float(part), float(whole))
    scales = (highest,) if highest is not None else (10.0, 100.0)
    return value if top in scales and value <= top and not reverse else None


def _arabic(digits: str, power: str) -> int | float | None:
    sign = -1 if digits[0] in "-负零m" else 1
    bare = digits.lstrip("-负零下minus ")
    if "," in bare and not re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", bare):
        return None
    bare = bare.replace(",", "")
    if len(bare) > 15 or bare.count(".") > 1 or not bare.replace(".", "").isdigit():
        return None
    value = float(bare) if "." in bare else int(bare)
    return sign * value * {"十": 10, "百": 100, "千": 1000, "k": 1000, "万": 10_000, "亿": 10**8}.get(power, 1)


def _english(words: str) -> int | float | None:
    half = words.endswith(" and a half")
    total, parts = 0, words.removesuffix(" and a half").split()
    if parts == ["half"]:
        return 0.5
    for index, word in enumerate(parts):
        if word == "hundred":
            if index > 1 or total > 9:
                return None
            total = (total or 1) * 100
        elif word not in _ENGLISH or (index and (total % 10 or not total or total == 10 or _ENGLISH[word] > 9)):
            return None
        else:
            total += _ENGLISH[word]
    return total + 0.5 if half else total


def chinese_number(numeral: str) -> int | float | None:
    """七, 十二, 两百, 一百零五, 一百二, 三点五, 半, 二零二四. None for what is vague (七八, 两三百) or malformed."""
    for sign in ("负", "零下"):
        if numeral.startswith(sign) and len(numeral) > len(sign):
            value = chinese_number(numeral[len(sign) :])
            return None if value is None else -value
    if len(numeral) > 20:
        return None
    if numeral == _HALF:
        return 0.5
    whole, point, fraction = numeral.partition("点")
    value = _chinese_whole(whole)
    if value is None or not point:
        return value
    if not fraction or any(digit not in _DIGITS for digit in fraction):
        return None
    return float(f"{value}.{''.join(str(_DIGITS[digit]) for digit in fraction)}")


def _chinese_whole(numeral: str) -> int | None:
    if not numeral:
        return None
    if all(character in _DIGITS for character in numeral):
        if len(numeral) == 1:
            return _DIGITS[numeral]
        spelled = len(numeral) > 2 or "零" in numeral or "〇" in numeral
        return (
            int("".join(str(_DIGITS[c]) for c in numeral))
            if spelled and len(set(numeral)) > 1 and "两" not in numeral
            else None
        )
    total = 0
    for mark, size in (("亿", 10**8), ("万", 10**4)):
        head, found, tail = numeral.partition(mark)
        if found:
            high = _below_ten_thousand(head)
            if high is None:
                return None
            total += high * size
            if len(tail) == 1 and tail in _DIGITS and tail not in "零〇":
                return total + _DIGITS[tail] * size // 10
            numeral = tail
    low = _below_ten_thousand(numeral) if numeral else 0
    return None if low is None else total + low


def _below_ten_thousand(numeral: str) -> int | None:
    total, digit, last, zero = 0, None, 10_000, False
    for character in numeral:
        if character in "零〇":
            if digit is not None:
                return None
            zero = True
        elif character in _DIGITS:
            if digit is not None:
                return None
            digit = _DIGITS[character]
        else:
            unit = _UNITS.get(character, 0)
            if not 0 < unit < last or (digit is None and (unit != 10 or total)):
                return None
            total, digit, last, zero = total + (1 if digit is None else digit) * unit, None, unit, False
    if digit is not None and last in (100, 1000) and not zero and total:
        return total + digit * last // 10
    return total + (digit or 0) if numeral else None
