"""Two people's versions of a project's texts made one, over the version that both began from: on the tree, so that
edits of different fields of one action go together. What both changed otherwise stays as ours has it, and is told;
nothing is ever written into a text to mark it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

from heartrule.authoring import items, value_edits
from heartrule.authoring.data_merge import MISSING, Conflict, merged_data
from heartrule.authoring.diff.item_pairs import canonical, pairs, several
from heartrule.authoring.diff.versions import met as compared_met
from heartrule.authoring.node_edits import move
from heartrule.authoring.splices import CannotEdit, Splice, comments, into, parse_cached, spliced
from heartrule.language.texts.source import Path

_YAML = (".yaml", ".yml")
_FILE = "a.yaml"
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
    """All files of a project; ``take`` by file, as of ``merged_text``. Files between which nodes went are merged
    together: what one moved to another file and the other one changed stands there, changed."""
    wanted = take or {}
    texts: dict[str, str] = {}
    conflicts: dict[str, tuple[Conflict, ...]] = {}
    left = {*base, *ours, *theirs}
    for files in crossed(base, ours, theirs):
        was, own, other = (_of_files(each, files) for each in (base, ours, theirs))
        found = merged_files(was, own, other, wanted)
        if found is not None:
            left -= files
            texts |= found.texts
            conflicts |= found.conflicts
    for file in sorted(left):
        result, met = _alone(base.get(file), ours.get(file), theirs.get(file), file, wanted.get(file, ()))
        if result is not None:
            texts[file] = result
        if met:
            conflicts[file] = met
    return Merged(texts, conflicts)


def _alone(
    was: str | None, own: str | None, other: str | None, file: str, take: Collection[int]
) -> tuple[str | None, tuple[Conflict, ...]]:
    """A file that has nothing to do with others."""
    if own is None or other is None or was is None:
        result, met = _whole(was, own, other)
        if met is not None or own is None or other is None or own == other:
            return result, () if met is None else (met,)
    made = merged_text(was or "", own, other, file, take)
    return made.text, made.conflicts


def _of_files(texts: Texts, files: Collection[str]) -> Texts:
    return {file: text for file, text in texts.items() if file in files}


def crossed(base: Texts, *others: Texts) -> list[set[str]]:
    """Files that nodes went between since the base, and names that files had, in groups with no file in common."""
    groups: list[set[str]] = []
    for other in others:
        if other == base:
            continue
        pairs, renamed = compared_met(base, other, {})
        for edge in {(old.file, new.file) for old, new in pairs} | set(renamed.items()):
            touched = [each for each in groups if each & set(edge)]
            groups = [each for each in groups if each not in touched] + [set(edge).union(*touched)]
    return [each for each in groups if len(each) > 1]


def merged_files(base: Texts, ours: Texts, theirs: Texts, take: Mapping[str, Collection[int]]) -> Merged | None:
    """Files whose nodes are merged as if they stood in one; None where that cannot be."""
    versions = base, ours, theirs
    if theirs == base or ours == theirs:
        return Merged(dict(ours), {})
    if ours == base:
        return Merged(dict(theirs), {})
    if not all(file.endswith(_YAML) and _readable(text) for each in versions for file, text in each.items()):
        return None
    files = sorted({*base, *ours, *theirs})
    sizes = [max(len(parse_cached(each.get(file, "")).documents) for each in versions) for file in files]
    first = {file: sum(sizes[:at]) for at, file in enumerate(files)}
    documents = [_laid(each, files, sizes) for each in versions]
    wanted, met = merged_data(versions, documents, first)
    homes = _told_of(met, first)
    numbers = {n for file, own in homes.items() for at, n in enumerate(own) if at in set(take.get(file, ()))}
    if numbers:
        wanted, met = merged_data(versions, documents, first, numbers)
    texts: dict[str, str] = {}
    for file, size in zip(files, sizes, strict=True):
        said = [each for each in wanted[first[file] : first[file] + size] if each is not MISSING]
        if not any(map(_holds, said)) and not (file in ours and file in theirs):
            continue
        written = _best(base.get(file), ours.get(file), theirs.get(file), said)
        if written is None:
            return None
        texts[file] = written
    told = {file: [_local(met[n], file, first) for n in own] for file, own in homes.items()}
    was, own, other = map(_comments, versions)
    for lost in _lost(was, own, other, _comments(texts)):
        told.setdefault(_where(lost, ours, theirs), []).append(lost)
    return Merged(texts, {file: tuple(found) for file, found in told.items() if found})


def _holds(document: Any) -> bool:
    """Whether anything is left in it."""
    return any(document.values()) if isinstance(document, dict) else document is not None


def _laid(texts: Texts, files: Sequence[str], sizes: Sequence[int]) -> list[Any]:
    laid: list[Any] = []
    for file, size in zip(files, sizes, strict=True):
        own = parse_cached(texts[file]).documents if file in texts else []
        laid += [*own, *[MISSING] * (size - len(own))]
    return laid


def _told_of(met: Sequence[Conflict], first: Mapping[str, int]) -> dict[str, list[int]]:
    """By file which conflicts are told of it: where the node stands in ours."""
    told: dict[str, list[int]] = {}
    for number, each in enumerate(met):
        told.setdefault(_file_at(each.node or each.path or (0,), first), []).append(number)
    return told


def _file_at(path: Path, first: Mapping[str, int]) -> str:
    return max((file for file in first if first[file] <= int(path[0])), key=lambda file: (first[file], file))


def _local(met: Conflict, file: str, first: Mapping[str, int]) -> Conflict:
    """With the paths that it has in its files."""
    there = _file_at(met.path, first) if met.path else file
    path, node = (
        (int(each[0]) - first[f], *each[1:]) if each else () for each, f in ((met.path, there), (met.node, file))
    )
    return replace(met, path=path, node=node, file="" if there == file else there)


def _best(base: str | None, ours: str | None, theirs: str | None, wanted: Sequence[Any]) -> str | None:
    """A file with what is wanted in it, of the texts that it can be made of the one that keeps most comments."""
    if ours is None or theirs is None:
        starts = [each for each in (ours, theirs, base) if each is not None]
    else:
        starts = [by_lines(base or "", ours, theirs)[0], ours, theirs]
    made = [text for text in (_written(start, wanted) for start in starts) if text is not None]
    was, own, other = (comments(each or "") for each in (base, ours, theirs))
    return min(made, key=lambda text: len(_lost(was, own, other, comments(text))), default=None)


def _comments(texts: Texts) -> Counter[str]:
    return sum(map(comments, texts.values()), Counter[str]())


def _where(lost: Conflict, ours: Texts, theirs: Texts) -> str:
    """The file that a lost comment stood in."""
    return next(
        file for each in (ours, theirs) for file, text in each.items() if (lost.ours or lost.theirs) in comments(text)
    )


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
    return not any(each.stops for each in parse_cached(text).findings)


def _on_tree(base: str, ours: str, theirs: str, take: Collection[int]) -> MergedText:
    texts = base, ours, theirs
    documents = [parse_cached(text).documents for text in texts]
    found, conflicts = merged_data([{_FILE: text} for text in texts], documents, {_FILE: 0}, take)
    wanted = [each for each in found if each is not MISSING]
    was, own, other = map(comments, texts)
    made: list[tuple[int, str]] = []
    for start in (by_lines(base, ours, theirs)[0], ours, theirs):
        text = _written(start, wanted)
        if text is not None:
            made.append((len(_lost(was, own, other, comments(text))), text))
            if not made[-1][0]:
                break
    if not made:
        whole = Conflict((), base, ours, theirs)
        return MergedText(ours, (), (whole,))
    _, text = min(made, key=lambda each: each[0])
    return _of(ours, text, (*conflicts, *_lost(was, own, other, comments(text))))


def _written(text: str, wanted: Sequence[Any]) -> str | None:
    """The text with what is wanted in it, touched where it says something else; None where it cannot be."""
    if not _readable(text) or len(parse_cached(text).documents) != len(wanted):
        return None
    try:
        for number, document in enumerate(wanted):
            text = _revalued(text, (number,), document)
    except CannotEdit:
        return None
    good = _readable(text) and canonical(parse_cached(text).documents) == canonical(list(wanted))
    return text if good else None


def _revalued(text: str, path: Path, wanted: Any) -> str:
    """The value at a path; of mappings and lists only what differs. Raises ``CannotEdit``."""
    now = into(parse_cached(text).documents, path)
    if canonical(now) == canonical(wanted):
        return text
    if isinstance(now, dict) and isinstance(wanted, dict) and now and wanted:
        return _mapping(text, path, now, wanted)
    if isinstance(now, list) and isinstance(wanted, list) and several(now) and several(wanted):
        found = pairs(now, wanted)
        if found or not wanted:
            return _list(text, path, now, wanted, found)
    return value_edits.with_value(text, path, wanted)


def _mapping(text: str, path: Path, now: dict[Any, Any], wanted: dict[Any, Any]) -> str:
    for key in [key for key in wanted if key in now]:
        text = _revalued(text, (*path, key), wanted[key])
    for key in [key for key in wanted if key not in now]:
        text = value_edits.with_value(text, (*path, key), wanted[key])
    for key in [key for key in now if key not in wanted]:
        text = value_edits.with_value(text, (*path, key), None)
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


def _lost(was: Counter[str], own: Counter[str], other: Counter[str], now: Counter[str]) -> tuple[Conflict, ...]:
    """Comments that somebody wrote, nobody took out, and the text does not have."""
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
