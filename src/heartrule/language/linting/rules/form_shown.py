"""W292: a field that is never shown, whatever is answered. E293: fields that decide in a circle whether they are
shown. E299: what happens on an answer and never can, such as a technique that help in danger hangs on. W432: one
that looks at another answer than the one it comes with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from heartrule.language.expressions import Expression
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.domains import Domains
from heartrule.language.linting.rules.never_holds import fitting
from heartrule.language.linting.trials import Rules, trials
from heartrule.language.linting.view import View
from heartrule.language.nodes.forms import Form, FormField


def check(view: View) -> Iterator[Finding]:
    domains = view.once(Domains)
    for form in view.project.forms:
        circular = _circular(form)
        rules = partial(domains.in_form, form)
        never: set[str] = set()
        unanswered = {field.id for field in form.fields if not field.asked}
        for field in form.by_showing:
            place = view.project.at(field, "show_when" if field.show_when is not None else "within")
            if field.id in circular:
                yield finding("E293", place, fields=", ".join(sorted(circular[field.id])))
            elif field.within in never or _never(field, rules, never | unanswered):
                never.add(field.id)
                if field.asked:
                    mend = fitting(view, field, "show_when", rules)
                    yield finding("W292", place, mend=mend, field=clip(field.id))
        for order in form.on_answer:
            names = order.if_.names if order.if_ is not None else frozenset()
            if names and names <= set(form.by_id) - {order.field} and order.field in form.by_id:
                place = view.project.at(order, "field", value=True)
                read = ", ".join(sorted(names))
                yield finding("W432", place, field=clip(order.field), names=clip(read), directive=order.directive)
            if order.if_ is not None and not _can_hold(order.if_, rules, never | unanswered):
                place = view.project.at(order, "if", value=True)
                told = {"condition": clip(order.if_.source), "directive": order.directive}
                yield finding("E299", place, mend=fitting(view, order, "if", rules), **told)


def _circular(form: Form) -> dict[str, frozenset[str]]:
    """The fields that lead back to themselves, with all that lie on the way."""
    above: dict[str, set[str]] = {name: set(field.depends) & set(form.by_id) for name, field in form.by_id.items()}
    left = dict(above)
    while free := [name for name, needs in left.items() if not needs & left.keys()]:
        for name in free:
            del left[name]
    found: dict[str, frozenset[str]] = {}
    for name in left:
        reached, todo = set[str](), [name]
        while todo:
            for each in above[todo.pop()]:
                if each not in reached:
                    reached.add(each)
                    todo.append(each)
        if name in reached:
            found[name] = frozenset(reached & left.keys())
    return found


def _never(field: FormField, rules: Rules, never: set[str]) -> bool:
    """Whether no answers at all show it; False where there are too many to try."""
    return field.show_when is not None and not _can_hold(field.show_when, rules, never)


def _can_hold(condition: Expression, rules: Rules, never: set[str]) -> bool:
    """Whether a condition holds with some answers; True where there are too many to try."""
    tried = trials([condition], rules)
    return tried is None or any(
        condition.holds(values.get)
        for values in tried
        if not any(name in never and value is not None for name, value in values.items())
    )
