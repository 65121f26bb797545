"""Whether words that were taken for a no are one: half a word that is quoted (没有, of 怎么会没有) proves nothing."""

from __future__ import annotations

import re

from heartrule.parsing.text import MAX_READ, Clause, clauses, fold, normalise, words_of
from heartrule.parsing.traditional import in_common
from heartrule.parsing.yes_no import hesitates, read_yes_no, shows_feeling

_HEDGES = re.compile(
    "(?<!怎么)(?<!不)可能|也许|或许|大概|应该|好像|似乎|差不多|偶尔|有时|时不时|说不|不知|不确定|不清楚|不太|不一定|难说|看情况|吧|算是|算不|勉强|不怎么"
    "|没怎么|很少|几乎|基本|一点点|不多|不是没|没有不|不是不|不会不|不得不|不能不|并非|要不是|是不是|(?<!没)有没有|会不会|不完全|不全|还行|还好"
    "|一般|以前|之前|过去|曾|说有|说没|才怪|骗|呵呵|信|多少|但|不过|可是|只是|就是(?!了)|除了|如果|要是|万一"
)
_HEDGES_EN = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|sometimes|occasionally|kind of|kinda|sort of|sorta|guess|suppose"
    r"|think so|not sure|unsure|dunno|know|depends|not really|hardly|barely|rarely|mostly|almost|yet|used to|before"
    r"|somewhat|partly|often|much|always|every|but|though|although|however|except|unless|if|only|until|as if|lol"
    r"|believe|yeah right"
    r"|what|why|how|who|where|kidding)\b"
)
_RHETORICAL = re.compile("怎么|哪|谁|凭什么|为什么|干嘛")
"""With a no an answer of its own (怎么会没有), without one a no (哪有的事)."""
_ONE = re.compile("(?:没有|没|不|未|无|别|非)+(?:没有|没)?")
_DENIES = re.compile("没|不|未|无|别|非|哪有|哪会|哪能|怎么会|怎么可能")
_IDIOMS = re.compile(
    "想不开|不好|不舒服|不开心|不高兴|不错|差不多|睡不着|受不了|别人|特别|非常|不用担心|别担心"
    "|(?:(?:以前|之前|过去|从前|早先)(?:也|都|更|从来)+|(?:近来|最近))没有?过?$"
)
_NO_EN = re.compile(
    r"\b(?:not?|nah|nope|naw|nup|never|none|nothing|cannot|nor|nobody|without"
    r"|(?:do|does|did|is|are|was|were|have|has|had|wo|would|could|should|ca|ai|must|might|need)nt)\b"
)
_OPENS_EN = re.compile(
    r"^(?:(?:oh|well|man|mate|i (?:already )?said|already said|(?:i )?told (?:you|u|ya)|no+|nope|nah|naw|nup|never) )+"
)
_SOUNDS = re.compile(
    "嗯|恩|啊|哦|噢|呃|额|唉|哎|的|了|呀|呢|啦|诶|我|真的|真|确实|完全|绝对|从来|从|并|都|也|老师|医生|谢谢你?|放心|现在|目前"
)
_SOUNDS_EN = re.compile(
    r"\b(?:oh|well|um+|uh+|i|really|honestly|truly|definitely|absolutely|thanks?|thank you|sir|doctor)\b"
)
_WEARY = re.compile(
    "(?:就是|只是|主要是|可能是)?(?:我|最近|这阵子|这段时间|现在|觉得|感觉|工作|学习|上班|压力|有点儿?|有些|太|很|比较|真的|挺|特别|好|心里)*"
    "(?:累|困|烦|忙|丧|大|难受|难过|心情不好|睡不好|焦虑|疲惫|低落|不开心|无聊|委屈)(?:了|而已|罢了|的|啊|呀)*"
)
_WEARY_EN = re.compile(
    r"(?:(?:its|it is|im|i am|i feel|ive been|just|really|very|so|a bit|a little|pretty|lately|at the moment) )*"
    r"(?:tired|stressed|sad|down|low|exhausted|busy|overwhelmed|anxious|lonely|worn out|burn(?:t|ed) out)"
)
_NO_ALONE = re.compile(
    "(?:没有?过?|不是|不会|不|没得|木有|否|无|都没有?|没有过|no+|nope|nah|never|none|notatall|noway|nothing|idont|ihavent|dont|havent|didnt)*"
)
_ASIDE = re.compile(
    "(?:谢谢|感谢)(?:你|老师|关心|医生)*|(?:你|请)?(?:放心|别担心|不用担心)(?:我|吧|了)*|我(?:很|挺|都)?(?:好|安全)的?|(?:我)?没事(?:的|了)?"
)
_ASIDE_EN = re.compile(r"(?:thanks|thank you|dont worry|i ?a?m (?:fine|ok|okay|good|safe))(?: .{0,16})?")


