"""The expression language: conditions and calculations in scripts, bounded and without code execution.

``parse`` is the way in; the meaning of each operator stands in ``expression_values``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property, lru_cache
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from heartrule.language.expressions import values
from heartrule.language.expressions.syntax import (
    COMPARE,
    Call,
    Chain,
    ListOf,
    Literal,
    Name,
    Prefix,
    Tree,
    parse_tree,
    walk,
)
from heartrule.language.expressions.tokens import ExpressionError
from heartrule.language.expressions.values import UNKNOWN, Truth, Unknown

__all__ = ["UNKNOWN", "Comparison", "Expression", "ExpressionError", "NameUse", "TextUse", "Truth", "Unknown", "parse"]

Lookup = Callable[[str], Any]
"""The value of a name as it was written (``mood``, ``session.mood``, ``成员.称呼``), or None when it has none."""

_ORDERINGS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class NameUse:
    """A name where it stands. ``right``: bare, and the right side of a comparison, where quotes may be missing."""

    name: str
    offset: int
    braced: bool = False
    right: bool = False


@dataclass(frozen=True, slots=True)
class TextUse:
    """A quoted text where it stands."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """``name operator literal``, or with another name on the right (then ``other`` holds it and ``literal`` is None).

    A literal on the left is turned round (``3 < x`` is ``x > 3``). ``operator`` is one of
    ``== != < <= > >= in contains``, or ``not in``, ``not contains``; ``literal`` may be a list of literals.
    """

    name: str
    operator: str
    literal: Any
    other: str | None
    offset: int
    right_offset: int


@dataclass(frozen=True)
class Expression:
    """A parsed expression; equal to any other of the same source. Made by ``parse``. What is asked of it again and
    again is worked out once."""

    source: str
    names: frozenset[str] = frozenset()
    _tree: Tree | None = field(default=None, compare=False, repr=False)

    def evaluate(self, lookup: Lookup, now: datetime | None = None, zone: tzinfo | None = None) -> Any:
        """The value, or UNKNOWN. ``now`` and ``zone`` serve ``days_since()``. Raises only what ``lookup`` raises."""
        return _Evaluation(lookup, now, zone).value(self.tree)

    def holds(self, lookup: Lookup, now: datetime | None = None, zone: tzinfo | None = None) -> bool:
        """Whether the expression is true. An unknown one does not hold."""
        return self.truth(lookup, now, zone) is True

    def truth(self, lookup: Lookup, now: datetime | None = None, zone: tzinfo | None = None) -> bool | None:
        """The value as a condition: true, false, or None for unknown."""
        held = values.truth(self.evaluate(lookup, now, zone))
        return None if isinstance(held, Unknown) else held

    @property
    def tree(self) -> Tree:
        return parse_tree(self.source) if self._tree is None else self._tree

    def calls(self, function: str) -> bool:
        """Whether a function is called in it."""
        return any(isinstance(tree, Call) and tree.function == function for tree in walk(self.tree))

    def asks_whether(self) -> bool:
        """Whether it reads a name in order to know if it has a value: ``exists()``, or a comparison with ``null``."""
        return self._asks_whether

    @cached_property
    def _asks_whether(self) -> bool:
        nulls = any(isinstance(tree, Literal) and tree.value is None for tree in walk(self.tree))
        return nulls or self.calls("exists")

    def uses(self) -> tuple[NameUse, ...]:
        """Every name, as often as it stands there, in the order of the source."""
        return self._uses

    @cached_property
    def _uses(self) -> tuple[NameUse, ...]:
        rights = {
            id(right)
            for chain in _comparing(self.tree)
            for _, right in chain.rest
            if isinstance(right, Name) and not right.braced
        }
        return tuple(
            NameUse(tree.name, tree.offset, tree.braced, id(tree) in rights)
            for tree in walk(self.tree)
            if isinstance(tree, Name)
        )

    def strings(self) -> tuple[TextUse, ...]:
        """Every quoted text, in the order of the source."""
        return tuple(
            TextUse(tree.value, tree.offset)
            for tree in walk(self.tree)
            if isinstance(tree, Literal) and isinstance(tree.value, str)
        )

    def comparisons(self) -> tuple[Comparison, ...]:
        """Every comparison of a name with a literal or another name, for checks before running."""
        return self._comparisons

    @cached_property
    def _comparisons(self) -> tuple[Comparison, ...]:
        return tuple(found for chain in _comparing(self.tree) for found in _pairs(chain))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.is_instance_schema(cls)


@lru_cache(maxsize=4096)
def parse(source: str) -> Expression:
    """Raises ExpressionError, which knows where and how to mend it."""
    tree = parse_tree(source)
    names = frozenset(part.name for part in walk(tree) if isinstance(part, Name))
    return Expression(source, names, tree)


def _comparing(tree: Tree) -> Iterator[Chain]:
    return (part for part in walk(tree) if isinstance(part, Chain) and part.level == COMPARE)


def _pairs(chain: Chain) -> Iterator[Comparison]:
    left = chain.first
    for sign, right in chain.rest:
        if isinstance(left, Name) and isinstance(right, Name):
            yield Comparison(left.name, sign, None, right.name, left.offset, right.offset)
        elif isinstance(left, Name) and _is_literal(right):
            yield Comparison(left.name, sign, _literal(right), None, left.offset, right.offset)
        elif isinstance(right, Name) and _is_literal(left) and sign in _MIRRORED:
            yield Comparison(right.name, _MIRRORED[sign], _literal(left), None, right.offset, left.offset)
        left = right


def _is_literal(tree: Tree) -> bool:
    return isinstance(tree, Literal) or (isinstance(tree, ListOf) and all(_is_literal(item) for item in tree.items))


def _literal(tree: Tree) -> Any:
    if isinstance(tree, ListOf):
        return [_literal(item) for item in tree.items]
    return tree.value if isinstance(tree, Literal) else None


class _Evaluation:
    """One walk over the tree, each part once."""

    __slots__ = ("_lookup", "_now", "_steps", "_zone")

    def __init__(self, lookup: Lookup, now: datetime | None, zone: tzinfo | None) -> None:
        self._lookup = lookup
        self._now = now
        self._zone = zone
        self._steps = values.Steps()

    def value(self, tree: Tree) -> Any:
        match tree:
            case Literal():
                return tree.value
            case Name():
                return values.known(self._lookup(tree.name))
            case ListOf():
                found = [self.value(item) for item in tree.items]
                return UNKNOWN if any(item is UNKNOWN for item in found) else found
            case Prefix():
                return self._prefix(tree)
            case Call():
                return self._call(tree)
            case Chain():
                return self._chain(tree)

    def _prefix(self, tree: Prefix) -> Any:
        value = self.value(tree.operand)
        return values.negation(value) if tree.operator == "not" else values.arithmetic("-", 0, value)

    def _chain(self, tree: Chain) -> Any:
        parts = (self.value(part) for part in (tree.first, *(right for _, right in tree.rest)))
        if tree.rest[0][0] == "and":
            return values.conjunction(parts)
        if tree.rest[0][0] == "or":
            return values.disjunction(parts)
        if tree.level == COMPARE:
            return values.conjunction(self._compared(tree, parts))
        result = next(parts)
        for (sign, _), value in zip(tree.rest, parts, strict=True):
            result = values.arithmetic(sign, result, value)
        return result

    def _compared(self, tree: Chain, parts: Iterator[Any]) -> Iterator[Truth]:
        left = next(parts)
        for (sign, _), right in zip(tree.rest, parts, strict=True):
            yield self._compare(sign, left, right)
            left = right

    def _compare(self, sign: str, left: Any, right: Any) -> Truth:
        match sign:
            case "==":
                return values.equal(left, right, self._steps)
            case "!=":
                return values.negation(values.equal(left, right, self._steps))
            case "in":
                return values.contains(right, left, self._steps)
            case "contains":
                return values.contains(left, right, self._steps)
            case "not in":
                return values.negation(values.contains(right, left, self._steps))
            case "not contains":
                return values.negation(values.contains(left, right, self._steps))
            case _:
                return values.order(left, right, _ORDERINGS[sign])

    def _call(self, tree: Call) -> Any:
        given = tree.arguments
        if tree.function in ("any", "all") and len(given) == 1 and isinstance(given[0], ListOf):
            given = given[0].items
        arguments = [self.value(argument) for argument in given]
        match tree.function:
            case "exists":
                return UNKNOWN if arguments[0] is UNKNOWN else arguments[0] is not None
            case "len":
                return values.length(arguments[0])
            case "lower":
                return values.lower(arguments[0])
            case "any":
                return values.disjunction(values.items(arguments))
            case "all":
                return values.conjunction(values.items(arguments))
            case _:
                return values.days_since(arguments[0], self._now, self._zone)
