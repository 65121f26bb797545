"""Yes or no. A wrong reading of a question about suicide kills, so every doubt is "not understood".

A message is read only when all of it is understood: plain yeses, plain noes, and harmless company. A hedge, a doubled
negation, a "but", a question, a story after a "no" all make it unread.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from heartrule.parsing.text import Clause, clauses, fold, normalise, words_of
from heartrule.parsing.traditional import in_common

Verdict = Literal["yes", "no", "weak", "aside", "other"]
"""``weak``: a yes that may also be a mere acknowledgement, or the beginning of a sentence (想).
``aside``: says nothing either way."""

_LONGEST = 200
_SHORT = 12
_FRIENDLY = frozenset("👍👌🙏😊🙂😄😀😁🤝✅❤🌹")
_SELF = "(?:我们|我自己|我)?"
_SURE_YES = "(?:真的|确实|的确|当然|肯定|绝对|其实|也|是|一直|一直都|经常|常常|总是|每天都|都)?"
_YES = re.compile(
    rf"(?:{_SELF}{_SURE_YES}(?:是|有|会|愿意|需要|同意|有过|想过|有的|会的|是的|需要的|愿意的|有一点|有点|有一些|有些)"
    r"|对的?|没错|对对对?|是是是?|确实|的确|当然|肯定|经常|常常|总是|一直|正是|true"
    r"|(?:是的|有的|对的|会的)(?:有的|是的|对的|有|是|对)"
    rf"|{_SELF}(?:有|想|试|做)过(?:一|两|三|一两|两三|很多|不少|多|无数)次)"
    "(?:啊|呀|呢|哦|噢|啦|诶|哎)?"
)
_WEAK = re.compile("(?:我?(?:也|真的|很)?想的?|嗯+|恩+|嗯呢|嗯哼|好+的?|行的?|可以的?|要的?)(?:啊|呀|呢|哦|啦|嘞)?")
_MURMUR = re.compile("嗯+|恩+|嗯哼|mhm+|uhhuh")
_SURE_NO = "(?:真的|真|绝对|完全|根本|从来|从来都|从|从来就|一点都|一点也|一次都|一次也|丝毫|并|都)?"
_THIS_THING = (
    "(?:任何)?(?:这种|这样的|这些|这个|这方面的|那种|那样的|此类|类似的)"
    "(?:想法|念头|情况|感觉|打算|计划|事情|事|问题|症状|经历|行为)"
)
_NO = re.compile(
    rf"{_SELF}{_SURE_NO}(?:没有|没|没有过|没过|没有的|没有没有)"
    rf"|{_SELF}{_SURE_NO}(?:没|没有)(?:过)?{_THIS_THING}"
    rf"|{_SELF}{_SURE_NO}(?:没|没有)(?:想过|这样想过|这么想过|发生过|出现过|做过|试过)"
    rf"|{_SELF}(?:真的|绝对|完全|从来|从来都)?(?:不是的?|不会的?|不想|不愿意|不需要|不同意|不用|不要)"
    r"|(?:不用|不用了|不要|不需要|不了)谢谢你?|不(?:用了|了|行|可以|对)?|不不不?|否|木有|没得|false"
)
_NO_TAIL = re.compile("(?:啊|呀|哦|噢|诶|啦)$")
_ASIDE = re.compile(
    "(?:嗯+|恩+|哦+|噢+|啊+|额+|呃+|唉+|哎+|那个|谢谢你?|感谢|谢谢关心|放心|你?放心吧?|请放心|老师|医生|真的|我(?:现在)?(?:挺|很|都)好的?|你好|您好)"
)
_UNSURE = re.compile(
    "可能|也许|或许|大概|应该|好像|似乎|差不多|偶尔|有时|说不|不知|不确定|不清楚|不太|不一定|难说|看情况|吧|算是|算不|勉强|不怎么|没怎么|很少|几乎|基本"
    "|不是没|没有不|不是不|不会不|不得不|不能不|并非|要不|是不是|(?<!没)有没有|会不会|对不对|不完全|不全|还没|还没有|还行|还好|一般|暂时|目前|现在没"
    "|最近没|今天没|这两天没|以前|之前|过去|曾"
    "|有也没|也有也|有又没|说有|说没"
)
_TURNS = re.compile("但|不过|可是|只是|就是|然而|除了|虽然|尽管|而是|反而|倒是|如果|要是")
_NEGATIVE = re.compile("没|不|无|别|否|未|非")
_ASKING = re.compile("吗|什么|怎么|为什么|为啥|谁|哪|几|多少|呢")

_EN_YES = re.compile(
    r"(?:yes+|yeah|yea|yep|yup|sure|of course|definitely|absolutely|certainly|correct"
    r"|thats right|that is right|thats correct|true|indeed|always|very much|affirmative"
    r"|a little|a bit"
    r"|(?:yes |yeah )?i (?:really |certainly |definitely |sure |still )?(?:do|am|have|did|was"
    r"|would|will|can)|yes (?:yes|please|sir|maam|definitely|absolutely|of course|very much"
    r"|always|sometimes i do)|y)"
)
_EN_WEAK = re.compile(r"(?:ok|okay|alright|all right|right|exactly|fine|mhm+|mm hm+|mmhmm|uh huh|k)")
_EN_NO = re.compile(
    r"(?:no+|nope|nah|never|never ever|not at all|no way|negative|false|definitely not"
    r"|absolutely not|certainly not|of course not|not ever|no never|no not at all|no thanks"
    r"|no thank you|n"
    r"|(?:no )?i (?:really |definitely |certainly )?(?:dont|do not|havent|have not|didnt"
    r"|did not|am not|wont|will not|wouldnt|would not|wasnt|was not)|(?:no )?im not"
    r"|(?:no )?i (?:have |ve )?never have|(?:no )?ive never|no no(?: no)?)"
)
_EN_ASIDE = re.compile(
    r"(?:thanks|thank you|um+|uh+|hmm+|well|oh|hi|hello|honestly|really|truly|im (?:fine|ok"
    r"|okay|good)|i am (?:fine|ok|okay|good)|dont worry)"
)
_EN_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|sometimes|occasionally|kind of|kinda|sort of"
    r"|sorta|guess|suppose|think so|not sure|unsure|dunno|idk|know|depends|not really|hardly"
    r"|barely|rarely|mostly|almost"
    r"|yet|anymore|any more|used to|before|now|today|lately|recently|right now|not right"
    r"|not now|somewhat|partly|yes and no|no and yes)\b"
)
_EN_TURNS = re.compile(r"\b(?:but|though|although|however|except|unless|if|only|just|until|still)\b")
_EN_NEGATIVE = re.compile(r"\b(?:not?|never|none|nothing|cannot|nor|\w+nt)\b")
_EN_ASKING = re.compile(r"\b(?:what|why|how|who|when|where|which)\b")


def read_yes_no(text: str) -> bool | None:
    """True, False, or None when it is not plain which. Chinese and English, whatever the locale."""
    plain = normalise(in_common(text)).casefold()
    if (
        not plain
        or len(plain) > _LONGEST
        or "?" in plain
        or _UNSURE.search(fold(plain))
        or _EN_UNSURE.search(words_of(plain))
    ):
        return None
    found = list(clauses(plain))
    verdicts = [_verdict(clause) for clause in found]
    if not found or {"yes", "no"} <= set(verdicts):
        return None
    if "no" in verdicts:
        return False if _plain_no(plain, found, verdicts) else None
    if "yes" in verdicts:
        return True if all(_goes_with_yes(c, v) for c, v in zip(found, verdicts, strict=True)) else None
    if "weak" in verdicts and "other" not in verdicts:
        return None if hesitates(plain) or shows_feeling(plain) else True
    return None


def hedges(text: str) -> bool:
    """Whether a short answer says neither yes nor no, but something in between (没有吧, 有时候, not really)."""
    plain = normalise(in_common(text)).casefold()
    if len(fold(plain)) > _SHORT * (4 if plain.isascii() else 1):
        return False
    return bool(_UNSURE.search(fold(plain)) or _EN_UNSURE.search(words_of(plain)))


def is_plain(text: str) -> bool:
    """Whether a clause says yes or no, rather than only acknowledging (嗯, 好的)."""
    return any(_verdict(clause) in ("yes", "no") for clause in clauses(normalise(in_common(text)).casefold()))


def _verdict(clause: Clause) -> Verdict:
    said = fold(clause.text)
    if _has_cjk_or_digit(said):
        return _chinese(said)
    return _english(words_of(clause.text))


def _has_cjk_or_digit(said: str) -> bool:
    return not said.isascii()


def _chinese(said: str) -> Verdict:
    if _WEAK.fullmatch(said):
        return "weak"
    said = re.sub("^(?:嗯|恩|啊|哦|呃|额){1,3}", "", said)
    if _YES.fullmatch(said):
        return "yes"
    if _NO.fullmatch(said) or _NO.fullmatch(_NO_TAIL.sub("", said)):
        return "no"
    return "aside" if not said or _ASIDE.fullmatch(said) else "other"


def _english(words: str) -> Verdict:
    if _EN_WEAK.fullmatch(words):
        return "weak"
    words = re.sub("^(?:(?:um|uh|well|oh|hmm) ){1,3}", "", words)
    for pattern, verdict in _ENGLISH:
        if pattern.fullmatch(words):
            return verdict
    return "aside" if not words else "other"


_ENGLISH: tuple[tuple[re.Pattern[str], Verdict], ...] = (
    (_EN_YES, "yes"), (_EN_NO, "no"), (_EN_WEAK, "weak"), (_EN_ASIDE, "aside"),
)  # fmt: skip


def _plain_no(plain: str, found: list[Clause], verdicts: list[Verdict]) -> bool:
    """Nothing but noes, murmurs and courtesies, said without hesitation or tears."""
    if "other" in verdicts or hesitates(plain):
        return False
    if any(
        verdict == "weak" and not _MURMUR.fullmatch(fold(each.text))
        for each, verdict in zip(found, verdicts, strict=True)
    ):
        return False
    return not any(unicodedata.category(character) in ("So", "Sk") for character in plain)


def shows_feeling(plain: str) -> bool:
    """A picture other than a friendly one: 想💀 is no mere yes."""
    return any(unicodedata.category(character) in ("So", "Sk") and character not in _FRIENDLY for character in plain)


def hesitates(plain: str) -> bool:
    return "…" in plain


def _goes_with_yes(clause: Clause, verdict: Verdict) -> bool:
    """A yes may be explained, so long as the rest neither denies nor turns nor asks."""
    if verdict != "other":
        return True
    said, words = fold(clause.text), words_of(clause.text)
    blockers = (
        (_TURNS, said),
        (_NEGATIVE, said),
        (_ASKING, said),
        (_EN_TURNS, words),
        (_EN_NEGATIVE, words),
        (_EN_ASKING, words),
    )
    return not any(pattern.search(where) for pattern, where in blockers)
