"""The panel of a node: every field of its type from the models that the engine reads, each with its help, its value and
what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from heartrule.authoring import paths, wordlist
from heartrule.authoring.controls import Kind, control, keyed
from heartrule.authoring.error_recovery import Readable, readable
from heartrule.authoring.project_map import TITLES
from heartrule.authoring.splices import GONE, CannotEdit
from heartrule.authoring.wire import Json, both, hash_of, lines_of, node_id
from heartrule.authoring.wire import finding as told
from heartrule.authoring.workspace import Registry, Snapshot
from heartrule.language.findings import Finding
from heartrule.language.nodes import Awareness
from heartrule.language.references import identity
from heartrule.language.schema.hovers import hover, summary
from heartrule.language.shape.keys import models_at
from heartrule.language.texts.source import Path
from heartrule.language.texts.tree import Tree, trees

_KINDS = {
    "Session": "session",
    "Phase": "phase",
    "Topic": "topic",
    "Skill": "technique",
    "Awareness": "awareness",
    "Form": "form",
}
_SHELVES = {"skill": "skills", "form": "forms", "awareness": "awareness"}
_DEEP = 2
"""How far fields within fields are told."""
_FIRST = frozenset(
    {
        *("id", "goal", "content", "question", "output", "condition", "skill", "form", "choices", "options", "input"),
        *(
            "then",
            "fields",
            "scores",
            "label",
            "define",
            "type",
            "range",
            "transitions",
            "awareness",
            "duration",
            "set",
        ),
        *("set", "value", "priority", "declare", "sensitive", "done_when", "strategy", "text", "title"),
    }
)
"""What is looked for most; all else is behind “more” until it is written."""


def fields(snapshot: Snapshot, file: str, path: Path, registry: Registry, lang: str) -> Json:
    """The fields of the mapping at a path. Raises ``CannotEdit`` where there is none."""
    return _Panel(snapshot, file, path, registry, lang).as_json()


class _Panel:
    def __init__(self, snapshot: Snapshot, file: str, path: Path, registry: Registry, lang: str) -> None:
        text = snapshot.texts.get(file)
        if text is None:
            raise CannotEdit(GONE)
        self.snapshot, self.file, self.path, self.registry, self.lang = snapshot, file, path, registry, lang
        self.text, self.lines = text, lines_of(snapshot, file)
        self.known: Readable = readable(text, file)
        self.data = _at(self.known.parsed.documents, path)
        self.tree = _tree_at(trees(self.known.text), path)
        if not isinstance(self.data, dict):
            raise CannotEdit(GONE)
        self.models = _models(self.known, file, path, registry)
        self.model = _fitting(self.models, self.data)
        kind = self.data.get("type")
        self.action = str(kind) if isinstance(kind, str) and kind in registry and self._is_action() else None

    def _is_action(self) -> bool:
        return len(self.path) > 1 and self.path[-2] == "actions"

    def as_json(self) -> Json:
        name = self.model.__name__ if self.model is not None else ""
        kind = "action" if self._is_action() else _KINDS.get(name, name.lower())
        label = self.data.get(TITLES.get(kind, "")) or self.data.get("id") or self.action or kind
        own = list(self._fields())
        placed = {each["key"] for each in own}
        return {
            "file": self.file,
            "path": list(self.path),
            "id": node_id(self.file, self.path),
            "hash": hash_of(self.text),
            "kind": kind,
            "type": self.action or "",
            "title": str(label),
            "about": both(summary(self.action)) if self.action else None,
            "fields": own,
            "findings": [
                each for key, found in self._by_key().items() if key not in placed for each in self._findings(found)
            ],
        }

    def _fields(self) -> Iterator[Json]:
        known = keyed(self.model) if self.model is not None else {}
        found = self._by_key()
        for key, field in known.items():
            if self.model is not None and key != "actions" and key not in ("phases", "steps"):
                yield self._field(self.model, key, field, found.get(key, []))
        for key in self.data:
            if key not in known:
                yield self._unknown(str(key), found.get(str(key), []))

    def _field(self, model: type[BaseModel], key: str, field: FieldInfo, found: Sequence[Finding]) -> Json:
        made = described(model, key, field, self.action)
        kind = control(model, key, field)
        if key == "type" and self.action is not None:
            made |= {"control": "choice", "options": list(self.registry)}
        elif kind.of:
            made["options"] = list(dict.fromkeys(self._names(kind.of)))
            made["named"] = self._titles(kind.of)
        if key == "condition" and self.model is Awareness and isinstance(self.data.get(key), dict):
            made["words"] = wordlist.rule_words(self.data[key].get("rules"))
        present = key in self.data
        more = not (made["required"] or present or key in _FIRST)
        return {**made, "present": present, "more": more, **self._value(key), "findings": self._findings(found)}

    def _unknown(self, key: str, found: Sequence[Finding]) -> Json:
        """A key that the model does not have: shown and kept."""
        made = {"key": key, "help": None, "required": False, "control": "yaml", "default": None, "options": None}
        made |= {"minimum": None, "maximum": None, "of": None, "item": None, "present": True, "more": False}
        return {**made, **self._value(key), "findings": self._findings(found)}

    def _value(self, key: str) -> Json:
        entry = self.tree.get(key) if self.tree is not None and self.tree.kind == "mapping" else None
        if entry is None:
            given = key in self.data  # taken over from elsewhere
            return {"value": self.data.get(key), "text": "", "range": None, "raw": given}
        tree = entry.value
        start, end = max(tree.start, entry.key.end), max(tree.end, entry.key.end)
        return {
            "value": self.data.get(key),
            "text": self.text[start:end],
            "range": self.lines.between(start, end),
            "raw": tree.kind == "alias" or any(part.marked or part.kind == "alias" for part in tree.parts()),
        }

    def _findings(self, found: Sequence[Finding]) -> list[Json]:
        places = sorted_places(self.snapshot, self.file, self.known)
        return [told(self.snapshot, each, self.lang, _place(places, each), self.path) for each in found]

    def _by_key(self) -> dict[str, list[Finding]]:
        """What is wrong with the node, by the key that it stands at; nothing of the nodes below it."""
        places = sorted_places(self.snapshot, self.file, self.known)
        found: dict[str, list[Finding]] = {}
        depth = len(self.path)
        for each in self.snapshot.findings_of(self.file):
            at = _place(places, each)
            if at is None or at[:depth] != self.path or _below(at, depth):
                continue
            key = str(at[depth]) if len(at) > depth else ""
            if (
                each.code == "E102" and len(at) <= depth + 1
            ):  # stands where the node begins, and is of what is not there
                key = each.about
            found.setdefault(key, []).append(each)
        return found

    def _titles(self, of: str) -> Json:
        """What scripts of other projects are called, by how they are referred to."""
        shelf = _SHELVES.get(of)
        others = self.snapshot.elsewhere if shelf is not None else ()
        return {f"{other.id}/{identity(each)}": each.name for other in others for each in getattr(other, shelf or "")}

    def _names(self, of: str) -> Iterator[str]:
        project = self.snapshot.project
        if of == "variable":
            yield from (variable.var for variable in self.snapshot.view.variables())
            return
        if of == "topic":
            for session in project.sessions:
                if session.place.file == self.file:
                    for phase in session.phases:
                        yield from (identity(topic) for topic in phase.steps)
                        yield identity(phase)
            yield "end"
            return
        shelf = _SHELVES[of]
        yield from map(identity, getattr(project, shelf))
        for other in self.snapshot.elsewhere:
            yield from (f"{other.id}/{identity(each)}" for each in getattr(other, shelf))


def described(model: type[BaseModel], key: str, field: FieldInfo, action: str | None, deep: int = _DEEP) -> Json:
    """A field as its model has it."""
    kind = control(model, key, field)
    default = field.get_default(call_default_factory=False)
    plain = isinstance(default, str | int | float | bool)
    return {
        "key": key,
        "help": both(hover(model, key, action)),
        "required": field.is_required(),
        "control": kind.control,
        "options": list(kind.options) or None,
        "minimum": kind.minimum,
        "maximum": kind.maximum,
        "of": kind.of or None,
        "default": default if plain and default is not PydanticUndefined else None,
        "item": _inner(kind, action, deep) if kind.models and deep else None,
    }


def _inner(kind: Kind, action: str | None, deep: int) -> Json:
    """What the mappings within a field hold; of several kinds, each."""
    kinds = [
        {
            "model": model.__name__,
            "fields": [described(model, key, field, action, deep - 1) for key, field in keyed(model).items()],
        }
        for model in kind.models
    ]
    more = {"kinds": kinds} if len(kinds) > 1 else {}
    return {"control": "mapping", "fields": kinds[0]["fields"], **more}


def sorted_places(snapshot: Snapshot, file: str, known: Readable) -> list[tuple[int, int, Path]]:
    """Where every key and value stands, in order."""
    kept = snapshot.shown.get(f"{file}\0places")
    if kept is None:
        where = known.parsed.map
        kept = sorted(
            {(spot.line, spot.column, path) for spots in (where.values, where.keys) for path, spot in spots.items()},
            key=lambda each: (each[0], each[1], len(each[2])),
        )
        snapshot.shown[f"{file}\0places"] = kept
    return list(kept)


def _place(places: list[tuple[int, int, Path]], found: Finding) -> Path | None:
    low, high = 0, len(places)
    while low < high:
        middle = (low + high) // 2
        if places[middle][:2] <= (found.line, found.column):
            low = middle + 1
        else:
            high = middle
    return places[low - 1][2] if low else None


def _below(at: Path, depth: int) -> bool:
    """Whether a place is of a node below, which has a panel of its own."""
    return any(
        at[index] in ("phases", "steps", "actions") and index + 1 < len(at) and isinstance(at[index + 1], int)
        for index in range(depth, len(at))
    )


def _at(documents: Any, path: Path) -> Any:
    data = documents
    try:
        for part in path:
            data = data[part]
    except (KeyError, IndexError, TypeError):
        return None
    return data


def _tree_at(documents: Sequence[Tree], path: Path) -> Tree | None:
    if not path or not isinstance(path[0], int) or path[0] >= len(documents):
        return None
    tree: Tree | None = documents[path[0]]
    for part in path[1:]:
        tree = (tree.target or tree) if tree is not None else None
        if tree is None:
            return None
        if isinstance(part, int):
            tree = tree.items[part] if part < len(tree.items) else None
        else:
            entry = tree.given(part)
            tree = entry.value if entry is not None else None
    return (tree.target or tree) if tree is not None else None


def _models(known: Readable, file: str, path: Path, registry: Registry) -> list[type[BaseModel]]:
    number = path[0] if path and isinstance(path[0], int) else 0
    documents = known.parsed.documents
    if number >= len(documents):
        return []
    return models_at(paths.root_of(file), documents[number], path[1:], registry)


def _fitting(models: Sequence[type[BaseModel]], data: Json) -> type[BaseModel] | None:
    """Of the models that a mapping may be of the one with most of its keys."""
    return max(models, key=lambda model: len(set(keyed(model)) & set(data)), default=None)
