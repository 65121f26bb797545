"""Words without what only a terminal or a text layout obeys."""

from __future__ import annotations

_KEPT = "\t\n"
_OBEYED = [*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_TAKEN_OUT = dict.fromkeys(code for code in _OBEYED if chr(code) not in _KEPT)


def visible(text: str) -> str:
    """Without control characters (tab and line break apart) and without marks that turn the direction of what follows:
    a name must not ring a terminal's bell, nor have a number read backwards."""
    return text.translate(_TAKEN_OUT)
