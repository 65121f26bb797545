"""What is asked of an action is what its type declares, and not what it is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.tree import ROOT, SOURCE, modules, parsed

from heartrule.engine.action_types import registry

ROOMS = ("engine", "language/linting", "language/compiling", "script_tests", "reporting", "sessions", "server")


def constants(node: ast.expr) -> Iterator[object]:
    yield from (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))


def test_no_action_is_known_by_its_name() -> None:
    names = set(registry())
    compared = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for room in ROOMS
        for path in modules(SOURCE / room)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Attribute)
        and node.left.attr == "type"
        and any(value in names for each in node.comparators for value in constants(each))
    ]
    assert not compared
