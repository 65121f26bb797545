"""Two people's versions of a project's texts made one, over the version that both began from: on the tree, so that
edits of different fields of one action go together. What both changed otherwise stays as ours has it, and is told;
nothing is ever written into a text to mark it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from heartrule.authoring import items, setting
from heartrule.authoring.comparing.pairing import canonical, pairs, several
from heartrule.authoring.editing import move
from heartrule.authoring.merging_data import Conflict, merged_data
from heartrule.authoring.splices import CannotEdit, Splice, comments, into, read, spliced
from heartrule.language.texts.source import Path

_YAML = (".yaml", ".yml")
Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MergedText:
    """``splices`` turn our text into the merged one. ``conflicts`` are as ours has them."""

    text: str = field(repr=False)
    splices: tuple[Splice, ...]
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """``texts`` are all files of the merged version; ``conflicts`` by file, of files that have any."""

    texts: dict[str, str] = field(repr=False)
    conflicts: dict[str, tuple[Conflict, ...]]


def merged(base: Texts, ours: Texts, theirs: Texts, take: Mapping[str, Collection[int]] | None = None) -> Merged:
    """All files of a project; ``take`` by file, as of ``merged_text``."""
    wanted = take or {}
    texts: dict[str, str] = {}
    conflicts: dict[str, tuple[Conflict, ...]] = {}
    for file in sorted({*base, *ours, *theirs}):
        was, own, other = base.get(file), ours.get(file), theirs.get(file)
        if own is None or other is None or was is None:
            result, met = _whole(was, own, other)
            if met is None and own is not None and other is not None and own != other:
                made = merged_text("", own, other, file, wanted.get(file, ()))
                result, found = made.text, made.conflicts
            else:
                found = (met,) if met is not None else ()
        else:
            made = merged_text(was, own, other, file, wanted.get(file, ()))
            result, found = made.text, made.conflicts
        if result is not None:
            texts[file] = result
        if found:
            conflicts[file] = found
    return Merged(texts, conflicts)


def _whole(was: str | None, own: str | None, other: str | None) -> tuple[str | None, Conflict | None]:
    """A file that one of them does not have, or that both made."""
    if was == own:
        return other, None
    if was == other or own == other:
        return own, None
    if own is None or other is None:
        return own, Conflict((), was, own, other)
    return own, None


def merged_text(base: str, ours: str, theirs: str, file: str, take: Collection[int] = ()) -> MergedText:
    """One file. Data is merged on its tree, anything else by its lines. ``take``: of which conflicts of data theirs is
    to stand, by their number."""
    if theirs in (base, ours):
        return MergedText(ours, (), ())
    if ours == base:
        return _of(ours, theirs, ())
    if not (file.endswith(_YAML) and all(map(_readable, (base, ours, theirs)))):
        text, met = by_lines(base, ours, theirs)
        return _of(ours, text, met)
    return _on_tree(base, ours, theirs, take)


def _readable(text: str) -> bool:
    return not any(each.stops for each in read(text).findings)


def _on_tree(base: str, ours: str, theirs: str, take: Collection[int]) -> MergedText:
    texts = base, ours, theirs
    wanted, conflicts = merged_data(texts, [read(text).documents for text in texts], take)
    made: list[tuple[int, str]] = []
    for start in (by_lines(base, ours, theirs)[0], ours, theirs):
        text = _written(start, wanted)
        if text is not None:
            made.append((len(_lost(base, ours, theirs, text)), text))
            if not made[-1][0]:
                break
    if not made:
        whole = Conflict((), base, ours, theirs)
        return MergedText(ours, (), (whole,))
    _, text = min(made, key=lambda each: each[0])
    return _of(ours, text, (*conflicts, *_lost(base, ours, theirs, text)))


def _written(text: str, wanted: Sequence[Any]) -> str | None:
    """The text with what is wanted in it, touched where it says something else; None where it cannot be."""
    if not _readable(text) or len(read(text).documents) != len(wanted):
        return None
    try:
        for number, document in enumerate(wanted):
            text = _revalued(text, (number,), document)
    except CannotEdit:
        return None
    good = _readable(text) and canonical(read(text).documents) == canonical(list(wanted))
    return text if good else None


def _revalued(text: str, path: Path, wanted: Any) -> str:
    """The value at a path; of mappings and lists only what differs. Raises ``CannotEdit``."""
    now = into(read(text).documents, path)
    if canonical(now) == canonical(wanted):
        return text
    if isinstance(now, dict) and isinstance(wanted, dict) and now and wanted:
        return _mapping(text, path, now, wanted)
    if isinstance(now, list) and isinstance(wanted, list) and several(now) and several(wanted):
        found = pairs(now, wanted)
        if found or not wanted:
            return _list(text, path, now, wanted, found)
    return setting.written(text, path, wanted)


def _mapping(text: str, path: Path, now: dict[Any, Any], wanted: dict[Any, Any]) -> str:
    for key in [key for key in wanted if key in now]:
        text = _revalued(text, (*path, key), wanted[key])
    for key in [key for key in wanted if key not in now]:
        text = setting.written(text, (*path, key), wanted[key])
    for key in [key for key in now if key not in wanted]:
        text = setting.written(text, (*path, key), None)
    return text


def _list(text: str, path: Path, now: list[Any], wanted: list[Any], found: dict[int, int]) -> str:
    """Items out, those that stay in their new order and with their comments, new ones in between."""
    for index in reversed(range(len(now))):
        if index not in found.values():
            text = items.taken(text, path, index)
    there = sorted(found.values())
    for index, item in enumerate(wanted):
        if index not in found:
            text = items.put(text, path, index, item)
            there.insert(index, -1)
            continue
        at = there.index(found[index])
        if at != index:
            text = spliced(text, move(text, (*path, at), path, index))
            there.insert(index, there.pop(at))
        text = _revalued(text, (*path, index), item)
    return text


def _lost(base: str, ours: str, theirs: str, text: str) -> tuple[Conflict, ...]:
    """Comments that somebody wrote, nobody took out, and the text does not have."""
    was, own, other, now = map(comments, (base, ours, theirs, text))
    wanted = (own - was) + (other - was) + (was & own & other)
    wanted &= own | other
    return tuple(
        Conflict((), each if was[each] else None, each if own[each] else None, each if other[each] else None)
        for each in (wanted - now)
    )


# by lines


def by_lines(base: str, ours: str, theirs: str) -> tuple[str, tuple[Conflict, ...]]:
    """Lines that one of them changed; where both did, ours."""
    was, own, other = (text.splitlines(keepends=True) for text in (base, ours, theirs))
    made: list[str] = []
    met: list[Conflict] = []
    for low, high, (a, b), (c, d) in _regions(was, own, other):
        old, mine, yours = was[low:high], own[a:b], other[c:d]
        if mine == old:
            made += yours
        else:
            made += mine
            if yours not in (old, mine):
                met.append(Conflict((), "".join(old), "".join(mine), "".join(yours)))
    return "".join(made), tuple(met)


Span = tuple[int, int]


def _regions(was: list[str], own: list[str], other: list[str]) -> Iterator[tuple[int, int, Span, Span]]:
    """The base cut where both others still have the same line, with the lines of each that stand there."""
    mine, yours = _kept(was, own), _kept(was, other)
    low = a = c = 0
    for line in range(len(was)):
        if line in mine and line in yours:
            if low < line or a < mine[line] or c < yours[line]:
                yield low, line, (a, mine[line]), (c, yours[line])
            yield line, line + 1, (mine[line], mine[line] + 1), (yours[line], yours[line] + 1)
            low, a, c = line + 1, mine[line] + 1, yours[line] + 1
    yield low, len(was), (a, len(own)), (c, len(other))


def _kept(was: list[str], now: list[str]) -> dict[int, int]:
    blocks = SequenceMatcher(None, was, now, autojunk=False).get_matching_blocks()
    return {low + step: at + step for low, at, size in blocks for step in range(size)}


def _of(ours: str, text: str, conflicts: Sequence[Conflict]) -> MergedText:
    return MergedText(text, tuple(line_splices(ours, text)), tuple(conflicts))


def line_splices(before: str, after: str) -> list[Splice]:
    """The lines that differ, each run of them a splice."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    made = [
        Splice(starts[low], starts[high], "".join(new[first:last]))
        for kind, low, high, first, last in found
        if kind != "equal"
    ]
    assert spliced(before, made) == after
    return made
