"""What risk rules are searched in: a person's words without the disguises of writing, traceable to the original.

Compatibility forms (NFKC), accents and strike-through marks, zero-width characters, case, traditional characters, emoji
that stand for a word, Cantonese and pinyin are folded; blanks and filling between CJK characters are removed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from heartrule.engine.awareness.masks import unmasked
from heartrule.engine.awareness.pinyin import Cut, spelt
from heartrule.parsing.traditional import CANTONESE, SIMPLIFIED

_STANDS_FOR = {
    "🔪": "刀",
    "🗡": "刀",
    "💀": "死",
    "☠": "死",
    "⚰": "死",
    "🪦": "死",
    "亖": "死",
    "💊": "药",
    "🩸": "血",
    "\u2800": " ",
}
_STANDS_FOR |= CANTONESE
"""Pictures, and Cantonese words as the ones that the rules are written in."""
_INVISIBLE = "\u115f\u1160\u3164\uffa0"
_NEWLINES = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_CJK = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"

_FILLING = re.compile(rf"(?<=[{_CJK}])[ .·•*_\-~^/\\|+#@`'\"=<>…‘’“”]+(?=[{_CJK}])")
_LETTERS_APART = re.compile(r"\b(?:[a-z][ .\-*_])+[a-z]\b")
_BETWEEN_LETTERS = re.compile(r"[ .\-*_]")
_SIGNS_APART = re.compile(rf"(?<![{_CJK}])(?:[{_CJK}][ ,.!?;。、…\n]{{1,4}}){{2,}}[{_CJK}](?![{_CJK}])")
_BETWEEN_SIGNS = re.compile(r"[ ,.!?;。、…\n]+")
_BLANKS = re.compile(r"  +")
_LINE = re.compile(r"(?<! ) *\n+ *")

READ_AT_ONCE = 32
"""Texts of which it is remembered what they are, folded: those of the turns under way, no more."""
View = Literal["lines", "joined", "unmasked"]
"""``lines`` keeps line breaks, ``joined`` reads messages sent one after another, and letters set apart, as one;
``unmasked`` reads hashtags, words run together and signs that stand for letters (``masks``)."""


class _FoldTable(dict[int, str]):
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


_TABLE = _FoldTable()


@dataclass(frozen=True, slots=True)
class FoldedText:
    """``text`` to search in; ``span`` leads back to the words as they were written."""

    original: str
    text: str
    view: View
    cuts: tuple[tuple[Cut, ...], ...] = ()
    """What each step of folding took out."""
    written: str = ""
    origins: tuple[int, ...] | None = None
    """Of an unmasked text: what was folded, and where each of its characters stands in the original."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where ``text[start:end]`` stands in the original. ``start < end``."""
        written, origins = (
            (self.original, range(len(self.original))) if self.origins is None else (self.written, self.origins)
        )
        begins = [at for at, character in zip(origins, written, strict=True) for _ in _TABLE[ord(character)]]
        ends = begins
        for gone in self.cuts:
            begins, ends = _kept(begins, gone), _kept(ends, gone, last=True)
        return begins[start], ends[end - 1] + 1


@lru_cache(READ_AT_ONCE)
def fold(text: str, view: View = "lines") -> FoldedText:
    """Linear in the length of ``text``; any string is fine, lone surrogates and control characters too. Every set of
    rules reads the same words: they are folded once."""
    written, origins = unmasked(text) if view == "unmasked" else (text, None)
    folded = written.translate(_TABLE)
    steps = []
    for cuts in _steps(view):
        gone = tuple(cuts(folded))
        folded = _without(folded, gone)
        steps.append(gone)
    return FoldedText(text, folded, view, tuple(steps), written, None if origins is None else tuple(origins))


def normalise(text: str) -> str:
    """The text that a rule's pattern is searched in, line breaks kept."""
    return fold(text).text


_Step = Callable[[str], Iterator[Cut]]


def _steps(view: View) -> tuple[_Step, ...]:
    return (spelt, _blanks, _filling) if view != "joined" else (_letters, _signs, _lines, spelt, _blanks, _filling)


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
_blanks = _Cuts(_BLANKS, latin=" ")


def _without(text: str, cuts: Sequence[Cut]) -> str:
    parts, at = [], 0
    for start, end, instead in cuts:
        parts += [text[at:start], instead]
        at = end
    return "".join([*parts, text[at:]])


def _kept(origin: list[int], cuts: Sequence[Cut], *, last: bool = False) -> list[int]:
    """Where what is left comes from. What stands instead of a piece comes from its first characters, or ``last``."""
    kept: list[int] = []
    at = 0
    for start, end, instead in cuts:
        kept += origin[at:start]
        kept += origin[end - len(instead) : end] if last else origin[start : start + len(instead)]
        at = end
    return kept + origin[at:]
