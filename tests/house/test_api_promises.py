"""What the API promises (fields, the values they may have, codes and statuses) is produced somewhere, and this says
where. That each code can be met is for ``tests/server/test_problems.py``; that the page names all, ``tests/docs``."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from tests.house.tree import ROOT
from tests.server.material import Grounds, run

from heartrule.server import problems, shapes

SOURCE = ROOT / "src" / "heartrule"
PROMISES = ("server/shapes.py",)
PASSIVE = ("client/", "cli/", "lsp/", "script_tests/", "evals/", "testing/")
"""What reads answers, and makes none."""


@cache
def produced() -> dict[str, set[str]]:
    """Where each text, keyword or attribute name stands in what makes answers. A name that is only annotated, as in a
    ``Literal``, is no product."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        where = path.relative_to(SOURCE).as_posix()
        if where in PROMISES or where.startswith(PASSIVE):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        only_said = {id(each) for node in ast.walk(tree) for each in _said(node)}
        for node in ast.walk(tree):
            if id(node) not in only_said:
                for name in _made(node):
                    found[name].add(where)
    return found


def _said(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal":
        yield from ast.walk(node.slice)


def _made(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id  # a record that is answered as it is


ECHOED = {f"ReportShape.reason: {each}" for each in ("not_heard", "hurtful", "wrong", "unsafe", "other")}
"""What the asker sent, given back."""


def own() -> list[type[shapes.Shape]]:
    made = (each for each in vars(shapes).values() if isinstance(each, type) and issubclass(each, shapes.Shape))
    return [each for each in made if each.__module__ == shapes.__name__]


def values(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    else:
        for part in get_args(annotation):
            yield from values(part)


def test_every_field_of_an_answer_is_filled_somewhere() -> None:
    fields = [(shape.__name__, name) for shape in own() for name in shape.model_fields]
    assert [f"{shape}.{name}" for shape, name in fields if not produced()[name]] == []


def test_every_value_that_a_field_may_have_is_made_somewhere() -> None:
    told = {
        f"{shape.__name__}.{name}: {value}": produced()[value]
        for shape in own()
        for name, field in shape.model_fields.items()
        for value in values(field.annotation)
    }
    assert [promise for promise, where in told.items() if not where and promise not in ECHOED] == []
    assert "engine/turn.py" in told["TurnEnd.execution_status: error"]


def test_every_code_is_raised_somewhere() -> None:
    assert [code for code in problems.codes() if not produced()[code]] == []


def test_every_status_that_the_document_promises_belongs_to_a_code(tmp_path: Path) -> None:
    grounds = Grounds(tmp_path)

    async def document() -> dict[str, Any]:
        async with grounds.asgi() as api:
            found: dict[str, Any] = (await api.get("/openapi.json")).json()
            return found

    made = {problems.Problem(code).status for code in problems.codes()}
    promised = {
        (path, method, int(status))
        for path, methods in run(document())["paths"].items()
        for method, told in methods.items()
        for status in told["responses"]
        if status.isdigit() and int(status) >= 400
    }
    assert sorted(each for each in promised if each[2] not in made) == []
