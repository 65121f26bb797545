"""A yes said with the question's own word: 你伤害过自己吗？ 伤害过; do you want to die? I want to die. Only where the
words are that and nothing else: whoever denies, hedges or adds says no yes. Read only of danger (decision 0195)."""

from __future__ import annotations

import re

from heartrule.parsing.text import MAX_READ, fold, normalise, words_of

_LONGEST = 24
_SENTENCE = re.compile(r"[^?。！!.\n;；]*\?")
_CLOSED = re.compile("(?:吗|么|嘛|没有|没|是不是|对不对)$")
_CHOICE = re.compile("还是|或者|哪|什么|怎么|谁|多少|几[个次天岁点分]|为何|多久|多大|如何")
_DENIED = re.compile("不|没(?!有?$)|别|未|无")
_A_NOT_A = re.compile(
    "(?P<v>[\u4e00-\u9fff])(?:不|没)(?P=v)|(?P<w>[\u4e00-\u9fff]{2})不(?P=w)|是否|有没有"
    "|(?P<a>[\u4e00-\u9fff])不(?=(?P=a)[\u4e00-\u9fff])"
)
_SUBJECT = re.compile(
    "^(?:那么?|请问|所以|然后|最近|现在|目前|今天|昨天|昨晚|这几天|这周|这段时间|平时|平常|通常|以前"
    "|你们?|您|自己|他|她|都|还|也|已经|一直|是否|是)+"
)
_LEAD = re.compile(
    "^(?:嗯+|恩+|啊|哦|噢|对|是的?|我们?|自己|他|她|最近|现在|今天|已经|都|也|还|在|正在|一直|真的|确实"
    "|挺|很|蛮|非常|太|特别|好)+?(?=.)"
)
_TAIL = re.compile("(?:的|了|啊|呀|呢|哦|噢|啦|过|着|哈|嘛|嘞)+$")
_HEDGE = re.compile(
    "不太|不大|不怎么|不是很|不算|不完全|不一定|不全|没怎么|没那么|不知|不确定|说不|可能|也许|大概|应该"
    "|好像|有时|偶尔|有点|一点|吧|但|不过|可是|只是|如果|要是|会不|不得不|不能不|想不|怕不|还好|还行"
    "|还可以|一般|凑合|马马虎虎"
)
_FUNCTION = frozenset("的了我你他她它们在有是人一个着过吗么呢吧都也还就很太好会要能想对不没")
_EN_SENTENCE = re.compile(
    r"(?:^|.*\b)(?:do|does|did|are|is|was|were|have|has|had|will|would|can|could|should) (?:you|he|she|it"
    r"|they|we|i|your [a-z]+|there|this|that) (?P<rest>.+)$"
)
_EN_LEAD = re.compile(
    r"^(?:well|oh|yes|yeah|yep|no|nope|i|im|ive|i am|i have|i do|he|she|it|they|we|its|am|is|are|was|were"
    r"|have|has|do|does|did|will|can|"
    r"really|actually|usually|always|very|quite|pretty|definitely) "
)
_EN_NO = re.compile(
    r"\b(?:dont|do not|doesnt|does not|didnt|did not|not|never|havent|have not|hasnt|isnt|arent|wasnt"
    r"|werent|cant|cannot|wont|wouldnt|couldnt|couldn t)\b ?"
)
_EN_HEDGE = re.compile(
    r"\b(?:really|sometimes|maybe|perhaps|probably|mostly|often|always|but|though|if|except|usually|sure"
    r"|much|so|very|too|anymore|any more|yet|guess|think)\b"
)
_EN_SMALL = frozenset(words_of("i you me my the a an it to of in on at do am is are was have had be not").split())


def is_yes_by_echo(text: str, question: str) -> bool:
    """Whether ``text`` says yes by the word of ``question``; False also where the question takes no plain yes."""
    asked = _asked(question)
    plain = normalise(text[:MAX_READ]).casefold()
    if not asked or not plain or "?" in plain or "…" in plain or len(plain) > 4 * _LONGEST:
        return False
    return _english(plain, asked) if asked.isascii() else _chinese(plain, asked)


def _asked(question: str) -> str:
    found = _SENTENCE.findall(normalise(question[-MAX_READ:]).casefold())
    return re.split(r"[,:、]", found[-1].rstrip("?"))[-1].strip() if found else ""


def _chinese(plain: str, asked: str) -> bool:
    said, question = fold(plain), fold(asked)
    pairs = _A_NOT_A.search(question) is not None
    if not (pairs or _CLOSED.search(question)) or _CHOICE.search(question):
        return False
    question = _A_NOT_A.sub(lambda found: found["v"] or found["w"] or "", question)
    question = _SUBJECT.sub("", _CLOSED.sub("", question))
    if not question or len(said) > _LONGEST or _HEDGE.search(said) or _DENIED.search(question):
        return False
    return not _DENIED.search(said) and any(_is_of(each, question) for each in _cores(said))


def _cores(said: str) -> list[str]:
    """The word itself, with less and less beside it."""
    bare = _TAIL.sub("", said)
    found = [said, bare]
    while (less := _LEAD.sub("", bare, count=1)) != bare and less:
        bare = less
        found.append(bare)
    return [each for each in found if each]


def _is_of(core: str, question: str) -> bool:
    """Whether the question asks for this very word: one sign only at the head of what is asked or right behind 得."""
    bare = _TAIL.sub("", question)
    if len(core) == 1:
        if core == "好":
            return bare.endswith("得好") or bare == "好"
        return core not in _FUNCTION and (bare.startswith(core) or bare.endswith(f"得{core}") or f"害{core}" in bare)
    return core in question and (len(core) > 2 or not all(each in _FUNCTION for each in core))


def _english(plain: str, asked: str) -> bool:
    question = _EN_SENTENCE.match(words_of(asked))
    said = words_of(plain)
    if question is None or _EN_NO.search(question["rest"]) or re.search(r"\bor\b", question["rest"]):
        return False
    if _EN_HEDGE.search(said) or _EN_NO.search(said):
        return False
    core = said
    while (less := _EN_LEAD.sub("", core, count=1)) != core:
        core = less
    words = core.split()
    return not all(each in _EN_SMALL for each in words) and f" {question['rest']} ".endswith(f" {core} ")
