"""A text and its tree, and the edits that move whole keys and items about in it without losing a comment."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heartrule.language.texts.text_edits import Edit, Piece
from heartrule.language.texts.tree import Entry, Tree

_COMMENT = re.compile(r"(?:(?<=\s)|^)#[^\r\n]*")
_COLON = re.compile(r"[ \t]*:")
_DASH = re.compile(r"-(?=[ \t]*(?:&\S+[ \t]*)?(?:#.*)?\Z)")
_PLAIN = re.compile(r"[^\W\d][\w-]*\Z")
_WORDS = frozenset({"true", "false", "null"})


@dataclass(frozen=True, slots=True)
class Page:
    text: str

    # where things are

    def line(self, at: int) -> int:
        """Where the line of an offset begins."""
        return self.text.rfind("\n", 0, at) + 1

    def column(self, at: int) -> int:
        return at - self.line(at)

    def end_of_line(self, at: int) -> int:
        """Where the line of an offset ends, before its break."""
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        return end - 1 if end > at and self.text[end - 1] == "\r" else end

    def next_line(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end + 1

    def comments(self, start: int, end: int) -> list[tuple[int, int]]:
        """The comments in a gap that holds no value."""
        return [(start + m.start(), start + m.end()) for m in _COMMENT.finditer(self.text[start:end])]

    def inner(self, start: int, end: int, *values: Tree) -> list[tuple[int, int]]:
        """The comments between two offsets, where these values stand too: beside them, in their first lines and between
        their parts, but nothing of what they say."""
        found, done = list[tuple[int, int]](), start
        for leaf in sorted((leaf for value in values for leaf in value.leaves()), key=lambda leaf: leaf.start):
            if leaf.start > done:
                found += self.comments(done, leaf.start)
            if leaf.lines and leaf.start >= start:
                found += self.comments(leaf.start, self.end_of_line(leaf.start))
            done = max(done, leaf.end)
        return [*found, *self.comments(done, end)] if done < end else found

    def behind(self, at: int) -> tuple[int, int] | None:
        """The comment behind a value, on its line."""
        found = self.comments(at, self.end_of_line(at))
        return found[0] if found and not self.text[at : found[0][0]].strip(" \t") else None

    def colon(self, entry: Entry) -> int:
        """Where what stands behind a key begins: behind its colon, where it has one."""
        found = _COLON.match(self.text, entry.key.end)
        return found.end() if found else entry.key.end

    def room(self, entry: Entry) -> tuple[str, ...]:
        """The space that belongs behind the colon of a plain key, where there was none."""
        found = _COLON.match(self.text, entry.key.end)
        return () if found and self.text[found.end() : found.end() + 1].isspace() else (" ",)

    def dash(self, items: Tree, index: int) -> int:
        """Where the ``-`` of an item of a list in lines is."""
        at = items.start if not index else self.next_line(items.items[index - 1].end)
        if not index and items.marked:
            at = self.next_line(at)
        while at < len(self.text):
            end = self.next_line(at)
            line = self.text[at:end]
            if line.lstrip(" ").startswith("-"):
                return at + len(line) - len(line.lstrip(" "))
            if line.strip() and not line.lstrip().startswith("#"):
                break
            at = end
        return -1

    def beside(self, at: int) -> str:
        """What begins another item beside the one whose first key is at an offset; nothing where it is in no list."""
        line, column = self.line(at), self.column(at)
        before = self.text[line:at]
        while line and not before.strip():
            line = self.line(line - 1)
            before = self.text[line : self.end_of_line(line)]
            if before.lstrip().startswith("#"):
                before = ""
        found = _DASH.search(before)
        return "\n" + " " * found.start() + "-" + " " * (column - found.start() - 1) if found else ""

    def past(self, end: int, above: Tree | None) -> int:
        """Where the next line begins behind something that goes; behind blank lines too, where what stands above is a
        text in lines that would keep them."""
        stop = self.next_line(end)
        if above is None or not any(leaf.kept for leaf in [*above.leaves()][-1:]):
            return stop
        while stop < len(self.text) and not self.text[stop : self.next_line(stop)].strip():
            stop = self.next_line(stop)
        return stop

    # edits

    def rename(self, entry: Entry, name: str) -> list[Edit]:
        return [Edit(entry.key.start, entry.key.end, (name,))]

    def before(self, inside: Tree, entry: Entry, *pieces: Piece) -> list[Edit]:
        """A new entry in front of another one."""
        at = entry.key.start
        break_ = ", " if inside.flow else "\n" + " " * self.column(at)
        return [Edit(at, at, (*pieces, break_))]

    def above(self, at: int, *pieces: Piece) -> Edit:
        """A comment on a line of its own, above the line of an offset."""
        line = self.line(at)
        return Edit(line, line, (" " * self._indent(at), "# ", *pieces, "\n"))

    def after(self, inside: Tree, entry: Entry, *pieces: Piece) -> list[Edit]:
        """A new entry behind another one and its comment."""
        if inside.flow:
            at = max(entry.value.end, entry.key.end)
            return [Edit(at, at, (", ", *pieces))]
        at, column = self.end_of_line(entry.value.end), self.column(entry.key.start)
        return [Edit(at, at, ("\n" + " " * column, *pieces)), *self.settled(at, column)]

    def settled(self, at: int, column: int) -> list[Edit]:
        """The comments below the line of an offset, no further in than ``column``: else they would become a part of a
        text in lines that comes to stand above them."""
        edits: list[Edit] = []
        start = self.next_line(at)
        while start < len(self.text):
            stop = self.next_line(start)
            line = self.text[start:stop].rstrip()
            inner = line.lstrip(" ")
            if inner and not inner.startswith("#"):
                break
            if len(line) - len(inner) > column and inner:
                edits.append(Edit(start, start + len(line) - len(inner) - column))
            start = stop
        return edits

    def written(self, inside: Tree, start: int, end: int, pieces: Sequence[Piece], *values: Tree) -> Edit:
        """Something else in place of a range that holds these values; their comments stand above it."""
        kept = self.stacked(self.inner(start, end, *values), self.column(start))
        return Edit(start, end, (*((" ",) if kept and inside.flow else ()), *kept, *pieces))

    def revalued(self, value: Tree, *pieces: Piece) -> Edit:
        """Another value in place of one; a comment in the first line of a text in lines stands behind it."""
        kept = self.inner(value.start, value.end, value) if value.lines else []
        return Edit(value.start, value.end, (*pieces, *(piece for each in kept for piece in ("  ", each))))

    def shift(self, start: int, end: int, by: int) -> list[Edit]:
        """The lines that begin between two offsets, further in or further out."""
        edits: list[Edit] = []
        at = self.next_line(start)
        while at < end:
            stop = self.next_line(at)
            line = self.text[at:stop].rstrip("\r\n")
            if line:
                room = len(line) - len(line.lstrip(" "))
                edits.append(Edit(at, at, (" " * by,)) if by > 0 else Edit(at, at + min(-by, room)))
            at = stop
        return [edit for edit in edits if edit.pieces or edit.end > edit.start]

    def nest(self, inside: Tree, entry: Entry, outer: str, inner: str) -> list[Edit]:
        """``key: value`` → ``outer: {inner: value}``."""
        if inside.flow:
            end = max(entry.value.end, entry.key.end)
            return [
                Edit(entry.key.start, entry.key.end, (f"{outer}: {{{inner}",)),
                Edit(end, end, ("}",)),
            ]
        indent = " " * (self.column(entry.key.start) + 2)
        opened = Edit(entry.key.start, entry.key.end, (f"{outer}:\n{indent}{inner}",))
        return [opened, *self.shift(entry.key.start, entry.value.end, 2)]

    def remove(self, inside: Tree, entry: Entry, *, copied: bool = False) -> list[Edit]:
        """An entry that is not the only one; its comments stay. ``copied``: its value stands elsewhere, with the
        comments in it."""
        index = inside.entries.index(entry)
        end = max(entry.value.end, entry.key.end)
        within = entry.value.start if copied and entry.value.start > entry.key.end else end
        kept = self.inner(entry.key.end, within, *([] if copied else [entry.value]))
        if inside.flow:
            return [self._cut(inside, index, kept)]
        column = self.column(entry.key.start)
        after = self.behind(end)
        settled = self.settled(end, column)
        if index + 1 < len(inside.entries) and column != self._indent(entry.key.start):
            # The first one of an item: the next takes its place behind the dash.
            following = inside.entries[index + 1].key.start
            kept += self.comments(end, following)
            return [Edit(entry.key.start, following, self.stacked(kept, column))]
        kept += [after] if after else []
        start = self.line(entry.key.start)
        stop = self.past(end, inside.entries[index - 1].value if index and not kept else None)
        pieces: list[Piece] = []
        for comment in kept:
            pieces += [" " * column, comment, "\n"]
        if start == 0 or stop < len(self.text) or self.text.endswith("\n"):
            return [Edit(start, stop, tuple(pieces)), *settled]
        start -= 2 if self.text[start - 2 : start] == "\r\n" else 1
        return [Edit(start, stop, ("\n", *pieces[:-1]) if pieces else ())]

    def _cut(self, inside: Tree, index: int, kept: list[tuple[int, int]]) -> Edit:
        """An entry of a mapping in one line taken out, and the comma that it had."""
        entry = inside.entries[index]
        end = max(entry.value.end, entry.key.end)
        if index + 1 < len(inside.entries):
            start, stop = entry.key.start, inside.entries[index + 1].key.start
            kept = [*kept, *self.comments(end, stop)]
        else:
            before = inside.entries[index - 1]
            start, stop = max(before.value.end, before.key.end), end
            kept = [*self.comments(start, entry.key.start), *kept]
        pieces = self.stacked(kept, self.column(entry.key.start))
        return Edit(start, stop, (" ", *pieces) if pieces else ())

    def _kept(self, start: int, entry: Entry) -> list[tuple[int, int]]:
        """The comments between a key and its value."""
        return self.comments(start, entry.value.start) if entry.value.start > start else []

    def _indent(self, at: int) -> int:
        line = self.text[self.line(at) : at + 1]
        return len(line) - len(line.lstrip(" "))

    def stacked(self, comments: list[tuple[int, int]], column: int) -> tuple[Piece, ...]:
        """Comments, each on a line of its own, in front of what stands at a column."""
        pieces: list[Piece] = []
        for comment in comments:
            pieces += [comment, "\n" + " " * column]
        return tuple(pieces)

    def hoist(self, inside: Tree, entry: Entry) -> list[Edit] | None:
        """The entries of a mapping in place of the mapping. None where it is written so that this cannot be."""
        value = entry.value
        if value.kind != "mapping" or value.marked:
            return None
        if not value.entries:
            return self.remove(inside, entry) if len(inside.entries) > 1 else None
        first = value.entries[0].key.start
        if inside.flow:
            last = value.entries[-1]
            end = max(last.value.end, last.key.end)
            kept = self.stacked(self.comments(entry.key.end, first), self.column(entry.key.start))
            tail = self.stacked(self.comments(end, value.end), self.column(entry.key.start))
            return [
                Edit(entry.key.start, first, (" ", *kept) if kept else ()),
                Edit(end, value.end, (" ", *tail) if tail else ()),
            ]
        column = self.column(entry.key.start)
        if value.flow:
            return [Edit(entry.key.start, value.end, tuple(self._unfolded(value, column)))]
        kept = self.stacked(self.comments(entry.key.end, first), column)
        by = column - self.column(first)
        return [Edit(entry.key.start, first, kept), *self.shift(first, self._trailing(value.end, column), by)]

    def _trailing(self, end: int, column: int) -> int:
        """Where the comments behind a value end that are further in than ``column``: they move with it, or they would
        become a part of a text in lines."""
        at = self.next_line(end)
        while at < len(self.text):
            stop = self.next_line(at)
            line = self.text[at:stop].rstrip()
            inner = line.lstrip(" ")
            if inner and (not inner.startswith("#") or len(line) - len(inner) <= column):
                break
            end = stop if inner else end
            at = stop
        return end

    def _unfolded(self, value: Tree, column: int) -> Iterator[Piece]:
        """A mapping in one line as lines."""
        done = value.start
        for number, entry in enumerate(value.entries):
            if number:
                yield "\n" + " " * column
            yield from self.stacked(self.comments(done, entry.key.start), column)
            yield (entry.key.start, entry.key.end)
            yield ": "
            yield from self.stacked(self._kept(entry.key.end, entry), column + 2)
            done = max(entry.value.end, entry.key.end)
            yield (entry.value.start, done)
        for comment in self.comments(done, value.end):
            yield "\n" + " " * column
            yield comment

    def copied(self, value: Tree, by: int, *, twice: bool = False) -> Iterator[Piece]:
        """A value as it stands, its further lines moved by so many columns. ``twice``: it stays where it is too, with
        the comment in its first line."""
        at, end = value.start, value.end
        if value.kept:
            # Blank lines that stand where it goes would become a part of it.
            head = self.text[at : self.end_of_line(at)]
            yield from ((at, at + head.index("|" if value.style == "|" else ">")), scalar(value.value))
            yield from () if twice else (piece for each in self.inner(at, end, value) for piece in ("  ", each))
            return
        if twice and value.lines and (comment := self.comments(at, self.end_of_line(at))):
            yield self.text[at : comment[0][0]].rstrip()
            at = self.end_of_line(at)
        yield from self.moved(at, end, by)

    def moved(self, at: int, end: int, by: int) -> Iterator[Piece]:
        """A range as it stands, its further lines moved by so many columns."""
        while (stop := self.next_line(at)) < end:
            yield (at, stop)
            line = self.text[stop : self.next_line(stop)].rstrip("\r\n")
            at = stop
            if by >= 0 and line:
                yield " " * by
            elif line:
                at += min(-by, len(line) - len(line.lstrip(" ")))
        yield (at, end)


def scalar(value: object) -> str:
    """A value as it may stand anywhere: plain where that is safe, else in quotes."""
    if isinstance(value, str) and not (_PLAIN.match(value) and value.lower() not in _WORDS):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
