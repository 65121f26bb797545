"""Text that comes from a script, a model or a person, made harmless for a terminal."""

from __future__ import annotations

import unicodedata

_KEPT = {"\n", "\t"}
_BIDI = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def shown(text: str) -> str:
    """Without control characters (an escape sequence could redraw the screen), direction overrides and surrogates."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(
        character
        for character in text
        if character in _KEPT or (unicodedata.category(character) not in {"Cc", "Cs"} and character not in _BIDI)
    )
