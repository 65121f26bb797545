"""What expressions come to, tried out with values that stand for all that their names may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations, cycle, islice, product
from typing import Any

from heartrule.language.expressions import Expression
from heartrule.language.expressions.syntax import COMPARE, Call, Chain, ListOf, Literal, Name, Prefix, walk
from heartrule.language.nodes import VariableRules

Rules = Callable[[str], VariableRules | None]
"""What is known of a name where an expression reads it."""

_NAMES = 4
_TRIES = 4_000
"""Of more names or values nothing is said."""
_FIRST = 4
_FAR = 10**9
_ELSE = "\x00"
"""A text that nobody compares with."""


def trials(expressions: Sequence[Expression], rules: Rules) -> Iterator[Mapping[str, Any]] | None:
    """Values for the names of some expressions that stand for all there are, a name without one being None; nothing
    where they cannot be tried out, or that would be too many."""
    parts = [part for each in expressions for part in walk(each.tree)]
    names = sorted(frozenset[str]().union(*(each.names for each in expressions)))
    if len(names) > _NAMES or not all(map(_is_tried, parts)):
        return None
    literals = [each.value for each in parts if isinstance(each, Literal)]
    held = [values_of(rules(name), literals) for name in names]
    count = 1
    for each in held:
        count *= len(each)
    if count > _TRIES:
        return None
    # Most expressions turn out to depend within the first few tries, where all names change at once.
    first = islice(zip(*map(cycle, held), strict=False), _FIRST)
    return (dict(zip(names, values, strict=True)) for values in chain(first, product(*held)))


def outcomes(expression: Expression, rules: Rules, *, known: bool = False) -> set[bool]:
    """What an expression comes to; both where that depends, or cannot be tried out. ``known``: as long as every name
    in it has a value."""
    given = {name: rules(name) for name in expression.names}
    key = (expression.source, known, tuple((name, _said(each)) for name, each in sorted(given.items(), key=_by_name)))
    found = _tried.get(key)
    if found is None:
        if len(_tried) >= _REMEMBERED:
            _tried.clear()
        found = _tried[key] = frozenset(_outcomes(expression, given.get, known=known))
    return set(found)


_tried: dict[tuple[object, ...], frozenset[bool]] = {}
_REMEMBERED = 4_096


def _by_name(pair: tuple[str, VariableRules | None]) -> str:
    return pair[0]


def _said(rules: VariableRules | None) -> tuple[object, ...] | None:
    """All of a variable's rules that values are chosen by."""
    return (rules.type, rules.range, repr(rules.options)) if rules is not None else None


def _outcomes(expression: Expression, rules: Rules, *, known: bool) -> set[bool]:
    compares = any(isinstance(each, Chain | Call) for each in walk(expression.tree))
    tried = trials([expression], rules) if compares else None
    found: set[bool] = set()
    for values in tried or ():
        if not (known and any(each is None for each in values.values())):
            found.add(expression.holds(values.get))
        if len(found) > 1:
            break
    return found or {True, False}


def _is_tried(part: object) -> bool:
    """Whether a few values stand for all: not where it is calculated, or the day counts."""
    match part:
        case Chain():
            return part.level <= COMPARE
        case Prefix():
            return part.operator == "not" or isinstance(part.operand, Literal)
        case Call():
            return part.function != "days_since"
        case _:
            return isinstance(part, Name | Literal | ListOf)


def values_of(rules: VariableRules | None, literals: Sequence[Any]) -> list[Any]:
    """Values that stand for all that a variable may hold, beside what is compared with; None is always one."""
    numbers = [each for each in literals if isinstance(each, int | float) and not isinstance(each, bool)]
    near = [each + step for each in (0, *numbers) for step in (0, -1, 1, 0.5)]
    texts = [each for each in literals if isinstance(each, str)]
    long = [_ELSE * int(each) for each in near if 0 < each <= 100]
    kind = rules.type if rules is not None else None
    if rules is not None and rules.options:
        return [*(_chosen(rules.options) if kind == "list" else rules.options), None]
    if kind == "boolean":
        return [True, False, None]
    if kind in ("integer", "number"):
        low, high = (rules.range if rules is not None else None) or (-_FAR, _FAR)
        fitting = [each for each in (low, high, *near) if low <= each <= high]
        return [*(each for each in fitting if kind == "number" or float(each).is_integer()), None]
    said = [*texts, *("".join(pair) for pair in combinations(texts, 2)), "".join(texts)]
    said += [each + _ELSE * 100 for each in said]
    lists = [[], texts, *([each, *pad[1:]] for each in (*texts, _ELSE) for pad in ("", *long))]
    if kind == "list":
        return [*lists, *([each] for each in numbers), None]
    if kind is not None:
        return [*said, _ELSE, "", *long, *map(str, near), "2000-01-01", "2999-12-31", {}, None]
    return [*said, *near, _FAR, -_FAR, _ELSE, "", True, False, *long, *lists, {"": 1}, None]


def _chosen(options: Sequence[Any]) -> Iterator[list[Any]]:
    """Each option alone, the first few together up to all, and the others of each."""
    yield []
    for at, each in enumerate(options):
        yield [each]
        yield list(options[: at + 1])
        yield [*options[:at], *options[at + 1 :]]
