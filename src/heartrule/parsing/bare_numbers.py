"""Whether a clause says a number and little else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from heartrule.parsing.attribution import of_another, of_another_time
from heartrule.parsing.text import Clause, meant
from heartrule.parsing.units import AskedUnit

_BOUND_BEFORE = re.compile(
    r"(?:大于|小于|多于|少于|高于|低于|快|几|好几|over|under|above|below)(?:了)? ?$"
    r"|(?:不到|不足|超过|至少|最少|最多|顶多|至多|起码|少说|撑死|充其量|将近|接近"
    r"|\b(?:at (?:the )?(?:least|most)|(?:more|less|fewer|better|worse|higher|lower|greater) than|nearly|almost|up to))"
)
"""A bound says no number. Those of the second line say so wherever they stand before it (最多睡了3小时)."""
_COMPARED = re.compile(
    r"比(?!较|如|方|例|分)|(?:高|低|降|升|涨|跌|掉|少|多|差|加|减|胖|瘦|好|坏|增|退|提前|推迟|晚|早)[了出] ?$"
    r"|(?:扣|降|掉|涨|升|减|加|考|迟到|相差)了? ?$|\b(?:lost|gained|dropped|fell|rose|by) ?$"
)
_UP = re.compile(r"\b(?:up|down) ?$")
_COMPARED_AFTER = re.compile(r" ?(?:倍|折)| ?(?:times|points?)? ?(?:lower|higher|worse|better|less|more|fewer|as)\b")
"""How far it is from something else, and not how much it is."""
_LIKELY = re.compile("不|是|会|要|得|没|都|已|又|还|我|他|她")
"""八成 before these is a likelihood and no share of anything."""
_SINCE_MORNING = re.compile(r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|到|从|每天) ?$")
_UNTIL_NIGHT = re.compile("钟|半|多|整|就|才|睡|醒|起|上|下|要|到|出|回|走|的时候|左右(?:睡|醒|起)")
_CLOCK = re.compile(
    r"\b(?:woke?|wake|waking|woken|gets?|got|getting|up|went|go|going|goes|bed|left|leave|home|work|starts?|started"
    r"|finish(?:ed)?|off|slept|asleep|arrived|called)\b[^,]*\b(?:at|by|until|till|around) ?$|^[^,]*\b(?:until|till) ?$"
)
_CLOCK_AFTER = re.compile(r" ?(?:am|pm|a\.?m|p\.?m|o'?clock|in the (?:morning|afternoon|evening)|at night)\b")
_THINGS = re.compile("[片粒颗包盒条句页门科场顿餐碗袋罐步节桌堂集章局盘台辆双张倍娃届夜]|两(?!个)|号")
"""What is counted in Chinese, beside the units. Of a number in front of them the question must ask."""
_INCLUDING = re.compile("(?:连|除了?|加上?|算上|包括|不算)(?:上|了)?我")
_GRADE = re.compile("(?:高|初|大|小|周|星期|礼拜|老|农历)$")
_EARLIER = re.compile(r"\b(?:when|since|until|till|after|before|from)\b")
_MORE_DIGITS = re.compile("[二三四五六七八九两]")
_BOUND_AFTER = re.compile(
    r" ?(?:以上|以下|之上|之下|多|几|来|余|出头|[都也还]?[没不][到足满够]|\+|or more|or less|or so more"
    r"| ?max\b| ?maximum\b| ?tops\b| ?at (?:the )?(?:most|least))"
)
_SPAN_AFTER = re.compile(
    r" ?(?:分|个|天|次|岁|%)?(?:(?<![降升涨跌掉复回])到|至|~|-|－|—|或者|或|、|和|\bto|\bor|\band) ?$"
)
_WORD_AFTER = re.compile(
    r"(?:岁|年|月|天|点|号|个)?(?:的时候|时|那年|之前|以前|前|后|之后|以后|开始|起|来"
    r"|月|日|号|楼|班|年级|届|:|室|才(?!是))| ?(?:ago|before|later|earlier|after|when|since)\b"
)
_FILLING = re.compile(
    "我|自己|给|打|觉得|感觉|认为|应该|大概|大约|差不多|左右|上下|可能|也许|估计|算|是|有|在|了|吧|啊|呢|呀|的|话|就|这|那|个|得|现在|目前|今天"
    "|最近|这次|这会儿|此刻|心情|还|也|只|才|刚|样子?|估摸着|断断续续|勉勉强强|勉强|一共|总共|每天|每周|平均|睡|想|说|选|第|约|强度|程度|情绪|分数|评分|今年|多|都|要|会|去|过|嗯|恩|哦|额|呃|请|谢谢|您|你好|吃|喝"
    "|做"
    r"|\b(?:i|id|would|say|its|it|is|about|around|approximately|maybe|probably|like|a|an|my"
    r"|the|at|give|rate|think|feel|of|roughly|im|am|was|be|number|level|out|for|usually|now"
    r"|today|tonight|guess|so|honestly|really|already|somewhere|feeling|me|has|been|only|right|have|had|got|ok|okay|well|um|uh|per|each|every|on|in|sleep|slept|just)\b"
)
_SPARE = 2
"""Characters that may be left of the number's clause once unit and filling words are taken away."""


