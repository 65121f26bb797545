"""Replies that hold nothing (嗯, 随便, hm), and questions that such a reply may answer all the same."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from heartrule.parsing.phrase_files import phrases
from heartrule.parsing.text import MAX_READ, fold, words_of

Kind = Literal["sound", "shrug", "closed", "inviting", "several", "particular"]
_PHRASES = phrases("murmurs")
_ASKED = re.compile(r"([^?？。！!.\n；;]*)[?？]")
_COMMA = re.compile(r"[，,：:、]")


def says_nothing(text: str) -> bool:
    """Whether the words are a sound and no more, or no words at all."""
    return _is("sound", text)


def is_bare(text: str) -> bool:
    """Whether they are a sound or a shrug. A picture says something, and so does what trails off behind words."""
    if not fold(text) or any(unicodedata.category(character) in ("So", "Sk") for character in text):
        return False
    return _is("sound", text) or _is("shrug", text)


def asks_yes_or_no(question: str) -> bool:
    """Whether the last thing that is asked is one that a mere yes answers in full."""
    asked = [part for part in _ASKED.findall(question[-MAX_READ:]) if fold(part)]
    if not asked:
        return False
    last = _COMMA.split(asked[-1])[-1]
    return (_is("closed", asked[-1]) or _is("closed", last)) and not (
        _is("inviting", asked[-1]) or _is("several", last)
    )


def asks_a_particular(question: str) -> bool:
    """Whether a word or two is asked for (a name, a place, an occupation), and not what somebody has to tell."""
    return _is("particular", question[-MAX_READ:])


_NONE = re.compile(
    "有没有|有无|是否|还有.{0,12}[吗么]|有.{0,16}[吗么]|哪怕|没有(?:的话)?也|如果没有|没有就"
    r"|\b(?:any|anything|anyone|anybody|if there are|if none)\b"
)


def allows_none(question: str) -> bool:
    """Whether it may be answered by having none (有没有过敏的药？, any allergies?)."""
    return _NONE.search(question[-MAX_READ:].casefold()) is not None


def _is(kind: Kind, text: str) -> bool:
    return _PHRASES.is_one(kind, "zh", fold(text)) or _PHRASES.is_one(kind, "en", words_of(text))
