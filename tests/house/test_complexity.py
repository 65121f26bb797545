"""A function decides one thing."""

from __future__ import annotations

import ast

from tests.house.tree import ROOT, SOURCE, modules, parsed

MOST = 15
_BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case)


def complexity(function: ast.AST) -> int:
    """McCabe's, with what is nested in it, comprehensions, and each operand of ``and`` and ``or``."""
    ways = 1
    for node in ast.walk(function):
        if isinstance(node, _BRANCHES):
            ways += 1
        elif isinstance(node, ast.comprehension):
            ways += 1 + len(node.ifs)
        elif isinstance(node, ast.BoolOp):
            ways += len(node.values) - 1
    return ways


def test_functions_of_the_engine_decide_little() -> None:
    tangled = {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}": ways
        for path in modules(SOURCE / "engine")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (ways := complexity(node)) > MOST
    }
    assert not tangled
