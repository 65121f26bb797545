"""Conditions in words, as people write them at first, in the signs of the expression language: ``压力分大于5``,
``stress is greater than 5``, ``压力分 不小于 3 且 有失眠 是 真``."""

from __future__ import annotations

import re
from collections.abc import Callable

from heartrule.language.expressions import parse
from heartrule.language.expressions.tokens import ExpressionError

_ZH = {
    ">=": "大于等于 大于或等于 大于或者等于 不小于 不低于 不少于 至少是 至少",
    "<=": "小于等于 小于或等于 小于或者等于 不大于 不高于 不多于 不超过 至多是 至多 最多",
    ">": "大于 超过 高于 多于",
    "<": "小于 低于 少于 不到 不足",
    "!=": "不等于 不是",
    "==": "等于 是",
    "not contains": "不包含 不包括",
    "contains": "包含 包括 含有",
    "in": "属于",
    "and": "并且 而且 且",
    "or": "或者是 或者 或是 或",
}
_EN = {
    ">=": "is greater than or equal to|is at least|is no less than|is not less than|greater than or equal to|at least"
    "|no less than",
    "<=": "is less than or equal to|is at most|is no more than|is not more than|is not greater than"
    "|less than or equal to|at most|no more than",
    ">": "is greater than|is more than|is larger than|is higher than|is above|greater than|more than|higher than|above"
    "|exceeds",
    "<": "is less than|is fewer than|is lower than|is smaller than|is below|less than|fewer than|lower than|below",
    "!=": "is not equal to|does not equal|not equal to|isn't|is not",
    "==": "is equal to|equal to|equals|is",
    "not contains": "does not contain|doesn't contain|does not include",
    "contains": "includes|contains",
}
_SIGNS = {
    **{word: sign for sign, words in _ZH.items() for word in words.split()},
    **{word: sign for sign, words in _EN.items() for word in words.split("|")},
}
_CHINESE = "|".join(sorted((word for word in _SIGNS if not word.isascii()), key=len, reverse=True))
_ENGLISH = "|".join(
    re.escape(word).replace(r"\ ", r"\s+")
    for word in sorted((word for word in _SIGNS if word.isascii()), key=len, reverse=True)
)
_WORDS = re.compile(
    rf"(?P<kept>'[^']*'|\"[^\"]*\"|“[^”]*”)|\s*(?:(?P<zh>{_CHINESE})|(?<=\s)(?P<en>{_ENGLISH})(?=\s))\s*", re.I
)
TRUTHS = {
    **dict.fromkeys(("是", "对", "有", "愿意", "yes", "y", "true", "真"), "true"),
    **dict.fromkeys(("否", "不是", "没有", "不", "无", "不愿意", "no", "n", "false", "假"), "false"),
}
"""Words that mean yes and no."""

Word = Callable[[str, str], str | None]
"""For a bare name that is compared with and that nobody knows, with the name on the left: what belongs there."""


def in_signs(source: str, known: Callable[[str], bool] | None = None, word: Word | None = None) -> str | None:
    """The condition in signs; None where it holds no words for them, or is no condition then. ``known``: whether there
    is such a name, so that a name which holds such a word stays one; ``word``: what is put for a bare word."""

    def sign(match: re.Match[str]) -> str:
        if match["kept"]:
            return match[0]
        return f" {_SIGNS[' '.join((match['zh'] or match['en']).lower().split())]} "

    if known is not None and known(source.strip()):
        return None
    made = " ".join(_WORDS.sub(sign, source).split()) if _WORDS.search(source) else source
    if made == source:
        return None
    try:
        expression = parse(made)
    except ExpressionError:
        return None
    if known is None:
        return made if expression.comparisons() else None
    left = {each.right_offset: each.name for each in expression.comparisons() if each.other is not None}
    for use in reversed(expression.uses()):
        if known(use.name):
            continue
        new = word(left[use.offset], use.name) if word is not None and use.offset in left else None
        if new is None:
            return None
        made = made[: use.offset] + new + made[use.offset + len(use.name) :]
    return made if expression.comparisons() else None
