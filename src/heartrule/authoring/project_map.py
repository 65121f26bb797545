"""A project as a map: what its sessions are made of in their order, where they jump to, what they call, show
and are watched by. Read off the data, so that what is not right yet has its place too; what cannot be read is a locked
block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from heartrule.authoring.error_recovery import Readable, readable
from heartrule.authoring.wire import Json, Lines, hash_of, lines_of, nearest, node_id
from heartrule.authoring.workspace import Snapshot
from heartrule.language.findings import clip
from heartrule.language.projects.project import CONTACTS_FILE, PROJECT_FILE
from heartrule.language.references import homes, pick
from heartrule.language.texts.source import Path
from heartrule.language.texts.tree import Tree, trees

PARTS = {
    "session": (("phases", "phase"),),
    "phase": (("steps", "topic"),),
    "topic": (("actions", "action"),),
    "technique": (("actions", "action"),),
    "action": (("actions", "action"),),
    "awareness": (),
    "form": (),
}
"""What each kind holds: key, and kind of its items."""
SHELVES = (("sessions", "session"), ("skills", "technique"), ("awareness", "awareness"), ("forms", "form"))
TITLES = {
    "session": "session",
    "phase": "phase",
    "topic": "topic",
    "technique": "skill",
    "awareness": "awareness",
    "form": "form",
}
_BADGES = ("condition", "repeat", "for_each", "sensitive", "done_when", "skill", "form", "timeout")
_LONGEST = 60
TESTS = (".test.yaml", ".test.yml")
"""Conversations that scripts are held against."""


def mapped(snapshot: Snapshot, file: str | None = None) -> Json:
    """The nodes, what leads from one to another, and what is locked; of one file, or of all."""
    files = [file] if file is not None else scripts(snapshot)
    maps = [_File(snapshot, each) for each in files if each in snapshot.texts]
    known = {(node["kind"], name): node["id"] for each in maps for node in each.nodes for name in _names(node)}
    return {
        "files": {each.file: hash_of(snapshot.texts[each.file]) for each in maps},
        "nodes": [_public(node) for each in maps for node in each.nodes],
        "edges": [edge for each in maps for edge in each.edges(known)],
        "locked": [locked for each in maps for locked in each.locked()],
    }


def scripts(snapshot: Snapshot) -> list[str]:
    """The files that hold scripts."""
    aside = (PROJECT_FILE, CONTACTS_FILE)
    named = (file for file in sorted(snapshot.texts) if file.endswith((".yaml", ".yml")) and file not in aside)
    return [file for file in named if not file.startswith("prompts/") and not file.endswith(TESTS)]


def readable_file(snapshot: Snapshot, file: str) -> Readable:
    return readable(snapshot.texts.get(file, ""), file)


def _names(node: Json) -> Iterator[str]:
    yield from (each for each in (node["data"].get("id"), node["label"]) if isinstance(each, str) and each)


def _public(node: Json) -> Json:
    return {key: value for key, value in node.items() if key != "data"}


class _File:
    def __init__(self, snapshot: Snapshot, file: str) -> None:
        self.file, self._snapshot = file, snapshot
        self._readable = readable_file(snapshot, file)
        self._lines: Lines = lines_of(snapshot, file)
        self._trees = trees(self._readable.text)
        self._found = snapshot.findings_of(file)
        self.nodes: list[Json] = []
        self._by_id: dict[str, Json] = {}
        self._below: dict[tuple[str | None, str], str] | None = None
        for number, document in enumerate(self._readable.parsed.documents):
            if isinstance(document, dict):
                tree = self._trees[number] if number < len(self._trees) else None
                for key, kind in SHELVES:
                    self._items(document, tree, (number,), key, kind, None)
        self._count()

    # nodes

    def _items(self, data: Json, tree: Tree | None, path: Path, key: str, kind: str, parent: str | None) -> None:
        items = data.get(key)
        if not isinstance(items, list):
            return
        entry = tree.get(key) if tree is not None else None
        below = entry.value if entry is not None else None
        for index, item in enumerate(items):
            part = below.items[index] if below is not None and index < len(below.items) else None
            if isinstance(item, dict):
                self._node(item, part, (*path, key), index, kind, parent)

    def _node(self, data: Json, tree: Tree | None, above: Path, index: int, kind: str, parent: str | None) -> None:
        path = (*above, index)
        id_ = node_id(self.file, path)
        label = data.get(TITLES[kind]) if kind in TITLES else data.get("id")
        shown = label if isinstance(label, str) and label else _said(data, kind)
        node = {
            "id": id_,
            "kind": kind,
            "type": str(data.get("type") or "") if kind == "action" else "",
            "parent": parent,
            "file": self.file,
            "path": list(path),
            "list": list(above),
            "index": index,
            "range": self._range(tree, path),
            "label": shown,
            "detail": _said(data, kind) if kind == "action" else str(data.get("id") or data.get("goal") or ""),
            "badges": list(_badges(data, kind)),
            "errors": 0,
            "warnings": 0,
            "shared": tree is None or tree.kind == "alias" or tree.marked,
            "children": [
                {"key": key, "path": [*path, key], "accepts": below}
                for key, below in PARTS[kind]
                if kind != "action" or key in data
            ],
            "data": data,
        }
        self.nodes.append(node)
        self._by_id[id_] = node
        for key, below in PARTS[kind]:
            self._items(data, tree, path, key, below, id_)

    def _range(self, tree: Tree | None, path: Path) -> Json:
        spot = self._readable.parsed.map.key(path)
        if tree is None or tree.kind == "alias":
            return self._lines.to_end(spot.line, spot.column)
        return self._lines.between(tree.start, tree.end)

    def _count(self) -> None:
        places = sorted((node["range"]["start"]["line"] + 1, 0, tuple(node["path"])) for node in self.nodes)
        by_path = {tuple(node["path"]): node for node in self.nodes}
        for found in self._found:
            path = nearest(places, found.line, found.column)
            if path is not None:
                by_path[path]["errors" if found.severity == "error" else "warnings"] += 1

    def locked(self) -> Iterator[Json]:
        for each in self._readable.locked:
            lines = self._snapshot.texts[self.file].split("\n")
            around = self._holding(each.first)
            yield {
                "file": self.file,
                "path": around["path"] if around is not None else None,
                "parent": around["id"] if around is not None else None,
                "line": each.why.line,
                "range": {
                    "start": self._lines.at(each.first, 1),
                    "end": self._lines.at(each.last, len(lines[each.last - 1]) + 1),
                },
                "reason": {"zh": each.why.message.zh, "en": each.why.message.en},
                "hint": {"zh": each.why.hint.zh, "en": each.why.hint.en},
                "text": "\n".join(lines[each.first - 1 : each.last]),
            }

    def _holding(self, line: int) -> Json | None:
        """The node that a locked line most likely belongs to: the last one above that is less far in."""
        column = len(self._text_line(line)) - len(self._text_line(line).lstrip(" "))
        above = [node for node in self.nodes if node["range"]["start"]["line"] + 1 < line]
        return next((node for node in reversed(above) if node["range"]["start"]["character"] <= column), None)

    def _text_line(self, line: int) -> str:
        return self._snapshot.texts[self.file].split("\n")[line - 1]

    # edges

    def edges(self, known: Mapping[tuple[str, str], str]) -> Iterator[Json]:
        before: dict[tuple[Any, ...], Json] = {}
        for node in self.nodes:
            data, kind = node["data"], node["kind"]
            row = (node["parent"], tuple(node["list"]))
            if kind in ("phase", "topic", "action"):
                if row in before:
                    yield self._edge("next", before[row], node["id"], "", node["path"])
                before[row] = node
            yield from self._jumps(node, data)
            if isinstance(data.get("repeat"), dict):
                yield self._edge(
                    "loop", node, node["id"], _shown(data["repeat"].get("until")), [*node["path"], "repeat"]
                )
            if isinstance(data.get("for_each"), dict):
                each = data["for_each"]
                label = f"{each.get('as', '')} ∈ {each.get('in', '')}"
                yield self._edge("loop", node, node["id"], label, [*node["path"], "for_each"])
            for found, target, name, path in _references(data, kind):
                to = known.get((target, name)) or self._elsewhere(target, name)
                yield self._edge(found, node, to, "", [*node["path"], *path])

    def _jumps(self, node: Json, data: Json) -> Iterator[Json]:
        jumps = data.get("transitions")
        for index, jump in enumerate(jumps if isinstance(jumps, list) else ()):
            if isinstance(jump, dict) and isinstance(jump.get("to"), str):
                to = "end" if jump["to"] == "end" else self._target(node, jump["to"])
                path = [*node["path"], "transitions", index]
                yield self._edge("jump", node, to, _shown(jump.get("condition")), path)

    def _target(self, node: Json, name: str) -> str:
        """A topic of the same phase, else a phase of the same session."""
        if self._below is None:
            self._below = {}
            for each in self.nodes:
                for own in _names(each):
                    self._below.setdefault((each["parent"], own), each["id"])
        parent = self._by_id.get(node["parent"] or "")
        for row in (node["parent"], parent["parent"] if parent is not None else None):
            if row is not None and (row, name) in self._below:
                return self._below[row, name]
        return f"?{name}"

    def _elsewhere(self, kind: str, name: str) -> str:
        """What a name means that this project does not have: something of another one, or nothing."""
        shelf = {"technique": "skills", "awareness": "awareness", "form": "forms"}.get(kind)
        for home, rest in homes(name, self._snapshot.project.id) if shelf else ():
            project = self._snapshot.other(home)
            if project is not None and pick(getattr(project, shelf or ""), rest) is not None:
                return f"@{home}/{rest}"
        return f"?{name}"

    def _edge(self, kind: str, node: Json, to: str, label: str, path: list[Any]) -> Json:
        spot = self._readable.parsed.map.key(tuple(path))
        return {
            "kind": kind,
            "from": node["id"],
            "to": to,
            "label": label,
            "file": self.file,
            "path": path,
            "range": self._lines.to_end(spot.line, spot.column),
        }


def _references(data: Json, kind: str) -> Iterator[tuple[str, str, str, list[Any]]]:
    """What a node calls, shows and is watched by: kind of the edge and of its end, the name, and where it stands."""
    if kind == "action":
        if isinstance(data.get("skill"), str):
            yield "call", "technique", data["skill"], ["skill"]
        for index, use in enumerate(_list(data.get("may_use"))):
            name = use.get("skill") if isinstance(use, dict) else use
            if isinstance(name, str):
                yield "call", "technique", name, ["may_use", index]
        if isinstance(data.get("form"), str):
            yield "form", "form", data["form"], ["form"]
    if kind == "session":
        for index, name in enumerate(_list(data.get("awareness"))):
            if isinstance(name, str):
                yield "watch", "awareness", name, ["awareness", index]
    if kind in ("phase", "topic") and isinstance(data.get("awareness"), dict):
        for index, name in enumerate(_list(data["awareness"].get("enable"))):
            if isinstance(name, str):
                yield "watch", "awareness", name, ["awareness", "enable", index]
    if kind in ("awareness", "form"):
        for key in ("then", "on_wish", "on_watch", "on_other", "on_unknown", "on_repeat", "on_submit", "on_answer"):
            for index, order in enumerate(_list(data.get(key))):
                if isinstance(order, dict):
                    yield from _ordered(order, [key, index])


def _ordered(order: Json, path: list[Any]) -> Iterator[tuple[str, str, str, list[Any]]]:
    for key, target in (("technique", "technique"), ("topic", "topic"), ("awareness", "awareness")):
        if isinstance(order.get(key), str):
            yield "order", target, order[key], [*path, key]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _said(data: Json, kind: str) -> str:
    """What a node says or asks, or wants, in a few words."""
    for key in (
        "content",
        "question",
        "text",
        "judge",
        "skill",
        "form",
        "src",
        "goal",
        "set",
        "id",
        TITLES.get(kind, ""),
    ):
        value = data.get(key) if key else None
        if isinstance(value, list):
            value = next((each for each in value if isinstance(each, str)), None)
        if isinstance(value, str) and value.strip():
            return clip(value, _LONGEST)
    return ""


def _badges(data: Json, kind: str) -> Iterator[Json]:
    for key in _BADGES:
        value = data.get(key)
        if value not in (None, False, [], {}, ""):
            yield {"kind": key, "text": "" if value is True else _shown(value)}
    for output in _list(data.get("output")):
        name = (output.get("get") or output.get("set")) if isinstance(output, dict) else None
        if isinstance(name, str):
            yield {"kind": "output", "text": name}
    if kind == "action" and isinstance(data.get("set"), str):
        yield {"kind": "output", "text": data["set"]}
    if isinstance(data.get("awareness"), dict | list) and data["awareness"]:
        yield {"kind": "awareness", "text": str(len(_list(data["awareness"])) or "")}
    if kind in ("topic", "phase") and _list(data.get("transitions")):
        yield {"kind": "transitions", "text": str(len(data["transitions"]))}
    if kind == "awareness" and isinstance(data.get("priority"), str):
        yield {"kind": "priority", "text": data["priority"]}
    if kind == "form":
        yield {"kind": "fields", "text": str(len(_list(data.get("fields"))))}


def _shown(value: Any) -> str:
    """A condition or another value in a few words."""
    if isinstance(value, dict):
        if isinstance(value.get("judge"), str):
            return clip(f"“{value['judge']}”", _LONGEST)
        for key, sign in (("all", " and "), ("any", " or ")):
            if isinstance(value.get(key), list):
                return clip(sign.join(map(_shown, value[key])), _LONGEST)
        if "not" in value:
            return clip(f"not {_shown(value['not'])}", _LONGEST)
        return clip(", ".join(f"{key}: {_shown(each)}" for key, each in value.items()), _LONGEST)
    return "" if value is None else clip(value, _LONGEST)
