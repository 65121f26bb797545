"""One file's text → nodes that know their places, and findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import ValidationError

from heartrule.language import spellings
from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding, in_order
from heartrule.language.findings.words import step
from heartrule.language.nodes import (
    Action,
    Awareness,
    Node,
    Place,
    Project,
    Role,
    Session,
    Skill,
    Variable,
)
from heartrule.language.nodes.forms import Form
from heartrule.language.nodes.script_file import ASIDE
from heartrule.language.shape import Registry, Shape
from heartrule.language.spellings.script_reader import parse_script
from heartrule.language.texts.source import Path, SourceMap
from heartrule.language.yaml import ParsedYaml, parse

AnyNode = TypeVar("AnyNode", bound=Node)
_ITEMS: dict[str, type[Node]] = {
    "sessions": Session,
    "skills": Skill,
    "awareness": Awareness,
    "global": Variable,
    "forms": Form,
    "roles": Role,
}
_ABOVE: dict[str | int, Path] = {"steps": ("actions",), "skills": ("actions",)}
_ABOVE_ACTIONS: dict[str, Path] = {"sessions": ("phases", "steps", "actions"), "skills": ("actions",)}


@dataclass(slots=True)
class LoadedFile:
    """What a script file holds. ``whole`` is False when something in it could not be read, so that what is missing
    here may well be there."""

    path: str
    map: SourceMap
    findings: list[Finding]
    whole: bool = True
    sessions: list[Session] = field(default_factory=list)
    skills: list[Skill] = field(default_factory=list)
    awareness: list[Awareness] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    forms: list[Form] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)
    stale: tuple[tuple[int, int], ...] = ()
    """Lines that cannot be read, for which what they were before still stands."""


def load(raw: bytes | str, path: str, registry: Registry) -> LoadedFile:
    """Read a script file. Never raises for what is in it; ``findings`` say what is wrong, in the order of the lines."""
    parsed = parse_script(raw, path)
    file = LoadedFile(path, parsed.map, [])
    loader = _Loader(Shape(parsed, registry))
    for number, document in enumerate(parsed.documents):
        loader.document(number, document, file)
    file.findings = _joined(parsed, loader)
    file.whole = not any(found.stops for found in file.findings)
    return file


def read_again(
    parsed: ParsedYaml, registry: Registry, model: type[AnyNode], data: Any, path: Path
) -> tuple[AnyNode | None, list[Finding]]:
    """One node of a file that has been read, after its part of the text has changed."""
    loader = _Loader(Shape(parsed, registry))
    node = loader.node(model, data, path, _ABOVE.get(path[-2], ()))
    misread = {found.line for found in parsed.findings if found.stops}
    return node, [found for found in loader.findings if found.line not in misread]


def load_project(raw: bytes | str, path: str) -> tuple[Project | None, SourceMap, list[Finding]]:
    """Read ``project.yaml``. None when it cannot be used."""
    parsed = parse(raw, path)
    loader = _Loader(Shape(parsed, {}, Project))
    data = parsed.documents[0] if parsed.documents else None
    if not isinstance(data, dict):
        if not parsed.findings:
            loader.findings.append(loader.shape.found("E015", (0,)))
        return None, parsed.map, _joined(parsed, loader)
    project = loader.node(Project, data, (0,))
    return project, parsed.map, _joined(parsed, loader)


class _Loader:
    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.findings: list[Finding] = []

    def document(self, number: int, document: Any, file: LoadedFile) -> None:
        if document is None:
            return
        if not isinstance(document, dict):
            self.findings.append(self.shape.found("E015", (number,)))
            return
        for key, items in document.items():
            path: Path = (number, key)
            model = _ITEMS.get(key)
            if (key == "metadata" and isinstance(items, dict | None)) or str(key).startswith(ASIDE):
                continue
            if model is None:
                if self.shape.has_room():
                    self.findings.append(self.shape.unknown_key(path, items))
            elif isinstance(items, list):
                nodes = self._shelf(key, file)
                for index, item in enumerate(items):
                    node = self.node(model, item, (*path, index), _ABOVE_ACTIONS.get(key, ()))
                    if node is not None:
                        nodes.append(node)
            elif items is not None and self.shape.has_room():
                self.findings.append(self.shape.keyed("E016", path, key=key))

    def node(self, model: type[AnyNode], data: Any, path: Path, above: Path = ()) -> AnyNode | None:
        """The data at ``path`` as a node with its places; None, and findings, when it is none. ``above`` are the lists
        that lead to its actions. An action that is none is replaced by a stand-in, so that lint can look at the rest;
        its finding keeps the node from being run."""
        prepared = self._prepared(data, path, above) if above else data
        try:
            node = model.model_validate(prepared)
        except ValidationError as error:
            self.findings += self.shape.findings(error, path)
            return None
        said = self.shape.place(path)
        self._put(node, path, Bilingual(said.words, said.words_en))
        return node

    def _prepared(self, data: Any, path: Path, above: Path) -> Any:
        """The data with each action in it made a node of its type."""
        key, *rest = above
        items = data.get(key) if isinstance(data, dict) else None
        if not isinstance(items, list):
            return data
        if rest:
            made = [self._prepared(item, (*path, key, index), tuple(rest)) for index, item in enumerate(items)]
        else:
            made = [self._action(item, (*path, key, index)) for index, item in enumerate(items)]
        return {**data, key: made}

    def _action(self, data: Any, path: Path) -> Any:
        """An action of its type; where it is none, a stand-in, so that what is around it can still be checked."""
        if not isinstance(data, dict):
            self.findings.append(self.shape.no_mapping(path, data))
            return Action.model_construct(type="")
        name = data.get("type")
        fields = self.shape.registry.get(name) if isinstance(name, str) else None
        if fields is None:
            self.findings.append(self._no_type(data, name, path))
        else:
            inner = self._prepared(data, path, ("actions",)) if "actions" in fields.model_fields else data
            try:
                return fields.model_validate(inner)
            except ValidationError as error:
                self.findings += self.shape.findings(error, path)
        return Action.model_construct(type="")

    def _no_type(self, data: dict[Any, Any], name: Any, path: Path) -> Finding:
        if name is None:
            spelled = next((key for key in data if spellings.canonical("actions", key)), None)
            if "action_type" in data and isinstance(spelled, str):
                return self.shape.unknown_key((*path, "action_type"), data["action_type"])
            if one := spellings.one_key(data):
                return self.shape.keyed("E191", (*path, one[0]), written=f"- {one[0]}: …", form=one[1])
            return self.shape.no_type(path)
        at = (*path, "type")
        if form := spellings.canonical("actions", "type", name):
            return self.shape.keyed("E191", at, written=f"type: {clip(name)}", form=form)
        near = get_close_matches(str(name), list(self.shape.registry), 1, 0.5)
        advice = Bilingual(f"是不是想写 `{near[0]}`？", f"Did you mean `{near[0]}`?") if near else Bilingual("", "")
        known = ", ".join(sorted(self.shape.registry))
        mend = self.shape.instead(at, list(self.shape.registry)) if isinstance(name, str) else None
        return self.shape.found("E107", at, mend=mend, type=clip(name), advice=advice, known=known)

    def _put(self, node: Node, path: Path, said: Bilingual) -> None:
        spot = self.shape.parsed.map.key(path)
        node.put(Place(self.shape.parsed.file, spot.line, spot.column, said.zh, said.en, path))
        for below, child in node.children():
            key = below[0] if len(below) > 1 else None
            self._put(child, (*path, *below), step(said, key, below[-1], child))

    def _shelf(self, key: str, file: LoadedFile) -> list[Any]:
        shelf: list[Any] = getattr(file, "variables" if key == "global" else key)
        return shelf


def _joined(parsed: ParsedYaml, loader: _Loader) -> list[Finding]:
    """All findings of a file. Where a line could not be read as it was meant, what follows from that is left out."""
    misread = {found.line for found in parsed.findings if found.stops}
    told = in_order([*parsed.findings, *(found for found in loader.findings if found.line not in misread)])
    if not told or not loader.shape.untold:
        return told
    last = Place(told[-1].file, told[-1].line, told[-1].column, told[-1].path.zh, told[-1].path.en)
    return [*told, finding("E018", last, more=loader.shape.untold)]
