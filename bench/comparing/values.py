"""What an author may write in place of a value: a likely other one, by what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

_SENTENCE = re.compile(r"(?<=[。！？；])|(?<=[.!?;])(?=\s)")
_NUMBER = re.compile(r"\d+")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_CONDITIONS = ("condition", "validate", "show_when", "until", "if", "done_when", "expr")
_TITLES = ("topic", "phase", "session", "awareness")
_PATTERNS = ("pattern", "match", "pass", "unless", "even")
_MORE = {
    True: (
        *("不想说也没关系。", "慢慢来，不着急。", "想到多少说多少。", "先说最近一次就好。", "有不清楚的随时问我。"),
        *("用你自己的话就行。", "答得不准也没关系。", "我听着。", "这一步可以跳过。", "写下来的只有你看得到。"),
    ),
    False: (
        *("There is no hurry.", "You may skip this.", "Say as much as you like.", "The last time is enough."),
        *("Use your own words.", "A rough answer will do.", "Ask me if anything is unclear.", "Take your time."),
        *("We can come back to it later.", "Only you see it."),
    ),
}
_SWAPS = (
    *(("最近", "这两周"), ("今天", "这一次"), ("可以", "不妨"), ("一点", "一些"), ("需要", "想要"), ("告诉", "说给")),
    *(("什么", "哪些事"), ("时候", "场合"), ("today", "this time"), ("you like", "you wish"), ("what", "which things")),
    *(("can", "may"), ("hard", "difficult"), ("small", "little"), ("how", "in what way"), ("first", "to begin with")),
    ("and", "or"),
)
_SIGNS = (
    (">=", ">"),
    ("<=", "<"),
    ("==", "!="),
    ("!=", "=="),
    (" and ", " or "),
    (" or ", " and "),
    (" > ", " >= "),
    (" < ", " <= "),
)


def is_chinese(text: str) -> bool:
    return bool(_CHINESE.search(text))


def others(value: Any, key: Any, pool: Sequence[Any], random: Random) -> list[Any]:
    """Several, in a random order, none of them the value itself."""
    found = [each for each in _others(value, key, pool, random) if each != value and type(each) is type(value)]
    known: list[Any] = []
    for each in found:
        if each not in known:
            known.append(each)
    random.shuffle(known)
    return known


def _others(value: Any, key: Any, pool: Sequence[Any], random: Random) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + step for step in (-2, -1, 1, 2, 3, 5) if value + step >= 0]
    if isinstance(value, float):
        return [round(value + step, 2) for step in (-0.1, -0.05, 0.05, 0.1) if 0 < value + step <= 1]
    if isinstance(value, list):
        return _lists(value, key, random)
    return _texts(value, key, pool, random) if isinstance(value, str) and value else []


def _lists(value: list[Any], key: Any, random: Random) -> list[Any]:
    if all(isinstance(each, int) and not isinstance(each, bool) for each in value) and len(value) == 2:
        low, high = value
        return [[low, high + 1], [low + 1, high], [low, high * 2], [low, high - 1], [low + 1, high + 1]]
    if not value or not all(isinstance(each, str) for each in value):
        return []
    chinese = is_chinese("".join(value))
    more = (
        [f"{each[:-1]}" for each in _MORE[chinese]]
        if key in ("match", "pass", "hit", "miss")
        else ["都不是", "以后再说"]
    )
    if not chinese and key not in ("match", "pass", "hit", "miss"):
        more = ["none_of_these", "later"]
    made = [[*value, each] for each in more[:3]]
    made += [value[:at] + value[at + 1 :] for at in range(len(value)) if len(value) > 1]
    if len(value) > 1:
        made.append([*value[1:], value[0]])
    return made


def _texts(value: str, key: Any, pool: Sequence[Any], random: Random) -> list[Any]:
    if key in _TITLES:
        return (
            ["再看一遍", "第二步", "收一收"] if is_chinese(value) else ["A second look", "Another step", "Rounding off"]
        )
    if key in _CONDITIONS:
        return conditions(value)
    if key in _PATTERNS or "(?:" in value:
        return [f"{value}|{each}" for each in ("慢慢", "later", "不了")] + [
            value[:-1] for _ in "x" if value[-1].isalnum()
        ]
    if re.fullmatch(r"\d+ ?(?:s|m|h|d|turns|minutes|days)", value):
        return [_NUMBER.sub(str(int(value.split()[0].rstrip("smhd")) + step), value, count=1) for step in (1, 2, 5, 10)]
    if (
        not any(letter.isspace() for letter in value)
        and len(value) < 25
        and 1 < len(pool) < 400
        and not value.endswith(("。", "？"))
    ):
        near = [each for each in pool if isinstance(each, str) and len(each) < 25 and each.isprintable()]
        near = [
            each
            for each in near
            if each != value and not set(each) & set(" {}()") and is_chinese(each) == is_chinese(value)
        ]
        return random.sample(near, min(6, len(near))) if near else [f"{value}_2", f"{value}_b", f"{value}_3"]
    return prose(value, random)


def conditions(value: str) -> list[Any]:
    made: list[Any] = [value.replace(old, new, 1) for old, new in _SIGNS if old in value]
    made += [
        value[: found.start()] + str(int(found[0]) + 1) + value[found.end() :] for found in _NUMBER.finditer(value)
    ]
    names = [each for each in re.findall(r"[^\W\d]\w*", value) if each not in ("not", "exists", "len", "lower")]
    if names:
        made += [f"({value}) and exists({names[0]})", f"not ({value})"]
    return made


def prose(value: str, random: Random) -> list[Any]:
    """A sentence more, one less, words exchanged, another number."""
    parts = [part for part in _SENTENCE.split(value) if part.strip()]
    chinese = is_chinese(value)
    end = "" if chinese else " "
    made: list[Any] = []
    for more in random.sample(_MORE[chinese], 3):
        at = random.randrange(len(parts)) + 1
        head, tail = "".join(parts[:at]), "".join(parts[at:])
        stop = "" if head.rstrip().endswith(tuple("。！？；.!?;，,：:")) else "，" if chinese else ","
        made.append(head.rstrip("\n") + stop + end + more + ("\n" if head.endswith("\n") else "") + tail)
    if len(parts) > 1:
        at = random.randrange(len(parts))
        made.append("".join(parts[:at] + parts[at + 1 :]).strip() + ("\n" if value.endswith("\n") else ""))
    made += [value.replace(old, new, 1) for old, new in _SWAPS if old in value][:4]
    made += [
        value[: found.start()] + str(int(found[0]) + 1) + value[found.end() :] for found in _NUMBER.finditer(value)
    ][:2]
    return made


def first(candidates: Sequence[Any], good: Callable[[Any], bool]) -> Any:
    return next((each for each in candidates if good(each)), None)
