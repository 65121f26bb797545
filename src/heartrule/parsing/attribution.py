"""Whether what is said stands as the person's own, and of now: not of somebody else, of another time or a mere wish,
nor quoted, mocked or asked about. What the question is itself about (your mother, last week) does stand."""

from __future__ import annotations

import re

_KIN = (
    "妈妈|妈咪|妈|爸爸|爸|父亲|母亲|父母|爸妈|老公|老婆|丈夫|妻子|爱人|男朋友|女朋友|男友|女友|对象|前任|儿子|女儿|孩子|小孩|娃"
    "|哥哥|哥|姐姐|姐|弟弟|弟|妹妹|妹|爷爷|奶奶|外婆|外公|姥姥|姥爷|婆婆|公公|岳父|岳母|同学|同桌|同事|室友|舍友|老师|医生|大夫|咨询师"
    "|朋友|闺蜜|老板|领导|家人|家里人|邻居|亲戚"
)
_KIN_EN = (
    "mom|mum|mother|dad|father|parents|husband|wife|partner|boyfriend|girlfriend|ex|son|daughter|kids?|child|children"
    "|brother|sister|friends?|boss|doctor|therapist|teacher|roommate|coworker|colleague|family"
)
_ANYBODY_EN = "he|she|they|everyone|everybody|somebody|someone|people|others"
_SO = (
    "(?:也|都|才|很|挺|最近|现在|今天|今年|经常|老是|老|总是|总|一直|特别|比较|有点|更|是|就|能|会|可能|给|打"
    "|大概|应该|只?有)"
)
_SAYS = "(?:说|讲|觉得|认为|希望|想|要|让|叫|劝|建议|问|喊|嫌|骂|给|打)(?:了|过)?(?:我|自己)?(?:打)?"
_SAYS_EN = (
    "is|are|was|were|said|says|say|thinks|think|told me|tells me|wants me|wants|feels|feel|seems|would|gives|gave|rates"
    "|turned|just|also|always|often|very|really|so|quite|a|an|i am|im|i'm|i|it|to|should|be|at|about|that|me|being"
    "|scored|got|my|mood"
)
_OTHERS = re.compile(
    rf"(?:^|其实|就是|听|但|那是?|还是)(?:(?:我们?|咱|家里?|的|一个|有个|那个|这个){{0,3}}(?:{_KIN})|[他她]们?|它|别人|人家|大家|有人|网上)"
    rf"(?:们|的|家)?{_SO}*(?:{_SAYS}(?:是|就|有|应该|最好|要|去|太|很|能|该|打)*)?$"
    rf"|(?<!of )(?<!with )(?<!about )(?<!at )(?<!for )(?<!from )"
    rf"\b(?:my (?:\w+ )?(?:{_KIN_EN})|the doctor|{_ANYBODY_EN})(?:'s|s)?(?: (?:{_SAYS_EN}))* ?$"
)
_PERSON = re.compile(rf"{_KIN}|[他她它]|别人|人家|大家|有人|网上|\b(?:{_KIN_EN}|{_ANYBODY_EN})\b")
_FORMERLY = re.compile(r"以前|从前|小时候|\bused to\b")
_THEN = re.compile(
    "昨|前天|上次|上回|上周|上星期|上个月|之前|原来|本来|去年"
    r"|\b(?:yesterday|last (?:time|week|month|year|night)|before|originally|the other day)\b"
)
_PAST_ASKED = re.compile(
    r"最近|过去|曾|那(?:时|一刻|会|天|次|件|个)|当时|平时|昨|\b(?:past|recent(?:ly)?|lately|were|did|last)\b"
)
_WISHED = re.compile(
    "(?:想|希望|渴望|盼着?|巴不得|恨不得|争取|努力)"
    "(?:我|自己|要|能|可以|变得|变|保持|有|更|再|快点|回到|过得|一直|多|点|做到)*$"
    r"|\b(?:want(?:ed)?|wish|hope|hoping|trying|like|love|need) (?:i (?:was|were|am|could be|felt)"
    r"|to (?:be|feel|get|stay|become))(?: \w+)? ?$"
)
_WISH_ASKED = re.compile(
    r"想|(?<![主重需])要|愿|希望|打算|选|喜欢|期待|目标|\b(?:want|wish|like|hope|choose|prefer|goal|rather)\b"
)
_TURNED_BEHIND = re.compile(
    "(?:啥|什么)?[个你](?:屁|鬼|毛|锤子|头|大爷|妹(?!妹)|啥)|才怪|什么(?:呀|啊|嘛|玩意|东西)|你?别逗"
    "|(?:这|那)?(?:句话|一?个)?(?:到底)?(?:是|算|指|叫)?(?:的是)?(?:什么|啥|干嘛|怎么)(?!的)|有(?:什么|啥)|的?意思"
    "|[也都]?(?:没(?:什么|啥)?(?:用|意思|意义|劲)|不管用)|(?:[得起下])?不(?:下来|下去|下|起来|起|了|住|到|成|动|来|得)"
    "|(?:现在|也|好像|是不是|似乎|未免|感觉|会不会)*(?:还|太|有点)(?:太)?(?:早|快|急)"
    r"| ?(?:what|why|my (?:ass|foot)|means? what|yeah right|as if|is too|would be (?:nice|great|good)|makes no)\b"
)
_TURNED_BEFORE = re.compile(
    "(?:哪[有里儿能会]|哪来的?|谁|什么叫|什么是|啥叫|啥是|怎么(?:样)?(?:才)?(?:能|算|是|叫|会)?|如何|何谈|何来|凭什么|为什么|为啥|干嘛)"
    "(?:要|会|能|我|说|还|是|那么|很|可能|什么)*$"
    r"|\b(?:what(?: does| is|s)?|why(?: would i| should i| do i)?|who(?: is|s| says)?"
    r"|how (?:can|could|do|does|is|to|would)(?: i| one| it| you)?)(?: (?:be|feel|i|get))* ?$"
)


def of_another(before: str, about: str = "") -> bool:
    """Whether the words before it make somebody else the one who is so, or who says so (我妈说), in a question that is
    not about them."""
    found = _OTHERS.search(before)
    return found is not None and not any(each in about for each in _PERSON.findall(found.group()))


def of_another_time(before: str, about: str = "") -> bool:
    """Whether the words before it put it into the past, which was not asked about."""
    found = _THEN.search(before)
    dated = found is not None and found.group() not in about and _PAST_ASKED.search(about) is None
    return dated or is_over(before, about)


def is_over(before: str, about: str = "") -> bool:
    """Whether the words before it say that it was so once and is no longer (以前焦虑)."""
    found = _FORMERLY.search(before)
    return found is not None and found.group() not in about


def wished(before: str, about: str = "") -> bool:
    """Whether it is only wished for (想平静), where nobody has asked for a wish. Without a question nobody can tell."""
    return bool(about.strip()) and _WISH_ASKED.search(about) is None and _WISHED.search(before) is not None


def turned(before: str, behind: str) -> bool:
    """Whether the words around it mock it, ask about it, or say it cannot be (接着谈个屁, 哪有平静, 平静不下来)."""
    return _TURNED_BEHIND.match(behind) is not None or _TURNED_BEFORE.search(before) is not None
