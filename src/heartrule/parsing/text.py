"""A person's words made comparable, cut into clauses, and asked whether a phrase in them is meant.

Readers must never invent: what is denied, asked, feared or only supposed does not count as said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from heartrule.locales import is_chinese

MAX_READ = 4_000
"""Characters that readers look at. Whoever writes more tells a story, which rules cannot read."""

READ_AT_ONCE = 64
"""Texts of which it is remembered how they read: many readers look at the words of one turn."""

_NEWLINES = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PUNCTUATED = str.maketrans(
    {"。": ".", "、": "、", "“": '"', "”": '"', "‘": "'", "’": "'", "…": "…", "～": "~", "〜": "~"}
)
_APART = re.compile(rf"(?<=[{_CJK}]) +(?=[{_CJK}])")
_ELLIPSIS = re.compile(r"[.…]{2,}")
_REPEATED = re.compile(r"([!?,;:~、。.\-])\1+")
_BLANKS = re.compile(r" {2,}")
_CLAUSE_ENDS = re.compile(r"(?:[;:!?…\n()（）]|(?<![0-9]),|,(?![0-9]{3}(?![0-9])))+|\.(?![0-9])|\.(?<![0-9]\.)")
_POINT = re.compile(r"(?<=[0-9])\.(?=[0-9])")
_KEPT_POINT = "\ue000"


class _Plain(dict[int, str]):
    """``str.translate`` table: compatibility forms unified, what cannot be seen taken out."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


def _plain(character: str) -> str:
    if character in _NEWLINES:
        return "\n"
    category = unicodedata.category(character)
    if category == "Zs" or character in "\t\u2800":
        return " "
    if category in ("Cc", "Cf", "Cs", "Cn") or character in "\u115f\u1160\u3164\uffa0":
        return ""
    if character in "…‥":
        return "…"
    return unicodedata.normalize("NFKC", character).translate(_PUNCTUATED)


_TABLE = _Plain()
_KEEPS_JOINERS = _Plain({0x200D: "\u200d"})
_PICTURES = "\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff"
_STRAY_JOINER = re.compile(rf"(?<![{_PICTURES}\ufe0f])\u200d|\u200d(?![{_PICTURES}])")
"""Between two pictures a joiner makes one of them, and names have families in them; elsewhere nobody sees it."""


@lru_cache(READ_AT_ONCE)
def normalise(text: str) -> str:
    """``text`` in one form: half width, compatibility forms unified, nothing invisible, no blanks between CJK
    characters, repeated punctuation once, ellipses as ``…``. Line breaks, case and joined emoji stay. Linear; takes any
    string."""
    words = _STRAY_JOINER.sub("", text.translate(_KEEPS_JOINERS))
    if len(words) <= MAX_READ:  # composing is quadratic in runs of combining marks
        words = unicodedata.normalize("NFC", words)
    words = _APART.sub("", _BLANKS.sub(" ", words))
    words = _REPEATED.sub(r"\1", _ELLIPSIS.sub("…", words))
    return "\n".join(line for line in (each.strip() for each in words.split("\n")) if line)


@lru_cache(READ_AT_ONCE)
def fold(text: str) -> str:
    """Letters and digits only, in lower case: what two wordings are compared by. A decimal point stays."""
    words = _POINT.sub(_KEPT_POINT, text.translate(_TABLE).casefold())
    return "".join(c for c in words if c.isalnum() or c == _KEPT_POINT).replace(_KEPT_POINT, ".")


@lru_cache(READ_AT_ONCE)
def words_of(text: str) -> str:
    """Lower-case words with single blanks between them, without punctuation or apostrophes (``don't`` is ``dont``)."""
    kept = (c if c.isalnum() else "" if c == "'" else " " for c in normalise(text).casefold())
    return " ".join("".join(kept).split())


