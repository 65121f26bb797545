"""The manner of a whole reply: how long, how many questions, lists and emoji. Counts only; the bounds are data."""

from __future__ import annotations

import re

_UNIT = re.compile(r"[\u3400-\u9fff]|[A-Za-z0-9À-ɏ]+(?:['’-][A-Za-z]+)*")
_QUOTED = re.compile(r"“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|\"[^\"]{0,400}\"")
_SENTENCE = re.compile(r"(?:[^。！？!?…\n.]|\.(?!\s|$))+[。！？!?….]*(?:[”」』\"’)）])*")
_ASKS = re.compile(r"[？?]")
_TAG = re.compile(
    r"\W*(?:对吗|对吧|是吗|是吧|好吗|好不好|行吗|可以吗|对不对|是不是|是这样吗"
    r"|right|okay|ok|yes|is that right|all right|does that fit)\W*",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"\s*(?:还是|或者|或是|又或者|or)(?:\b|[\u3400-\u9fff ，,])", re.IGNORECASE)
_LIST = re.compile(r"^[ \t]*(?:[-*•·▪◦]|\d{1,2}[.、)）])[ \t]*\S", re.MULTILINE)
_BLOCK = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]+\S|\|.*\||>[ \t]+\S|(?:-{3,}|\*{3,}|={3,})[ \t]*$)|```", re.MULTILINE)
_STRONG = re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\u203c\u2049]")


def length(text: str) -> int:
    """Chinese characters and words of other languages together."""
    return len(_UNIT.findall(text))


def questions(text: str) -> list[str]:
    """The questions put one right after the other at the end of a reply; of two with something said between, the last.
    What stands in quotation marks, a tag (“对吗？”, “right?”) and the other half of a choice (“还是……？”) are none."""
    run: list[str] = []
    for sentence in reversed(_SENTENCE.findall(_QUOTED.sub("…", text))):
        if not sentence.strip('” 」』"’)）\t…'):
            continue
        if not _ASKS.search(sentence):
            break
        if not _TAG.fullmatch(sentence) and not _CHOICE.match(sentence):
            run.append(sentence.strip())
    return run[::-1]


def marked_up(text: str, limit: int) -> str:
    """The heading, table or code in a reply, or the first of more than ``limit`` list lines or bold pieces; else ""."""
    if block := _BLOCK.search(text):
        return block[0].strip()
    for kind in (_LIST, _STRONG):
        pieces: list[str] = kind.findall(text)
        if len(pieces) > limit:
            return pieces[0].strip()
    return ""


def emoji(text: str) -> list[str]:
    return _EMOJI.findall(text)
