"""W415: a condition that comes to the same whatever its variables hold (``1 > 2``, ``x > x``) or as soon as they hold
anything (``x >= 0`` where it is 0 to 10), and what must hold of answers or values and none of them ever meets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions import Expression
from heartrule.language.expressions.syntax import Call, Chain, Literal, walk
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.domains import Domains
from heartrule.language.linting.rules.contradictions import contradictory
from heartrule.language.linting.rules.never_holds import impossible
from heartrule.language.linting.rules.wide_commas import joined
from heartrule.language.linting.trials import Rules, outcomes
from heartrule.language.linting.view import View
from heartrule.language.names import Names
from heartrule.language.nodes import Node, Place, VariableRules
from heartrule.language.nodes.forms import Form, OnAnswer
from heartrule.language.texts.source import Path

_ALWAYS = Bilingual("永远成立", "always holds")
_ONCE_KNOWN = Bilingual("只要有值就成立", "holds as soon as there is a value")
_SAME = Bilingual("永远是同一个结果", "always comes to the same")
_NEVER = Bilingual("永远不成立", "never holds")
_MUST = ("validate", "check")


def check(view: View) -> Iterator[Finding]:
    domains = view.once(Domains)
    for body in view.bodies:
        for node in (body.steps, *body.steps.actions):
            yield from _conditions(view, node, partial(domains.in_body, body))
    for session in view.project.sessions:
        for phase in session.phases:
            yield from _conditions(view, phase, partial(domains.in_phase, session, phase))
    for watcher in view.project.awareness:
        yield from _conditions(view, watcher, domains.everywhere)
    for form in view.project.forms:
        yield from _in_form(view, form, partial(domains.in_form, form))
    for variable in view.variables():
        rule = variable.validate_
        if rule is not None and outcomes(rule, {variable.var: variable, "value": variable}.get) == {False}:
            place = view.project.at(variable, "validate", value=True)
            yield finding("W415", place, source=clip(rule.source, 40), outcome=_NEVER)


def _conditions(view: View, node: Node, rules: Rules) -> Iterator[Finding]:
    if view.names.expressions(node):
        held = map(rules, view.names.once(_named, node))
        for where, same in view.names.once(_same, node, *held):
            if isinstance(same, Call):
                place = view.project.within(node, same.offset, *where)
                yield finding("W415", place, mend=_bare(view, place, same), source=_shown(same), outcome=_SAME)
            else:
                source, outcome = same
                yield finding("W415", view.project.within(node, 0, *where), source=source, outcome=outcome)


def _named(names: Names, node: Node) -> tuple[str, ...]:
    """The names that conditions of a node read."""
    return tuple(sorted({name for _, each in names.expressions(node) for name in each.names}))


def _same(
    names: Names, node: Node, *held: VariableRules | None
) -> tuple[tuple[Path, Call | tuple[str, Bilingual]], ...]:
    """What always comes to the same in the conditions of a node: a call, or all of an expression and what it comes to.
    ``held`` are the rules of the names that are read, in their order."""
    rules = dict(zip(names.once(_named, node), held, strict=True)).get
    found: list[tuple[Path, Call | tuple[str, Bilingual]]] = []
    for where, expression in names.expressions(node):
        outcome = _outcome(expression, rules)
        if outcome is not None and not _told(expression, rules):
            found.append((where, (clip(expression.source, 40), outcome)))
            continue
        for call in walk(expression.tree):
            if isinstance(call, Call) and all(isinstance(each, Literal) for each in call.arguments):
                found.append((where, call))
    return tuple(found)


def _shown(call: Call) -> str:
    return f"{call.function}({', '.join(repr(each.value) for each in call.arguments if isinstance(each, Literal))})"


def _bare(view: View, place: Place, call: Call) -> Mend | None:
    """The name in place of the text that it was put in quotes for."""
    held = call.arguments[0]
    if len(call.arguments) != 1 or not isinstance(held, Literal) or not isinstance(held.value, str):
        return None
    written = rf"{call.function}\(\s*(['\"]){re.escape(held.value)}\1\s*\)"
    return view.rewritten(place, written, f"{call.function}({held.value})".replace("\\", r"\\"), safe=False)


def _in_form(view: View, form: Form, rules: Rules) -> Iterator[Finding]:
    """What must hold of the answers and never can keeps the form from being handed in; that it always holds may be said
    for those who read it. What is never shown, and never acts on an answer, is told by other rules."""
    for node, key, expression in form.asks():
        must = key in _MUST
        found = outcomes(expression, rules, known=must)
        never = found == {False} and key != "show_when" and not isinstance(node, OnAnswer)
        outcome = _NEVER if never else None if must else _outcome(expression, rules)
        shown = outcome is not None and (never or outcome is not _NEVER)
        if shown and not _compared_in_vain(expression, rules):
            place = view.project.within(node, 0, key)
            yield finding("W415", place, source=clip(expression.source, 40), outcome=outcome)


def _outcome(expression: Expression, rules: Rules) -> Bilingual | None:
    found = outcomes(expression, rules)
    if found == {True, False} and _compares(expression) and outcomes(expression, rules, known=True) == {True}:
        return _ONCE_KNOWN
    return None if len(found) > 1 else _ALWAYS if found == {True} else _NEVER


def _compares(expression: Expression) -> bool:
    """Whether it is nothing but comparisons: what asks whether there is a value holds where there is one."""
    parts = list(walk(expression.tree))
    asks = any(isinstance(each, Call) or (isinstance(each, Literal) and each.value is None) for each in parts)
    return not asks and any(isinstance(each, Chain) for each in parts)


def _told(expression: Expression, rules: Rules) -> bool:
    """Whether another rule says what is wrong, and more exactly."""
    options = [found.options or () for name in expression.names if (found := rules(name)) is not None]
    return contradictory(expression) or any(map(joined, options)) or _compared_in_vain(expression, rules)


def _compared_in_vain(expression: Expression, rules: Rules) -> bool:
    return any(impossible(rules(each.name), each) for each in expression.comparisons())
