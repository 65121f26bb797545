"""E289: two options with one value. E290: nothing to choose among. E294: limits upside down, or a first value that the
field itself refuses. E295: an id that conditions cannot name."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions.syntax import Name, parse_tree
from heartrule.language.expressions.tokens import ExpressionError
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.forms.answer_parser import value_of
from heartrule.language.linting.view import View
from heartrule.language.nodes.forms import Form, FormField, Score
from heartrule.language.shape.kinds import describe
from heartrule.language.values.types import Refused


def check(view: View) -> Iterator[Finding]:
    for form in view.project.forms:
        yield from _ids(view, form)
        for field in form.fields:
            yield from _options(view, field)
            yield from _limits(view, field)


def _ids(view: View, form: Form) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for node in _named(form):
        place = view.project.at(node, "id", value=True)
        if not _is_name(node.id):
            yield finding("E295", place, id=clip(node.id))
        elif node.id in first:
            yield finding("E201", place, name=node.id, line=first[node.id], file=place.file)
        first.setdefault(node.id, place.line)


def _named(form: Form) -> Iterator[FormField | Score]:
    yield from form.fields
    yield from form.scores


def _is_name(text: str) -> bool:
    try:
        tree = parse_tree(text)
    except ExpressionError:
        return False
    return isinstance(tree, Name) and tree.name == text and "." not in text


def _options(view: View, field: FormField) -> Iterator[Finding]:
    if field.type in ("single", "multiple") and not field.options:
        yield finding("E290", view.project.at(field, "type"), field=clip(field.id))
    seen: set[str] = set()
    for option in field.options:
        value = str(option.value).strip()
        if value in seen:
            yield finding("E289", option.place, value=describe(option.value))
        seen.add(value)


def _limits(view: View, field: FormField) -> Iterator[Finding]:
    at = view.project.at
    if field.range is not None and field.range[0] > field.range[1]:
        low, high = field.range
        problem = Bilingual(f"{low:g} 大于 {high:g}", f"{low:g} is more than {high:g}")
        yield finding("E294", at(field, "range"), problem=problem)
    elif field.value is not None:
        try:
            value_of(field, field.value)
        except Refused as refused:
            problem = Bilingual(f"初值不能用：{refused.bad.zh}", f"the first value will not do: {refused.bad.en}")
            yield finding("E294", at(field, "value", value=True), problem=problem)