@dataclass(frozen=True, slots=True)
class Mention:
    value: int | float
    start: int
    end: int
    percent: bool = False
    loose: bool = True
    """Whether a few other words may stand in the clause."""
    unit: str = ""


def thing_behind(text: str, at: int, wanted: AskedUnit) -> str:
    """What is counted behind a number, where a unit was asked for and this is none of the common ones."""
    found = _THINGS.match(text, at) if wanted.kinds else None
    return found.group() if found is not None else ""


def stands_alone(clause: Clause, mention: Mention, wanted: AskedUnit) -> bool:
    """Whether the clause says this number and little else."""
    before, after = clause.text[: mention.start], clause.text[mention.end :]
    if not meant(clause, mention.start, mention.end) or _is_other(before, after, mention, wanted):
        return False
    if _BOUND_BEFORE.search(before[-12:]) or _BOUND_AFTER.match(after) or _SPAN_AFTER.search(before[-8:]):
        return False
    if _WORD_AFTER.match(after) or re.match(r" ?(?:到|至|~|-|或|、)", after) or _INCLUDING.search(before):
        return False
    if _GRADE.search(before) or _EARLIER.search(before):
        return False
    return _spare(before, after, mention, wanted) <= (_SPARE if mention.loose else 0)


def _is_other(before: str, after: str, mention: Mention, wanted: AskedUnit) -> bool:
    """Whether it is a time of the day, a place in a row, a difference, or what somebody else or another time has."""
    if _COMPARED.search(before) or _COMPARED_AFTER.match(after) or (mention.unit == "成" and _LIKELY.match(after)):
        return True
    if not mention.unit.startswith("time") and _UP.search(before):
        return True
    if "clock" not in wanted.kinds and _is_clock(before, after, mention):
        return True
    if before.endswith("第") and wanted.about.strip() and "第" not in wanted.about:
        return True
    if "place" in wanted.kinds and mention.unit and not before.endswith("第"):
        return True
    if of_another(_without(wanted.about, before), wanted.about):
        return True
    return bool(wanted.about.strip()) and of_another_time(before, wanted.about)


def _without(about: str, words: str) -> str:
    """The words without what the question names (我妈高压一百六): whose it is stands before that."""
    return _TWO.sub(lambda found: "" if found.group() in about else found.group(), words)


_TWO = re.compile("[\u4e00-\u9fff]{2}$")


def _is_clock(before: str, after: str, mention: Mention) -> bool:
    if mention.unit == "点":
        return _SINCE_MORNING.search(before) is not None or _UNTIL_NIGHT.match(after) is not None
    return not mention.unit and (_CLOCK.search(before) is not None or _CLOCK_AFTER.match(after) is not None)


def _spare(before: str, after: str, mention: Mention, wanted: AskedUnit) -> float:
    """How much else is said, in Chinese characters: a latin letter is a third of one. The words of the question are not
    anything else; a thing that nobody asked for is everything else (3 kids)."""
    rest = f"{_FILLING.sub('', before)} {_FILLING.sub('', after)}"
    if _MORE_DIGITS.search(rest):
        return float("inf")
    behind = _WORD_BEHIND.match(after) if not mention.unit else None
    if behind is not None and not _FILLING.fullmatch(behind[1]) and behind[1] not in _words(wanted.about):
        return float("inf")
    known = _words(wanted.about)
    rest = _LATIN.sub(lambda word: "" if word.group() in known else word.group(), rest)
    spare = [each for each in rest if each.isalnum() and (each < "\u2e80" or each not in wanted.about)]
    return len(spare) / (1 if any(each >= "\u2e80" for each in before + after) else 3)


_LATIN = re.compile(r"[a-z]+")
_WORD_BEHIND = re.compile(r" ?([a-z]+)")


def _words(about: str) -> frozenset[str]:
    return frozenset(_LATIN.findall(about))
