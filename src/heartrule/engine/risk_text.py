"""What risk rules are searched in: a person's words with every disguise of writing taken off, traceable to the original.

Compatibility forms (NFKC), accents and strike-through marks, zero-width characters, case, traditional characters and
emoji that stand for a word are folded; blanks and filling between CJK characters are removed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

_TRADITIONAL = (
    "殺杀結结離离樓楼藥药燒烧繩绳傷伤殘残輕轻沒没義义為为還还時时這这個个來来說说讓让會会過过覺觉們们後后體体"
    "絕绝條条斷断氣气擺摆脫脱遺遗書书麼么願愿無无間间從从車车軌轨農农煙烟訣诀別别媽妈爺爷對对樣样與与將将給给誰谁"
    "總总該该腦脑種种當当現现實实難难嗎吗爛烂橋桥頂顶臺台愛爱鬱郁點点壓压幾几開开關关門门發发動动處处學学應应"
    "準准備备劃划計计買买畫画錢钱親亲兒儿聽听見见話话問问邊边遠远醫医雙双戰战負负擔担貴贵貢贡盡尽獨独苦苦廢废掙挣"
    "紗纱鯊鲨餘余夢梦誤误終终歲岁陰阴陽阳齊齐長长頭头臉脸筆笔記记憶忆歡欢樂乐滅灭戀恋國国萬万隻只夠够墜坠膩腻"
    "嚥咽瓶瓶顆颗劑剂飲饮針针鬧闹懼惧敗败強强弱弱憂忧慮虑溫温溺溺澆浇裡里麗丽著着牆墙髮发網网"
)
_STANDS_FOR = {"🔪": "刀", "🗡": "刀", "💀": "死", "☠": "死", "⚰": "死", "🪦": "死", "亖": "死", "\u2800": " "}
_INVISIBLE = "\u115f\u1160\u3164\uffa0"
_NEWLINES = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_CJK = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"

_FILLING = re.compile(rf"(?<=[{_CJK}])[ .·•*_\-~^/\\|+#@`'\"=<>…‘’“”]+(?=[{_CJK}])")
_LETTERS_APART = re.compile(r"\b(?:[a-z][ .\-*_]){2,}[a-z]\b")
_BETWEEN_LETTERS = re.compile(r"[ .\-*_]")
_SIGNS_APART = re.compile(rf"(?<![{_CJK}])(?:[{_CJK}][ ,.!?;。、…\n]{{1,4}}){{2,}}[{_CJK}](?![{_CJK}])")
_BETWEEN_SIGNS = re.compile(r"[ ,.!?;。、…\n]+")
_LINE = re.compile(r" *\n+ *")

View = Literal["lines", "joined"]
"""``lines`` keeps line breaks, ``joined`` reads messages sent one after another, and letters set apart, as one."""


class _Folding(dict[int, str]):
    """``str.translate`` table that works each character out once."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold(chr(code))
        return folded


def _fold(character: str) -> str:
    if character in _STANDS_FOR:
        return _STANDS_FOR[character]
    if character in _NEWLINES:
        return "\n"
    if character in _INVISIBLE:
        return ""
    if character == "\t":
        return " "
    parts = []
    for part in unicodedata.normalize("NFKD", character).lower():
        category = unicodedata.category(part)
        if category == "Zs":
            parts.append(" ")
        elif category[0] not in "MC" and category not in ("So", "Sk"):
            parts.append(_SIMPLIFIED.get(part, part))
    return "".join(parts)


_SIMPLIFIED = dict(zip(_TRADITIONAL[::2], _TRADITIONAL[1::2], strict=True))
_TABLE = _Folding()


@dataclass(frozen=True, slots=True)
class Folded:
    """``text`` to search in; ``span`` leads back to the words as they were written."""

    original: str
    text: str
    view: View

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where ``text[start:end]`` stands in the original. ``start < end``."""
        origin = [at for at, character in enumerate(self.original) for _ in _TABLE[ord(character)]]
        text = self.original.translate(_TABLE)
        for cuts in _steps(self.view):
            gone = list(cuts(text))
            text, origin = _without(text, gone), _kept(origin, gone)
        return origin[start], origin[end - 1] + 1


def fold(text: str, view: View = "lines") -> Folded:
    """Linear in the length of ``text``; any string is fine, lone surrogates and control characters too."""
    folded = text.translate(_TABLE)
    for cuts in _steps(view):
        folded = _without(folded, list(cuts(folded)))
    return Folded(text, folded, view)


def normalise(text: str) -> str:
    """The text that a rule's pattern is searched in, line breaks kept."""
    return fold(text).text


Cut = tuple[int, int, str]


def _steps(view: View) -> tuple[_Cuts, ...]:
    return (_filling,) if view == "lines" else (_letters, _signs, _lines, _filling)


class _Cuts:
    """A step of folding: names the pieces to replace, so that text and origin can both follow."""

    def __init__(self, whole: re.Pattern[str], inner: re.Pattern[str] | None = None, latin: str = "") -> None:
        self.whole, self.inner, self.latin = whole, inner, latin

    def __call__(self, text: str) -> Iterator[Cut]:
        for match in self.whole.finditer(text):
            start, end = match.span()
            if self.inner is None:
                yield start, end, self._between(text, start, end)
            else:
                yield from ((*piece.span(), "") for piece in self.inner.finditer(text, start, end))

    def _between(self, text: str, start: int, end: int) -> str:
        beside = text[max(0, start - 1) : start] + text[end : end + 1]
        return self.latin if beside.isascii() else ""


_filling = _Cuts(_FILLING)
_letters = _Cuts(_LETTERS_APART, _BETWEEN_LETTERS)
_signs = _Cuts(_SIGNS_APART, _BETWEEN_SIGNS)
_lines = _Cuts(_LINE, latin=" ")


def _without(text: str, cuts: list[Cut]) -> str:
    parts, at = [], 0
    for start, end, instead in cuts:
        parts += [text[at:start], instead]
        at = end
    return "".join([*parts, text[at:]])


def _kept(origin: list[int], cuts: list[Cut]) -> list[int]:
    kept: list[int] = []
    at = 0
    for start, end, instead in cuts:
        kept += origin[at:start]
        kept += origin[start : start + len(instead)]
        at = end
    return kept + origin[at:]
