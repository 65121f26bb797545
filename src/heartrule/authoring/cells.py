"""A script file read again after a keystroke: only the topic, technique or other script that was typed in. What is
around it keeps its nodes, so that whatever was worked out of them counts on."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from heartrule.language.findings import Finding, in_order
from heartrule.language.nodes import Awareness, Node, Phase, Role, Session, Skill, Topic, Variable
from heartrule.language.nodes.forms import Form
from heartrule.language.projects.loader import LoadedFile, read_again
from heartrule.language.shape import Registry
from heartrule.language.spellings.rewriter import spelled_otherwise
from heartrule.language.texts.source import Path, SourceMap, Spot
from heartrule.language.yaml import ParsedYaml, parse

_SHELVES: dict[str, tuple[str, type[Node]]] = {
    "skills": ("skills", Skill),
    "awareness": ("awareness", Awareness),
    "global": ("variables", Variable),
    "forms": ("forms", Form),
    "roles": ("roles", Role),
}
_SHARED = re.compile(r"(?:^|[\s\[{,:-])[&*][^\s&*]|<<\s*:|\t", re.MULTILINE)
_APART = re.compile(r"^---|^\.\.\.|^%|\r|^\ufeff", re.MULTILINE)
_LEAST = 200
"""Lines of a file that is not worth the trouble."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Lines ``first`` to ``last`` (from 1, both in it) are the item at ``path``, whose dash stands at ``column``."""

    path: Path
    model: type[Node]
    first: int
    last: int
    column: int


@dataclass(slots=True)
class Cells:
    """A file as it was read, with what it takes to read a part of it again. ``documents`` are its own."""

    text: str = field(repr=False)
    documents: list[Any] = field(repr=False)
    cells: list[Cell] = field(repr=False)

    @classmethod
    def of(cls, text: str, file: LoadedFile) -> Cells | None:
        """None where parts of it cannot be told apart, or are shared."""
        if text.count("\n") < _LEAST or not file.whole or _APART.search(text):
            return None
        parsed = parse(text, file.path)
        if parsed.findings or len(parsed.documents) != 1 or spelled_otherwise(parsed.documents):
            return None
        return cls(text, parsed.documents, sorted(_cells(file), key=lambda each: each.first))

    def typed(self, text: str, file: LoadedFile, registry: Registry) -> LoadedFile | None:
        """The file with this text, which differs in one cell and has as many lines; None where it does not, or cannot
        be told."""
        if text.count("\n") != self.text.count("\n"):
            return None
        before, after = self.text.split("\n"), text.split("\n")
        changed = [number for number, pair in enumerate(zip(before, after, strict=True), 1) if pair[0] != pair[1]]
        if not changed:
            return None
        cell = next((each for each in self.cells if each.first <= changed[0] and changed[-1] <= each.last), None)
        if cell is None or not _keeps_its_place(after[cell.first - 1 : cell.last], cell.column):
            return None
        if any(_SHARED.search("\n".join(lines[cell.first - 1 : cell.last])) for lines in (before, after)):
            return None
        made = _again(cell, after, file, self.documents, registry)
        if made is not None:
            self.text = text
        return made


def _cells(file: LoadedFile) -> list[Cell]:
    """The topics, and all that stands on a shelf of its own."""
    starts: list[tuple[Path, type[Node]]] = []
    for session in file.sessions:
        for phase in session.phases:
            starts += [(topic.place.path, Topic) for topic in phase.steps]
    for key, (shelf, model) in _SHELVES.items():
        starts += [(node.place.path, model) for node in getattr(file, shelf) if node.place.path[1] == key]
    ends = sorted({spot.line for spot in file.map.keys.values()})
    last = _last_lines(file.map, {len(path) for path, _ in starts})
    found = []
    for path, model in starts:
        spot = file.map.values.get(path)
        if spot is None or spot.style:
            continue
        inside = last.get(path, spot.line)
        at = bisect_right(ends, inside)
        behind = ends[at] if at < len(ends) else len(file.map.lines) + 1
        dash = file.map.lines[spot.line - 1][: spot.column - 1]
        if dash.strip() == "-" and inside < behind:
            found.append(Cell(path, model, spot.line, behind - 1, len(dash) - len(dash.lstrip(" "))))
    return found


def _last_lines(known: SourceMap, depths: set[int]) -> dict[Path, int]:
    """The last line on which a key stands, of everything that is so deep."""
    found: dict[Path, int] = {}
    for at, spot in known.keys.items():
        for depth in depths:
            if len(at) > depth:
                found[at[:depth]] = max(spot.line, found.get(at[:depth], 0))
    return found