def is_turned(text: str) -> bool:
    """Whether a no in these words may be none: asked back, hedged, denied twice, trailing off, or with tears."""
    plain = normalise(in_common(text[:MAX_READ])).casefold()
    if len(text) > MAX_READ or hesitates(plain) or shows_feeling(plain):
        return True
    return any((each.asks or _is_turned(each)) and not _is_reproach(each) for each in clauses(plain))


def _is_turned(clause: Clause) -> bool:
    words, said = words_of(clause.text), _IDIOMS.sub("", fold(clause.text))
    if _is_company(clause):
        return False
    if _HEDGES.search(said) or _HEDGES_EN.search(words):
        return True
    if _RHETORICAL.search(said) and _ONE.search(said):
        return True
    return _is_denied_twice(said, words)


def denies(quote: str) -> bool:
    """Whether it is a denial, and takes nothing of it back by itself: no half, no doubt, not denied twice."""
    quote = in_common(quote)
    plain = normalise(_BLANKS.sub("，", _BARE_NO.sub(r"\1，", quote.strip()))).casefold()
    if not _says_no(quote) or _TURNS.search(quote) or hesitates(plain):
        return False
    return not any(_is_denied_twice(fold(each.text), words_of(each.text)) for each in clauses(plain))


_BARE_NO = re.compile("((?:^|[，,。；;！!])(?:我|真的?|都|也|确实|完全|嗯|啊)*(?:没有?过?|没得|木有))\\s+(?=[一-鿿])")
"""A no of its own with a blank behind it in place of a comma, as many write (没有 那个真没有)."""
_BLANKS = re.compile("(?<=[一-鿿])[^\\S\\n]+(?=[我你])")
"""A blank before whom the next clause is about is one too; messages in pieces are put together so (不是 我不是那个)."""


def _is_denied_twice(said: str, words: str) -> bool:
    return len(_ONE.findall(said)) > 1 or len(_NO_EN.findall(_OPENS_EN.sub("", words))) > 1


def _says_no(quote: str) -> bool:
    return bool(_DENIES.search(fold(quote)) or _NO_EN.search(words_of(quote)))


_SAYS_NO = re.compile(r"没|\bno\b")


def is_bare(quote: str) -> bool:
    """Whether it says no and not what to."""
    plain = [
        _SOUNDS.sub("", _SOUNDS_EN.sub(" ", each.text)) for each in clauses(normalise(in_common(quote)).casefold())
    ]
    return all(_NO_ALONE.fullmatch(fold(each)) for each in plain)


def is_whole(quote: str, text: str) -> bool:
    """Whether ``quote`` is a plain no and all that the answer says, sounds and harmless company aside."""
    quote, text = in_common(quote), in_common(text)
    if is_turned(text) or not _says_no(quote):
        return False
    said = list(clauses(normalise(text).casefold()))
    if all(map(_is_reproach, said)) and not _SAYS_NO.search(words_of(text)):
        return False  # who is only fed up with being asked (别问了，你不信我) has not said no
    left = _uncovered(quote, "".join(map(_bare, said)))
    at = 0
    for clause in said:
        size = len(_bare(clause))
        rest, at = "".join(left[at : at + size]), at + size
        if not rest or _is_reproach(clause):
            continue
        if len(rest) < size or not (_is_company(clause) or read_yes_no(clause.text) is False):
            return False
    return True


def _bare(clause: Clause) -> str:
    """Its letters, without sounds that add nothing."""
    said = fold(clause.text)
    return fold(_SOUNDS_EN.sub(" ", words_of(clause.text))) if said.isascii() else _SOUNDS.sub("", said)


def _uncovered(quote: str, said: str) -> list[str]:
    """The answer's letters, those that the quote's parts cover left empty, in their order."""
    left, at = list(said), 0
    for part in _LEFT_OUT.split(quote):
        bare = "".join(map(_bare, clauses(normalise(part).casefold())))
        start = said.find(bare, at)
        if start < 0:
            return left
        left[start : start + len(bare)] = [""] * len(bare)
        at = start + len(bare)
    return left


_LEFT_OUT = re.compile(r"…+|\.{3,}")


def _is_company(clause: Clause) -> bool:
    """What says nothing about the question: thanks, that one is tired, or that it was answered before."""
    said, words = fold(clause.text), words_of(clause.text)
    if any(pattern.fullmatch(said) for pattern in (_WEARY, _ASIDE)):
        return True
    return any(pattern.fullmatch(words) for pattern in (_WEARY_EN, _ASIDE_EN)) or _is_reproach(clause)


