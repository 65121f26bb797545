"""Remarks about the conversation itself: I'm back, wait a moment, you ask too much. They answer nothing.

Only a message that is nothing but such remarks counts. See ``phrases/remarks.yaml``.
"""

from __future__ import annotations

from typing import Literal

from heartrule.parsing.phrase_files import phrases
from heartrule.parsing.text import MAX_READ, clauses, fold, normalise, words_of

Remark = Literal["back", "wait", "rest", "human", "complaint", "stop", "which", "other"]
_LONGEST = 60
_ASKING = 200
_PHRASES = phrases("remarks")
_KINDS: tuple[Remark, ...] = ("back", "stop", "wait", "human", "complaint", "rest")


def remark(text: str, *, choosing: bool = False) -> Remark | None:
    """Which remark ``text`` is when it is nothing else, in Chinese or English; of several the last. ``choosing``: there
    is something to choose from, so that asking which one to take, or asking anything at all, is a remark as well."""
    if len(text) > MAX_READ or "…" in normalise(text):
        return None
    plain = normalise(text).casefold()
    parts = [clause.text for clause in clauses(plain) if fold(clause.text)]
    kinds: tuple[Remark, ...] = (*_KINDS, "which") if choosing else _KINDS
    if len(fold(plain)) <= _LONGEST:
        found = _kind(plain, kinds)
        each = [_kind(part, kinds) for part in parts]
        if found or (each and all(each)):
            return found or each[-1]
    return "other" if choosing and plain.endswith("?") and len(plain) <= _ASKING else None


def _kind(text: str, kinds: tuple[Remark, ...]) -> Remark | None:
    said, words = fold(text), words_of(text)
    if not said:
        return None
    return next((k for k in kinds if _PHRASES.is_one(k, "zh", said) or _PHRASES.is_one(k, "en", words)), None)
