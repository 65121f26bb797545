"""Who is spoken of: relatives, friends, colleagues by the words for them; and whom a pronoun may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Gender = Literal["male", "female", ""]


@dataclass(frozen=True, slots=True)
class Kin:
    """Somebody by the word for them. ``key`` is the same in every language."""

    key: str
    zh: str
    en: str
    gender: Gender
    words: tuple[str, ...]


_TOLD: tuple[tuple[str, str, str, Gender, str], ...] = (
    ("mother", "母亲", "mother", "female", "妈妈|母亲|老妈|我妈|mother|mom|mum"),
    ("father", "父亲", "father", "male", "爸爸|父亲|老爸|我爸|father|dad"),
    ("parents", "父母", "parents", "", "父母|爸妈|parents"),
    ("elder_brother", "哥哥", "brother", "male", "哥哥|我哥|brother"),
    ("younger_brother", "弟弟", "younger brother", "male", "弟弟|younger brother|little brother"),
    ("elder_sister", "姐姐", "sister", "female", "姐姐|我姐|sister"),
    ("younger_sister", "妹妹", "younger sister", "female", "妹妹|younger sister|little sister"),
    ("husband", "丈夫", "husband", "male", "丈夫|老公|我先生|husband"),
    ("wife", "妻子", "wife", "female", "妻子|老婆|我太太|wife"),
    ("son", "儿子", "son", "male", "儿子|son"),
    ("daughter", "女儿", "daughter", "female", "女儿|daughter"),
    ("ex_boyfriend", "前男友", "ex-boyfriend", "male", "前男友|ex-boyfriend|ex boyfriend"),
    ("ex_girlfriend", "前女友", "ex-girlfriend", "female", "前女友|ex-girlfriend|ex girlfriend"),
    ("boyfriend", "男朋友", "boyfriend", "male", "男朋友|男友|boyfriend"),
    ("girlfriend", "女朋友", "girlfriend", "female", "女朋友|女友|girlfriend"),
    ("partner", "伴侣", "partner", "", "对象|伴侣|爱人|partner"),
    ("grandmother", "奶奶／外婆", "grandmother", "female", "奶奶|外婆|姥姥|grandmother|grandma"),
    ("grandfather", "爷爷／外公", "grandfather", "male", "爷爷|外公|姥爷|grandfather|grandpa"),
    ("boss", "上司", "boss", "", "老板|领导|上司|主管|经理|boss|manager|supervisor"),
    ("colleague", "同事", "colleague", "", "同事|colleague|coworker|co-worker"),
    ("friend", "朋友", "friend", "", "闺蜜|好友|朋友|friend"),
    ("roommate", "室友", "roommate", "", "室友|舍友|roommate|flatmate"),
    ("teacher", "老师", "teacher", "", "老师|导师|teacher|tutor"),
    ("doctor", "医生", "doctor", "", "医生|doctor|psychiatrist"),
)
_KIN = tuple(Kin(key, zh, en, gender, tuple(words.split("|"))) for key, zh, en, gender, words in _TOLD)
BY_KEY: Mapping[str, Kin] = {each.key: each for each in _KIN}
_BY_WORD = {word: each for each in _KIN for word in each.words}
_MINE = r"\b(?:my|our)\s+(?:\w+\s+){0,2}?"
_HAN = [word for word in sorted(_BY_WORD, key=lambda each: -len(each)) if re.match("[\u3400-\u9fff]", word)]
_LATIN = [word for word in sorted(_BY_WORD, key=lambda each: -len(each)) if word not in _HAN]
_FIND = re.compile("|".join(map(re.escape, _HAN)) + "|" + _MINE + "(" + "|".join(map(re.escape, _LATIN)) + r")\b")
_NAMED = re.compile(
    r"\b(?:my|our)\s+(?:\w+\s+){0,2}?(" + "|".join(map(re.escape, _LATIN)) + r")(?:,| is called| named|'s name is)? "
    r"([A-Z][a-z]+)\b"
)
_HE = re.compile(r"(?<!其)他(?!们)|\b(?:he|him|his)\b")
_SHE = re.compile(r"她(?!们)|\b(?:she|her|hers)\b")
NEAR = 3
"""Messages back in which whoever was named is meant by a pronoun."""


def mentioned(text: str) -> list[Kin]:
    """Who is spoken of by the word for them, each once, in their order."""
    found: dict[str, Kin] = {}
    for match in _FIND.finditer(text.casefold()):
        kin = _BY_WORD[match[1] or match[0]]
        found.setdefault(kin.key, kin)
    return list(found.values())


def names(text: str) -> dict[str, str]:
    """The names that somebody is told by, by key."""
    return {_BY_WORD[match[1].casefold()].key: match[2] for match in _NAMED.finditer(text)}


@dataclass(frozen=True, slots=True)
class Meant:
    """Whom a pronoun means: one, or several of whom nobody can say which (it must be asked), or nobody known."""

    pronoun: str
    keys: tuple[str, ...]

    @property
    def sure(self) -> bool:
        return len(self.keys) == 1


def _may_be(kin: Kin, gender: Gender) -> bool:
    return kin.gender == gender or (kin.gender == "" and kin.key != "parents")


def meant(text: str, before: Sequence[str], known: Iterable[str] = ()) -> Meant | None:
    """Whom the pronoun in ``text`` means. ``before``: what was said before it, the newest last; ``known``: keys of
    those who were spoken of at some time. None without a pronoun, and where the text itself names whom it means."""
    plain = text.casefold()
    pronoun = next((word for word, looks in (("he", _HE), ("she", _SHE)) if looks.search(plain)), None)
    if pronoun is None:
        return None
    gender: Gender = "male" if pronoun == "he" else "female"
    own = [each.key for each in mentioned(text) if each.gender in (gender, "")]
    if own:
        return None
    for said in reversed(list(before)[-NEAR:]):
        near = [each.key for each in mentioned(said) if each.gender == gender]
        near = near or [each.key for each in mentioned(said) if not each.gender and each.key != "parents"]
        if near:
            return Meant(pronoun, tuple(near))
    long_ago = tuple(dict.fromkeys(key for key in known if key in BY_KEY and _may_be(BY_KEY[key], gender)))
    return Meant(pronoun, long_ago)
