"""Which key or value of a file stands at a place, and of what models it may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from heartrule.authoring.positions import Position
from heartrule.authoring.workspace import Registry
from heartrule.language.nodes import Project
from heartrule.language.nodes.script_file import File
from heartrule.language.projects.project import PROJECT_FILE
from heartrule.language.shape.keys import models_at
from heartrule.language.texts.source import Path
from heartrule.language.yaml import ParsedYaml, parse


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """A key at a place: the models that its mapping may be of, the type of the action it belongs to, and its value."""

    path: Path
    models: Sequence[type[BaseModel]]
    action: str | None
    data: Any = field(repr=False)

    @property
    def key(self) -> str:
        return str(self.path[-1])


def root_of(file: str) -> type[BaseModel]:
    return Project if file == PROJECT_FILE else File


def key_at(text: str, file: str, position: Position, registry: Registry) -> KeyPlace | None:
    """The key on which a place is."""
    parsed = parse(text, file)
    for path, spot in parsed.map.keys.items():
        if not path or isinstance(path[-1], int):
            continue
        if spot.line == position.line and spot.column <= position.column <= spot.column + len(str(path[-1])):
            return spelled(parsed, path, registry)
    return None


def spelled(parsed: ParsedYaml, path: Path, registry: Registry) -> KeyPlace:
    document: Any = parsed.documents[path[0]] if path and isinstance(path[0], int) else None
    above: Any = document
    for part in path[1:-1]:
        above = _into(above, part)
    kind = above.get("type") if isinstance(above, dict) else None
    models = models_at(root_of(parsed.file), document, path[1:-1], registry)
    value = above.get(path[-1]) if isinstance(above, dict) else None
    return KeyPlace(path, models, str(kind) if isinstance(kind, str) and kind in registry else None, value)


def _into(data: Any, part: str | int) -> Any:
    try:
        return data[part]
    except (KeyError, IndexError, TypeError):
        return None
