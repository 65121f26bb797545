"""What a file holds, as a tree: for an editor's outline, for folding, and for the map of a session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heartrule.authoring.positions import Position, Range, on_one_line
from heartrule.authoring.workspace import Snapshot
from heartrule.language.findings.mends import MappedText
from heartrule.language.nodes import Action, Node, Skill, Topic
from heartrule.language.references import identity


@dataclass(frozen=True, slots=True)
class Symbol:
    """``name`` as people call it, ``detail`` its id or type. ``whole``: all of it, ``head`` what is shown of it."""

    kind: str
    name: str
    detail: str
    whole: Range
    head: Range
    below: tuple[Symbol, ...] = ()

    def all(self) -> Iterator[Symbol]:
        yield self
        for each in self.below:
            yield from each.all()


def outline(snapshot: Snapshot, path: str) -> tuple[Symbol, ...]:
    """The symbols of one file, in its order."""
    file = snapshot.project.files.get(path)
    if file is None:
        return ()
    found: list[Symbol] = []
    for session in file.sessions:
        phases = [
            _symbol(snapshot, "phase", phase.phase, phase, [_steps(snapshot, "topic", each) for each in phase.steps])
            for phase in session.phases
        ]
        found.append(_symbol(snapshot, "session", session.session, session, phases))
    found += [_steps(snapshot, "skill", skill) for skill in file.skills]
    found += [_symbol(snapshot, "awareness", each.awareness, each) for each in file.awareness]
    found += [_symbol(snapshot, "form", each.form, each) for each in file.forms]
    found += [_symbol(snapshot, "variable", each.var, each) for each in file.variables]
    return tuple(sorted(found, key=lambda symbol: symbol.whole))


def _steps(snapshot: Snapshot, kind: str, steps: Topic | Skill) -> Symbol:
    actions = [_action(snapshot, action) for action in steps.actions]
    return _symbol(snapshot, kind, steps.name, steps, actions)


def _action(snapshot: Snapshot, action: Action) -> Symbol:
    parts = [_action(snapshot, part) for part in action.peek("actions") or () if isinstance(part, Action)]
    return _symbol(snapshot, "action", action.id or action.type, action, parts, action.type)


def _symbol(
    snapshot: Snapshot, kind: str, name: str, node: Node, below: Sequence[Symbol] = (), detail: str = ""
) -> Symbol:
    place = node.place
    head = on_one_line(
        place.line, place.column, max(1, len(snapshot.lines(place.file)[place.line - 1]) - place.column + 1)
    )
    told = detail or (identity(node) if node.peek("id") else "")  # type: ignore[arg-type]
    return Symbol(kind, name, told, Range(head.start, max(_end(snapshot, node), head.end)), head, tuple(below))


def _end(snapshot: Snapshot, node: Node) -> Position:
    """Where the value of a node ends in its text."""
    source = snapshot.project.maps.get(node.place.file)
    if source is None:
        return Position(node.place.line, node.place.column)
    page = MappedText.of(source)
    start = page.begins[node.place.line - 1] + node.place.column - 1
    found = page.entries.get(start)
    end = found[0].end if found is not None else start
    line = page.page.text.count("\n", 0, end) + 1
    return Position(line, end - page.begins[line - 1] + 1)
