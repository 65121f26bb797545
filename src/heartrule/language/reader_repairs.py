"""Phrases that answer nothing but mend the conversation: say that again, what do you mean, skip this.

Only a message that is nothing but such a phrase counts; an answer that contains the words is an answer. Phrases that
could also be said of one's life (``结束吧``, ``I'm done``) are left out on purpose.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from heartrule.language.patterns import compiled
from heartrule.language.reader_text import MAX_READ, fold, normalise, words_of

Repair = Literal["repeat", "clarify", "skip", "purpose", "stop", "unknown"]
_LONGEST = 60
_LEAD = r"(?:嗯+|额+|呃+|啊+|哦+|噢+|唉+|哎+|那个|那|其实|抱歉|对不起|不好意思|请问|请|麻烦|老师|咨询师|医生)*"
_TAIL = r"(?:啊|呢|吧|呀|啦|了|哦|嘛|吗|么|诶|哈|谢谢|好吗|可以吗|行吗|老师|咨询师|医生|哎|唉)*"
_YOU = "(?:你|您)?"
_ME = "(?:我)?"
_CAN = "(?:能不能|能否|能|可不可以|可以)?"
_THIS = "(?:这个问题|这个话题|这件事|这一题|这些|这个|这题|这方面|它|这)?"

_CHINESE: dict[Repair, str] = {
    "repeat": (
        rf"{_YOU}{_CAN}{_YOU}(?:请)?{_YOU}(?:再|重新|重)(?:说|讲|问|重复|来|发)(?:一)?(?:遍|次|下)?(?:问题|刚才的问题|刚才的话)?"
        rf"|{_YOU}{_CAN}{_YOU}重复(?:一)?(?:遍|次|下)?{_THIS}(?:问题)?"
        rf"|{_YOU}(?:刚才|刚刚|刚)?(?:说|问|讲)(?:的)?(?:是)?(?:什么|啥)(?:来着)?|(?:刚才|刚刚)?(?:的)?问题是(?:什么|啥)(?:来着)?"
        rf"|{_ME}(?:刚才|刚刚)?没(?:有)?(?:听|看)(?:清楚|清|见|到)(?:你说的|问题)?"
    ),
    "clarify": (
        rf"{_YOU}(?:的)?{_THIS}(?:问题|句话|话)?(?:是)?(?:什么|啥|几个)意思|什么|啥|怎么说|怎么理解|比如|比如说|例如"
        rf"|{_ME}(?:还是|有点|真的|完全)?(?:没|没有|不|不太|不大|不是很|不怎么|没太)(?:听|看)?(?:得)?(?:懂|明白|理解)"
        rf"(?:你的问题|{_THIS}|问题|你的意思|{_YOU}(?:在)?(?:说|问)(?:的)?(?:什么|啥)?|什么意思)"
        rf"|{_ME}(?:有点|完全)?(?:听|看)不(?:太)?(?:懂|明白)(?:你的问题|{_THIS}|问题|{_YOU}(?:在)?(?:说|问)(?:什么|啥))?"
        rf"|{_YOU}(?:具体)?(?:是)?指(?:的)?(?:是)?(?:什么|啥|哪方面|哪些)|{_YOU}(?:想|在|到底想|到底在)(?:问|说)(?:我)?(?:什么|啥)"
        rf"|{_YOU}{_CAN}{_YOU}(?:再)?(?:给我)?(?:解释|说明|举例|举个例子|说清楚|说明白|具体说|详细说)(?:一)?(?:下|点|些)?{_THIS}"
    ),
    "skip": (
        rf"{_CAN}(?:我|我想|我要|先|直接|想|我们|咱们)*(?:跳过|略过)(?:去)?{_THIS}(?:问题)?|(?:请)?(?:下一个|下一题|下一个问题|下个问题"
        rf"|下一项)|过|pass|算了"
        rf"|{_CAN}(?:我|我想|我们|咱们)*换(?:一)?个(?:问题|话题)"
        rf"|{_THIS}(?:问题)?{_ME}(?:现在|暂时|今天|真的|先|实在|并|也|还|有点)*不(?:太)?(?:想|愿意|愿|方便|便)(?:再)?(?:说|谈|聊|讲"
        rf"|答|回答|提|透露)(?:起)?{_THIS}"
        rf"|{_CAN}(?:我)?不(?:回答|说|答){_THIS}|(?:我)?拒绝回答{_THIS}|无可奉告|保密|算了(?:我)?不(?:想)?说"
    ),
    "purpose": (
        rf"{_YOU}(?:为什么|为啥|干嘛|干吗|干什么)(?:要|想|会|总|老)?(?:这么|这样)?问(?:我)?(?:这种问题|这种|这些问题|{_THIS})|为什么|为啥"
        rf"|{_YOU}问{_THIS}(?:是)?(?:要)?(?:干什么|干嘛|干吗|干啥|做什么|有什么用|有啥用|有用|有什么意义|有什么关系)"
        rf"|{_YOU}(?:为什么|为啥)(?:要|想)(?:知道|了解){_THIS}|(?:这|这个|这些|这个问题|问这些|问这个)(?:问题)?(?:有什么用|有啥用|有什么意义|有什么关系)"
        rf"|(?:这|这个)(?:跟|和|与)(?:我|咨询|这个|问题)(?:的问题)?有(?:什么|啥)关系|有必要(?:问|知道|说){_THIS}"
    ),
    "stop": (
        rf"停|停下|停止|停一下|暂停|{_ME}(?:想|要)?退出|再见|拜拜|到此为止|{_ME}(?:想)?(?:退出|停止|结束|停下|中止)(?:这次|本次|今天的)?(?:对话|会话|咨询|聊天|谈话)"
        rf"|(?:今天|这次)?(?:我们)?(?:就)?(?:先)?到这(?:里|儿)|(?:今天)?(?:就)?先这样"
        rf"|{_ME}(?:真的)?不(?:想)?(?:再)?(?:继续)?聊(?:了|下去)|不想(?:再)?继续(?:聊|说|谈|回答)?(?:下去)?"
        rf"|{_YOU}(?:别|不要)(?:再)?(?:问|说)(?:我)?|闭嘴"
    ),
    "unknown": (
        rf"{_ME}(?:也|真的|真|实在|还|现在|暂时|确实|完全|都)*(?:不|不太|不大|不是很)(?:知道|清楚|晓得|确定|记得|肯定)"
        rf"(?:怎么(?:说|讲|回答|形容|表达|描述)|该?怎么(?:说|讲|回答|形容)(?:才好)?|(?:该|要)?(?:说|答|回答)(?:些)?(?:什么|啥)(?:好)?)?"
        rf"|{_ME}(?:也|真的|真|实在)*(?:不好说|难说|很难说|说不清楚|说不清|说不上来|说不好|说不上|想不起来|想不到|想不出来|记不清楚|记不清|记不得|答不上来"
        rf"|回答不了|没想好|还没想好|没有头绪)"
        rf"|{_ME}(?:已经)?忘(?:记)?|谁知道|天知道|鬼知道"
    ),
}
_CHINESE_PATTERNS = {kind: f"{_LEAD}(?:{pattern}){_TAIL}" for kind, pattern in _CHINESE.items()}

_THAT = "(?: that| this| it| the question| this question| that question| this one| that one)?"
_NOT = "(?:dont|do not|didnt|did not|cant|cannot|can not|couldnt)"
_ENGLISH: dict[Repair, str] = {
    "repeat": (
        rf"(?:(?:can|could|would|will) you )?(?:please )?(?:repeat|restate){_THAT}(?: again)?"
        rf"|(?:(?:can|could|would|will) you )?(?:please )?(?:say|ask)(?: me)?(?: that| this| it"
        rf"| the question)? (?:again|once more|one more time)"
        rf"|come again|one more time|once more|pardon(?: me)?|again|what did you (?:just )?(?:say"
        rf"|ask)(?: again)?"
        rf"|what was (?:that|the question|your question)(?: again)?|what is the question(?: again)?"
        rf"|i {_NOT} (?:hear|catch|read)(?: you| that| it| what you said)?"
    ),
    "clarify": (
        rf"what do you mean(?: by (?:that|this|it))?|what (?:does|do) (?:that|this|it|you) mean"
        rf"|what|huh|meaning|like what|such as|for example"
        rf"|i (?:really |still |just )?{_NOT} (?:quite |really |fully )?(?:understand|get"
        rf"|follow)(?: you| that| this| it| the question| your question| what you mean"
        rf"| what youre asking| what you are asking)?"
        rf"|(?:im )?(?:not sure|unsure) (?:what you mean|i understand|what youre asking"
        rf"|what you are asking|what that means)"
        rf"|(?:can|could|would) you (?:please )?(?:explain|clarify|elaborate(?: on)?|rephrase"
        rf"|give (?:me )?an example(?: of)?){_THAT}(?: more)?"
        rf"|(?:please )?(?:explain|clarify|rephrase|elaborate){_THAT}|im confused|in what (?:way"
        rf"|sense)|what are you (?:asking|talking about)|i am confused"
    ),
    "skip": (
        rf"(?:can i |can we |could we |may i |id like to |lets |ill |i want to )?(?:skip"
        rf"|pass on){_THAT}|pass|ill pass|next|next question|next one|move on|lets move on"
        rf"|can we move on"
        rf"|(?:i would|id) (?:rather|prefer) not(?: to)?(?: (?:say|answer|share|talk about|discuss"
        rf"|get into))?{_THAT}|(?:i )?prefer not to(?: (?:say|answer|share))?{_THAT}"
        rf"|i (?:really )?(?:dont|do not) (?:want|wish|feel like|care)(?: to)? (?:say|saying|answer"
        rf"|answering|share|sharing|discuss|discussing|talk about"
        rf"|talking about){_THAT}(?: right now| now| today)?"
        rf"|(?:im |i am )?not (?:comfortable|ready) (?:answering|sharing|talking about|to answer"
        rf"|to talk about|to share){_THAT}|no comment"
        rf"|(?:can|could) we (?:talk about something else|change the (?:subject|topic))|none of your business"
    ),
    "purpose": (
        rf"why|why (?:do|would|are|did) you (?:ask|asking)(?: me)?(?: about)?{_THAT}"
        rf"|why do you (?:want|need) to know{_THAT}|why are you asking(?: me)?(?: about)?{_THAT}"
        rf"|why (?:is|does) (?:that|this|it) (?:important|relevant|matter)|(?:whats"
        rf"|what is) the point(?: of{_THAT})?|(?:whats|what is) (?:this|that) for|how is (?:that"
        rf"|this|it) relevant|whats it to you"
    ),
    "stop": (
        r"stop|stop (?:it|this|asking|please|now|here|the (?:session|chat|conversation))|quit|exit"
        r"|bye|bye bye|goodbye|good bye|see you(?: later)?"
        r"|(?:i want to |id like to |lets |can we )(?:stop(?: here| now| this| for today"
        r"| talking)?|(?:end|quit|leave) (?:the |this )?(?:session|chat|conversation))"
        r"|end (?:the |this )?(?:session|chat|conversation)|no more questions"
        r"|stop asking(?: me)?(?: questions)?|thats enough for today"
    ),
    "unknown": (
        r"(?:i )?(?:really |honestly |just )?(?:dont|do not) (?:really "
        r"|quite )?know(?: how to (?:say|answer|explain|describe)(?: that| it| this)?"
        r"| what to say)?|dunno|i dunno|idk|(?:i have |ive )?no (?:idea|clue)"
        r"|(?:im |i am )?(?:really )?(?:not (?:really |quite |so )?sure|unsure|not certain)"
        r"|i (?:cant|dont|do not|cannot) (?:really )?(?:remember|recall|say|tell)|i forgot"
        r"|i forget|(?:its )?hard to say|who knows|beats me"
    ),
}
_LEAD_WORDS = (
    r"(?:(?:um+|uh+|er+|erm|hmm+|well|sorry|excuse me|hey|ok|okay|oh|so|actually|honestly"
    r"|please|wait) )*"
)
_TAIL_WORDS = r"(?: (?:please|thanks|thank you|sorry|yet|ok|okay|though|exactly|tbh))*"
_ENGLISH_PATTERNS = {kind: f"{_LEAD_WORDS}(?:{pattern}){_TAIL_WORDS}" for kind, pattern in _ENGLISH.items()}
_PICTURE = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff]")
_WONDERING = frozenset("啊嗯哈诶额呃哎咦")
_ORDER: tuple[Repair, ...] = ("stop", "skip", "repeat", "clarify", "purpose", "unknown")


def repair(text: str, locale: str = "zh-CN") -> Repair | None:
    """Which repair ``text`` is when it is nothing but one, in Chinese or English whatever the locale."""
    if len(text) > MAX_READ:
        return None
    plain = normalise(text)
    said = fold(plain)
    if len(said) > _LONGEST or _goes_on_behind_a_picture(plain):
        return None
    if "?" in plain and _WONDERING.issuperset(said):
        return "clarify"
    words = words_of(plain)
    for kind in _ORDER:
        if _whole(_CHINESE_PATTERNS[kind], said) or _whole(_ENGLISH_PATTERNS[kind], words):
            return kind
    return None


def _goes_on_behind_a_picture(plain: str) -> bool:
    """我想💀跳过 is more than the words around the picture."""
    picture = _PICTURE.search(plain)
    return picture is not None and any(character.isalnum() for character in plain[picture.end() :])


def _whole(pattern: str, text: str) -> bool:
    made: Any = compiled(pattern)
    return made.fullmatch(text) is not None
