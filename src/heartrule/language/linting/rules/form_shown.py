"""W292: a field that is never shown, whatever is answered. E293: fields that decide in a circle whether they are
shown. E299: what happens on an answer and never can, such as a technique that help in danger hangs on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from heartrule.language.expressions import Expression
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import Form, FormField

_MOST = 5_000


def check(view: View) -> Iterator[Finding]:
    for form in view.project.forms:
        circular = _circular(form)
        never: set[str] = set()
        for field in form.by_showing:
            place = view.project.at(field, "show_when" if field.show_when is not None else "within")
            if field.id in circular:
                yield finding("E293", place, fields=", ".join(sorted(circular[field.id])))
            elif field.within in never or _never(field, form, never):
                never.add(field.id)
                if field.asked:
                    yield finding("W292", place, field=clip(field.id))
        for order in form.on_answer:
            if order.if_ is not None and not _can_hold(order.if_, form, never):
                place = view.project.at(order, "if", value=True)
                yield finding("E299", place, condition=clip(order.if_.source), directive=order.directive)


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


def _never(field: FormField, form: Form, never: set[str]) -> bool:
    """Whether no answers at all show it; False where there are too many to try."""
    return field.show_when is not None and not _can_hold(field.show_when, form, never)


def _can_hold(condition: Expression, form: Form, never: set[str]) -> bool:
    """Whether a condition holds with some answers; True where there are too many to try."""
    names = sorted(condition.names)
    answers = [[None] if name in never else _answers(form.by_id.get(name)) for name in names]
    count = 1
    for each in answers:
        count *= len(each)
        if not each or count > _MOST:
            return True
    return any(condition.holds(dict(zip(names, values, strict=True)).get) for values in product(*answers))


def _answers(field: FormField | None) -> list[Json]:
    """Everything that may be answered, no answer too; empty where that is endless."""
    if field is None:
        return []
    if field.type == "single":
        return [None, *(option.value for option in field.options)]
    if field.type == "boolean":
        return [None, True, False]
    limits = field.limits
    if field.type in ("integer", "mood") and limits is not None and limits[1] - limits[0] <= 200:
        return [None, *range(int(limits[0]), int(limits[1]) + 1)]
    return [None] if field.type == "note" else []