_ASKED = re.compile("(?:吗|(?<![什怎这那多要])么)$")


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of normalised, case-folded text; ``end`` is the punctuation behind it ("" at the very end)."""

    text: str
    start: int
    end: str

    @property
    def asks(self) -> bool:
        return "?" in self.end or _ASKED.search(self.text) is not None


_SAME_LENGTH = str.maketrans("，。！？；：（）\r", ",.!?;:()\n")


def half_width(text: str) -> str:
    """Clause ends in their plain form, every character in its place."""
    return text.translate(_SAME_LENGTH)


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of normalised ``text``, empty ones left out."""
    return iter(_clauses(text))


@lru_cache(READ_AT_ONCE)
def _clauses(text: str) -> tuple[Clause, ...]:
    return tuple(_cut(text))


def _cut(text: str) -> Iterator[Clause]:
    at = 0
    for cut in _CLAUSE_ENDS.finditer(text):
        if text[at : cut.start()].strip():
            yield Clause(text[at : cut.start()], at, cut.group())
        at = cut.end()
    if text[at:].strip():
        yield Clause(text[at:], at, "")


HARMLESS = re.compile(
    "受不了|忍不住|差不多|不得了|了不得|了不起|不停|不断|不但|不仅|不只|不光|不久|不由得|睡不着|对不起|不好意思|不如|不管"
    "|没办法|没法|没错|不过|非常|无论|无比|特别|别人|分别|区别|告别|离别|未来|不好|不舒服|不开心|不高兴|不安|不耐烦|无助|无力|无聊"
)
_NOT_MEANT = re.compile(
    "不|没|无|未|别|非|否|莫|勿|怕|担心|如果|(?<!主)要是|假如|万一|除了|除非|谈不上|算不上"
    r"|\b(?:not?|never|none|without|cannot|if|unless|except|afraid|worry|worried|fear|hardly"
    r"|barely)\b|n't\b|\b(?:do|does|did|is|are|was|were|have|has|had|would|could|ca|wo)nt\b"
)
_TAKEN_BACK = re.compile(
    r"\s*(?:倒是|倒|也|还|是|的|这种|情况|想法|感觉){0,3}(?:没有|没|不至于|不是|不会|谈不上|算不上|不存在)"
    r"|\s*(?:is|was|are)? ?(?:not|n't)\b"
)
_REACH = 8
_REACH_LATIN = 30


def meant(clause: Clause, start: int, end: int) -> bool:
    """Whether ``clause.text[start:end]`` is said of the present: neither denied, asked, feared nor supposed."""
    if clause.asks:
        return False
    reach = _REACH_LATIN if clause.text[start:end].isascii() and not _has_cjk(clause.text) else _REACH
    before = HARMLESS.sub("", clause.text[max(0, start - reach - 4) : start])[-reach:]
    return _NOT_MEANT.search(before) is None and _TAKEN_BACK.match(clause.text, end) is None


_LATIN_WORDS = 3
_CJK_LETTERS = 4


def is_foreign(text: str, locale: str) -> bool:
    """Whether ``text`` is plainly in the other one of the two languages: some words of it, and none of the session's. A
    name or a word of it is not."""
    if is_chinese(locale):
        words = [word for word in words_of(text[:MAX_READ]).split() if word.isascii() and word.isalpha()]
        return len(words) >= _LATIN_WORDS and not _has_cjk(text)
    letters = [character for character in text[:MAX_READ] if character.isalpha()]
    return sum(map(_has_cjk, letters)) >= _CJK_LETTERS and not any(letter.isascii() for letter in letters)


def _has_cjk(text: str) -> bool:
    return any("\u3400" <= character <= "\u9fff" for character in text)


def spans(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Where ``wanted`` stands in ``text``, as a whole word where it is written in a script with blanks."""
    if not wanted:
        return
    at = text.find(wanted)
    found = 0
    while at >= 0 and found < 50:
        end = at + len(wanted)
        if not _cuts_word(text, at) and not _cuts_word(text, end):
            found += 1
            yield at, end
        at = text.find(wanted, end)


def _cuts_word(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    return (
        left.isalnum()
        and right.isalnum()
        and left < "\u2e80"
        and right < "\u2e80"
        and left.isdigit() == right.isdigit()
    )
