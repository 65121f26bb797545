"""What risk rules are searched in: a person's words without the disguises of writing, traceable to the original.

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
    "萬万與与醜丑業业東东絲丝丟丢兩两嚴严喪丧個个箇个為为爲为麗丽麼么麽么義义樂乐習习書书買买於于產产産产親亲從从祂他們们價价會会傷伤體体餘余妳你傾倾兒儿剋克黨党關关養养寫写農农沖冲衝冲決决凈净淨净準准減减"
    "幾几齣出劃划則则剛刚刪删別别彆别颳刮剎刹劑剂剝剥劇剧勸劝辦办務务動动勁劲醫医單单臥卧厤历曆历歷历壓压厭厌廚厨發发髮发變变疊叠隻只檯台臺台颱台號号喫吃閤合弔吊衕同後后嚮向曏向嚇吓嗎吗聽听啓启啟启獃呆員员"
    "嗚呜週周嘍喽迴回睏困國国圖图圓圆場场塊块堅坚墻墙牆墙聲声壺壶處处備备復复複复夠够頭头夾夹媽妈學学寧宁甯宁牠它寶宝實实傢家寬宽對对尋寻導导塵尘嘗尝嚐尝尷尴儘尽盡尽佈布師师帶带幫帮乾干幹干榦干並并併并倖幸"
    "廣广應应廢废開开棄弃張张強强歸归噹当當当徹彻憶忆誌志唸念總总戀恋惱恼懸悬驚惊懼惧懲惩慣惯願愿懶懒戲戏慼戚戶户纔才紮扎擾扰摺折搶抢報报擔担擇择掛挂換换據据蒐搜擺摆襬摆撐撑攢攒敵敌敎教斷断無无時时闇暗朮术"
    "術术機机殺杀雜杂權权條条來来盃杯鬆松闆板極极査查標标欄栏樣样橋桥夢梦檢检樓楼慾欲殘残毀毁燬毁譭毁氣气漢汉沒没氾泛汎泛潑泼遊游滿满瀕濒滅灭點点煉炼鍊炼煙烟菸烟煩烦燒烧燙烫熱热愛爱爺爷牽牵狀状獨独貓猫獻献"
    "翫玩現现電电畫画畵画療疗癥症眞真著着睜睁確确禮礼禱祷禍祸離离種种窩窝筆笔簡简類类餬糊係系繫系緊紧纍累約约紗纱縱纵紙纸紋纹綫线線线終终經经結结給给絡络絕绝絶绝繼继績绩緒绪續续繩绳緣缘纏缠縊缢縮缩網网罰罚"
    "羨羡職职膚肤脅胁脈脉腦脑脫脱臉脸膩腻緻致捨舍藝艺葯药藥药慮虑錶表見见規规覓觅覺觉計计認认討讨讓让記记講讲許许論论訪访訣诀評评詛诅識识訴诉試试話话該该語语誤误誘诱說说説说請请讀读課课誰谁談谈諧谐謂谓謝谢"
    "貝贝負负敗败費费資资贅赘趕赶躍跃車车軌轨轉转輕轻輩辈邊边達达過过運运還还這这進进遠远遲迟選选遞递遺遗鄰邻鬱郁痠酸釋释裏里裡里針针鍼针鐵铁鍋锅錯错鍛锻長长問问間间悶闷鬧闹閨闺聞闻閻阎隊队陽阳險险隱隐難难"
    "靜静麪面麫面麵面頂顶項项預预頻频顆颗風风飯饭餓饿饞馋馬马罵骂駡骂魚鱼鮮鲜鯊鲨齊齐龍龙"
)
"""Pairs of a traditional character and the simplified one that the rules are written in."""
_STANDS_FOR = {"🔪": "刀", "🗡": "刀", "💀": "死", "☠": "死", "⚰": "死", "🪦": "死", "亖": "死", "\u2800": " "}
_INVISIBLE = "\u115f\u1160\u3164\uffa0"
_NEWLINES = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_CJK = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"

_FILLING = re.compile(rf"(?<=[{_CJK}])[ .·•*_\-~^/\\|+#@`'\"=<>…‘’“”]+(?=[{_CJK}])")
_LETTERS_APART = re.compile(r"\b(?:[a-z][ .\-*_]){2,}[a-z]\b")
_BETWEEN_LETTERS = re.compile(r"[ .\-*_]")
_SIGNS_APART = re.compile(rf"(?<![{_CJK}])(?:[{_CJK}][ ,.!?;。、…\n]{{1,4}}){{2,}}[{_CJK}](?![{_CJK}])")
_BETWEEN_SIGNS = re.compile(r"[ ,.!?;。、…\n]+")
_LINE = re.compile(r"(?<! ) *\n+ *")

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
