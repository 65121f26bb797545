"""What somebody has written since a version, merged with what others have saved since."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from heartrule.authoring.data_merge import Conflict
from heartrule.authoring.merge import merged
from heartrule.workbench.comments import laid_over

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MergeConflict:
    """A conflict, the ``number`` of those of its file; ``taken``: theirs stands now."""

    file: str
    number: int
    conflict: Conflict
    taken: bool


@dataclass(frozen=True, slots=True)
class MergedWork:
    """``texts``: all files that are other than ``theirs``; None takes one away."""

    texts: dict[str, str | None] = field(repr=False)
    conflicts: tuple[MergeConflict, ...]


def merged_work(
    base: Texts, typed: Mapping[str, str | None], theirs: Texts, take: Collection[tuple[str, int]]
) -> MergedWork:
    """``typed`` was made of ``base``. Of each conflict ours stands, or theirs where it is in ``take`` and can be put
    there."""
    ours = laid_over(base, typed)
    made = merged(base, ours, theirs)
    nodes = {file: _of_nodes(found) & {n for f, n in take if f == file} for file, found in made.conflicts.items()}
    again = merged(base, ours, theirs, nodes) if any(nodes.values()) else made
    could = all(_of_nodes(found) == _of_nodes(again.conflicts.get(file, ())) for file, found in made.conflicts.items())
    done = again if could else made  # else they could not be written together
    texts: dict[str, str | None] = dict(done.texts)
    met = []
    for file, found in made.conflicts.items():
        now = done.conflicts.get(file, ())
        for number, conflict in reversed(list(enumerate(found))):
            if conflict.path:
                met.append(MergeConflict(file, number, now[number], could and number in nodes[file]))
                continue
            taken = False
            if (file, number) in take:
                taken, texts[file] = _with_theirs(texts.get(file), conflict, theirs.get(file))
            met.append(MergeConflict(file, number, conflict, taken))
    texts = {file: text for file, text in texts.items() if theirs.get(file) != text}
    gone: dict[str, str | None] = {file: None for file in theirs if file not in done.texts and file not in texts}
    return MergedWork({**texts, **gone}, tuple(sorted(met, key=lambda each: (each.file, each.number))))


def _of_nodes(conflicts: Sequence[Conflict]) -> set[int]:
    return {number for number, each in enumerate(conflicts) if each.path}


def _with_theirs(text: str | None, conflict: Conflict, whole: str | None) -> tuple[bool, str | None]:
    """Whether theirs of lines, a comment or a whole file could be put there, and the text then."""
    if text is None or (conflict.theirs is None and conflict.ours == text):
        return True, whole
    ours, theirs = conflict.ours, conflict.theirs
    if ours == text:
        return True, theirs
    if isinstance(ours, str) and isinstance(theirs, str) and ours and text.count(ours) == 1:
        return True, text.replace(ours, theirs)
    return False, text
