"""W274: a key that has no effect without another one that is missing: ``on_timeout`` without ``timeout``, ``on_failure:
{do: default}`` without ``default``, ``set_var`` or ``set`` without a value. W413: a key that another one
beside it makes useless."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.view import View
from heartrule.language.nodes import Awareness, Directive, Set
from heartrule.language.nodes.forms import Form


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if action.on_timeout is not None and action.timeout is None:
            yield finding("W274", view.project.at(action, "on_timeout"), key="on_timeout", other="timeout")
        for item in action.peek("output") or ():
            if isinstance(item, Set) and "value" not in item.model_fields_set:
                yield finding("W274", view.project.at(item, "set"), mend=_to_get(view, item), key="set", other="value")
        if action.traits.sets and not {"value", "expr"} & action.model_fields_set:
            yield finding("W274", view.project.at(action, "type"), key=action.type, other="value")
        if action.traits.sets and {"value", "expr"} <= action.model_fields_set:
            place = view.project.at(action, "value")
            yield finding("W413", place, mend=view.without(place, safe=False), key="value", other="expr")
    for node in view.ordering():
        if isinstance(node, Form):
            for each in node.on_submit:
                if isinstance(each, Set) and "value" not in each.model_fields_set:
                    yield finding("W274", view.project.at(each, "set"), key="set", other="value")
        for directive in _orders(node):
            if directive.directive == "SET_VAR" and directive.var and "value" not in directive.model_fields_set:
                yield finding("W274", view.project.at(directive, "directive"), key="SET_VAR", other="value")
    for rules in view.rules():
        failing = rules.on_failure
        if failing is not None and failing.do == "default" and failing.default is None:
            place = view.project.at(failing, "do")
            yield finding("W274", place, key="do: default", other="default")


def _to_get(view: View, item: Set) -> Mend | None:
    """What is not set is mostly to be found out."""
    return view.replaced(view.project.at(item, "set"), "set", "get", safe=False)


def _orders(node: Awareness | Form) -> Iterator[Directive]:
    yield from node.directives() if isinstance(node, Awareness) else node.orders()
