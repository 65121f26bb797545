"""No god files and no junk drawers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from statistics import median, quantiles

from tests.house.tree import ROOT, SOURCE, TESTS, lines, modules, parsed, scripts, tracked

BANNED = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}


def functions() -> Iterator[tuple[int, str]]:
    for path in modules(SOURCE):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                yield node.end_lineno - node.lineno + 1, f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"


def test_no_module_is_over_700_lines() -> None:
    long = {str(path.relative_to(ROOT)): lines(path) for path in modules(SOURCE) if lines(path) > 700}
    assert not long


def test_no_module_of_the_web_app_is_over_700_lines() -> None:
    assert scripts(tests=False)
    long = {str(path.relative_to(ROOT)): lines(path) for path in scripts(tests=False) if lines(path) > 700}
    assert not long


def test_the_median_module_stays_small() -> None:
    sizes = [lines(path) for path in modules(SOURCE) if path.name != "__init__.py"]
    assert median(sizes) <= 180, f"the median module has {median(sizes)} lines"


def test_no_test_file_is_over_1000_lines() -> None:
    files = [*modules(TESTS), *scripts(tests=True)]
    long = {str(path.relative_to(ROOT)): lines(path) for path in files if lines(path) > 1000}
    assert not long


def test_functions_stay_readable() -> None:
    sizes = sorted(functions(), reverse=True)
    assert sizes[0][0] <= 120, sizes[0]
    assert quantiles([size for size, _ in sizes], n=100)[98] <= 60, sizes[:10]


def test_no_file_is_named_for_nothing_in_particular() -> None:
    named = [str(path.relative_to(ROOT)) for path in tracked() if path.stem.lower() in BANNED]
    assert not named
