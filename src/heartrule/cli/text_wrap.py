"""Lines that fit: Chinese may break between any two characters, other words may not."""

from __future__ import annotations

import re

from rich.cells import cell_len

_NOT_FIRST = re.escape("，。！？；：、）》」』】〕”’…—,.!?;:)]}%")
_NOT_LAST = re.escape("（《「『【〔“‘([{")
_WIDE = "\u2e80-\ua4ff\uf900-\ufaff\uff00-\uffef"
_UNITS = re.compile(rf"[{_NOT_LAST}]*(?:[{_WIDE}]|[^\s{_WIDE}]+)[{_NOT_FIRST}]*|\s+|\S")


def wrapped(text: str, width: int) -> str:
    """``text`` in lines of at most ``width`` columns; its own line breaks stay."""
    return "\n".join("\n".join(_lines(line, max(width, 4))) for line in text.split("\n"))


def _lines(text: str, width: int) -> list[str]:
    lines, line, used = [], "", 0
    for unit in _UNITS.findall(text):
        for piece in _pieces(unit, width):
            size = cell_len(piece)
            if used + size > width and used:
                lines += [line.rstrip()] if line.strip() else []
                line, used = "", 0
                if piece.isspace():
                    continue
            line, used = line + piece, used + size
    return [*lines, line.rstrip()]


def _pieces(unit: str, width: int) -> list[str]:
    """A word that is longer than a line is cut."""
    if cell_len(unit) <= width:
        return [unit]
    pieces, piece = [], ""
    for character in unit:
        if cell_len(piece + character) > width:
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]
