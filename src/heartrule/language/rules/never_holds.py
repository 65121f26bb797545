"""W235: a comparison with a value that the variable can never have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from heartrule.language import mends
from heartrule.language.conditions import expressions
from heartrule.language.findings import Finding, finding
from heartrule.language.kinds import describe
from heartrule.language.mends import Mend
from heartrule.language.names import conditions
from heartrule.language.nodes import Node, Place, VariableRules
from heartrule.language.view import Body, View


def check(view: View) -> Iterator[Finding]:
    for body in view.bodies:
        for node in (body.steps, *body.steps.actions):
            yield from _compared(view, body, node)


def _compared(view: View, body: Body, node: Node) -> Iterator[Finding]:
    for keys, condition in conditions(node):
        for where, expression in expressions(condition, keys):
            for found in expression.comparisons():
                declared = view.declaration(body, found.name)
                if found.operator != "==" or declared is None or found.other is not None or found.literal is None:
                    continue
                if declared[1].type == "enum" and not _possible(declared[1], found.literal):
                    place = view.project.within(node, found.right_offset, *where)
                    options = "、".join(str(option) for option in declared[1].options or ())
                    mend = _mended(view, place, found.literal, declared[1])
                    yield finding(
                        "W235", place, mend=mend, name=found.name, value=describe(found.literal), options=options
                    )


def _mended(view: View, place: Place, literal: Any, rules: VariableRules) -> Mend | None:
    """The nearest option in place of a text."""
    if not isinstance(literal, str):
        return None
    near = mends.near(literal, [str(option) for option in rules.options or ()])
    quoted = rf"(['\"]){re.escape(literal)}\1"
    return view.rewritten(place, quoted, rf"\g<1>{near[0]}\g<1>", safe=near[1]) if near else None


def _possible(rules: VariableRules, literal: Any) -> bool:
    known = {str(option).strip().lower() for option in rules.options or ()}
    return not known or isinstance(literal, list | dict) or str(literal).strip().lower() in known
