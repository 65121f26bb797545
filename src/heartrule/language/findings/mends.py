"""How a finding can be mended by one click: edits on the text of its file, found by where things stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import NamedTuple, Protocol

from heartrule.language.texts.merge_keys import MERGE
from heartrule.language.texts.page import Page, scalar
from heartrule.language.texts.scalars import resolve
from heartrule.language.texts.source import SourceMap
from heartrule.language.texts.text_edits import Edit, begins
from heartrule.language.texts.tree import Entry, Tree, trees

_BEHIND = "#,]}:"
_OPENED = re.compile(r"\$?\{{1,2}[ \t\u3000]*")
_LENGTH = re.compile(r"\d+(?:[smh]| turns)")
_SURE, _APART = 0.66, 0.08


class HasPosition(Protocol):
    """Anything that stands at a line and column, both from 1."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class _Position(NamedTuple):
    line: int
    column: int


class TextEdit(NamedTuple):
    """What stands from ``line`` and ``column`` (both from 1) up to the end, which is not part of it, becomes ``text``.
    A byte order mark is no column."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Mend:
    """Edits that belong together and do not overlap. ``safe``: there is no other way to mean it, so that ``lint --fix``
    may make them; else a person decides."""

    edits: tuple[TextEdit, ...]
    safe: bool = True


@dataclass(slots=True)
class MappedText:
    """The text that a map of positions belongs to, with where each of its keys begins."""

    page: Page
    begins: list[int]
    entries: dict[int, tuple[Tree, Entry]]

    @classmethod
    def of(cls, known: SourceMap) -> MappedText:
        """Worked out when it is first asked for."""
        if not isinstance(known.written, cls):
            text = "\n".join(known.lines)
            entries = {entry.key.start: (tree, entry) for tree, entry in _entries(trees(text))}
            known.written = cls(Page(text), begins(text), entries)
        return known.written

    def changes(self, edits: Sequence[Edit]) -> tuple[TextEdit, ...]:
        """Edits by offsets as edits by line and column."""
        text = self.page.text
        return tuple(
            TextEdit(
                *self._at(edit.start),
                *self._at(edit.end),
                "".join(piece if isinstance(piece, str) else text[piece[0] : piece[1]] for piece in edit.pieces),
            )
            for edit in edits
        )

    def _at(self, offset: int) -> tuple[int, int]:
        line = self.page.text.count("\n", 0, offset)
        return line + 1, offset - self.begins[line] + 1


def whole(
    known: SourceMap, at: HasPosition, old: object, new: object, *, safe: bool = True, around: str = ""
) -> Mend | None:
    """The key or value ``old``, plain or in quotes, becomes ``new``, between the two signs ``around``. None where
    something else stands there."""
    line = _line(known, at)
    old = str(old)
    quote = line[:1] if line[:1] in ("'", '"') else ""
    if not old or not line.startswith(f"{quote}{old}{quote}"):
        return None
    length = len(old) + 2 * len(quote)
    behind = line[length:].lstrip(" \t\r")
    if behind and behind[0] not in _BEHIND:
        return None
    text = new if isinstance(new, str) else str(new)
    keeps = quote and not set(text) & set("'\"\\") and isinstance(new, str)
    written = f"{quote}{text}{quote}" if keeps else _number_or(text)
    return _one(at, length, f"{around[:1]}{written}{around[1:]}", safe)


def exactly(known: SourceMap, at: HasPosition, old: str, new: str, *, safe: bool = True) -> Mend | None:
    """The characters ``old`` become ``new``. None where they do not stand there."""
    return _one(at, len(old), new, safe) if _line(known, at).startswith(old) else None


def name(known: SourceMap, at: HasPosition, old: str, new: str, *, safe: bool = True) -> Mend | None:
    """A name in a text or an expression, in braces or without. None where it does not stand there."""
    line = _line(known, at)
    opened = _OPENED.match(line)
    skip = opened.end() if opened else 0
    inner = _Position(at.line, at.column + skip)
    return _one(inner, len(old), new, safe) if line.startswith(old, skip) else None


def pattern(known: SourceMap, at: HasPosition, found: str, new: str, *, safe: bool = True) -> Mend | None:
    """What the pattern ``found`` matches becomes ``new``, a template of the ``re`` module."""
    match = re.match(found, _line(known, at))
    return _one(at, match.end(), match.expand(new), safe) if match else None


def removed(known: SourceMap, at: HasPosition, *, safe: bool = True) -> Mend | None:
    """The key that stands there goes, with its value; comments stay. None where it is the only one, or no key."""
    written = MappedText.of(known)
    if not 0 < at.line <= len(written.begins):
        return None
    tree, entry = written.entries.get(written.begins[at.line - 1] + at.column - 1, (None, None))
    if tree is None or entry is None or len(tree.entries) < 2 or entry.value.marked or entry.name == MERGE:
        return None
    return Mend(written.changes(written.page.remove(tree, entry)), safe)


def between(before: Sequence[str], after: Sequence[str], *, safe: bool = True) -> Mend | None:
    """From lines to as many other lines."""
    edits = []
    for number, (old, new) in enumerate(zip(before, after, strict=True), 1):
        if old == new:
            continue
        start = next((i for i, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), None)
        start = min(len(old), len(new)) if start is None else start
        end = 0
        while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
            end += 1
        edits.append(TextEdit(number, start + 1, number, len(old) - end + 1, new[start : len(new) - end]))
    return Mend(tuple(edits), safe) if edits else None


def applied(text: str, edits: Sequence[TextEdit]) -> str:
    """The text with edits carried out. Raises ``ValueError`` where two of them overlap or one is outside of it."""
    starts = [*begins(text), len(text) + 1]
    parts: list[str] = []
    done = 0
    for edit in sorted(edits):
        if edit.end_line >= len(starts) or edit.line < 1:
            raise ValueError(f"no line {edit.end_line}")
        start, end = starts[edit.line - 1] + edit.column - 1, starts[edit.end_line - 1] + edit.end_column - 1
        if not done <= start <= end <= len(text):
            raise ValueError(f"line {edit.line} is edited twice")
        parts += [text[done:start], edit.text]
        done = end
    return "".join([*parts, text[done:]])


def near(wanted: str, known: Sequence[str]) -> tuple[str, bool] | None:
    """The nearest of what is known, and whether no other could be meant; None where nothing is near, or two are as
    near as each other."""
    found = alike(wanted, known)
    if not found:
        return None
    ratios = [SequenceMatcher(None, each.casefold(), wanted.casefold()).ratio() for each in found]
    if len(found) > 1 and ratios[0] == ratios[1]:
        return None
    return found[0], ratios[0] >= _SURE and (len(found) == 1 or ratios[0] - ratios[1] >= _APART)


def one_near(wanted: str, known: Sequence[str]) -> str | None:
    """What is near of what is known, where nothing else is."""
    found = alike(wanted, known)
    return found[0] if len(found) == 1 else None


def alike(wanted: str, known: Sequence[str]) -> list[str]:
    """The two nearest of what is known and near."""
    # In a name of two or three characters one wrong character is half of it.
    return close(wanted, tuple(known), 0.6 if len(wanted) > 3 else 0.5)


@lru_cache(maxsize=4_096)
def close(wanted: str, known: tuple[str, ...], cutoff: float) -> list[str]:
    """The two nearest of what is known, the nearest first; alone what differs in capital letters only. A mistake that
    is made often is looked up once."""
    same = [each for each in known if each.casefold() == wanted.casefold()]
    if len(same) == 1:
        return same
    return get_close_matches(wanted, known, 2, cutoff)


def _number_or(text: str) -> str:
    """Numbers, lengths of time and truths stay plain."""
    plain = isinstance(resolve(text), bool | int | float) or _LENGTH.fullmatch(text)
    return text if plain else scalar(text)


def _one(at: HasPosition, length: int, text: str, safe: bool) -> Mend:
    return Mend((TextEdit(at.line, at.column, at.line, at.column + length, text),), safe)


def _line(known: SourceMap, at: HasPosition) -> str:
    """What stands from there on in the line."""
    return known.lines[at.line - 1][at.column - 1 :] if 0 < at.line <= len(known.lines) else ""


def _entries(documents: Sequence[Tree]) -> Iterator[tuple[Tree, Entry]]:
    stack = list(documents)
    while stack:
        tree = stack.pop()
        stack += tree.items
        for entry in tree.entries:
            yield tree, entry
            stack += (entry.key, entry.value)
