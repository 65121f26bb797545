"""Questions back: what a person asks the one who asks them – who are you, can you help, who will see this.

Only a message that is nothing but such questions counts. A question about the person's own life (我是不是没救了) is an
answer, and so is one that quotes somebody.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from heartrule.language.patterns import compiled
from heartrule.language.reader_text import MAX_READ, clauses, fold, normalise, words_of

QuestionBack = Literal["who", "help", "private"]
_LONGEST = 60
_QUOTED = re.compile("[\"'“”‘’「」『』《》](?![a-z])|[“”「」『』]")

_LEAD = r"(?:嗯+|额+|呃+|啊+|哦+|诶+|哎+|那个|那|所以|请问|想问一下|我想问一下|我想问|问一下|不好意思|话说|其实|等等)*"
_TAIL = r"(?:吗|么|嘛|呢|啊|呀|吧|哦|谢谢)*"
_YOU = "(?:你们|你|您|对面|这边|那边|屏幕后面)"
_SURE = "(?:到底|究竟|真的|现在|其实|也)*"
_BEING = (
    r"(?:一个|个|一位|位|一名|名|一台|台)?(?:真的|真正的|活的|专业的?)?"
    r"(?:真人|活人|人类|人|机器人|机器|程序|软件|ai|人工智能|智能助手|电脑|客服|医生|心理医生|咨询师|心理咨询师|老师|专家)"
)
_HELP = "(?:帮到|帮助|帮帮|帮一帮|帮)"

_CHINESE: dict[QuestionBack, str] = {
    "who": (
        rf"{_YOU}?{_SURE}(?:是不是|是){_SURE}{_BEING}(?:还是{_SURE}(?:是)?{_BEING})?(?:在)?(?:和我说话|跟我说话|回复我|回我)?"
        rf"|{_YOU}{_SURE}是{_SURE}(?:谁|什么人|什么东西|什么)|{_YOU}叫(?:什么|啥)(?:名字)?"
        rf"|{_YOU}{_BEING}(?:还是){_BEING}"
        rf"|我(?:现在|这)?(?:是)?(?:在)?(?:和|跟|同)(?:谁|什么人|{_BEING}|{_BEING}还是{_BEING})(?:在)?(?:说话|聊天|聊|讲话|对话)"
    ),
    "help": (
        rf"{_YOU}{_SURE}(?:能不能|可不可以|能否|能|可以|会|有办法|帮得了|帮得到){_SURE}{_HELP}(?:得了|得到)?(?:到)?我(?:什么|些什么|一下|点什么|忙)?"
        rf"|(?:能不能|可不可以|能|可以){_HELP}(?:到)?我(?:一下)?|{_YOU}{_SURE}(?:帮得了|帮得到|帮得上)我"
        rf"|{_YOU}{_SURE}(?:能|会|可以)(?:做|干)?(?:些|点)?(?:什么|啥)|{_YOU}{_SURE}(?:有什么用|有啥用)"
        rf"|(?:和|跟){_YOU}(?:聊|说|谈)(?:这些|这个|话|天)?{_SURE}(?:有用|有帮助|有什么用|有意义)"
    ),
    "private": (
        rf"{_YOU}?{_SURE}(?:会不会|会|能|能不能){_SURE}(?:替我|帮我|给我)?保密|(?:这|这些|我说的话?|我们说的话?){_SURE}(?:会|能)(?:不会|不能)?保密"
        rf"|{_YOU}{_SURE}(?:会不会|会)(?:把(?:这些|我说的话?|这个)?)?(?:告诉|说给)(?:别人|其他人|我爸妈|我父母|我家人|我妈|我爸|学校|老师|公司|单位)(?:听)?"
        r"|(?:这些|我说的话?|我们说的话?|聊天记录|谈话内容)(?:都)?(?:会不会|会)?(?:被)?(?:谁|别人|其他人)(?:会|能)?(?:不会)?(?:看到|看见|知道|听到)"
        r"|(?:谁|有人|别人|其他人)(?:会|能|可以)(?:看到|看见|知道)(?:这些|我说的话?|我们说的话?|聊天记录)"
    ),
}
_CHINESE_PATTERNS = {kind: f"{_LEAD}(?:{pattern}){_TAIL}" for kind, pattern in _CHINESE.items()}
_ASKED_FOR_SURE = re.compile("[吗么嘛]|是不是|能不能|可不可以|能否|会不会|不能|不会|谁|什么|啥|还是")

_KIND = (
    r"(?:(?:an?|the) )?(?:real |actual |live |human |qualified |licensed )*"
    r"(?:person|human(?: being)?|people|robot|bot|chatbot|machine|program|computer|ai|therapist|counsell?or|doctor)"
)
_REALLY = "(?: actually| really| even)?"
_ENGLISH: dict[QuestionBack, str] = {
    "who": (
        rf"are you{_REALLY} (?:real|{_KIND}(?: or {_KIND})?)|is (?:this|that|it){_REALLY} {_KIND}(?: or {_KIND})?"
        rf"|(?:am i|are we){_REALLY} (?:talking|speaking|chatting|typing) (?:to|with) {_KIND}(?: or {_KIND})?"
        r"|who are you|what are you|whats your name|what is your name|who am i (?:talking|speaking) (?:to|with)"
    ),
    "help": (
        rf"(?:can|could|will) you{_REALLY} help(?: me)?|how (?:can|could|will) you{_REALLY} help(?: me)?"
        r"|what can you do(?: for me)?|what do you do|are you able to help(?: me)?"
        rf"|(?:does|will) (?:this|talking|talking to you){_REALLY} help(?: me)?"
    ),
    "private": (
        r"(?:is|are) (?:this|that|it|what i say|our conversation|these)(?: all)?"
        r" (?:private|confidential|anonymous|recorded)"
        r"|are you recording(?: this| me)?|will you tell (?:anyone|anybody|my parents|my mom|my mum|my dad|my family"
        r"|someone)(?: about this| this)?"
        r"|who (?:will|can|could|is going to|gets to) (?:see|read|know)(?: about)? (?:this|it|what i say)"
        r"|(?:will|can|does) (?:anyone|anybody|someone)(?: else)? (?:see|read|know)(?: about)? (?:this|it|what i say)"
    ),
}
_LEAD_WORDS = (
    r"(?:(?:um+|uh+|er+|erm|hmm+|well|sorry|excuse me|hey|ok|okay|oh|so|but|actually|honestly|wait|and|first|just) )*"
)
_TAIL_WORDS = r"(?: (?:please|thanks|thank you|though|exactly|at all|here))*"
_ENGLISH_PATTERNS = {kind: f"{_LEAD_WORDS}(?:{pattern}){_TAIL_WORDS}" for kind, pattern in _ENGLISH.items()}
_GREETING = re.compile("(?:你好|您好|嗨|哈喽|hi|hello|hey|嗯+|额+|呃+|那个|等等|请问|wait|um+|sorry|不好意思|谢谢)+")
_INVITED = re.compile(
    r"疑问|疑虑|想问|要问|问我|什么问题|哪些问题|\bquestions?\b|\bask\b",
    re.IGNORECASE,
)


def question_back(text: str) -> QuestionBack | None:
    """What is asked of us when ``text`` is nothing but questions to us, in Chinese or English; of several the first."""
    if len(text) > MAX_READ or _QUOTED.search(text.casefold()):
        return None
    plain = normalise(text).casefold()
    if len(fold(plain)) > _LONGEST or "…" in plain:
        return None
    parts = [clause for clause in clauses(plain) if not _GREETING.fullmatch(fold(clause.text))]
    kinds = [_kind(clause.text, asks=clause.asks) for clause in parts]
    return kinds[0] if kinds and all(kinds) else None


def invites_questions(question: str) -> bool:
    """Whether what we asked was what they would like to ask: then a question is the answer."""
    return _INVITED.search(question) is not None


def _kind(text: str, *, asks: bool) -> QuestionBack | None:
    """你能帮我 is only a question where it is put as one."""
    said, words = fold(text), words_of(text)
    for kind in _CHINESE_PATTERNS:
        if _whole(_CHINESE_PATTERNS[kind], said) and (asks or _ASKED_FOR_SURE.search(said)):
            return kind
        if _whole(_ENGLISH_PATTERNS[kind], words):
            return kind
    return None


def _whole(pattern: str, text: str) -> bool:
    made: Any = compiled(pattern)
    return made.fullmatch(text) is not None
