"""A name that is changed wherever it stands, in all files of a project, or refused with the reason."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from heartrule.authoring import occurrences
from heartrule.authoring.occurrences import Occurrence, Symbol
from heartrule.authoring.positions import Range
from heartrule.authoring.workspace import Snapshot, Workspace
from heartrule.language.bilingual import Bilingual

_VARIABLE = re.compile(r"[^\W\d]\w*\Z")
_ID = re.compile(r"[^\s/:{}\[\],#&*!|>'\"%@`]+\Z")


@dataclass(frozen=True, slots=True)
class Change:
    """What stands in ``range`` of ``file`` becomes ``text``."""

    file: str
    range: Range
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CannotRename(Exception):
    why: Bilingual

    def __str__(self) -> str:
        return self.why.en


def renamed(workspace: Workspace, occurrence: Occurrence, name: str) -> tuple[Change, ...]:
    """The changes that give what is named there another name. Raises ``CannotRename``: the name is not one, another
    thing has it, it belongs to another project, or the text could not be changed so that it means the same."""
    snapshot, thing = workspace.now, occurrence.thing
    _check(snapshot, thing, name)
    own = [each for each in occurrences.occurrences_of(snapshot, thing) if each.title == occurrence.title]
    if not any(each.role in occurrences.MEANT for each in own):
        raise CannotRename(Bilingual("它不是在这个项目里定义的。", "It is not defined in this project."))
    changes = tuple(Change(each.file, each.range, name) for each in own)
    after = workspace.edited(changed_texts(snapshot.texts, changes).items()).now
    stops = [found for found in snapshot.findings if found.stops]
    if len([found for found in after.findings if found.stops]) > len(stops):
        raise CannotRename(Bilingual("有的地方改不到，改了会坏。", "Not every place could be changed; it would break."))
    return changes


def _check(snapshot: Snapshot, thing: Symbol, name: str) -> None:
    rule = _VARIABLE if thing.kind == "variable" else _ID
    if rule.match(name) is None:
        raise CannotRename(Bilingual(f"“{name}”不能作名字。", f"“{name}” cannot be a name."))
    taken = {each.thing for each in occurrences.occurrences(snapshot)}
    if Symbol(thing.kind, name, thing.key) in taken or (thing.kind == "variable" and Symbol("variable", name) in taken):
        raise CannotRename(Bilingual(f"已经有“{name}”了。", f"There is a “{name}” already."))


def changed_texts(texts: Mapping[str, str], changes: Sequence[Change]) -> dict[str, str]:
    """The texts of the files that are changed, as they are then."""
    by_file: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        by_file[change.file].append(change)
    return {file: _written(texts[file], own) for file, own in by_file.items()}


def _written(text: str, changes: Sequence[Change]) -> str:
    begins, at = [0], text.find("\n")
    while at >= 0:
        begins.append(at + 1)
        at = text.find("\n", at + 1)
    mark = 1 if text.startswith("\ufeff") else 0
    for change in sorted(changes, key=lambda each: each.range, reverse=True):
        (line, column), (end_line, end_column) = change.range
        start = begins[line - 1] + column - 1 + (mark if line == 1 else 0)
        end = begins[end_line - 1] + end_column - 1 + (mark if end_line == 1 else 0)
        text = text[:start] + change.text + text[end:]
    return text