def _keeps_its_place(lines: list[str], column: int) -> bool:
    """Whether its lines still stand within it: the dash where it was, all else further in."""
    if not lines[0].startswith(" " * column + "- "):
        return False
    inner = (line for line in lines[1:] if line.strip() and not line.lstrip().startswith("#"))
    return all(len(line) - len(line.lstrip(" ")) > column for line in inner)


def _again(
    cell: Cell, lines: list[str], file: LoadedFile, documents: list[Any], registry: Registry
) -> LoadedFile | None:
    """The file with the cell read anew from these lines."""
    own = parse("\n" * (cell.first - 1) + "\n".join(lines[cell.first - 1 : cell.last]) + "\n", file.path)
    kept = [each for each in file.findings if not cell.first <= each.line <= cell.last]
    broken = any(each.stops for each in own.findings) or not own.whole
    data = own.documents[0][0] if own.documents and isinstance(own.documents[0], list) and own.documents[0] else None
    if broken or not isinstance(data, dict) or len(own.documents[0]) != 1:
        return _broken(cell, file, kept, own.findings, lines) if broken else None
    if spelled_otherwise(_around(cell.path, data)):
        return None
    _put(documents, cell.path, data)
    known = _mapped(file.map, own.map, cell, lines)
    parsed = ParsedYaml(file.path, documents, known, own.findings)
    node, findings = read_again(parsed, registry, cell.model, data, cell.path)
    made = LoadedFile(file.path, known, in_order([*kept, *own.findings, *findings]))
    made.stale = _stale(cell, file)
    made.whole = not any(found.stops for found in made.findings)
    if node is None:
        return None
    _shelve(made, file, cell.path, node)
    return made


def _broken(cell: Cell, file: LoadedFile, kept: list[Finding], found: list[Finding], lines: list[str]) -> LoadedFile:
    """While a cell cannot be read, what it was stands for it, and nothing is said of that."""
    known = SourceMap(file.map.keys, file.map.values, lines)
    made = LoadedFile(file.path, known, in_order([*kept, *found]), whole=False)
    made.stale = (*_stale(cell, file), (cell.first, cell.last))
    for shelf in ("sessions", "skills", "awareness", "variables", "forms", "roles"):
        setattr(made, shelf, getattr(file, shelf))
    return made


def _stale(cell: Cell, file: LoadedFile) -> tuple[tuple[int, int], ...]:
    return tuple(each for each in file.stale if each[1] < cell.first or each[0] > cell.last)


def _around(path: Path, data: Any) -> list[Any]:
    """As much of a document as tells what kind of thing stands in it."""
    if len(path) == 3:
        return [{path[1]: [data]}]
    return [{"sessions": [{"session": "", "phases": [{"phase": "", "steps": [data]}]}]}]


def _put(documents: list[Any], path: Path, data: Any) -> None:
    above: Any = documents
    for part in path[:-1]:
        above = above[part]
    above[path[-1]] = data


def _mapped(known: SourceMap, own: SourceMap, cell: Cell, lines: list[str]) -> SourceMap:
    depth, path = len(cell.path), cell.path

    def merged(old: dict[Path, Spot], new: dict[Path, Spot]) -> dict[Path, Spot]:
        # In the order of the file, as the composer has it.
        first, last = cell.first, cell.last
        kept = {at: spot for at, spot in old.items() if not first <= spot[0] <= last or at[:depth] != path}
        kept.update({(*path, *at[2:]): spot for at, spot in new.items() if len(at) >= 2})
        return kept

    return SourceMap(merged(known.keys, own.keys), merged(known.values, own.values), lines)


def _shelve(made: LoadedFile, file: LoadedFile, path: Path, node: Node) -> None:
    """All shelves as they were, with this node in its place."""
    for shelf in ("sessions", "skills", "awareness", "variables", "forms", "roles"):
        setattr(made, shelf, list(getattr(file, shelf)))
    if path[1] != "sessions":
        own: list[Any] = getattr(made, _SHELVES[str(path[1])][0])
        own[:] = [node if each.place.path == path else each for each in own]
        return
    made.sessions = [
        _copied(each, "phases", lambda phase: _with_topic(phase, path, node)) if each.place.path == path[:3] else each
        for each in made.sessions
    ]


def _with_topic(phase: Phase, path: Path, node: Node) -> Phase:
    if phase.place.path != path[:5]:
        return phase
    made: Phase = _copied(phase, "steps", lambda topic: node if topic.place.path == path else topic)
    return made


def _copied(node: Any, key: str, change: Callable[[Any], Any]) -> Any:
    copied: Session | Phase = node.model_copy(update={key: [change(each) for each in getattr(node, key)]})
    return copied