def _is_reproach(clause: Clause) -> bool:
    """What says that it was answered before, or is asked too often."""
    return any(_SAID_SO.fullmatch(each) for each in (fold(clause.text), words_of(clause.text)))


_TURNS = re.compile(
    r"但|可是|不过|只是|有时|偶尔|可能|也许|或许|大概|应该|好像|差不多|(?<!继续)(?<!接着)(?<!接着说)(?<!接着聊)(?<!放心)吧|万一|如果|要是"
    r"|暂时|骗|才怪|呵呵|[?？…]"
    r"|\b(?:but|though|although|however|sometimes|maybe|perhaps|probably|guess|suppose"
    r"|kind of|sort of|not really|if|unless"
    r"|until|yet|almost|mostly|lol|kidding|sure whatever)\b",
    re.IGNORECASE,
)


_HOLDS_BACK = re.compile(
    r"但|可是|不过|有时|偶尔|可能|也许|或许|大概|应该|好像|会吧|有吧|万一|如果|要是(?!再)|暂时|骗|才怪|呵呵|…"
    r"|\b(?:but|though|although|however|sometimes|maybe|perhaps|probably|guess|suppose|kind of|sort of|not really"
    r"|until|yet|almost|mostly|lol|kidding|sure whatever)\b",
    re.IGNORECASE,
)


def holds_back(text: str) -> bool:
    """Whether anything in the words takes a part of a denial back: but, sometimes, perhaps. Asides, reproaches ("but I
    have answered that") and questions do not."""
    return any(
        _HOLDS_BACK.search(part) and not _SAID_SO.fullmatch(part.rstrip("?？")) for part in parts_of(in_common(text))
    )


def turns(text: str) -> bool:
    """Whether words hold back on a denial, anywhere in them: but, sometimes, perhaps, if, a question. Being told that
    it was asked too often holds nothing back."""
    rest = "，".join(
        part for part in _CLAUSE.split(in_common(text)) if part and not _SAID_SO.fullmatch(part.rstrip("?？"))
    )
    return _TURNS.search(rest) is not None or is_turned(rest)


_CLAUSE = re.compile(r"[\n,，。.;；!！~～、]+\s*|(?<=[一-鿿])\s+")
_SAID_SO = re.compile(
    r"(?:但是?|可是?|不过)?(?:我|你|都|已经|刚才?|刚刚|真的|这个|也)*(?:说|答|问|讲|回答)(?:过|了)*(?:好?几|两|三|很?多)?[遍次回]?(?:了|啦|嘛|吧)*"
    r"|我?(?:都|已经|刚才?|刚刚)*不是(?:都|已经|刚才?)*(?:说|答|讲|回答)(?:过|了)+(?:没有?了?)?(?:吗|嘛|么)?"
    r"|我?(?:都|已经)*(?:说|答|回答)(?:过|了)*(?:好?几|[两三四五六七八]|很?多)[遍次回]了?没有?了?"
    r"|(?:你)?问(?:得)?(?:太|挺|好)多(?:了|啦)?|(?:都)?第?[一二三四五六七八九十两几]+遍了吧?"
    r"|(?:你)?(?:都)?(?:说了?)?别(?:再|又)?(?:从头)?问(?:了|啦)?(?:行不行?|好不好|行吗|好吗)?(?:还问)?"
    r"|(?:你)?(?:刚才?)?说(?:过|好)?(?:的)?(?:这个)?不再?问了(?:的)?|再问我就(?:走|不说)了"
    r"|(?:你)?怎么(?:跟|像)?(?:在)?(?:查|审)我似的|你不信我吗?"
    r"|(?:(?:but|and|well|so) )?(?:i(?:'ve| have)?|you) (?:already |just )?(?:said|told you|answered|asked)"
    r"(?: (?:so|no|that|it|this|already|before))*"
    r"|(?:(?:but|and) )?you (?:said|promised)(?: that)? you(?:'d| would)(?: not|n'?t) (?:ask|do)"
    r"(?: (?:it|that|me|this))?(?: again)?"
    r"|(?:(?:please )?(?:stop|quit) asking|not this again|you (?:do not|don'?t) believe me)(?: me)?(?: that| this)?",
    re.IGNORECASE,
)


def parts_of(text: str) -> tuple[str, ...]:
    """Its clauses, as they stand."""
    return tuple(part for part in _CLAUSE.split(text.strip()) if part)


def first_of(text: str) -> str:
    """What an answer says first, where all that is behind it only says that it was said (没，说过了); else nothing."""
    first, *rest = [part for part in _CLAUSE.split(text.strip()) if part] or [""]
    return first if rest and all(_SAID_SO.fullmatch(part) for part in rest) and not turns(text) else ""
