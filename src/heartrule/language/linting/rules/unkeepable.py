"""W420: what is put in a form's field or in a variable, and never can be kept there: a band's name in a whole number, a
score beyond a range. W419: a field that the form has not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from heartrule.language import placeholders, values
from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions import Expression
from heartrule.language.expressions.syntax import COMPARE, Chain, Literal, Name, Prefix, Tree, walk
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.forms.answer_parser import value_of
from heartrule.language.forms.reachable import reachable
from heartrule.language.linting.domains import Domains, of_field
from heartrule.language.linting.trials import Rules, values_of
from heartrule.language.linting.view import Body, View, nearest
from heartrule.language.nodes import Action, Place, VariableRules
from heartrule.language.nodes.forms import Form, FormField, SetOnSubmit
from heartrule.language.shape.kinds import describe
from heartrule.language.values.types import Refused

_NO_NUMBERS = ("enum", "boolean", "list", "object", "date")
_NO_NUMBER = Bilingual("它不是数，不能拿来算", "it is no number to be calculated with")
_Keeps = Callable[[Any], Bilingual | None]
"""Why a value is not kept; nothing where it is."""


def check(view: View) -> Iterator[Finding]:
    domains = view.once(Domains)
    for body, action in view.actions():
        if action.traits.offers == "form":
            yield from _filled_in(view, body, action, partial(domains.in_body, body))
        elif action.traits.sets:
            yield from _worked_out(view, body, action, partial(domains.in_body, body))
    for form in view.project.forms:
        for order in form.on_submit:
            if isinstance(order, SetOnSubmit):
                yield from _submitted(view, form, order)


def _filled_in(view: View, body: Body, action: Action, rules: Rules) -> Iterator[Finding]:
    """``values`` of a form that is shown."""
    reference = action.peek("form")
    form = view.form(reference, body.locale) if isinstance(reference, str) else None
    for name, value in (action.peek("values") or {}).items() if form is not None else ():
        field = form.by_id.get(name) if form is not None else None
        if form is not None and field is None:
            place = view.project.at(action, "values", name)
            known = [each.id for each in form.fields if each.asked]
            mend = view.renamed(place, name, known)
            told = {"name": clip(reference), "part": clip(name), "advice": nearest(name, known)}
            yield finding("W419", place, mend=mend, **told)
        elif field is not None and field.asked:
            place = view.project.at(action, "values", name, value=True)
            yield from _refused(place, name, _meant(value, rules), partial(_as_answer, field))


def _worked_out(view: View, body: Body, action: Action, rules: Rules) -> Iterator[Finding]:
    """``expr`` of a variable that is set."""
    found = view.declaration(body, str(action.peek("var")))
    expression = action.peek("expr")
    if found is not None and isinstance(expression, Expression):
        place = view.project.at(action, "expr", value=True)
        yield from _refused(place, found[1].var, _results(expression.tree, rules), partial(_as_value, found[1]))
    for one in _calculated(expression) if isinstance(expression, Expression) else ():
        known = rules(one.name)
        if known is not None and known.type in _NO_NUMBERS:
            place = view.project.within(action, one.offset, "expr")
            var = clip(str(action.peek("var")))
            yield finding("W420", place, name=var, value=clip(one.name), reason=_NO_NUMBER)


def _calculated(expression: Expression) -> Iterator[Name]:
    """The names that are added, multiplied and so on."""
    for part in walk(expression.tree):
        if isinstance(part, Chain) and part.level > COMPARE:
            for one in (part.first, *(right for _, right in part.rest)):
                if isinstance(one, Name):
                    yield one


def _submitted(view: View, form: Form, order: SetOnSubmit) -> Iterator[Finding]:
    """Every declaration of the name must refuse it, since it is not known where the form is shown."""
    declared = [each for each in view.variables() if each.var == order.set]
    place = view.project.at(order, "value", value=True)
    for given in _of_form(form, order.value) if declared else ():
        found = [list(_refused(place, order.set, given, partial(_as_value, each))) for each in declared]
        if all(found):
            yield found[0][0]
            return


def _of_form(form: Form, value: Any) -> Iterator[list[Any]]:
    """Groups of values of which all must not be refused at once."""
    name = placeholders.sole_name(value) if isinstance(value, str) else None
    if name is None:
        yield [value] if value is not None and not (isinstance(value, str) and placeholders.names(value)) else []
        return
    head, _, part = name.partition(".")
    score, field = form.score_by_id.get(head), form.by_id.get(head)
    if score is not None and part == "band":
        yield from ([band.label] for band in score.bands)
    elif score is not None and not part:
        found = reachable(form, score)
        ends = (found.low, found.high) if found is not None else ()
        yield from ([int(end) if end.is_integer() else end] for end in ends if end is not None)
    elif field is not None and field.options:
        each = [option.label if part == "label" else option.value for option in field.options]
        yield from ([[option]] if field.type == "multiple" else [option] for option in each)
    elif field is not None and field.type in ("text", "longtext") and not part:
        yield ["…"]
    elif field is not None and not part and (rules := of_field(field)) is not None:
        yield _some(rules)


def _meant(value: Any, rules: Rules) -> list[Any]:
    """What a literal may stand for."""
    if not isinstance(value, str) or not placeholders.names(value):
        return [value] if value is not None else []
    name = placeholders.sole_name(value)
    return _some(rules(name)) if name is not None else []


def _results(tree: Tree, rules: Rules) -> list[Any]:
    match tree:
        case Literal():
            return [tree.value] if tree.value is not None else []
        case Name():
            return _some(rules(tree.name))
        case Chain():
            return [True, False] if tree.level <= COMPARE else []
        case Prefix():
            return [True, False] if tree.operator == "not" else []
        case _:
            return []


def _some(rules: VariableRules | None) -> list[Any]:
    """Values of a kind that is known."""
    if rules is None or (rules.type is None and not rules.options):
        return []
    return [each for each in values_of(rules, ["1"]) if each is not None]


def _as_answer(field: FormField, value: Any) -> Bilingual | None:
    try:
        value_of(field, value)
    except Refused as refused:
        return Bilingual(refused.bad.zh, refused.bad.en)
    return None


def _as_value(rules: VariableRules, value: Any) -> Bilingual | None:
    kind = rules.model_copy(update={"validate_": None, "pattern": None})
    if rules.update in ("append", "merge_unique"):
        return None
    outcome = values.accept(kind, value, lambda _: None)
    return Bilingual(outcome.zh, outcome.en) if isinstance(outcome, values.Bad) else None


def _refused(place: Place, name: str, given: Iterable[Any], keeps: _Keeps) -> Iterator[Finding]:
    """Where none of what may be given is kept."""
    reasons = [(value, keeps(value)) for value in given]
    if reasons and all(reason is not None for _, reason in reasons):
        value, reason = reasons[0]
        yield finding("W420", place, name=clip(name), value=describe(value), reason=reason)
