"""Who is spoken of: relatives, friends, colleagues by the words for them; and whom a pronoun may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from heartrule.memory.item import Item

Gender = Literal["male", "female", ""]


@dataclass(frozen=True, slots=True)
class Kin:
    """Somebody by the word for them. ``key`` is the same in every language. ``name``: what they are called, where that
    is known; of somebody for whom there is no such word, it is the key as well."""

    key: str
    zh: str
    en: str
    gender: Gender
    words: tuple[str, ...]
    name: str = ""


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
_HE = re.compile(r"(?<![其吉利维])(?:(?<![真太特])他|他(?!妈))(?![们乡杀]|妈的)|\b(?:he|him|his)\b")
"""吉他 and 维他命 speak of nobody, nor does a curse: 他妈的, 真他妈."""
_SHE = re.compile(r"她(?!们)|\b(?:she|her|hers)\b")
_TOLD_AS: Mapping[Gender, str] = {"male": "男|男性|male|man", "female": "女|女性|female|woman"}
_GENDERS = {word: gender for gender, words in _TOLD_AS.items() for word in words.split("|")}
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


def known(items: Iterable[Item]) -> list[Kin]:
    """Whom ``items`` of the graph are about, each once, the newest as it is told last. Of those for whom there is no
    word in the list only who is told to be a man or a woman: any thing may be an entity."""
    found: dict[str, Kin] = {}
    for each in sorted(items, key=lambda one: (one.at, one.message, one.id)):
        kin = kin_of(each)
        if kin is not None:
            older = found.pop(kin.key, kin)
            found[kin.key] = replace(kin, name=kin.name or older.name)
    return list(found.values())


def kin_of(item: Item) -> Kin | None:
    """Who it is about; None where that is nobody known to be a person."""
    if not item.entity or item.kind == "relation":
        return None
    said = {name: str(item.fields.get(name, "")) for name in ("key", "relation", "gender", "name")}
    kin = BY_KEY.get(said["key"]) or _BY_WORD.get(said["relation"].casefold()) or _BY_WORD.get(item.entity.casefold())
    if kin is not None:
        called = said["name"] or item.entity
        return kin if called.casefold() in (kin.zh, kin.en, *kin.words) else replace(kin, name=called)
    gender = _GENDERS.get(said["gender"].casefold(), "")
    name = item.entity
    return Kin(name.casefold(), name, name, gender, (), name) if gender else None


@dataclass(frozen=True, slots=True)
class Referents:
    """Whom a pronoun means: one, or several of whom nobody can say which (it must be asked), or nobody known.
    ``word``: the pronoun as it was said."""

    word: str
    who: tuple[Kin, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(each.key for each in self.who)


def _may_be(kin: Kin, gender: Gender) -> bool:
    return kin.gender == gender or (kin.gender == "" and kin.key != "parents")


def has_pronoun(text: str) -> bool:
    return _pronoun(text) is not None


def _pronoun(text: str) -> tuple[str, Gender] | None:
    plain = text.casefold()
    kinds: tuple[tuple[re.Pattern[str], Gender], ...] = ((_HE, "male"), (_SHE, "female"))
    return next(((found[0], gender) for looks, gender in kinds if (found := looks.search(plain))), None)


def meant(text: str, before: Sequence[str], others: Sequence[Kin] = ()) -> Referents | None:
    """Whom the pronoun in ``text`` means. ``before``: what was said before it, the newest last; ``others``: those who
    were spoken of at some time. None without a pronoun, and where the text itself names whom it means."""
    said = _pronoun(text)
    if said is None:
        return None
    word, gender = said
    if any(each.gender in (gender, "") for each in _named(text, others)):
        return None
    for earlier in reversed(list(before)[-NEAR:]):
        named = _named(earlier, others)
        near = [each for each in named if each.gender == gender] or [each for each in named if _may_be(each, gender)]
        if near:
            return Referents(word, tuple(near))
    return Referents(word, tuple(each for each in others if _may_be(each, gender)))


def _named(text: str, others: Sequence[Kin]) -> list[Kin]:
    """Who is spoken of, by the word for them or by name."""
    by_key = {each.key: each for each in others}
    found = {each.key: by_key.get(each.key, each) for each in mentioned(text)}
    plain = text.casefold()
    found |= {each.key: each for each in others if len(each.name) > 1 and each.name.casefold() in plain}
    return list(found.values())
