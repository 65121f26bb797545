"""Every variable of a project: what it is, where it is declared, set and read."""

from __future__ import annotations

from heartrule.authoring import occurrences
from heartrule.authoring.occurrences import Occurrence, Symbol
from heartrule.authoring.wire import Json, lines_of, nearest, node_id
from heartrule.authoring.workspace import Snapshot
from heartrule.language.nodes import Variable
from heartrule.language.texts.source import Path

_ROLES = {"declared": "declared", "written": "written", "read": "read"}


def variables(snapshot: Snapshot) -> Json:
    """By name."""
    found: dict[Symbol, dict[str, list[Json]]] = {}
    for each in occurrences.occurrences(snapshot):
        if each.thing.kind == "variable" and each.role in _ROLES:
            places = found.setdefault(each.thing, {"declared": [], "written": [], "read": []})
            places[_ROLES[each.role]].append(_at(snapshot, each))
    declared = {variable.var: variable for variable in reversed(list(snapshot.view.variables()))}
    ordered = sorted(found.items(), key=lambda pair: (pair[0].name, pair[0].key))
    return {"variables": [_variable(thing, places, declared.get(thing.name), snapshot) for thing, places in ordered]}


def _variable(thing: Symbol, places: dict[str, list[Json]], declared: Variable | None, snapshot: Snapshot) -> Json:
    rules = declared or snapshot.view.globals.get(thing.name)
    return {
        "name": thing.name,
        "key": thing.key,
        "type": (rules.type or "") if rules is not None else "",
        "define": rules.define if rules is not None else "",
        "scope": (rules.scope or "") if rules is not None else "",
        **places,
    }


def _at(snapshot: Snapshot, each: Occurrence) -> Json:
    lines = lines_of(snapshot, each.file)
    path = nearest(_nodes(snapshot, each.file), *each.range.start)
    return {
        "file": each.file,
        "range": lines.range(each.range),
        "node": node_id(each.file, path) if path is not None else None,
    }


def _nodes(snapshot: Snapshot, file: str) -> list[tuple[int, int, Path]]:
    """Where each node of a file begins that is shown on the map."""
    known = snapshot.shown.get(f"{file}\0nodes")
    if known is None:
        known = sorted(_places(snapshot, file))
        snapshot.shown[f"{file}\0nodes"] = known
    return list(known)


def _places(snapshot: Snapshot, file: str) -> list[tuple[int, int, Path]]:
    loaded = snapshot.project.files.get(file)
    if loaded is None:
        return []
    nodes = [*loaded.sessions, *loaded.skills, *loaded.awareness, *loaded.forms]
    nodes += [phase for session in loaded.sessions for phase in session.phases]
    nodes += [topic for session in loaded.sessions for phase in session.phases for topic in phase.steps]
    bodies = [body.steps for body in snapshot.view.bodies if body.steps.place.file == file]
    actions = [action for body in bodies for action in body.actions]
    places = [each.place for each in (*nodes, *actions)]
    return [(place.line, place.column, place.path) for place in places]
