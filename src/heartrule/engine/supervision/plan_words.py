"""What a plan wants said word for word. Nobody goes over it again before the person reads it, so that it is held to
more than a reply is: short, no numbers but the helplines', and silent on health, death and ways to reach somebody."""

from __future__ import annotations

import re

from heartrule.checks import reply_shape
from heartrule.checks.normalization import fold
from heartrule.engine.tasks.prompt_context import helplines
from heartrule.engine.work import Work
from heartrule.language.compiling.script import CRISIS

LONGEST = 80
"""Chinese characters and words."""
DIGITS = 5
"""So many in a row, however they are set apart, are a number to call or to pay into."""
_NUMBER = re.compile(r"\d(?:[\s()+.·–—_/-]{0,3}\d)+")
_NUMERALS = str.maketrans("零〇一二三四五六七八九幺", "001234567891")
_SPACES = re.compile(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
_HEALTH = re.compile(
    r"药|医生|大夫|医院|就医|剂量|处方|诊断|治疗|咨询师|病情|毫克|疗程"
    r"|\b(?:medicines?|medications?|meds|drugs?|pills?|tablets?|doses?|doctors?|gp|psychiatrists?|therapists?"
    r"|hospitals?|diagnos\w+|prescri\w+|treatments?|antidepressants?|mg)\b"
)
_DEATH = re.compile(
    r"自杀|自尽|轻生|寻死|想死|去死|死掉|死了|遗书|遗言|自残|自伤|伤害自己|割腕|上吊|烧炭|跳楼|跳河|跳桥|跳下|高处|吞下"
    r"|\b(?:suicid\w+|kill\w*|die|dying|dead|death|overdos\w+|self[- ]harm\w*|hang(?:ing)? yourself"
    r"|cut(?:ting)? yourself|hurt(?:ing)? yourself|jump(?:ing)? (?:off|from|down)|swallow\w*)\b"
)
_REACH = re.compile(
    r"微信|vx|v信|扣扣|qq|银行卡|卡号|身份证|密码|验证码|[账帐][号户]|转账|汇款|付款|收款|二维码|加我"
    r"|电话|手机|热线|邮箱|住址|网址"
    r"|别(?:和|跟|对|告诉)|不(?:要|用|必)(?:和|跟|对|告诉)|保密|秘密"
    r"|https?:|www\.|@|\b(?:wechat|whatsapp|telegram|phone|call me|text me|hotlines?|e-?mail|passwords?|passport"
    r"|account|bank|credit card|address|don't tell|do not tell|secret)\b"
)
_SAFE = re.compile(
    r"(?:没有|没什么|不存在|不会有)[^，。！？,.!?]{0,8}(?:风险|危险|问题)|不会有事|不会出事|很安全|放心"
    r"|\b(?:no|not at) (?:any )?(?:risk|danger)\b|\bnothing will happen\b|\byou(?:'re| are) safe\b"
)
_KINDS = (
    ("health", _HEALTH),
    ("death", _DEATH),
    ("a way to reach somebody", _REACH),
    ("a safety that is not known", _SAFE),
)


def objection(work: Work, text: str) -> str:
    """Why it may not be said as it stands; empty: it may."""
    plain = _SPACES.sub("", fold(text))
    if reply_shape.length(text) > LONGEST:
        return f"what is said as it stands has at most {LONGEST} characters or words"
    known = {_digits(contact.number) for contact in helplines(work, CRISIS)}
    if any(
        len(number := _digits(found[0])) >= DIGITS and number not in known
        for found in _NUMBER.finditer(plain.translate(_NUMERALS))
    ):
        return "what is said as it stands names no number but the helplines'"
    return next(
        (f"what is said as it stands does not speak of {kind}" for kind, words in _KINDS if words.search(plain)), ""
    )


def _digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isdigit())
