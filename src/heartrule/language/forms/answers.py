"""Answers of a form: read, shown or hidden, and held against the form's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions import Expression
from heartrule.language.findings import clip
from heartrule.language.forms.answer_parser import empty, value_of
from heartrule.language.forms.visible_fields import hidden
from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import Form, FormField
from heartrule.language.values.types import Refused


@dataclass(frozen=True, slots=True)
class Problem:
    """``field`` is the id of the field that is spoken of, "" for the form as a whole. ``code`` is stable: ``required``,
    ``unknown_field``, ``not_an_option``, ``range``, ``too_long``, ``validate``, ``check``, … A message that the form
    itself gives is in the form's language."""

    field: str
    code: str
    message: Bilingual


@dataclass(frozen=True, slots=True)
class CheckedAnswers:
    """``values`` are the answers of the fields that are shown, each of its type; one that breaks a rule of the form is
    among them with its problem, one that cannot be read is not. ``hidden`` are the fields that are not shown;
    ``covered``: the answers that were given to them all the same."""

    values: dict[str, Json] = field(repr=False)
    problems: tuple[Problem, ...]
    hidden: frozenset[str]
    covered: dict[str, Json] = field(default_factory=dict, repr=False)


def check(
    form: Form,
    answers: Mapping[str, Json],
    *,
    whole: bool,
    now: datetime | None = None,
    zone: tzinfo | None = None,
) -> CheckedAnswers:
    """``answers`` by field, as they came from outside. ``whole``: they are handed in, so that what is required must be
    there and the form's own checks must hold; otherwise they are a draft. ``now`` and ``zone`` serve ``days_since()``.
    Never raises."""
    values: dict[str, Json] = {}
    problems: dict[str, Problem] = {}
    for name in answers:
        if name not in form.by_id:
            said = Bilingual(f"表单里没有“{clip(name)}”", f"The form has no “{clip(name)}”")
            problems.setdefault(f"?{name}", Problem("", "unknown_field", said))
    for each in form.fields:
        raw = answers.get(each.id)
        if empty(raw):
            continue
        try:
            values[each.id] = value_of(each, raw)
        except Refused as refused:
            problems[each.id] = Problem(each.id, refused.bad.code, Bilingual(refused.bad.zh, refused.bad.en))
    unseen = hidden(form, values)
    covered = {name: value for name, value in values.items() if name in unseen}
    values = {name: value for name, value in values.items() if name not in unseen}
    told = {name: problem for name, problem in problems.items() if name not in unseen}
    told |= {each.field: each for each in _missing(form, values, unseen) if whole and each.field not in told}
    broken = _broken(form, values, whole, _Clock(now, zone))
    order = {each.id: index for index, each in enumerate(form.fields)}
    wrong = tuple(sorted((*told.values(), *broken), key=lambda each: order.get(each.field, len(order))))
    return CheckedAnswers(values, wrong, unseen, covered)


@dataclass(frozen=True, slots=True)
class _Clock:
    now: datetime | None
    zone: tzinfo | None

    def denies(self, expression: Expression, values: Mapping[str, Json]) -> bool:
        """Whether it is false. What cannot be known yet is not."""
        return expression.truth(values.get, self.now, self.zone) is False


def _missing(form: Form, values: Mapping[str, Json], unseen: frozenset[str]) -> Iterator[Problem]:
    for each in form.by_id.values():
        if each.required and each.asked and each.id not in values and each.id not in unseen:
            yield Problem(each.id, "required", Bilingual("这一项需要填写", "This needs an answer"))


def _broken(form: Form, values: Mapping[str, Json], whole: bool, clock: _Clock) -> Iterator[Problem]:
    for each in form.by_id.values():
        if each.id in values:
            yield from _rules(each, values, clock)
    for rule in form.validate_ if whole else ():
        if clock.denies(rule.check, values):
            yield Problem("", "check", Bilingual(rule.message, rule.message))


def _rules(each: FormField, values: Mapping[str, Json], clock: _Clock) -> Iterator[Problem]:
    value = values[each.id]
    if each.max_length is not None and isinstance(value, str) and len(value) > each.max_length:
        limit = each.max_length
        yield Problem(each.id, "too_long", Bilingual(f"最多 {limit} 个字", f"At most {limit} characters"))
    if each.validate_ is not None and clock.denies(each.validate_, values):
        said = Bilingual("填写的内容不合要求", "This answer is not as it should be")
        yield Problem(each.id, "validate", Bilingual(each.message, each.message) if each.message else said)
