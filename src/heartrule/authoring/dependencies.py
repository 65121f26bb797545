"""Which script calls, shows, orders and is watched by which."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.authoring import occurrences
from heartrule.authoring.occurrences import Occurrence, Symbol
from heartrule.authoring.wire import Json, lines_of
from heartrule.authoring.workspace import Snapshot
from heartrule.language.references import identity

_KINDS = {"session": "session", "skill": "technique", "awareness": "awareness", "form": "form"}
_EDGES = {"skill": "calls", "awareness": "watches", "form": "shows", "session": "follows"}


def dependencies(snapshot: Snapshot) -> Json:
    """Scripts as nodes, and an edge from each to each that it names, with the places where it does."""
    nodes: dict[str, Json] = {}
    edges: dict[tuple[str, str, str], Json] = {}
    starts = _starts(snapshot)
    for each in occurrences.occurrences(snapshot):
        if each.thing.kind not in _KINDS:
            continue
        if each.role == "declared":
            if not each.title or _id(each.thing) not in nodes:
                nodes[_id(each.thing)] = _node(snapshot, each)
        elif (home := _home(starts, each)) is not None:
            kind = "orders" if home.kind in ("awareness", "form") else _EDGES[each.thing.kind]
            edge = edges.setdefault(
                (_id(home), _id(each.thing), kind),
                {"from": _id(home), "to": _id(each.thing), "kind": kind, "places": []},
            )
            edge["places"].append({"file": each.file, "range": lines_of(snapshot, each.file).range(each.range)})
    for _, to, _ in edges:
        nodes.setdefault(to, _elsewhere(to))
    return {"nodes": [*nodes.values()], "edges": [*edges.values()]}


def _id(thing: Symbol) -> str:
    return f"{_KINDS[thing.kind]}:{thing.key}/{thing.name}"


def _node(snapshot: Snapshot, each: Occurrence) -> Json:
    return {
        "id": _id(each.thing),
        "kind": _KINDS[each.thing.kind],
        "name": each.thing.name,
        "project": each.thing.key,
        "file": each.file,
        "range": lines_of(snapshot, each.file).range(each.range),
    }


def _elsewhere(id_: str) -> Json:
    kind, _, rest = id_.partition(":")
    project, _, name = rest.partition("/")
    return {"id": id_, "kind": kind, "name": name, "project": project, "file": "", "range": None}


def _starts(snapshot: Snapshot) -> dict[str, list[tuple[int, Symbol]]]:
    """By file, where each script begins."""
    found: dict[str, list[tuple[int, Symbol]]] = {}
    for line, file, thing in _scripts(snapshot):
        found.setdefault(file, []).append((line, thing))
    return {file: sorted(own, key=lambda pair: pair[0]) for file, own in found.items()}


def _scripts(snapshot: Snapshot) -> Iterator[tuple[int, str, Symbol]]:
    project = snapshot.project
    for session in project.sessions:
        yield session.place.line, session.place.file, Symbol("session", identity(session), project.id)
    for skill in project.skills:
        yield skill.place.line, skill.place.file, Symbol("skill", identity(skill), project.id)
    for watcher in project.awareness:
        yield watcher.place.line, watcher.place.file, Symbol("awareness", identity(watcher), project.id)
    for form in project.forms:
        yield form.place.line, form.place.file, Symbol("form", identity(form), project.id)


def _home(starts: dict[str, list[tuple[int, Symbol]]], each: Occurrence) -> Symbol | None:
    own = [thing for line, thing in starts.get(each.file, ()) if line <= each.range.start.line]
    return own[-1] if own else None
