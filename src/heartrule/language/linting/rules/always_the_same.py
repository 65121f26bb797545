"""W415: a condition that comes to the same whatever its variables hold (``1 > 2``, ``x > x``), and a ``validate`` that
nothing passes which its own type and range let in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain, combinations, cycle, islice, product
from typing import Any

from heartrule.language.expressions import Expression
from heartrule.language.expressions.syntax import COMPARE, Call, Chain, ListOf, Literal, Name, Prefix, walk
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.domains import Domains
from heartrule.language.linting.rules.contradictions import contradictory
from heartrule.language.linting.rules.never_holds import impossible
from heartrule.language.linting.rules.wide_commas import joined
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node, VariableRules
from heartrule.language.nodes.conditions import expressions
from heartrule.language.said import Said

_NAMES = 4
_TRIES = 4_000
"""Of more names or values nothing is said."""
_FIRST = 4
_FAR = 10**9
_ELSE = "\x00"
"""A text that nobody compares with."""
_ALWAYS = Said("永远成立", "always holds")
_NEVER = Said("永远不成立", "never holds")

_Rules = Callable[[str], VariableRules | None]


def check(view: View) -> Iterator[Finding]:
    domains = Domains(view)
    for body in view.bodies:
        for node in (body.steps, *body.steps.actions):
            yield from _conditions(view, node, partial(domains.in_body, body))
    for session in view.project.sessions:
        for phase in session.phases:
            yield from _conditions(view, phase, partial(domains.in_phase, session, phase))
    for watcher in view.project.awareness:
        yield from _conditions(view, watcher, domains.everywhere)
    for variable in view.variables():
        rule = variable.validate_
        if rule is not None and _outcomes(rule, {variable.var: variable, "value": variable}.get) == {False}:
            place = view.project.at(variable, "validate", value=True)
            yield finding("W415", place, source=clip(rule.source, 40), outcome=_NEVER)


def _conditions(view: View, node: Node, rules: _Rules) -> Iterator[Finding]:
    for keys, condition in view.names.conditions(node):
        for where, expression in expressions(condition, keys):
            outcomes = _outcomes(expression, rules)
            if len(outcomes) != 1 or _told(expression, rules):
                continue
            outcome = _ALWAYS if outcomes == {True} else _NEVER
            place = view.project.within(node, 0, *where)
            yield finding("W415", place, source=clip(expression.source, 40), outcome=outcome)


def _told(expression: Expression, rules: _Rules) -> bool:
    """Whether another rule says what is wrong, and more exactly."""
    options = [found.options or () for name in expression.names if (found := rules(name)) is not None]
    if contradictory(expression) or any(map(joined, options)):
        return True
    return any(impossible(rules(each.name), each) for each in expression.comparisons())


def _outcomes(expression: Expression, rules: _Rules) -> set[bool]:
    """What the expression comes to; both where that depends, or cannot be tried out."""
    parts = list(walk(expression.tree))
    names = sorted(expression.names)
    compares = any(isinstance(each, Chain | Call) for each in parts)
    if len(names) > _NAMES or not compares or not all(map(_is_tried, parts)):
        return {True, False}
    literals = [each.value for each in parts if isinstance(each, Literal)]
    held = [_values(rules(name), literals) for name in names]
    found: set[bool] = set()
    tries = 0
    # Most expressions turn out to depend within the first few tries, where all names change at once.
    for values in chain(islice(zip(*map(cycle, held), strict=False), _FIRST), islice(product(*held), _TRIES + 1)):
        tries += 1
        known: Mapping[str, Any] = dict(zip(names, values, strict=True))
        found.add(expression.holds(known.get))
        if len(found) > 1:
            return found
    return found if tries <= _TRIES + _FIRST else {True, False}


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


def _values(rules: VariableRules | None, literals: list[Any]) -> list[Any]:
    """Values that stand for all that a variable may hold, beside what is compared with; None is always one."""
    numbers = [each for each in literals if isinstance(each, int | float) and not isinstance(each, bool)]
    near = [each + step for each in (0, *numbers) for step in (0, -1, 1, 0.5)]
    texts = [each for each in literals if isinstance(each, str)]
    long = [_ELSE * int(each) for each in near if 0 < each <= 100]
    kind = rules.type if rules is not None else None
    if rules is not None and rules.options:
        return [*rules.options, None]
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
