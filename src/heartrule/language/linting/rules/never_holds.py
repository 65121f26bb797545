"""W235: a comparison with what is no option of the variable. W253: one that no value of its type and range meets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions import Comparison, ExpressionError, parse
from heartrule.language.expressions.natural_conditions import TRUTHS
from heartrule.language.findings import Finding, finding, mends
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.domains import Domains
from heartrule.language.linting.rules.wide_commas import joined
from heartrule.language.linting.trials import Rules, outcomes
from heartrule.language.linting.view import View, listed
from heartrule.language.names import Names
from heartrule.language.nodes import Node, Place, VariableRules
from heartrule.language.nodes.forms import Form, OnAnswer
from heartrule.language.shape.kinds import describe
from heartrule.language.texts.source import Path

_NUMBERS = ("integer", "number")
_SAYS = frozenset({"==", "<", "<=", ">", ">=", "in", "contains"})
"""What holds for some values only; ``!=`` and ``not in`` nearly always do."""


def check(view: View) -> Iterator[Finding]:
    domains = view.once(Domains)
    for body in view.bodies:
        for part in (body.steps, *body.steps.actions):
            yield from _comparisons(view, part, partial(domains.in_body, body))
        for action in body.steps.actions:
            for found, place in _criteria(view, action):
                yield from _never(view, found, place, domains.in_body(body, found.name))
    for session in view.project.sessions:
        for phase in session.phases:
            yield from _comparisons(view, phase, partial(domains.in_phase, session, phase))
    for watcher in view.project.awareness:
        yield from _comparisons(view, watcher, domains.everywhere)
    declared = {variable.var: variable for variable in view.variables()}
    for rules in view.rules():
        for each in rules.depends_on or ():
            for found in each.condition.comparisons() if each.condition is not None else ():
                place = view.project.within(each, found.right_offset, "condition")
                yield from _never(view, found, place, declared.get(found.name))
    for form in view.project.forms:
        yield from _in_form(view, form, partial(domains.in_form, form))


def _in_form(view: View, form: Form, rules: Rules) -> Iterator[Finding]:
    for node, key, expression in form.asks():
        told = key == "show_when" or isinstance(node, OnAnswer)
        if told and outcomes(expression, rules) == {False}:
            continue  # that all of it never holds is told by another rule
        for found in expression.comparisons():
            yield from _never(view, found, view.project.within(node, found.right_offset, key), rules(found.name))


def fitting(view: View, node: Node, key: str, rules: Rules) -> Mend | None:
    """The mend of the comparison that keeps an expression of a form from ever holding."""
    expression = node.peek({"if": "if_"}.get(key, key))
    for found in expression.comparisons() if expression is not None else ():
        known = rules(found.name)
        if known is not None and impossible(known, found):
            return _fitting(view, view.project.within(node, found.right_offset, key), found, known)
    return None


def impossible(rules: VariableRules | None, found: Comparison) -> bool:
    """Whether no value that a variable of these rules may have meets a comparison with a literal."""
    if (
        rules is None
        or joined(rules.options or ())
        or found.operator not in _SAYS
        or found.other is not None
        or found.literal is None
    ):
        return False
    if rules.type == "list":
        return _impossible_for_items(rules, found) is not None
    if found.operator == "contains":
        return False
    return not _possible(rules.options, found) if rules.options else _impossible(rules, found) is not None


def _comparisons(view: View, node: Node, known: Rules) -> Iterator[Finding]:
    compared = view.names.once(_compared, node)
    if compared:
        held = [known(found.name) for _, found in compared]
        for where, found, rules in view.names.once(_in_vain, node, *held):
            yield from _never(view, found, view.project.within(node, found.right_offset, *where), rules)


def _compared(names: Names, node: Node) -> tuple[tuple[Path, Comparison], ...]:
    return tuple((where, found) for where, each in names.expressions(node) for found in each.comparisons())


def _in_vain(
    names: Names, node: Node, *held: VariableRules | None
) -> tuple[tuple[Path, Comparison, VariableRules | None], ...]:
    """The comparisons of a node that nothing meets; ``held`` are the rules of each, in their order."""
    pairs = zip(names.once(_compared, node), held, strict=True)
    return tuple((where, found, rules) for (where, found), rules in pairs if impossible(rules, found))


def _criteria(view: View, action: Node) -> Iterator[tuple[Comparison, Place]]:
    """``custom_conditions`` of exit criteria are comparisons, too."""
    criteria = action.peek("exit_criteria")
    for each in criteria.custom_conditions if criteria is not None else ():
        found = Comparison(each.variable, each.operator, each.value, None, 0, 0)
        yield found, view.project.at(each, "value", value=True)


def _never(view: View, found: Comparison, place: Place, rules: VariableRules | None) -> Iterator[Finding]:
    if rules is None or not impossible(rules, found):
        return
    value, mend = describe(found.literal), _fitting(view, place, found, rules)
    if rules.options and (rules.type != "list" or found.operator == "contains"):
        yield finding("W235", place, mend=mend, name=found.name, value=value, options=listed(map(str, rules.options)))
        return
    reason = _impossible_for_items(rules, found) if rules.type == "list" else _impossible(rules, found)
    if reason is not None:
        yield finding("W253", place, mend=mend, name=found.name, operator=found.operator, value=value, reason=reason)


def _fitting(view: View, place: Place, found: Comparison, rules: VariableRules) -> Mend | None:
    """What may have been meant by a value that never is."""
    if rules.options:
        return _by_label(view, place, found) or _mended(view, place, found.literal, rules)
    return _truth(view, place, found.literal) if rules.type == "boolean" else None


def _impossible_for_items(rules: VariableRules, found: Comparison) -> Bilingual | None:
    """Why no list of what it may hold meets the comparison; None where one does, or that cannot be known."""
    if isinstance(found.literal, list | dict):
        return None
    if found.operator == "contains":
        options = rules.options or ()
        return (
            Bilingual("没有这一项", "there is no such item") if options and not _meets(list(options), found) else None
        )
    return Bilingual("它是一个列表，要写 contains", "it is a list: write contains")


def _possible(options: Any, found: Comparison) -> bool:
    known = {str(option).strip().lower() for option in options}
    if found.operator == "in":
        wanted = found.literal if isinstance(found.literal, list) else []
        return not wanted or any(str(each).strip().lower() in known for each in wanted)
    if isinstance(found.literal, list | dict):
        return True
    if found.operator == "==":
        return str(found.literal).strip().lower() in known
    return any(_meets(option, found) for option in options)


def _impossible(rules: VariableRules, found: Comparison) -> Bilingual | None:
    """Why no value that the variable may have meets the comparison; None where one does, or that cannot be known."""
    if rules.type == "boolean":
        if any(_meets(value, found) for value in (True, False)):
            return None
        return Bilingual("它只能是 true 或 false", "it is true or false")
    if rules.type not in _NUMBERS:
        return None
    low, high = rules.range or (None, None)
    if low is not None and high is not None and low > high:
        return None
    if any(_meets(value, found) for value in _numbers(rules, found.literal, low, high)):
        return None
    if low is not None:
        return Bilingual(f"它在 {low:g} 到 {high:g} 之间", f"it lies between {low:g} and {high:g}")
    return (
        Bilingual("它是数字", "it is a number")
        if rules.type == "number"
        else Bilingual("它是整数", "it is a whole number")
    )


def _numbers(rules: VariableRules, literal: Any, low: float | None, high: float | None) -> Iterator[float]:
    """Values that stand for all that the variable may have."""
    near = literal if isinstance(literal, list) else [literal]
    tried = [0, *(each for each in map(_number, near) if each is not None)]
    tried += [each for each in (low, high) if each is not None]
    for value in tried:
        for each in (value, value - 1, value + 1):
            whole = rules.type == "number" or float(each).is_integer()
            if whole and (low is None or each >= low) and (high is None or each <= high):
                yield each


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _meets(value: Any, found: Comparison) -> bool:
    try:
        expression = parse(f"x {found.operator} {json.dumps(found.literal, ensure_ascii=False)}")
    except ExpressionError:
        return True
    return expression.holds(lambda _: int(value) if isinstance(value, float) and value.is_integer() else value)


def _mended(view: View, place: Place, literal: Any, rules: VariableRules) -> Mend | None:
    """The nearest option in place of a text."""
    if not isinstance(literal, str):
        return None
    near = mends.near(literal, [str(option) for option in rules.options or ()])
    if near is None:
        return None
    quoted = rf"(['\"]?){re.escape(literal)}\1"
    return view.rewritten(place, quoted, rf"\g<1>{_literally(near[0])}\g<1>", safe=near[1])


def _by_label(view: View, place: Place, found: Comparison) -> Mend | None:
    """The value of the choice whose label was compared with."""
    for _, action in view.actions():
        if action.traits.offers == "choice" and action.peek("var") == found.name:
            for choice in action.peek("choices"):
                if isinstance(choice.value, str) and choice.label == found.literal:
                    return _replaced(view, place, choice.label, choice.value)
    return None


def _truth(view: View, place: Place, literal: Any) -> Mend | None:
    """``true`` or ``false`` for a word that means it."""
    meant = TRUTHS.get(str(literal).strip().casefold())
    if meant is None or not isinstance(literal, str):
        return None
    return view.rewritten(place, rf"(['\"]){re.escape(literal)}\1", meant)


def _replaced(view: View, place: Place, old: str, new: str) -> Mend | None:
    return view.rewritten(place, rf"(['\"]){re.escape(old)}\1", rf"\g<1>{_literally(new)}\g<1>")


def _literally(text: str) -> str:
    """A template of the ``re`` module that says just this."""
    return text.replace("\\", r"\\")
