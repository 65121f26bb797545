"""Where a quote stands in what was said, and whether it is cut out of a number, a word or a denial there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from heartrule.parsing.text import HARMLESS, fold, normalise

_MOST = 20
_ENDS = re.compile(r"[,;:!?…\n()]|\.(?![0-9])")
_NUMERAL = "零〇一二两三四五六七八九十百千万亿"
_DAY = re.compile("(?:周|星期|礼拜)[一二三四五六日天]?$|(?:万|统|唯|第)一$|第$")
_NUMBER_GOES_ON = re.compile(rf"(?:[0-9]\.?|[{_NUMERAL}]点?)$")
_BEGINS_WITH_NUMBER = re.compile(rf"[0-9{_NUMERAL}]")
_ENDS_WITH_NUMBER = re.compile(rf"(?:[0-9]|[{_NUMERAL}])$")
_NUMBER_BEHIND = re.compile(rf"\.?[0-9]|[{_NUMERAL}]|点[{_NUMERAL}](?!个)")
_HALF_BEHIND = re.compile(rf"[0-9{_NUMERAL}](?:个|天|年|分|小时|次)?$")
_DENIED = re.compile(
    "(?:不是|没有|并不|不太|不怎么|没怎么|没那么|不会|不算|不想|不再|没再|不觉得|没觉得|不认为|说不上|谈不上|算不上|从不|从没|不能"
    "|不敢|不愿意|不愿|不用|不要|不够|不很|不曾|未曾|无法|没法|不|没|无|未|别|非)(?:有|是|很|太|那么|那样|得|过|再|多|算|这么)?$"
    r"|(?:\b(?:not|no|never|without|hardly|barely|cannot)|n't)"
    r"(?: (?:a|an|the|any|very|really|so|that|too|quite|even|been|feeling|is|was))* ?$"
)
_NO_DENIAL = re.compile(
    "要不|不得不|可不是?|还不是|不就是|岂不是?|难道不是?|何尝不|无非|有没有|是不是|能不能|会不会|好不好|要不要|不但|不仅|不光"
)
_CANNOT_BEHIND = re.compile("得?不(?:着|了|下|起|住|到|成|动|来|好|出|完)")
_DENIES = re.compile(r"[不没无未别非]|\b(?:not?|never|none|cannot)\b|n't")
_INFLECTED = frozenset({"s", "es", "d", "ed", "ing", "ly", "er", "r", "n", "ness"})


@dataclass(frozen=True, slots=True)
class Place:
    """One place where a quote stands: its words there, and those of its clause before and behind it."""

    before: str
    words: str
    behind: str

    @property
    def cuts_number(self) -> bool:
        """Whether it is a piece of a number (三 in 三十, 3 in 13)."""
        if _BEGINS_WITH_NUMBER.match(self.words) and _NUMBER_GOES_ON.search(_DAY.sub("", self.before)):
            return self.before[-1:].isdigit() == self.words[:1].isdigit() or self.before[-1:] in ".点"
        if _ENDS_WITH_NUMBER.search(self.words) and _NUMBER_BEHIND.match(self.behind):
            return _DAY.search(self.words) is None
        return self.behind.startswith("半") and _HALF_BEHIND.search(self.words) is not None

    @property
    def cuts_word(self) -> bool:
        """Whether it is a piece of an English word (no in nothing); an ending may be left out (headache, headaches)."""
        if _is_latin(self.before[-1:]) and _is_latin(self.words[:1]):
            return True
        rest = re.match("[a-z]+", self.behind)
        if _is_latin(self.words[-1:]) and (rest is not None or self.behind.startswith("'t")):
            return rest is None or rest.group() not in _INFLECTED or self.behind[rest.end() :].startswith("'t")
        return False

    @property
    def cuts_denial(self) -> bool:
        """Whether what denies it is left out (好 in 不好, 睡 in 睡不着)."""
        before = _NO_DENIAL.sub("", HARMLESS.sub("", self.before))
        again = self.before[-2:-1] == self.words[:1] or self.behind[1:2] == self.words[-1:]
        behind = _CANNOT_BEHIND.match(self.behind) is not None
        return (behind or _DENIED.search(before) is not None) and not again


def places(quote: str, said: str) -> Iterator[Place]:
    """Where ``quote`` stands in what was said, blanks, width and punctuation aside."""
    text, wanted = normalise(said).casefold(), fold(quote)
    ends = [(found.start(), found.end()) for found in _ENDS.finditer(text)]
    kept = [(letter, at) for at, letter in enumerate(text) if letter.isalnum()]
    letters = "".join(letter for letter, _ in kept)
    wanted, at = wanted.replace(".", ""), 0
    for _ in range(_MOST if wanted else 0):
        at = letters.find(wanted, at)
        if at < 0 or len(letters) != len(kept):
            return
        start, end = kept[at][1], kept[at + len(wanted) - 1][1] + 1
        begin = max((to for _, to in ends if to <= start), default=0)
        behind = min((since for since, _ in ends if since >= end), default=len(text))
        yield Place(text[begin:start], text[start:end], text[end:behind])
        at += 1


def stands(quote: str, said: str, *, denies: bool = False) -> bool:
    """Whether a quote that is in what was said stands there whole. ``denies``: what it is to prove is a denial itself,
    so that the quote need not hold the word for it. A place that cannot be found is none that cuts anything."""
    found = list(places(quote, said))
    forgiven = denies and not holds_denial(quote)
    return not found or any(
        not (each.cuts_number or each.cuts_word or (each.cuts_denial and not forgiven)) for each in found
    )


def holds_denial(words: str) -> bool:
    return _DENIES.search(HARMLESS.sub("", normalise(words).casefold())) is not None


def _is_latin(letter: str) -> bool:
    return "a" <= letter <= "z"
