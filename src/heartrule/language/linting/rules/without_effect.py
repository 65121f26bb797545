"""W407: a rule of a variable that means nothing for its type: ``pattern`` or ``min_length`` where there is no text,
``fields`` where there are no items, ``options`` of which none can be its value."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language import values
from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import VariableRules

_TEXTS = (None, "text", "enum")
_COMPOSITE = (None, "list", "object")
_MEANS = {"pattern": _TEXTS, "min_length": (*_TEXTS, "list"), "fields": _COMPOSITE}


def check(view: View) -> Iterator[Finding]:
    for rules in view.rules():
        for key, types in _MEANS.items():
            if getattr(rules, key) is not None and rules.type not in types:
                place = view.project.at(rules, key)
                yield finding("W407", place, mend=view.without(place, safe=False), key=key, type=rules.type)
        if rules.options and rules.type in ("boolean", "integer", "number") and not _some_fits(rules):
            yield finding("W407", view.project.at(rules, "options"), key="options", type=rules.type)


def _some_fits(rules: VariableRules) -> bool:
    kind = VariableRules(type=rules.type)
    return any(not isinstance(values.accept(kind, each, lambda _: None), values.Bad) for each in rules.options or ())
