"""W254: comparisons of one name that are all wanted and cannot hold together (``x > 5 and x < 3``)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from heartrule.language.expressions import Comparison, Expression, ExpressionError, parse
from heartrule.language.expressions.syntax import Chain, Prefix
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.names import Names
from heartrule.language.nodes import Node
from heartrule.language.nodes.conditions import All, expressions
from heartrule.language.texts.source import Path

_ORDERED = frozenset({"==", "<", "<=", ">", ">="})
_ELSE = "\x00"
"""A text that nobody compares with."""
_Wanted = tuple[str, list[tuple[Path, Comparison]]]
"""A name, and what is wanted of it."""


def check(view: View) -> Iterator[Finding]:
    for node in view.nodes():
        for name, wanted in view.names.once(_contradicting, node):
            where, last = wanted[-1]
            shown = clip(" and ".join(f"{name} {each.operator} {each.literal}" for _, each in wanted), 60)
            yield finding("W254", view.project.within(node, last.offset, *where), name=clip(name), together=shown)


def _contradicting(names: Names, node: Node) -> tuple[_Wanted, ...]:
    return tuple(
        found
        for keys, condition in names.conditions(node)
        for group in _together(condition, keys)
        for found in _contradictions(group)
    )


def contradictory(expression: Expression) -> bool:
    """Whether what an expression wants of one name cannot hold together."""
    return any(True for _ in _contradictions([((), each) for each in _all_wanted(expression)]))


def _together(condition: Any, keys: Path) -> Iterator[list[tuple[Path, Comparison]]]:
    """Comparisons that must all hold: the parts of ``and``, and of ``all`` with single comparisons as items."""
    found = [(where, each, _all_wanted(each)) for where, each in expressions(condition, keys)]
    if isinstance(condition, All) and len(found) == len(condition.all):
        yield [(where, each) for where, _, parts in found for each in parts]
    else:
        for where, _, parts in found:
            yield [(where, each) for each in parts]


def _all_wanted(expression: Expression) -> Sequence[Comparison]:
    """The comparisons of an expression without ``or`` and ``not``."""
    queue = [expression.tree]
    while queue:
        part = queue.pop()
        if isinstance(part, Prefix):
            return ()
        if isinstance(part, Chain):
            if part.rest[0][0] == "or":
                return ()
            queue += [part.first, *(right for _, right in part.rest)]
    return expression.comparisons()


def _contradictions(group: list[tuple[Path, Comparison]]) -> Iterator[_Wanted]:
    by_name: dict[str, list[tuple[Path, Comparison]]] = {}
    for where, each in group:
        if each.operator in _ORDERED and each.other is None and isinstance(each.literal, str | int | float):
            by_name.setdefault(each.name, []).append((where, each))
    for name, wanted in by_name.items():
        if len(wanted) > 1 and not _some_value(wanted):
            yield name, wanted


def _some_value(wanted: list[tuple[Path, Comparison]]) -> bool:
    values = [each.literal for _, each in wanted]
    numbers = sorted(value for value in values if isinstance(value, int | float))
    between = [(low + high) / 2 for low, high in pairwise(numbers)]
    outside = [numbers[0] - 1, numbers[-1] + 1] if numbers else []
    try:
        tests = [parse(f"x {each.operator} {json.dumps(each.literal, ensure_ascii=False)}") for _, each in wanted]
    except ExpressionError:
        return True
    return any(_all_hold(tests, value) for value in (*values, *between, *outside, _ELSE))


def _all_hold(tests: Sequence[Expression], value: Any) -> bool:
    return all(test.holds(lambda _: value) for test in tests)
