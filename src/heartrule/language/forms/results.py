"""What the names in a form's own texts and conditions mean once it has been answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from heartrule.language.expressions import Expression
from heartrule.language.forms.scoring import scores
from heartrule.language.forms.visible_fields import hidden
from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import Form, FormField, OnAnswer, OnSubmit


def lookup(form: Form, values: Mapping[str, Json]) -> Callable[[str], Json]:
    """Reads a field (``q1``), the words of what was chosen (``q1.label``), a score (``total``) and its band
    (``total.band``). None for any other name, and for what has no value."""
    seen = shown(form, values)
    found = scores(form, seen)

    def read(name: str) -> Json:
        head, dot, part = name.partition(".")
        if head in form.by_id:
            value = seen.get(head)
            return value if not dot else label(form.by_id[head], value) if part == "label" else None
        if head in found:
            return found[head].value if not dot else found[head].band if part == "band" else None
        return None

    return read


def label(field: FormField, value: Json) -> Json:
    """The words of an answer: of what was chosen the labels, of anything else the answer itself."""
    if isinstance(value, list):
        return [label(field, each) for each in value]
    same = (each.label for each in field.options if type(each.value) is type(value) and each.value == value)
    return next(same, value)


def shown(form: Form, values: Mapping[str, Json]) -> dict[str, Json]:
    """The answers of the fields that are shown."""
    unseen = hidden(form, values)
    return {name: value for name, value in values.items() if name in form.by_id and name not in unseen}


def on_answer(
    form: Form, values: Mapping[str, Json], covered: Mapping[str, Json] = MappingProxyType({})
) -> tuple[OnAnswer, ...]:
    """The directives of ``on_answer`` that these answers call for, in the form's order. ``covered``: answers to fields
    that are not shown, which count all the same."""
    read, seen = lookup(form, values), {**shown(form, values), **covered}

    def known(name: str) -> Json:
        return covered[name] if name in covered else read(name)

    return tuple(each for each in form.on_answer if each.field in seen and _holds(each.if_, known))


def on_submit(form: Form, values: Mapping[str, Json]) -> tuple[OnSubmit, ...]:
    """What follows when these answers are handed in, in the form's order."""
    read = lookup(form, values)
    return tuple(each for each in form.on_submit if _holds(each.if_, read))


def _holds(condition: Expression | None, read: Callable[[str], Json]) -> bool:
    return condition is None or condition.holds(read)
