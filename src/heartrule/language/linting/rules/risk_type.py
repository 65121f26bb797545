"""E227: ``risk`` on a variable that has no yes and no: only booleans and numbers can answer clearly."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import ValueType, VariableRules

_CLEAR: tuple[ValueType, ...] = ("boolean", "integer", "number")


def check(view: View) -> Iterator[Finding]:
    for variable in view.variables():
        yield from _unclear(view, variable, variable.type)
    for body, action in view.actions():
        for write in view.names.writes(action):
            if write.rules is not None:
                declared = view.declaration(body, write.head)
                yield from _unclear(view, write.rules, write.rules.type or (declared[1].type if declared else None))


def _unclear(view: View, rules: VariableRules, kind: ValueType | None) -> Iterator[Finding]:
    if rules.risk and kind not in _CLEAR:
        missing = kind is None
        yield finding("E227", view.project.at(rules, "risk"), type="—" if missing else kind)
