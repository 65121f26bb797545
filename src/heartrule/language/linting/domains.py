"""What a name may hold where a condition reads it, as far as a script says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from heartrule.language.forms.reachable import reachable
from heartrule.language.linting.view import Body, View
from heartrule.language.names import VERSIONS, Names, head_of
from heartrule.language.nodes import Action, ForEach, Phase, Session, ValueType, VariableRules
from heartrule.language.nodes.forms import FieldType, Form, FormField, Score

_TYPES: dict[FieldType, ValueType] = {
    "multiple": "list",
    "text": "text",
    "longtext": "text",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "slider": "number",
    "mood": "integer",
    "date": "date",
}
"""What the answers of a field are, as a variable's values."""


@dataclass(slots=True)
class Domains:
    """The rules of names by the place that reads them; None where nothing is said of them."""

    view: View
    _choices: dict[tuple[int, str], VariableRules] = field(init=False)

    def __post_init__(self) -> None:
        self._choices = _choices(self.view)

    def in_body(self, body: Body, name: str) -> VariableRules | None:
        declared = self.view.declaration(body, name)
        if declared is None and name.endswith(f".{VERSIONS}"):
            held = self.view.declaration(body, head_of(name))
            if held is not None and held[1].update == "versioned":
                return VariableRules(type="list")
        rules: VariableRules | None = declared[1] if declared is not None else self._of_item(body, name)
        if rules is None and declared is None:
            rules = self._of_answers(body, name)
        if rules is None or (rules.type is None and not rules.options and declared and declared[0] != "global"):
            rules = self._choices.get((id(body.session), name)) if body.session is not None else None
        return rules

    def in_phase(self, session: Session, phase: Phase, name: str) -> VariableRules | None:
        """For a phase's own conditions and transitions, which no topic's declarations are seen from."""
        seen: dict[str, VariableRules] = {variable.var: variable for variable in (*session.declare, *phase.declare)}
        found = seen.get(name) or self.view.globals.get(name) or self._choices.get((id(session), name))
        body = next((each for each in self.view.bodies if each.phase is phase), None) if "." in name else None
        return found or (self._of_answers(body, name) if body is not None else None)

    def everywhere(self, name: str) -> VariableRules | None:
        """For awareness scripts, which watch any session."""
        return self.view.globals.get(name)

    def in_form(self, form: Form, name: str) -> VariableRules | None:
        """For what a form itself asks of its answers and scores."""
        head, _, part = name.partition(".")
        if head in form.by_id:
            return self.view.names.once(_of_field, form.by_id[head]) if not part else None
        return self.view.names.once(_of_score, form, head, part) if head in form.score_by_id else None

    def _of_answers(self, body: Body, name: str) -> VariableRules | None:
        """For what a form has left: ``phq9.q1``, ``phq9.total.band``."""
        head, _, rest = name.partition(".")
        form = self.view.answered(body, head)
        return self.in_form(form, rest) if form is not None and rest else None

    def _of_item(self, body: Body, name: str) -> VariableRules | None:
        """What a field of the present item may be, where a topic goes through a list whose fields are declared."""
        each = body.steps.peek("for_each")
        alias, dot, field_name = name.partition(".")
        if not isinstance(each, ForEach) or alias != each.as_ or not dot:
            return None
        declared = self.view.declaration(body, each.in_)
        known = next((one for one in declared[1].fields or () if one.name == field_name), None) if declared else None
        return VariableRules(type=known.type, options=known.options) if known is not None else None


def of_field(field: FormField) -> VariableRules | None:
    """The rules of a field's answers; None where nothing is known of them."""
    options = [option.value for option in field.options] or None
    kind = _TYPES.get(field.type)
    if kind is None and not options:
        return None
    limits = field.limits if kind in ("integer", "number") else None
    return VariableRules(type=kind, options=options if field.type in ("single", "multiple") else None, range=limits)


def of_score(form: Form, score: Score, part: str = "") -> VariableRules | None:
    """The rules of a score, or of what its bands are called."""
    if part:
        labels: list[Any] = list(dict.fromkeys(band.label for band in score.bands))
        return VariableRules(options=labels) if part == "band" and labels else None
    found = reachable(form, score)
    if found is None:
        return None
    whole = found.values is not None and all(each.is_integer() for each in found.values)
    limits = (found.low, found.high) if found.low is not None and found.high is not None else None
    return VariableRules(type="integer" if whole else "number", range=limits)


def _choices(view: View) -> dict[tuple[int, str], VariableRules]:
    """The rules of names that nothing but choices writes, by session."""
    offered: dict[tuple[int, str], list[Action]] = {}
    others: set[tuple[int, str]] = set()
    for body, action in view.actions():
        for write in view.names.writes(action):
            key = id(body.session), write.head
            if action.traits.offers == "choice":
                offered.setdefault(key, []).append(action)
            else:
                others.add(key)
    told = view.told_besides()
    return {
        key: view.names.once(_offered, first, *more)
        for key, (first, *more) in offered.items()
        if key not in others and key[1] not in told
    }


def _offered(_: Names, *actions: Action) -> VariableRules:
    return VariableRules(options=[choice.value for action in actions for choice in action.peek("choices")])


def _of_field(_: Names, field: FormField) -> VariableRules | None:
    return of_field(field)


def _of_score(_: Names, form: Form, name: str, part: str) -> VariableRules | None:
    return of_score(form, form.score_by_id[name], part)
