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

from heartrule.language.traditional import SIMPLIFIED

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
            parts.append(SIMPLIFIED.get(part, part))
    return "".join(parts)


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
