"""Which fields of a form are shown, given what has been answered."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import Form, FormField


def hidden(form: Form, values: Mapping[str, Json]) -> frozenset[str]:
    """The fields that are not shown. A hidden field counts as unanswered to the ``show_when`` of others; one within a
    hidden one is hidden. In a circle of conditions, which lint refuses, what is looked at first reads the others as if
    they were shown."""
    unseen: set[str] = set()
    for field in form.by_showing:
        if _hides(field, form, values, unseen):
            unseen.add(field.id)
    return frozenset(unseen)


def _hides(field: FormField, form: Form, values: Mapping[str, Json], unseen: set[str]) -> bool:
    if field.within in unseen:
        return True
    if field.show_when is None:
        return False
    return not field.show_when.holds(lambda name: None if name in unseen else values.get(name))
