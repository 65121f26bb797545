"""The shipped scripts as an author has them before them: their texts, every node and every field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path as Folder
from typing import Any

from bench.comparing.plain import TITLED, Path

from heartrule.authoring.splices import parse_cached
from heartrule.authoring.workspace import Workspace
from heartrule.engine.installed_types import field_models
from heartrule.language.projects.library import Library, library_root
from heartrule.language.projects.project import LoadedProject, read_texts

REGISTRY = field_models()
PROJECTS = ("cbt", "safety")
LONGEST = 48_000
"""Files beyond this are left alone: an edit of theirs takes seconds to prove."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A value at a place. ``node``: the path of the node that it is a field of; ``kind`` the list that that is in."""

    file: str
    path: Path
    value: Any = field(repr=False)
    node: Path
    kind: str
    type: str

    @property
    def key(self) -> Any:
        """The nearest name of a key: the place itself, or the list that it is in."""
        return next((part for part in reversed(self.path) if isinstance(part, str)), "")


@cache
def shipped() -> dict[str, LoadedProject]:
    return {project.id: project for project in Library([library_root()], REGISTRY).projects()}


class Material:
    """One project."""

    def __init__(self, name: str) -> None:
        raw = read_texts(Folder(library_root()) / name)[0]
        self.name = name
        self.texts = {file: text.decode("utf-8") for file, text in raw.items() if not file.startswith("tests/")}
        self.workspace = Workspace(dict(self.texts), REGISTRY, shipped().get, name)

    @cached_property
    def spots(self) -> list[Spot]:
        """Every value: nodes, lists, mappings and plain ones."""
        return [
            spot
            for file, text in sorted(self.texts.items())
            if file.endswith(".yaml") and len(text) < LONGEST
            for number, document in enumerate(parse_cached(text).documents)
            for spot in _below(Spot(file, (number,), document, (number,), "", ""))
        ]

    @cached_property
    def nodes(self) -> list[Spot]:
        return [each for each in self.spots if each.node == each.path]

    @cached_property
    def fields(self) -> list[Spot]:
        """Values that are no nodes and hold none."""
        return [each for each in self.spots if each.node != each.path and each.key not in TITLED]

    @cached_property
    def pool(self) -> dict[Any, list[Any]]:
        """By key all plain values that stand there somewhere."""
        found: dict[Any, list[Any]] = defaultdict(list)
        for each in self.fields:
            if not isinstance(each.value, dict | list) and each.value not in found[each.key]:
                found[each.key].append(each.value)
        return found


def _below(spot: Spot) -> Iterator[Spot]:
    data = spot.value
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for part, value in entries:
        path = (*spot.path, part)
        within = len(spot.path) - len(spot.node)
        is_node = isinstance(part, int) and isinstance(value, dict) and spot.path[-1] in TITLED and within == 1
        if is_node:
            kind = str(value.get("type", "")) if spot.path[-1] == "actions" else ""
            found = Spot(spot.file, path, value, path, str(spot.path[-1]), kind)
        else:
            found = Spot(spot.file, path, value, spot.node, spot.kind, spot.type)
        yield found
        yield from _below(found)
