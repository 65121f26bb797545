"""E223: an enum without options. E224: a range that holds nothing, or on what is no number. E225: a value that its own
variable refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heartrule.language import placeholders, values
from heartrule.language.bilingual import Bilingual
from heartrule.language.compiling.reach import orders
from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import Body, View
from heartrule.language.names import Names
from heartrule.language.nodes import Action, Directive, FieldOf, Variable, VariableRules
from heartrule.language.shape.kinds import describe
from heartrule.language.texts.source import Path

_PAIR = r"\[\s*([-+.\d]+)\s*,\s*([-+.\d]+)\s*\]"
_ORDERED = (None, "integer", "number")


def check(view: View) -> Iterator[Finding]:
    for variable in view.variables():
        yield from _declared(view, variable, variable)
    for body, action in view.actions():
        for write in view.names.writes(action):
            found = view.declaration(body, write.head) if write.head == write.name else None
            if write.rules is not None:
                yield from _declared(
                    view, write.rules, view.names.once(_over, write.rules, found[1] if found else None)
                )
        yield from _written(view, body, action)
    for node in view.ordering():
        for directive in orders(node):
            if directive.directive == "SET_VAR" and directive.var:
                yield from _ordered(view, directive, [one for one in view.variables() if one.var == directive.var])


def _ordered(view: View, directive: Directive, declared: list[Variable]) -> Iterator[Finding]:
    """A value that every declaration of its name refuses, since the session that is watched is not known."""
    found = [list(_refused(view, directive, ("value",), directive.value, each)) for each in declared]
    if found and all(found):
        yield from found[0]


def _over(_: Names, own: VariableRules, declared: VariableRules | None) -> VariableRules:
    """An output's rules over those of the declaration."""
    if declared is None:
        return own
    fields = VariableRules.model_fields
    return declared.model_copy(update={name: getattr(own, name) for name in own.model_fields_set if name in fields})


def _declared(view: View, own: VariableRules, rules: VariableRules) -> Iterator[Finding]:
    if own.type == "enum" and not rules.options:
        yield finding("E223", view.project.at(own, "type"))
    yield from _range(view, own, rules.type)
    for field in own.fields or ():
        yield from _range(view, field, field.type)
    for keys, value in _values(own):
        yield from _refused(view, own, keys, value, rules)


def _range(view: View, own: VariableRules | FieldOf, kind: str | None) -> Iterator[Finding]:
    at = view.project.at
    if own.range is not None:
        low, high = own.range
        if low > high:
            turned = view.rewritten(at(own, "range", value=True), _PAIR, r"[\2, \1]")
            yield finding(
                "E224",
                at(own, "range"),
                mend=turned,
                problem=Bilingual(f"{low} 大于 {high}", f"{low} is more than {high}"),
            )
        elif kind not in _ORDERED:
            problem = Bilingual(f"类型是 {kind}，不是数字", f"the type is {kind}, which is no number")
            yield finding("E224", at(own, "range"), problem=problem)


def _values(own: VariableRules) -> Iterator[tuple[Path, Any]]:
    if "options" in own.model_fields_set or "range" in own.model_fields_set or "type" in own.model_fields_set:
        yield ("value",), own.value
        for index, rule in enumerate(own.rules or ()):
            yield ("rules", index, "value"), rule.value
            for key in rule.keywords or ():
                yield ("rules", index, "keywords", key), key
    if own.on_failure is not None:
        yield ("on_failure", "default"), own.on_failure.default


def _written(view: View, body: Body, action: Action) -> Iterator[Finding]:
    """Choices and decisions against the variable that they are written to."""
    name = action.peek("var")
    found = view.declaration(body, name) if isinstance(name, str) else None
    seen: dict[str, int] = {}
    for index, choice in enumerate(action.peek("choices") or ()):
        keys: Path = ("choices", index, "value")
        if str(choice.value) in seen:
            yield finding("E226", view.project.at(action, *keys, value=True), value=describe(choice.value))
        seen[str(choice.value)] = index
        if found is not None:
            yield from _refused(view, action, keys, choice.value, found[1])
    if action.traits.sets and found is not None and action.peek("expr") is None:
        yield from _refused(view, action, ("value",), action.peek("value"), found[1])
    decide = action.peek("decide")
    if decide is not None:
        if decide.default not in decide.options:
            rules = VariableRules(options=decide.options)
            yield from _refused(view, action, ("decide", "default"), decide.default, rules)
        declared = view.declaration(body, decide.var)
        for index, option in enumerate(decide.options if declared else ()):
            yield from _refused(view, action, ("decide", "options", index), option, declared[1] if declared else None)


def _refused(view: View, node: Any, keys: Path, value: Any, rules: VariableRules | None) -> Iterator[Finding]:
    """The value against type, options, range and length; ``validate`` and ``update`` depend on the conversation."""
    if value is None or rules is None or (isinstance(value, str) and placeholders.names(value)):
        return
    if rules.range is not None and rules.range[0] > rules.range[1]:
        return
    if rules.update in ("append", "merge_unique") and rules.type == "list" and not isinstance(value, list):
        return
    outcome = values.accept(rules.model_copy(update={"validate_": None, "pattern": None}), value, lambda _: None)
    bad = outcome if isinstance(outcome, values.Bad) else next((each.bad for each in outcome.left_out), None)
    if bad is not None:
        reason = Bilingual(bad.zh, bad.en)
        place = view.project.at(node, *keys, value=True)
        options = [option for option in rules.options or () if isinstance(option, str)]
        mend = view.chosen(place, value, options) if isinstance(value, str) else None
        yield finding("E225", place, mend=mend, value=describe(value), reason=reason)
