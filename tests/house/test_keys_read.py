"""Every key that a script or a project may hold is read by something that acts on it, and this says by what."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pydantic import BaseModel
from tests.house.tree import ROOT

from heartrule.engine.installed_types import field_models
from heartrule.language.nodes import Project
from heartrule.language.nodes.script_file import File
from heartrule.language.schema import _all

SOURCE = ROOT / "src" / "heartrule"
PASSIVE = ("linting", "schema", "spellings", "formatting", "nodes", "authoring", "lsp", "findings", "names.py")
"""What reads keys to judge, show or rewrite scripts: that alone gives a key no effect."""
FOR_READERS = {("File", "metadata"): "for whoever reads the file; the action reference says so"}
RISK = "examples that tests hold rules to"
FOR_TESTS = {("RiskPattern", "match"): RISK, ("RiskPattern", "pass_"): RISK}

ELSEWHERE = {
    ("Project", "lint"): {"language/linting/lint.py"},  # it is the linter that it tells something
    ("File", "global_"): {"language/projects/loader.py"},  # read by its key: ``global``
}


@cache
def readers() -> dict[str, set[str]]:
    """By attribute: the files that read it, or peek at it by name."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).parts
        if any(part in PASSIVE for part in parts) and not (parts[:2] == ("language", "nodes") and _acts(path)):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = _read(node)
            if name:
                found[name].add(path.relative_to(SOURCE).as_posix())
    return found


def _acts(path: Path) -> bool:
    """The node models work some keys out themselves (``instructions_in``)."""
    return path.parent.name == "nodes"


def _read(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        return node.attr
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
        return node.value  # ``peek("card")``, ``getattr``, tables of names
    return ""


def keys() -> Iterator[tuple[type[BaseModel], str]]:
    for model in _all([File, Project, *field_models().values()]):
        own = {name for base in model.__mro__[1:] for name in getattr(base, "model_fields", {})}
        for name in model.model_fields:
            if name not in own and (model.__name__, name) not in FOR_READERS | FOR_TESTS:
                yield model, name


def test_every_key_is_read_by_something_that_acts() -> None:
    unread = [f"{model.__name__}.{name}" for model, name in keys() if not acting(model, name)]
    assert unread == []


def test_what_acts_on_a_key_can_be_shown() -> None:
    told = {(model.__name__, name): acting(model, name) for model, name in keys()}
    assert len(told) > 200
    assert "language/projects/library.py" in told["Session", "audience"]
    assert "engine/extraction/listened_variables.py" in told["Listen", "scope"]


def acting(model: type[BaseModel], name: str) -> set[str]:
    return readers()[name] | ELSEWHERE.get((model.__name__, name), set())
