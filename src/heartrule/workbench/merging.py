"""What somebody has written since a version, merged with what others have saved since."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from heartrule.authoring import setting
from heartrule.authoring.merging import merged
from heartrule.authoring.merging_data import MISSING, Conflict
from heartrule.authoring.splices import CannotEdit
from heartrule.workbench.commenting import laid_over

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Met:
    """A conflict, the ``number`` of those of its file; ``taken``: theirs stands now."""

    file: str
    number: int
    conflict: Conflict
    taken: bool


@dataclass(frozen=True, slots=True)
class MergedWork:
    """``texts``: all files that are other than ``theirs``; None takes one away."""

    texts: dict[str, str | None] = field(repr=False)
    conflicts: tuple[Met, ...]


def merged_work(
    base: Texts, typed: Mapping[str, str | None], theirs: Texts, take: Collection[tuple[str, int]]
) -> MergedWork:
    """``typed`` was made of ``base``. Of each conflict ours stands, or theirs where it is in ``take`` and can be put
    there."""
    made = merged(base, laid_over(base, typed), theirs)
    texts: dict[str, str | None] = dict(made.texts)
    met = []
    for file, found in made.conflicts.items():
        for number, conflict in reversed(list(enumerate(found))):
            taken = False
            if (file, number) in take:
                taken, texts[file] = _with_theirs(texts.get(file), conflict, theirs.get(file))
            met.append(Met(file, number, conflict, taken))
    texts = {file: text for file, text in texts.items() if theirs.get(file) != text}
    gone: dict[str, str | None] = {file: None for file in theirs if file not in made.texts and file not in texts}
    return MergedWork({**texts, **gone}, tuple(sorted(met, key=lambda each: (each.file, each.number))))


def _with_theirs(text: str | None, conflict: Conflict, whole: str | None) -> tuple[bool, str | None]:
    """Whether theirs could be put there, and the text then."""
    if text is None or (conflict.theirs is None and conflict.ours == text):
        return True, whole
    if conflict.path:
        try:
            value = None if conflict.theirs is MISSING else conflict.theirs
            return True, setting.written(text, conflict.path, value)
        except CannotEdit:
            return False, text
    ours, theirs = conflict.ours, conflict.theirs
    if ours == text:
        return True, theirs
    if isinstance(ours, str) and isinstance(theirs, str) and ours and text.count(ours) == 1:
        return True, text.replace(ours, theirs)
    return False, text
