"""Where something stands in a text: lines and columns from 1, in characters, as findings count."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    line: int
    column: int


class Range(NamedTuple):
    """``end`` is not part of it."""

    start: Position
    end: Position

    def holds(self, at: Position) -> bool:
        """Whether a caret there touches it."""
        return self.start <= at <= self.end


def on_one_line(line: int, column: int, length: int) -> Range:
    return Range(Position(line, column), Position(line, column + length))


def utf16(line: str, column: int) -> int:
    """A column as the Language Server Protocol counts: from 0, in UTF-16 code units."""
    return len(line[: column - 1].encode("utf-16-le")) // 2


def characters(line: str, units: int) -> int:
    """The column, from 1, of a place that is so many UTF-16 code units into a line."""
    seen = 0
    for number, character in enumerate(line):
        if seen >= units:
            return number + 1
        seen += 2 if ord(character) > 0xFFFF else 1
    return len(line) + 1
