"""A text that cannot be read as a whole, with the parts that keep it from being read made into comments: the rest can
be shown and edited. Nothing moves by a character, so that edits on what is read fit the text itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from heartrule.language.findings import Finding
from heartrule.language.yaml import ParsedYaml, parse

_MOST = 12
"""So many broken parts of a file are looked for; behind that all of it is locked."""
_ITEM = re.compile(r"( *)((?:- +)*)(\S)")


@dataclass(frozen=True, slots=True)
class UnreadableLines:
    """Lines ``first`` to ``last`` (from 1, both in it) cannot be read; ``why`` says so at its own line."""

    first: int
    last: int
    why: Finding


@dataclass(frozen=True, slots=True)
class Readable:
    """``text`` is as long as what was given, and ``parsed`` is what it says."""

    text: str = field(repr=False)
    parsed: ParsedYaml = field(repr=False)
    locked: tuple[UnreadableLines, ...]

    def holds(self, first: int, last: int) -> bool:
        """Whether some of these lines are locked."""
        return any(each.first <= last and first <= each.last for each in self.locked)


@lru_cache(maxsize=12)
def readable(text: str, file: str) -> Readable:
    """What of a text can be read."""
    lines = text.split("\n")
    locked: list[UnreadableLines] = []
    for _ in range(_MOST):
        parsed = parse("\n".join(lines), file)
        stop = next((found for found in parsed.findings if found.stops), None)
        if stop is None:
            return Readable("\n".join(lines), parsed, tuple(sorted(locked, key=lambda each: each.first)))
        first, last = _around(lines, stop.line, locked)
        _lock(lines, first, last)
        inside = [each for each in locked if first <= each.first and each.last <= last]
        locked = [each for each in locked if each not in inside]
        locked.append(UnreadableLines(first, last, inside[0].why if inside else stop))
    whole = parse("", file)
    why = locked[0].why if locked else stop
    return Readable("", whole, (UnreadableLines(1, len(lines), why),)) if why else Readable(text, parse(text, file), ())


def _around(lines: list[str], number: int, locked: list[UnreadableLines]) -> tuple[int, int]:
    """The item or key that a line belongs to; where all of that is locked, the one around it."""
    number = max(1, min(number, len(lines)))
    first = _begins(lines, number, 10_000)
    while True:
        column = _column(lines[first - 1])
        last = first
        for below in range(first + 1, len(lines) + 1):
            line = lines[below - 1]
            inner = _column(line)
            if inner is not None and column is not None and inner <= column and below > number:
                break
            last = below
        while last > first and not lines[last - 1].strip():
            last -= 1
        if column in (0, None) or not any(each.first <= first and last <= each.last for each in locked):
            return first, max(last, min(number, len(lines)))
        first = _begins(lines, first - 1, column)


def _begins(lines: list[str], number: int, under: int) -> int:
    """The nearest line above, or this one, that begins an item, further out than ``under``."""
    for above in range(number, 0, -1):
        line = lines[above - 1]
        column = _column(line)
        if column is not None and column < under and (line.lstrip(" ").startswith("- ") or column == 0):
            return above
    return 1


def _column(line: str) -> int | None:
    """How far in a line stands; None for one that says nothing."""
    found = _ITEM.match(line)
    return None if found is None or found[3] == "#" else len(found[1])


def _lock(lines: list[str], first: int, last: int) -> None:
    """Each line a comment as long as it was."""
    for number in range(first - 1, last):
        line = lines[number]
        end = "\r" if line.endswith("\r") else ""
        body = line.removesuffix("\r")
        lines[number] = ("#" * len(body)) + end
