"""Phrases that answer nothing but mend the conversation: say that again, what do you mean, skip this.

Only a message that is nothing but such a phrase counts; an answer that contains the words is an answer. Phrases that
could also be said of one's life (``结束吧``, ``I'm done``) are left out on purpose. See ``phrases/repairs.yaml``.
"""

from __future__ import annotations

import re
from typing import Literal

from heartrule.parsing.phrase_files import phrases
from heartrule.parsing.text import MAX_READ, fold, normalise, words_of

Repair = Literal["repeat", "clarify", "skip", "purpose", "stop", "unknown"]
_LONGEST = 60
_PICTURE = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff]")
_WONDERING = frozenset("啊嗯哈诶额呃哎咦")
_PHRASES = phrases("repairs")
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
        if _PHRASES.is_one(kind, "zh", said) or _PHRASES.is_one(kind, "en", words):
            return kind
    return None


def _goes_on_behind_a_picture(plain: str) -> bool:
    """我想💀跳过 is more than the words around the picture."""
    picture = _PICTURE.search(plain)
    return picture is not None and any(character.isalnum() for character in plain[picture.end() :])
