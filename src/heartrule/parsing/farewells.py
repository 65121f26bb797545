"""Thanks and good-byes, and nothing else: words to somebody who goes, which answer nothing."""

from __future__ import annotations

import re

from heartrule.parsing.repairs import repair
from heartrule.parsing.text import MAX_READ, clauses, fold, normalise, words_of

_THANKS = re.compile(
    "(?:嗯|恩|哦|噢|啊|唉|好的?|行|那|那就|真的|太|非常|多|很)*(?:谢谢|感谢|谢|多谢|辛苦)(?:了|啦|你们?|您|老师|医生|大夫|啊|哦|今天|一直|陪我|听我说|帮忙)*"
    "|(?:嗯|恩|哦|噢|好的?|行|可以|知道|明白|收到)+(?:了|啦|吧|呢|的)?|(?:老师|医生|大夫|您|你)"
)
_THANKS_EN = re.compile(
    r"(?:(?:oh|ok|okay|right|alright|all right|yes|well|and|really|thank you|thanks|thank u|ty|cheers|so much|very much"
    r"|a lot|again|for (?:listening|today|everything|your (?:help|time)|talking to me|being here))(?: |$))+"
)


_GOES = re.compile("(?:那|行|好|我|先|就|得|要|该)*(?:[走撤睡下]了|先不(?:说|聊|打字|写)了|不打字了)(?:啊|哈|吧|哦)*")
_GOES_EN = re.compile(r"(?:^|so |and )(?:im|i am) (?:going|off|leaving)(?: now| then| to bed)?$|^gotta run$")
_PART = re.compile(r"[\s,，。.;；:：!！?？~～…]+")


_LAST = 12
"""Clauses at the end of the words that are looked at: who goes says so last."""


def is_leaving(text: str) -> bool:
    """Whether they end with words that say that they go, or want to stop, in Chinese or English."""
    end = text[-MAX_READ // 4 :]
    said = [each.text for each in clauses(normalise(end).casefold()) if fold(each.text)][-_LAST:]
    parts = [*said, *list(filter(None, _PART.split(end.casefold())))[-_LAST:]]
    if any(_GOES.fullmatch(fold(part)) for part in parts):
        return True
    return any(repair(each) == "stop" for each in parts) or any(_GOES_EN.search(words_of(each)) for each in said)


def takes_leave(text: str) -> bool:
    """Whether the words are nothing but thanks and good-byes, in Chinese or English."""
    if len(text) > MAX_READ:
        return False
    said = [each.text for each in clauses(normalise(text).casefold()) if fold(each.text)]
    if any(mark in text for mark in "?？"):
        return False
    return bool(said) and all(_is_thanks(each) or repair(each) == "stop" for each in said)


def _is_thanks(clause: str) -> bool:
    return bool(_THANKS.fullmatch(fold(clause)) or _THANKS_EN.fullmatch(words_of(clause)))
