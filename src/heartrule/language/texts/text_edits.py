"""Edits on a text by ranges of it. Each character of what comes out knows which one of the original it stands for."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from heartrule.language.texts.source import Path, SourceMap, Spot

Piece = str | tuple[int, int]
"""What is written in place of a range: new text, or a range of the text as it was."""


class Edit(NamedTuple):
    start: int
    end: int
    pieces: tuple[Piece, ...] = ()


class TracedText(NamedTuple):
    """A text, and for each of its characters the offset in the original."""

    text: str
    origin: array[int]

    @classmethod
    def of(cls, text: str) -> TracedText:
        return cls(text, array("l", range(len(text) + 1)))

    def edited(self, edits: Iterable[Edit], newline: str = "\n") -> TracedText:
        """With edits that do not overlap carried out."""
        parts: list[str] = []
        origin = array("l")
        done = 0
        for start, end, pieces in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            parts.append(self.text[done:start])
            origin += self.origin[done:start]
            for piece in pieces:
                if isinstance(piece, str):
                    written = piece.replace("\n", newline)
                    parts.append(written)
                    origin += array("l", [self.origin[start]]) * len(written)
                else:
                    parts.append(self.text[piece[0] : piece[1]])
                    origin += self.origin[piece[0] : piece[1]]
            done = end
        parts.append(self.text[done:])
        return TracedText("".join(parts), origin + self.origin[done:])


@dataclass(slots=True)
class Spans:
    """Ranges of offsets, ends included; those that touch are one."""

    _starts: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)

    def __contains__(self, at: int) -> bool:
        index = bisect_right(self._starts, at) - 1
        return index >= 0 and at <= self._ends[index]

    def add(self, start: int, end: int) -> None:
        first, last = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < last:
            start, end = min(start, self._starts[first]), max(end, self._ends[last - 1])
        self._starts[first:last] = [start]
        self._ends[first:last] = [end]


@dataclass(slots=True)
class Edits:
    """Edits in groups: a group is taken whole, or not at all where one of it meets an edit that was taken before, or
    breaks a line whose indentation another one changes."""

    text: str
    groups: list[list[Edit]] = field(default_factory=list)
    _taken: list[tuple[int, int]] = field(default_factory=list)
    _moved: Spans = field(default_factory=Spans)
    _broken: list[int] = field(default_factory=list)

    def take(self, group: list[Edit]) -> bool:
        group = with_blank_lines(self.text, group)
        span = min(edit.start for edit in group), max(edit.end for edit in group)
        moves = any(not any(_text(piece).strip(" ") for piece in edit.pieces) for edit in group)
        breaks = [edit.start for edit in group if any("\n" in _text(piece) for piece in edit.pieces)]
        # A line that moves does so with all that stands in it.
        span = span[0], max(span[1], self.text.find("\n", span[1])) if moves else span[1]
        if any(self._meets(edit) for edit in group) or any(at in self._moved for at in breaks):
            return False
        if moves and bisect_left(self._broken, span[0]) < bisect_right(self._broken, span[1]):
            return False
        self.groups.append(group)
        for edit in group:
            insort(self._taken, (edit.start, edit.end))
        for at in breaks:
            insort(self._broken, at)
        if moves:
            self._moved.add(*span)
        return True

    def _meets(self, edit: Edit) -> bool:
        at = bisect_left(self._taken, (edit.start, edit.end))
        near = self._taken[max(0, at - 1) : at + 1]
        return any((edit.start < end and start < edit.end) or start == edit.start for start, end in near)


_BLANK = re.compile(r"^[ \t]*\r?$", re.MULTILINE)
_BEFORE = re.compile(r"[ \t]*(?:-[ \t]+)*(?:\{[^\"'#]*|[^\s\"'{}\[\],#]+:[ \t]+)?\Z")
_KEPT = re.compile(r"[|>][1-9]?\+[1-9]?[ \t]*(?:#.*)?\Z")


def with_blank_lines(text: str, group: list[Edit]) -> list[Edit]:
    """The edits, and back again in front of where they went the blank lines that they would take away. Where a text in
    lines keeps the blank lines behind it, none is put there: they would become a part of it."""
    first = next((edit for edit in sorted(group) if "\n" in text[edit.start : edit.end]), None)
    if first is None:
        return group
    start = text.rfind("\n", 0, min(edit.start for edit in group)) + 1
    end = text.find("\n", max(edit.end for edit in group))
    end = len(text) if end < 0 else end
    lost = _blank(text[start:end]) - _blank(_carried_out(text, group, start, end))
    at = text.rfind("\n", 0, first.start) + 1
    if lost <= 0 or not _BEFORE.match(text[at : first.start]) or _kept_above(text, at):
        return group
    breaks = "\n" * lost
    if any(edit.start == at for edit in group):
        return [Edit(at, e.end, (breaks, *e.pieces)) if e.start == at else e for e in group]
    return [Edit(at, at, (breaks,)), *group]


def _kept_above(text: str, at: int) -> bool:
    """Whether a text in lines that keeps the blank lines behind it stands above the line that begins here."""
    low = at + 1
    while at > 0 and low:
        start = text.rfind("\n", 0, at - 1) + 1
        line = text[start : at - 1].rstrip("\r")
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and indent < low:
            if _KEPT.search(line):
                return True
            low = indent
        at = start
    return False


def _blank(text: str) -> int:
    return len(_BLANK.findall(text))


def _carried_out(text: str, group: list[Edit], start: int, end: int) -> str:
    parts, done = list[str](), start
    for edit in sorted(group, key=lambda edit: (edit.start, edit.end)):
        parts.append(text[done : edit.start])
        parts += [piece if isinstance(piece, str) else text[piece[0] : piece[1]] for piece in edit.pieces]
        done = edit.end
    return "".join([*parts, text[done:end]])


def _text(piece: Piece) -> str:
    """A range of the text may hold anything, a line break too."""
    return piece if isinstance(piece, str) else "…\n"


def in_original(found: SourceMap, traced: TracedText, lines: list[str]) -> SourceMap:
    """Positions in an edited text → positions in the original, whose ``lines`` they are."""
    begins = _begins(traced.text.split("\n"))
    original = _begins(lines)

    def spot(at: Spot) -> Spot:
        offset = min(begins[min(at.line, len(begins)) - 1] + at.column - 1, len(traced.origin) - 1)
        return place_of(traced.origin[offset], original, at.style)

    keys: dict[Path, Spot] = {path: spot(at) for path, at in found.keys.items()}
    return SourceMap(keys, {path: spot(at) for path, at in found.values.items()}, lines)


def place_of(offset: int, begins: list[int], style: str = "") -> Spot:
    """Line and column of an offset in a text whose lines begin there."""
    line = bisect_left(begins, offset + 1)
    return Spot(line, offset - begins[line - 1] + 1, style)


def _begins(lines: list[str]) -> list[int]:
    found, at = [], 0
    for line in lines:
        found.append(at)
        at += len(line) + 1
    return found


def begins(text: str) -> list[int]:
    """Where the lines of a text begin."""
    return _begins(text.split("\n"))
