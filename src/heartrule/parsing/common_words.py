"""Whether a text has anything in common with what was said."""

from __future__ import annotations

import re

from heartrule.parsing.text import normalise

_SMALL = frozenset(
    "我你您他她它们的了是在有和就不没也都很还一个这那么说吗呢吧啊呀着过得地去来上下到要会能可被把给跟与及或而之其为以于对从所最更"
)
_SMALL_EN = frozenset(
    {
        "the",
        "a",
        "an",
        "and",
        "or",
        "but",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "with",
        "is",
        "are",
        "was",
        "were",
        "be",
    }
    | {
        "been",
        "am",
        "i",
        "im",
        "me",
        "my",
        "you",
        "your",
        "he",
        "she",
        "it",
        "they",
        "them",
        "his",
        "her",
        "its",
        "this",
    }
    | {"that", "not", "no", "dont", "very", "so", "just", "do", "does", "did", "have", "has", "had", "will", "would"}
    | {"can", "could", "about", "as", "from", "by", "there"}
    | {"i'm", "don't", "it's", "can't", "that's"}
)
_SAME = str.maketrans("爸妈", "父母")
_NUMBERS = re.compile(
    "[0-9零〇一二两三四五六七八九十百千万半]|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half)\\b"
)
_WORD = re.compile(r"[a-z']+")
_STEM = 4


def shares(value: str, *grounds: str) -> bool:
    """Whether a text holds anything of what was said: a character or a word that means something, or a number. Of texts
    in another script, and of one that is all small words (没有), nobody can tell: they do."""
    text, said = (normalise(each).casefold().translate(_SAME) for each in (value, "\n".join(grounds)))
    if _NUMBERS.search(text) and _NUMBERS.search(said):
        return True
    ours, theirs = _meaning(text), _meaning(said)
    alike = any(bool(each & other) for each, other in zip(ours, theirs, strict=True))
    if alike or not any(ours):
        return True
    return not any(each and other for each, other in zip(ours, theirs, strict=True)) and any(theirs)


_SAYS_LITTLE = re.compile(
    "还?行|还?好的?|还?可以|一般|不错|老样子|知道|清楚|什么|怎么|[嗯哦噢额呃唉哈]"
    r"|\b(?:ok|okay|fine|good|well|alright|know|nothing|much|sure|yes|yeah|right|guess|think)\b"
)
_LEAST = 3


def says_something(quote: str) -> bool:
    """Whether a quote says enough to be put in other words (睡不着: insomnia). 我, 还行 and 不知道 do not."""
    plain = normalise(quote).casefold()
    chinese, english = _meaning(_SAYS_LITTLE.sub("", plain))
    return bool(chinese or english) and len("".join(plain.split())) >= _LEAST


def _meaning(text: str) -> tuple[set[str], set[str]]:
    """Chinese characters and beginnings of English words that mean something."""
    words = {each.strip("'") for each in _WORD.findall(text)} - _SMALL_EN
    return {each for each in text if each >= "\u3400" and each.isalpha() and each not in _SMALL}, {
        each[:_STEM] for each in words if len(each) > 2
    }
