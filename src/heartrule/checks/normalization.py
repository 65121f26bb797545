"""What output rules are searched in: a model's words in one spelling, character for character, so that what is found
can be shown as it was written."""

from __future__ import annotations

import unicodedata

from heartrule.parsing.traditional import SIMPLIFIED

_MARKS = {"’": "'", "‘": "'", "ʼ": "'", "。": "。", "．": ".", "﹐": ",", "\t": " ", "\u00a0": " ", "\u2011": "-"}


class _FoldTable(dict[int, str]):
    """``str.translate`` table that works each character out once."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold(chr(code))
        return folded


def _fold(character: str) -> str:
    """One character for one, always."""
    if character in _MARKS:
        return _MARKS[character]
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"
    plain = unicodedata.normalize("NFKC", character).lower()
    plain = plain if len(plain) == 1 else character
    return SIMPLIFIED.get(plain, plain)


_TABLE = _FoldTable()


def fold(text: str) -> str:
    """Lower case, simplified characters, full-width marks as ASCII. As long as ``text``; any string is fine."""
    return text.translate(_TABLE)
